package app_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/app/callbacks"
	"checkout/internal/app/function"
	"checkout/internal/app/pages"
	"checkout/internal/app/providers"
	"checkout/internal/app/queues"
	"checkout/internal/app/wallets"
	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/payer"
	"checkout/internal/settings"
	"checkout/internal/store/memory"
	"checkout/internal/worker"
)

// A part that a function was not given returns an error that names it.
func TestAbsentPartsReturnErrors(t *testing.T) {
	store := memory.NewStore()
	none := func(string) string { return "" }
	b, err := function.NewBuilder(none, app.Logger(io.Discard), &checkout.Core{Now: time.Now, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	a := b.App
	ctx := t.Context()
	for part, use := range map[string]func() error{
		queues.Jobs.Name:        func() error { return a.Core.Jobs.SendJob(ctx, checkout.JobMessage{}, 0) },
		queues.Callbacks.Name:   func() error { return a.Worker.Callbacks.SendCallback(ctx, callback.Message{}, 0) },
		function.DayKeys.Name:   func() error { _, err := a.Worker.Vault.NewDayKey(ctx, "2030-03-04"); return err },
		function.OpenVault.Name: func() error { _, err := a.Worker.Vault.OpenDayKey(ctx, card.DayKey{}); return err },
		"password of merchants": func() error {
			_, err := a.Core.Secrets.Decrypt(ctx, settings.SecretPassword, "shop", nil)
			return err
		},
		wallets.Tokens.Name: func() error { _, err := a.Worker.Wallets.OpenToken(ctx, worker.WalletToken{}); return err },
		pages.MerchantSessions.Name: func() error {
			_, err := a.Payer.Sessions.Begin(ctx, payer.MerchantSession{})
			return err
		},
		callbacks.Sender.Name: func() error { _, err := a.Worker.Sender.Send(ctx, callback.Outgoing{}); return err },
		providers.Connectors.Name: func() error {
			to := settings.NoticeAddress{Connector: settings.SandboxConnector}
			_, err := a.Worker.HandleNotification(ctx, to, connector.Notification{})
			return err
		},
	} {
		if err := use(); err == nil || !strings.Contains(err.Error(), "this function was not given the "+part) {
			t.Errorf("%s: %v", part, err)
		}
	}
	_, jobs := a.Worker.Batches.SendJobs(ctx, nil)
	_, callbacks := a.Operator.Callbacks.SendCallbacks(ctx, nil)
	if jobs == nil || callbacks == nil {
		t.Errorf("batches: %v, %v", jobs, callbacks)
	}
	if url := a.Core.BaseURL; url != "https://no-base-url.invalid" {
		t.Errorf("base URL %q", url)
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
