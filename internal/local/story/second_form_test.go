package story

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/settings"
)

// pull is a method whose provider sends the payer a code, and lets the payer choose an account.
var pull = method.Method{ID: "pull", Label: "Pull", Sets: []method.Set{{Name: "pull", Rows: []method.Param{
	{
		Name: "phone", Type: method.TypeString, Need: method.Required,
		Page: &method.Input{Kind: method.FieldPhone},
	},
	{Name: "bankDetails", Type: method.TypeObject, Need: method.Optional, Rows: []method.Param{
		{
			Name: "otp", Type: "N6", Need: method.Conditional,
			Page: &method.Input{Kind: method.FieldCode, Second: true},
		},
		{
			Name: "account", Type: method.TypeString, Need: method.Conditional,
			Page: &method.Input{Kind: method.FieldSelect, Second: true},
		},
	}},
}}}}

// needsMore is a provider's result that requires a second form with these fields.
func needsMore(fields ...string) connector.Result {
	next := &connector.RequiredAction{
		Kind: connector.ActionPending, Text: "enter_code", ExpiresAt: time.Date(2030, 3, 4, 10, 10, 0, 0, time.UTC),
	}
	for _, id := range fields {
		f := connector.FormField{ID: id}
		if id == "bankDetails.account" {
			f.Options = []connector.FieldOption{{Value: "savings"}, {Value: "current"}}
		}
		next.Fields = append(next.Fields, f)
	}
	return connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: next}
}

// pulls opens a visit whose payer has sent the first form of pull to a provider.
func pulls(t *testing.T, bank *provider) (*World, *Visit) {
	t.Helper()
	withMethod(t, pull)
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Methods = []string{"pull"} })
	bank.charge = onCharge(needsMore("bankDetails.otp", "bankDetails.account"))
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1")
	phone := map[string]string{"phone": "+54911"}
	payer.send(form.Request{Attempt: uuid.NewString(), Method: "pull", Fields: phone})
	w.work()
	return w, payer
}

// codeAndAccount is a valid second form of pull.
var codeAndAccount = map[string]string{"bankDetails.otp": "123456", "bankDetails.account": "savings"}

// The second form is checked, stored, and sent to the provider once.
func TestSecondForm(t *testing.T) {
	bank := &provider{}
	w, payer := pulls(t, bank)
	wait := payer.screen()
	if words(wait) != "wait: enter_code" || wait.Step != "1" || len(wait.Fields) != 2 || wait.ExpiresAt == "" {
		t.Fatalf("the payer sees %q, %+v", words(wait), wait)
	}
	otp, account := wait.Fields[0], wait.Fields[1]
	if otp.ID != "bankDetails.otp" || otp.Kind != method.FieldCode || otp.Max != 6 || len(account.Options) != 2 {
		t.Errorf("the form is %+v", wait.Fields)
	}
	for _, test := range []struct {
		step   string
		fields map[string]string
		want   string
	}{
		{"1", nil, "400 bankDetails.otp bankDetails.account"},
		{"1", map[string]string{"bankDetails.otp": "1234567", "bankDetails.account": "savings"}, "400 bankDetails.otp"},
		{"1", map[string]string{"bankDetails.otp": "123456", "bankDetails.account": "another"}, "400 bankDetails.account"},
		{"2", codeAndAccount, "200 wait: enter_code"},
		{"0", codeAndAccount, "200 wait: enter_code"},
		{"1", codeAndAccount, "200 wait: processing"},
		{"1", codeAndAccount, "200 wait: processing"},
	} {
		if got := payer.submits(test.step, test.fields); got != test.want {
			t.Errorf("step %s of %v: %s, want %s", test.step, test.fields, got, test.want)
		}
	}
	w.work()
	payer.sees("go https://shop.example/paid")
	if len(bank.charges) != 1 || len(bank.continued) != 1 ||
		bank.continued[0].Reference != bank.charges[0].Reference {
		t.Fatalf("%d charges, %d continued", len(bank.charges), len(bank.continued))
	}
	sent := leafTexts(bank.continued[0])
	for _, text := range []string{"123456", "savings", "+54911"} {
		if !slices.Contains(sent, text) {
			t.Errorf("the provider got %q, without %q", sent, text)
		}
	}
	if got := payer.submits("1", codeAndAccount); got != "200 go https://shop.example/paid" {
		t.Errorf("after the end: %s", got)
	}
}

// Failures on the way to the provider never charge twice, and no form that may have arrived is sent again.
func TestSecondFormGoesWrong(t *testing.T) {
	lost := func(int) (connector.Result, error) { return noResponse(connector.Charge{}) }
	for name, test := range map[string]struct {
		proceed   func(n int) (connector.Result, error) // of the n-th try
		lookUp    connector.Result
		continued int
		status    string
	}{
		"not sent at first": {func(n int) (connector.Result, error) {
			if n < 3 {
				return connector.Result{}, fmt.Errorf("%w: refused", connector.ErrNotSent)
			}
			return approved, nil
		}, connector.Result{}, 3, "settled"},
		"no response, but approved": {lost, approved, 1, "settled"},
		"no response, and declined": {lost, declined, 1, "decline (Declined by processing.)"},
		"no response, and another form": {func(n int) (connector.Result, error) {
			if n == 1 {
				return lost(n)
			}
			return approved, nil
		}, needsMore("bankDetails.otp"), 2, "settled"},
	} {
		t.Run(name, func(t *testing.T) {
			bank := &provider{lookUp: onFollowUp(test.lookUp)}
			bank.proceed = func(connector.Charge) (connector.Result, error) {
				return test.proceed(len(bank.continued))
			}
			w, payer := pulls(t, bank)
			payer.submits("1", codeAndAccount)
			w.pass(2 * time.Minute)
			if wait := payer.screen(); wait.Step == "2" {
				payer.submits("2", map[string]string{"bankDetails.otp": "654321"})
			}
			w.pass(2 * time.Minute)
			payer.is(test.status)
			if len(bank.charges) != 1 || len(bank.continued) != test.continued {
				t.Errorf("%d charges, %d continued", len(bank.charges), len(bank.continued))
			}
		})
	}
}

// After a wrong code the page asks again. A repeat of the first form is not taken for the second one.
func TestSecondFormAgain(t *testing.T) {
	bank := &provider{}
	bank.proceed = func(c connector.Charge) (connector.Result, error) {
		if len(bank.continued) == 1 {
			return needsMore("bankDetails.otp"), nil
		}
		return approved, nil
	}
	w, payer := pulls(t, bank)
	payer.submits("1", codeAndAccount)
	w.work()
	if wait := payer.screen(); words(wait) != "wait: enter_code" || wait.Step != "2" || len(wait.Fields) != 1 {
		t.Fatalf("the payer sees %q, %+v", words(wait), wait)
	}
	if got := payer.submits("1", codeAndAccount); got != "200 wait: enter_code" {
		t.Errorf("the first form again: %s", got)
	}
	w.work()
	payer.submits("2", map[string]string{"bankDetails.otp": "654321"})
	w.work()
	payer.is("settled")
	if len(bank.charges) != 1 || len(bank.continued) != 2 {
		t.Errorf("%d charges, %d continued", len(bank.charges), len(bank.continued))
	}
	want := `{"bankDetails":{"account":"savings","otp":"654321"},"phone":"+54911"}`
	if got := string(bank.continued[1].Parameters); got != want {
		t.Errorf("the provider got %s", got)
	}
	w.shop.told("init success pending", "sale success settled")
}
