package stripe_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// TestContradictions changes one value of the response to a confirmation: the outcome is unknown then.
func TestContradictions(t *testing.T) {
	for _, change := range [][2]string{
		{`"livemode":false`, `"livemode":true`}, {`"currency":"usd"`, `"currency":"eur"`},
		{`"reference":"one"`, `"reference":"two"`}, {`"id":"pi_`, `"id":"pi_other_`},
		{`"object":"payment_intent"`, `"object":"charge"`}, {`"amount":1000,`, `"amount":1001,`},
		{`"status":"succeeded"`, `"status":"new"`}, {`"amount_received":1000`, `"amount_received":100`},
	} {
		var s *simulator.Simulator
		r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
			if !isConfirmation(r) {
				return false
			}
			response := httptest.NewRecorder()
			s.ServeHTTP(response, r)
			changed := strings.ReplaceAll(response.Body.String(), change[0], change[1])
			if changed == response.Body.String() {
				t.Errorf("%s is not in the response", change[0])
			}
			_, _ = w.Write([]byte(changed))
			return true
		})
		s = r.Simulator
		got, err := r.connector.Charge(t.Context(), r.charge(t, "one"))
		if err == nil || errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%s: %+v, %v", change[1], got, err)
		}
	}
}

// meanwhile starts a connector with a simulator, and calls a function before the next request whose path ends so.
func meanwhile(t *testing.T, path string, do func(*simulator.Simulator)) running {
	t.Helper()
	var s *simulator.Simulator
	r := behind(t, simulator.Options{}, func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, path) {
			do(s)
		}
		return false
	})
	s = r.Simulator
	return r
}

// TestTwoVoidsAtOnce looks up a void while another one of the same payment was noted.
func TestTwoVoidsAtOnce(t *testing.T) {
	id := ""
	r := meanwhile(t, "/cancel", func(s *simulator.Simulator) {
		post(t, s, "/stripe/v1/payment_intents/"+id, "metadata[void]=another")
	})
	c := r.charge(t, "one")
	c.Auth = true
	id = r.send(t, c).ProviderID
	r.query(t, r.follow(t, connector.RequestVoid, c, id, "void", "10"), connector.OutcomeApproved)
}

// TestEndedWhenConfirmed ends a charge that the payer confirms at the same moment: what Stripe has cancelled is not
// authorised.
func TestEndedWhenConfirmed(t *testing.T) {
	r := meanwhile(t, "/cancel", func(s *simulator.Simulator) {
		o, _ := s.Find(family, "one")
		s.Act(o.ID, simulator.Approve)
	})
	c := r.charge(t, "one")
	c.Auth, c.Card = true, cardOf(conformance.RequiresAction)
	r.send(t, c)
	got, err := r.connector.(connector.Canceller).Cancel(t.Context(), c.ProviderRequest)
	if err != nil || got.Outcome != connector.OutcomeDeclined {
		t.Errorf("%+v, %v", got, err)
	}
	r.query(t, c.ProviderRequest, connector.OutcomeDeclined)
}

// TestConfirmedByAnother sends a charge that another worker sends at the same moment, and that the payer confirms: the
// response to the first confirmation is old by then.
func TestConfirmedByAnother(t *testing.T) {
	var r running
	var c connector.Charge
	again := false
	r = meanwhile(t, "/confirm", func(s *simulator.Simulator) {
		if again {
			return
		}
		again = true
		if got := r.send(t, c); got.Outcome != connector.OutcomeActionRequired {
			t.Errorf("the other worker gets %+v", got)
		}
		o, _ := s.Find(family, "one")
		s.Act(o.ID, simulator.Approve)
	})
	c = r.charge(t, "one")
	c.Card = cardOf(conformance.RequiresAction)
	if got := r.send(t, c); got.Outcome != connector.OutcomeApproved {
		t.Errorf("%+v", got)
	}
}

// TestOtherCurrency refunds and captures in a currency that the payment does not have.
func TestOtherCurrency(t *testing.T) {
	r := start(t)
	c := r.charge(t, "one")
	refund := c.ProviderRequest
	refund.ProviderID = r.send(t, c).ProviderID
	refund.Kind, refund.OriginalReference, refund.Reference = connector.RequestRefund, "one", "refund"
	refund.Amount = amount(t, "3", "EUR")
	got, err := r.connector.(connector.Refunder).Refund(t.Context(), refund)
	if err != nil || got.Outcome != connector.OutcomeDeclined || got.ReasonCode != reason.CurrencyNotSupported {
		t.Errorf("%+v, %v", got, err)
	}
	if n := len(r.Operations()); n != 1 {
		t.Errorf("the ledger has %d operations", n)
	}
}

// TestSeveralFound finds the PaymentIntent that was confirmed among those with the same reference: the first one was
// created by a look-up, a day before the charge.
func TestSeveralFound(t *testing.T) {
	later := time.Duration(0)
	r := behind(t, simulator.Options{Now: func() time.Time { return time.Now().Add(later) }},
		func(http.ResponseWriter, *http.Request) bool { return false })
	c := r.charge(t, "one")
	r.query(t, c.ProviderRequest, connector.OutcomeUnknown)
	later = 25 * time.Hour
	r.send(t, c)
	later = 50 * time.Hour
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	r.send(t, r.charge(t, "two"))
	r.send(t, r.charge(t, "two"))
	cards := 0
	for _, sent := range r.Requests() {
		if sent.Path == "/v1/payment_methods" {
			cards++
		}
	}
	if cards != 2 {
		t.Errorf("the cards of 2 charges, one of them repeated, were sent %d times", cards)
	}
}

// TestReadNotSent sends what may have been done by an earlier request, when Stripe does not let the connector read: the
// outcome is unknown, and not that nothing was sent.
func TestReadNotSent(t *testing.T) {
	deaf, id := false, ""
	var s *simulator.Simulator
	r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		voided := strings.HasSuffix(r.URL.Path, "/cancel")
		if voided { // another void is noted
			post(t, s, "/stripe/v1/payment_intents/"+id, "metadata[void]=another")
		}
		if deaf && (r.Method == http.MethodGet || strings.HasSuffix(r.URL.Path, id) && id != "") {
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		deaf = deaf || voided
		return false
	})
	s = r.Simulator
	wantSent := func(what string, got connector.Result, err error) {
		t.Helper()
		if err == nil || errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
	c := r.charge(t, "one")
	c.Auth = true
	id = r.send(t, c).ProviderID
	deaf = true
	got, err := r.connector.Charge(t.Context(), c)
	wantSent("the charge again", got, err)
	deaf = false
	void := c.ProviderRequest
	void.Kind, void.Reference, void.OriginalReference, void.ProviderID = connector.RequestVoid, "void", "one", id
	got, err = r.connector.(connector.Voider).Void(t.Context(), void)
	wantSent("the void", got, err)

	confirming := false
	busy := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case isConfirmation(r):
			confirming = true
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":{"type":"idempotency_error"}}`))
		case confirming:
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return confirming
	})
	got, err = busy.connector.Charge(t.Context(), busy.charge(t, "one"))
	wantSent("a confirmation that was sent before", got, err)
}
