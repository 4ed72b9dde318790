package story

import (
	"net/http"
	"testing"
	"time"

	"checkout/internal/page/form"
)

// The same click sent many times at once is one payment.
func TestDoubleClick(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	click := payer.attempt("01/38")
	w.atOnce(10, func(int) {
		if got := words(payer.send(click)); got != "wait: processing" {
			t.Errorf("the payer sees %q", got)
		}
	})
	w.work()
	if got := words(payer.send(click)); got != "go https://shop.example/paid" { // once more, after the outcome
		t.Errorf("the payer sees %q", got)
	}
	w.work()
	payer.is("settled")
	w.ledgerIs("1 x 10.00 USD approved")
	w.shop.told("sale success settled")
}

// Several tabs pay at once, with an attempt each, while workers run.
func TestTabsAtOnce(t *testing.T) {
	for range 3 {
		w := open(t)
		payer := w.shop.visits("pen-1")
		tabs := payer.attempts(8, "01/38")
		w.atOnce(len(tabs), func(i int) {
			payer.send(tabs[i])
			w.work()
		})
		w.work()
		payer.is("settled")
		w.ledgerIs("1 x 10.00 USD approved")
		w.shop.told("sale success settled")
	}
}

// A tab pays while another one closes the form: one of the two takes effect, and nothing of the other.
func TestPayAndCloseAtOnce(t *testing.T) {
	for range 10 {
		w := open(t)
		payer := w.shop.visits("pen-1")
		click := payer.attempt("01/38")
		w.atOnce(2, func(i int) {
			if i == 0 {
				payer.send(click)
			} else {
				payer.closes()
			}
		})
		w.work()
		switch got := payer.status(); got {
		case "settled":
			payer.sees("go https://shop.example/paid")
			w.ledgerIs("1 x 10.00 USD approved")
		case "decline (Cancelled by the payer.)":
			payer.sees("go https://shop.example/cart")
			w.ledgerIs()
		default:
			t.Errorf("status %q", got)
		}
	}
}

// A declined attempt that the browser sends again is not a new attempt.
func TestOldAttemptIsNotRepeated(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	first, second := payer.attempt("02/38"), payer.attempt("02/38")
	for _, click := range []int{1, 1, 2, 1, 2} {
		payer.send(map[int]form.Request{1: first, 2: second}[click])
		w.work()
	}
	payer.sees("form: declined (Declined by processing.)") // two declines of three
	w.ledgerIs("1 x 10.00 USD declined", "1 x 10.00 USD declined")
	w.shop.told("sale fail decline", "sale fail decline")
}

// The response to Pay is lost, before or after the attempt was stored, and the page sends the same attempt again.
func TestResponseToPayIsLost(t *testing.T) {
	for _, fault := range []string{"before", "after"} {
		t.Run(fault, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			click := payer.attempt("01/38")
			w.store.next(fault)
			code, body := w.call("POST", payer.Path("pay"), click)
			if code != http.StatusInternalServerError {
				t.Errorf("pay: %d %s", code, body)
			}
			w.store.next()
			if got := words(payer.send(click)); got != "wait: processing" {
				t.Errorf("the payer sees %q", got)
			}
			w.pass(5 * time.Minute)
			payer.is("settled")
			w.ledgerIs("1 x 10.00 USD approved")
			w.shop.told("sale success settled")
		})
	}
}
