package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/page/screen"
)

// The payer of a session sees what was paid, when and with what, from the moment that it is paid.
func TestPaymentOnTheLastScreen(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	if got := payer.screen(); got.Payment != nil || got.Payee != "" {
		t.Errorf("the form has %+v and payee %q", got.Payment, got.Payee)
	}
	payer.pays("02/38")
	if got := payer.screen(); got.Payment != nil {
		t.Errorf("after a decline: %+v", got.Payment)
	}
	payer.pays("01/38")
	paidAt := w.clock.Now().UTC().Format("2006-01-02T15:04:05Z")
	want := screen.Payment{At: paidAt, Method: "card", Mask: "411111******1111"}
	if got := payer.screen(); got.Payment == nil || *got.Payment != want {
		t.Errorf("%+v, want %+v", got.Payment, want)
	}
	if _, body := w.call("GET", payer.Path(""), nil); strings.Contains(string(body), TestCard) {
		t.Errorf("the screen has the card's number: %s", body)
	}
}

func TestPayeeOnTheScreens(t *testing.T) {
	for _, operation := range []string{"credit", "transfer"} {
		w := open(t, operations)
		payer := w.shop.visits("pen-1", with("operation", operation), payee)
		if got := payer.screen(); got.Kind != screen.KindForm || got.Payee != "Grace Hopper" {
			t.Errorf("%s: %s for %q", operation, words(got), got.Payee)
		}
	}
}

func TestWaitingPageAsksLessOftenLater(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	first := payer.screen().PollMS
	w.skip(31 * time.Second)
	if later := payer.screen().PollMS; first != 1000 || later != 5000 {
		t.Errorf("poll after %d and later %d ms", first, later)
	}
}
