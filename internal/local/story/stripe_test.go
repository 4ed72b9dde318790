package story

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/internal/local/simulator"
)

// opensStripe starts a world whose shop takes cards with Stripe, whose events go to the MID's notice address.
func opensStripe(t *testing.T) *simulated {
	t.Helper()
	s := openSimulated(t, "stripe", map[string]string{"raw_cards": "true", "webhook_secret": simulator.Secret})
	address := s.server.URL + s.noticePath("stripe", 0)
	r := httptest.NewRequest("POST", "/stripe/v1/webhook_endpoints", strings.NewReader("enabled_events[0]=*&url="+address))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+simulator.Key)
	w := httptest.NewRecorder()
	if s.Simulator.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Fatal(w.Body)
	}
	return s
}

// A card is authorised, captured, refunded in parts and charged back at Stripe.
func TestStripeIsPaid(t *testing.T) {
	s := opensStripe(t)
	payer := s.shop.visits("pen-1", with("auth", true))
	payer.pays("03/31")
	payer.is("pending")
	id := payer.paymentID()
	for _, step := range [][2]string{
		{"capture 8", "200 SUCCESS settled"}, {"refund 3", "200 accepted"}, {"refund 2", "200 accepted"},
	} {
		if got := s.shop.does(step[0], id); got != step[1] {
			t.Errorf("%s: %s", step[0], got)
		}
		s.work()
	}
	all := s.Operations()
	if last := all[len(all)-1]; len(all) != 4 || last.State != simulator.Approved || last.Amount.String() != "2.00" {
		t.Errorf("Stripe has %+v", all)
	}
	s.Act(all[0].ID, simulator.Dispute)
	s.notifies()
	payer.is("chargeback")

	payer = s.shop.visits("pen-2", with("auth", true))
	payer.pays("03/31")
	if got := s.shop.does("void ", payer.paymentID()); got != "200 SUCCESS void" {
		t.Errorf("void: %s", got)
	}
}
