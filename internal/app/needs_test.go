package app_test

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/app"
	"checkout/internal/app/providers"
)

// No function starts without one of the variables that it asks for. The error names the variable.
func TestFunctionsNeedTheirVariables(t *testing.T) {
	for name, f := range app.Functions() {
		needs := f.Needs().Variables
		for _, lacking := range needs {
			env := func(name string) string {
				if name == lacking || !slices.Contains(needs, name) {
					return ""
				}
				return "1" // which is a number of days, too
			}
			if _, err := f.Handler(env, app.Logger(t.Output())); err == nil || err.Error() != "the environment has no "+lacking {
				t.Errorf("%s without %s: %v", name, lacking, err)
			}
		}
	}
	const want = "STACK PAYMENT_RETENTION_DAYS TABLE CREDENTIALS_KEY_ID VAULT_TABLE JOB_QUEUE_URL TEST_JOB_QUEUE_URL " +
		"CALLBACK_QUEUE_URL TEST_CALLBACK_QUEUE_URL BASE_URL SANDBOX ORIGIN_SECRET"
	if needs := strings.Join(providers.Notify.Needs().Variables, " "); needs != want {
		t.Errorf("notify needs %s", needs)
	}
}
