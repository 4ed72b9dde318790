package mobilemoney

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/local/simulated"
	"checkout/internal/page/screen"
	"checkout/internal/request"
)

const reference = "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70"

// chargeOf10 is a charge of 10.00 USD.
func chargeOf10(f *simulated.Family) connector.Charge {
	return connector.Charge{
		ProviderRequest: f.Request(reference), Operation: "purchase", Method: "mobile_money", Description: "A pen",
		Parties:    request.Parties{Customer: request.Customer{Name: "Ama Doe", Email: "ama@shop.example"}},
		Parameters: json.RawMessage(`{"phone":"+233241234567"}`), ReturnURL: "https://pay.example/back",
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		f := simulated.Start(t, "mobilemoney", New)
		p := f.Provider()
		p.Totals = nil
		p.Forge = f.ForgeSigned(map[connector.Outcome]string{
			connector.OutcomeApproved: "successful", connector.OutcomeDeclined: "failed",
			connector.OutcomeChargeback: "reversed",
		})
		p.Charge = func(does conformance.Behaviour) connector.Charge {
			f.ExpectCharge(does)
			return chargeOf10(f)
		}
		return p
	})
}

// TestRequests compares the requests with the recorded ones, which were read beside the specification: with all fields,
// a look-up, and without what is optional.
func TestRequests(t *testing.T) {
	f := simulated.Start(t, "mobilemoney", New)
	c := chargeOf10(f)
	if _, err := f.Connector.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	f.LookUp(t, c.ProviderRequest)
	f.MID["merchant_bears_fee"], f.MID["secret"] = "true", ""
	c.Reference, c.Description, c.Customer.Name, c.ReturnURL = "reference-2", "", "", ""
	if _, err := f.Connector.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	f.WantRequests(t)
	for _, sent := range f.Simulator.Requests() {
		if sent.Status != http.StatusOK {
			t.Errorf("status %d for %s", sent.Status, sent.Body)
		}
	}
}

// TestRefused has requests that the provider or the connector refuses: nothing was charged.
func TestRefused(t *testing.T) {
	for name, change := range map[string]func(*connector.Charge){
		"payer.email": func(c *connector.Charge) { c.Customer.Email = "" },
		"payer.phone": func(c *connector.Charge) { c.Parameters = nil },
		"reference":   func(c *connector.Charge) { c.Reference = "short-1" },
	} {
		f := simulated.Start(t, "mobilemoney", New)
		c := chargeOf10(f)
		change(&c)
		r, err := f.Connector.Charge(t.Context(), c)
		if err != nil || r.Outcome != connector.OutcomeDeclined || !strings.Contains(r.Code, name) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	for name, value := range map[string]string{"url": "", "key": "", "merchant_bears_fee": "yes"} {
		f := simulated.Start(t, "mobilemoney", New)
		f.MID[name] = value
		_, err := f.Connector.Charge(t.Context(), chargeOf10(f))
		if !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPrompt has the provider's words for the payer: a limited text, and no more than that.
func TestPrompt(t *testing.T) {
	f := simulated.Start(t, "mobilemoney", New)
	r, err := f.Connector.Charge(t.Context(), chargeOf10(f))
	if err != nil || r.RequiredAction == nil || r.RequiredAction.Text != screen.TextConfirmInApp {
		t.Fatalf("%+v, %v", r, err)
	}
	want := screen.Shown{
		ID: "provider_message", Type: screen.ShownText,
		Value: "Enter your PIN in the prompt on your phone to confirm the payment.",
	}
	if shown := r.RequiredAction.Show; len(shown) != 1 || shown[0] != want {
		t.Errorf("shown: %+v", shown)
	}
	long := response{Message: "Dial *126#\n" + strings.Repeat("é", 5000) + "<script>"}
	shown := long.prompt().Show[0].Value
	if utf8.RuneCountInString(shown) != maxMessage || !strings.HasPrefix(shown, "Dial *126# éé") {
		t.Errorf("a long message is shown as %q", shown)
	}
	if action := (response{}).prompt(); len(action.Show) > 0 {
		t.Errorf("without a message: %+v", action.Show)
	}
}

// TestStatuses has what responses and notices mean, and those that mean nothing: an error, that nobody believes.
func TestStatuses(t *testing.T) {
	of := simulated.Start(t, "mobilemoney", New).Request(reference)
	for _, test := range []struct {
		change          func(*response)
		result, noticed connector.Outcome
		unknown         bool
	}{
		{func(*response) {}, connector.OutcomeApproved, connector.OutcomeApproved, false},
		{func(r *response) { r.Status = "failed" }, connector.OutcomeDeclined, connector.OutcomeDeclined, false},
		{func(r *response) { r.Status = "pending" }, connector.OutcomePending, connector.OutcomePending, false},
		{func(r *response) { r.Status = "reversed" }, connector.OutcomeDeclined, connector.OutcomeReversal, false},
		{func(r *response) { r.Status, r.Code = "reversed", "chargeback" },
			connector.OutcomeDeclined, connector.OutcomeChargeback, false},
		{change: func(r *response) { r.Status, r.AuthMethod = "pending", "PIN" }, unknown: true},
		{change: func(r *response) { r.Status = "ok" }, unknown: true},
		{change: func(r *response) { r.Amount = "9.99" }, unknown: true},
		{change: func(r *response) { r.Amount = "" }, unknown: true},
		{change: func(r *response) { r.Currency = "EUR" }, unknown: true},
		{change: func(r *response) { r.Reference = "reference-2" }, unknown: true},
		{change: func(r *response) { r.ID = "" }, unknown: true},
	} {
		r := response{ID: "1", Reference: reference, Status: "successful", Amount: "10.00", Currency: "USD"}
		test.change(&r)
		result, err := r.result(of)
		noticed, errNoticed := r.noticed(of)
		if result.Outcome != test.result || noticed.Outcome != test.noticed || (err != nil) != test.unknown ||
			(errNoticed != nil) != test.unknown {
			t.Errorf("%+v: %+v, %v; noticed %+v, %v", r, result, err, noticed, errNoticed)
		}
	}
}
