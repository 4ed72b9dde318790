package stripe_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
)

// TestSchemesID charges a saved card in a chain that began at another provider: with the scheme's id of its first
// payment, and without where the account may not send that.
func TestSchemesID(t *testing.T) {
	const param = "payment_method_options[card][mit_exemption][network_transaction_id]"
	for _, refused := range []bool{false, true} {
		var with, without int
		r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/payment_intents/") || isConfirmation(r) {
				return false
			}
			err := r.ParseForm()
			r.Body = io.NopCloser(strings.NewReader(r.PostForm.Encode()))
			if err != nil || r.Form.Get(param) != "MCC0000010102" {
				without++
				return false
			}
			with++
			if refused {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error","code":"parameter_unknown","param":"` +
					`payment_method_options[card][mit_exemption]"}}`))
			}
			return refused
		})
		later := r.charge(t, "later")
		later.Recurring, later.SavedCard, later.InitialTransaction = true, true, "another-provider-1"
		later.InitialNetworkID, later.SessionID, later.ReturnURL, later.Card.SecurityCode = "MCC0000010102", "", "", ""
		result := r.send(t, later)
		if result.Outcome != connector.OutcomeApproved || with != 1 || (without > 0) != refused {
			t.Errorf("refused %v: %+v, sent %d with it and %d without", refused, result, with, without)
		}
	}
}

// TestAuthenticationIsRead pays with a card that needs 3-D Secure.
func TestAuthenticationIsRead(t *testing.T) {
	r := start(t)
	c := r.charge(t, "secure")
	c.Card.Number = "4000000000003220"
	if first := r.send(t, c); first.NetworkTransactionID != "" || first.Authentication != (connector.Authentication{}) {
		t.Fatalf("before the payer acts: %+v", first)
	}
	o, _ := r.Find("stripe", c.Reference)
	r.Act(o.ID, simulator.Approve)
	got := r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	if got.ECI != "05" || got.ThreeDSVersion != "2.2.0" || got.DSTransaction == "" || got.LiabilityShift != "" ||
		got.NetworkTransactionID == "" {
		t.Errorf("%+v", got)
	}
}
