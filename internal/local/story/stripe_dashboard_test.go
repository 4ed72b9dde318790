package story

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/simulator"
)

// dashboard sends a request to Stripe that is none of the service's, as people do on Stripe's website. Its events
// arrive twice, as Stripe says that they may.
func (s *simulated) dashboard(path, form string) {
	s.t.Helper()
	r := httptest.NewRequest("POST", "/stripe/v1"+path, strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+simulator.Key)
	w := httptest.NewRecorder()
	if s.Simulator.ServeHTTP(w, r); w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	s.arrives()
}

// arrives has the events arrive twice.
func (s *simulated) arrives() {
	s.mu.Lock()
	events := append([]func(){}, s.later...)
	s.later = append(s.later, events...)
	s.mu.Unlock()
	s.notifies()
}

// happens lets something happen to the payment's charge at Stripe.
func (s *simulated) happens(payer *Visit, choice simulator.Choice) {
	s.t.Helper()
	o, _ := s.Find("stripe", payer.payment().ChargeReference)
	s.Act(o.ID, choice)
	s.arrives()
}

// Refunds in Stripe's dashboard are told beside the shop's own, and so is that one of them failed.
func TestStripeDashboardRefunds(t *testing.T) {
	s := opensStripe(t)
	payer := s.shop.visits("pen-1")
	payer.pays("03/31")
	intent := payer.payment().ProviderID
	s.dashboard("/refunds", "payment_intent="+intent+"&amount=300&reason=fraudulent")
	payer.is("settled")
	s.shop.refunds(payer.paymentID(), "2.00")
	s.arrives()
	s.dashboard("/refunds", "payment_intent="+intent)
	payer.is("refund")
	all := s.Operations()
	s.Act(all[len(all)-1].ID, simulator.Fail)
	s.arrives()
	payer.is("settled")
	if got := s.shop.does("refund 5.00", payer.paymentID()); got != "200 accepted" {
		t.Errorf("the failed amount again: %s", got)
	}
	s.arrives()
	payer.is("refund")
	s.shop.told("sale success settled", "refund success settled", "refund success settled", "refund success refund",
		"refund fail settled", "refund success refund")
	const want = "refund 3.00 made_elsewhere, refund 2.00, refund 5.00 made_elsewhere, refund 5.00 failed_later, " +
		"refund 5.00"
	if got := s.shop.amounts(); got != want {
		t.Errorf("told %s", got)
	}
}

// What becomes of an authorisation in Stripe's dashboard, or by itself after a week.
func TestStripeDashboardAuthorisations(t *testing.T) {
	for name, test := range map[string]struct {
		happens      func(*simulated, *Visit)
		status, told string
	}{
		"captured": {func(s *simulated, payer *Visit) {
			s.dashboard("/payment_intents/"+payer.payment().ProviderID+"/capture", "amount_to_capture=800")
		}, "settled", "capture success settled made_elsewhere 8.00"},
		"cancelled": {func(s *simulated, payer *Visit) {
			s.dashboard("/payment_intents/"+payer.payment().ProviderID+"/cancel", "cancellation_reason=abandoned")
		}, "void", "void success void made_elsewhere "},
		"expired": {func(s *simulated, payer *Visit) { s.happens(payer, simulator.Lapse) },
			"void", "void success void authorisation_expired "},
	} {
		t.Run(name, func(t *testing.T) {
			s := opensStripe(t)
			payer := s.shop.visits("pen-1", with("auth", true))
			payer.pays("03/31")
			test.happens(s, payer)
			payer.is(test.status)
			told := s.shop.Taken()
			last := told[len(told)-1]
			got := last.Event() + " " + last.Fields.Get("reason_code") + " " + last.Fields.Get("transaction_amount")
			if got != test.told || len(told) != 2 {
				t.Errorf("told %d times, the last time %s", len(told), got)
			}
		})
	}
}

// A dispute at Stripe is of a part, and the payment is settled again when it is won.
func TestStripeDisputeOfAPartIsWon(t *testing.T) {
	s := opensStripe(t)
	payer := s.shop.visits("pen-1")
	payer.pays("03/31")
	s.happens(payer, simulator.Part)
	payer.is("chargeback")
	o, _ := s.Find("stripe", payer.payment().ChargeReference)
	s.dashboard("/disputes/dp_"+o.ID, "evidence[uncategorized_text]=winning_evidence")
	payer.is("settled")
	s.shop.told("sale success settled", "chargeback success chargeback", "chargeback fail settled")
	if got := s.shop.amounts(); got != "chargeback 5.00 taken_back, chargeback 5.00 dispute_won" {
		t.Errorf("told %s", got)
	}
}

// The response to a confirmation is lost. A day and more later, when Stripe has forgotten the keys of its requests, the
// charge is found by the id that was stored before, and not by a search.
func TestStripeIsLookedUpByID(t *testing.T) {
	s := opensStripe(t)
	payer := s.shop.visits("pen-1")
	s.Expect(simulator.Next{Kind: simulator.Charge, Fault: simulator.DropsConnection})
	payer.pays("03/31")
	if p := s.Stored(t)[0]; p.ProviderID == "" || p.Status != "prepare" {
		t.Errorf("stored as %s with the id %q", p.Status, p.ProviderID)
	}
	s.clock.Move(26 * time.Hour)
	s.sweep()
	s.work()
	payer.is("settled")
	for _, sent := range s.Requests() {
		if strings.Contains(sent.Path, "/search") {
			t.Errorf("sent %s", sent.Path)
		}
	}
}
