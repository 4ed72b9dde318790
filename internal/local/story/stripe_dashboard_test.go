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
