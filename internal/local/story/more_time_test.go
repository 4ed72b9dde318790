package story

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/page/screen"
)

// asksForTime asks for more time, and returns the screen that follows.
func (v *Visit) asksForTime() screen.Screen {
	v.w.t.Helper()
	got, err := v.Post("more-time", nil)
	if err != nil {
		v.w.t.Errorf("more time: %v", err)
	}
	return got
}

// A payer asks for more time two minutes before the end, from two tabs: the session lasts twice as long, and not
// longer. It is paid after its first end, and expires as any other after the second.
func TestMoreTime(t *testing.T) {
	for name, pays := range map[string]bool{"and pays": true, "and lets it pass": false} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1", with("session_expiry", 5), with("expiry_url", "https://shop.example/late"))
			w.skip(3 * time.Minute)
			if got := payer.screen(); got.MoreTimeMS != (100 * time.Second).Milliseconds() {
				t.Errorf("more time can be asked for within %d ms", got.MoreTimeMS)
			}
			for range 2 {
				if got := payer.asksForTime(); got.Kind != screen.KindForm || got.MoreTimeMS != 0 ||
					got.ExpiresInMS != (7*time.Minute).Milliseconds() || got.LifetimeMS != (10*time.Minute).Milliseconds() {
					t.Errorf("%s, %d of %d ms are left, more time within %d", got.Kind, got.ExpiresInMS, got.LifetimeMS,
						got.MoreTimeMS)
				}
			}
			w.skip(6 * time.Minute)
			payer.is("prepare")
			if pays {
				payer.pays("01/38")
				payer.sees("go https://shop.example/paid")
				payer.is("settled")
				payer.asksForTime()
				payer.sees("go https://shop.example/paid")
				w.ledgerIs("1 x 10.00 USD approved")
				return
			}
			w.skip(time.Minute)
			payer.sees("go https://shop.example/late")
			payer.is("decline (Session expired.)")
			payer.asksForTime()
			payer.sees("go https://shop.example/late")
			w.pass(7*24*time.Hour - time.Second)
			payer.sees("go https://shop.example/late")
			w.pass(2 * time.Second)
			if code, _ := w.call("GET", payer.Path(""), nil); code != http.StatusNotFound {
				t.Errorf("a week after its second end: %d", code)
			}
			w.ledgerIs()
		})
	}
}

// A session that is over, or just before its end, is not extended; nor is one whose payment is decided.
func TestNoMoreTime(t *testing.T) {
	w := open(t)
	for name, begin := range map[string]func(v *Visit){
		"too late":      func(v *Visit) { w.skip(5*time.Minute - 20*time.Second) },
		"at the end":    func(v *Visit) { w.skip(5 * time.Minute) },
		"cancelled":     func(v *Visit) { v.closes() },
		"is being paid": func(v *Visit) { v.send(v.attempt("01/38")) },
		"at the bank":   func(v *Visit) { v.pays("05/38") },
	} {
		payer := w.shop.visits("pen-"+strings.ReplaceAll(name, " ", "-"), with("session_expiry", 5))
		begin(payer)
		before, was := words(payer.screen()), payer.stored().ExpiresAt
		if got := words(payer.asksForTime()); got != before || !payer.stored().ExpiresAt.Equal(was) {
			t.Errorf("%s: %s becomes %s, until %s", name, before, got, payer.stored().ExpiresAt)
		}
	}
}

// A decline that waits for the session's end is told at its new end, once, or not at all if the payer pays before.
func TestMoreTimeWithAWithheldDecline(t *testing.T) {
	for name, pays := range map[string]bool{"and pays": true, "and lets it pass": false} {
		t.Run(name, func(t *testing.T) {
			w := open(t, withholding)
			payer := w.shop.visits("pen-1", with("session_expiry", 10))
			payer.pays("02/38")
			w.pass(9 * time.Minute)
			payer.asksForTime()
			w.pass(10 * time.Minute)
			w.shop.told()
			payer.sees("form: declined (Declined by processing.)")
			if pays {
				payer.pays("01/38")
				w.pass(time.Hour)
				w.shop.told("sale success settled")
				return
			}
			w.pass(3 * time.Minute)
			w.shop.told("sale fail decline")
			payer.asksForTime()
			w.pass(time.Hour)
			w.shop.told("sale fail decline")
		})
	}
}

// Two tabs ask for more time at the moment in which others pay, cancel, and an operator ends the session. It is given
// more time at most once, and whatever ends it ends it for good.
func TestMoreTimeAtOnce(t *testing.T) {
	given, ended := 0, 0
	for round := range 60 {
		w := open(t)
		payer := w.shop.visits(fmt.Sprint("pen-", round), with("session_expiry", 5))
		id, tab := payer.reserved(), payer.attempt("01/38")
		w.skip(4 * time.Minute)
		w.atOnce(5, func(i int) {
			for range (round * i) % 4 { // the others come later
				_, _ = payer.Screen()
			}
			switch {
			case i < 3:
				_, _ = payer.Post("more-time", nil)
			case round%3 == 0:
				_, _ = payer.Post("pay", tab)
			case round%3 == 1:
				_, _ = payer.Post("cancel", nil)
			default:
				_, _ = w.endsSession(id)
			}
		})
		stored := payer.stored()
		if lasts := stored.ExpiresAt.Sub(stored.CreatedAt); lasts == 10*time.Minute && stored.Extension != nil {
			given++
		} else if lasts > 5*time.Minute || stored.Extension != nil && stored.State != "expired" {
			t.Errorf("round %d: it lasts %s, extended %t, %s", round, lasts, stored.Extension != nil, stored.State)
		}
		w.pass(time.Minute)
		want := []string{"settled", "decline (Cancelled by the payer.)", "decline (Session expired.)"}[round%3]
		payer.is(want)
		if payer.asksForTime(); want != "settled" {
			ended++
			w.ledgerIs()
			payer.is(want)
			continue
		}
		w.ledgerIs("1 x 10.00 USD approved")
	}
	if given == 0 || ended == 0 {
		t.Errorf("%d were given more time, %d ended", given, ended)
	}
}
