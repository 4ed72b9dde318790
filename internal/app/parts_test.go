package app_test

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/app/function"
	"checkout/internal/app/providers"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/settings"
)

// A function without any part reads merchants without their secrets, and refuses notices: without connectors nothing is
// known of a payment.
func TestWithoutParts(t *testing.T) {
	store, merchants := newOperator(t)
	loaded, err := app.LoadMerchants(t.Context(), merchants, []byte(sampleMerchants(t)), "https://pay.example")
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) string { return "" }
	b, err := function.NewBuilder(none, app.Logger(t.Output()), &checkout.Core{Now: time.Now, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Core.Merchant(t.Context(), loaded[0].ID, time.Now())
	if err != nil || m == nil || m.LiveKey != loaded[0].LiveKey || m.Password != "" || loaded[0].Password == "" {
		t.Errorf("%+v, %v", m, err)
	}
	_, err = b.Worker.HandleNotification(t.Context(), settings.NoticeAddress{}, connector.Notification{})
	if err == nil || !strings.Contains(err.Error(), "this function was not given the connectors") {
		t.Errorf("%v", err)
	}
}

// No function starts without one of the variables that its parts need. The error names the variable.
func TestFunctionsNeedTheirVariables(t *testing.T) {
	for name, f := range app.Functions() {
		for _, lacking := range f.Needs() {
			env := func(name string) string {
				if name == lacking {
					return ""
				}
				return "set"
			}
			if err := f.Missing(env); err == nil || err.Error() != "the environment has no "+lacking {
				t.Errorf("%s without %s: %v", name, lacking, err)
			}
		}
	}
	const want = "STACK TABLE PAYMENT_RETENTION_DAYS ORIGIN_SECRET BASE_URL JOB_QUEUE_URL TEST_JOB_QUEUE_URL " +
		"CALLBACK_QUEUE_URL TEST_CALLBACK_QUEUE_URL VAULT_TABLE SANDBOX CREDENTIALS_KEY_ID"
	if needs := strings.Join(providers.Notify.Needs(), " "); needs != want {
		t.Errorf("notify needs %s", needs)
	}
}
