package story

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/local/simulator"
)

// A provider that signs nothing, or somebody who knows the address, sends a hundred notices about one payment. They
// lead to a few look-ups at the provider. Those that are refused come again, and none is lost.
func TestFloodOfHints(t *testing.T) {
	s := openSimulated(t, "voucher", nil)
	payer := s.shop.visits("pen-1", with("methods", []string{"voucher"}))
	payer.send(payer.Fill(payer.screen(), card.Card{Values: map[string]string{"pin": "1234567890123456"}}))
	s.work()
	payer.is("settled")
	o, _ := s.latest()
	hint := func() int {
		response, err := s.server.Client().Post(o.NoticeURL, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	lookUps := func() (n int) {
		for _, r := range s.Requests() {
			if r.Method == "GET" {
				n++
			}
		}
		return n
	}
	before, taken := lookUps(), 0
	for range 100 {
		switch status := hint(); status {
		case http.StatusOK:
			taken++
		case http.StatusTooManyRequests:
		default:
			t.Fatalf("status %d", status)
		}
	}
	if n := lookUps() - before; n > 10 || n != taken || n == 0 {
		t.Errorf("%d look-ups, %d notices taken", n, taken)
	}
	s.skip(10 * time.Second)
	s.Act(o.ID, simulator.Dispute)
	if status := hint(); status != http.StatusOK {
		t.Errorf("later: status %d", status)
	}
	s.work()
	payer.is("reversal")
}
