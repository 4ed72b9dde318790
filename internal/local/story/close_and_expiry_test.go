package story

import (
	"cmp"
	"testing"
	"time"

	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

func TestPayerClosesTheForm(t *testing.T) {
	for name, test := range map[string]struct {
		cancelURL any
		page      string
	}{
		"cancel_url":    {"https://shop.example/cart", "go https://shop.example/cart"},
		"no cancel_url": {nil, "message: cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1", with("cancel_url", test.cancelURL))
			payer.closes()
			payer.sees(test.page)
			payer.is("decline (Cancelled by the payer.)")
			w.shop.told() // a session without an attempt sends no callback

			payer.send(payer.attempt("01/38")) // from another tab that was still open
			w.pass(time.Hour)
			payer.sees(test.page)
			payer.is("decline (Cancelled by the payer.)")
			w.ledgerIs()
		})
	}
}

func TestSessionExpires(t *testing.T) {
	for name, test := range map[string]struct {
		minutes, expiryURL any
		lifetime           time.Duration
		page               string
	}{
		"default":       {nil, "https://shop.example/late", time.Hour, "go https://shop.example/late"},
		"no expiry_url": {5, nil, 5 * time.Minute, "message: expired"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1", with("session_expiry", test.minutes), with("expiry_url", test.expiryURL))
			stale := payer.attempt("01/38")
			if got := payer.screen(); got.LifetimeMS != test.lifetime.Milliseconds() || got.ExpiresInMS != got.LifetimeMS {
				t.Errorf("%d of %d ms are left", got.ExpiresInMS, got.LifetimeMS)
			}
			w.skip(test.lifetime - time.Millisecond)
			payer.sees("form")
			payer.is("prepare")
			w.skip(time.Millisecond)
			payer.sees(test.page)
			payer.is("decline (Session expired.)")

			if got := words(payer.send(stale)); got != test.page { // Pay is pressed too late
				t.Errorf("having paid too late, the payer sees %q", got)
			}
			payer.closes()
			w.pass(24 * time.Hour)
			payer.sees(test.page) // for 7 days
			payer.is("decline (Session expired.)")
			w.shop.told()
			w.ledgerIs()
		})
	}
}

// While a payment is being processed, neither the end of the session nor the payer can end it.
func TestProcessingIsNotEndedFromOutside(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1", with("session_expiry", 1))
	payer.send(payer.attempt("01/38"))
	payer.closes()
	payer.sees("wait: processing")
	w.skip(2 * time.Minute)
	payer.closes()
	payer.sees("wait: checking_outcome")
	payer.is("prepare")
	w.pass(time.Minute)
	payer.sees("go https://shop.example/paid")
	payer.is("settled")
	payer.closes()
	payer.sees("go https://shop.example/paid")
}

// The session ends while the payer is at the bank: the bank's outcome still counts.
func TestExpiredIn3DS(t *testing.T) {
	tests := []struct{ name, button, page, status, last string }{
		{
			"never decides", "",
			"go https://shop.example/late", "decline (The payer did not finish in time.)", "sale fail decline",
		},
		{"confirms late", "confirm", "go https://shop.example/paid", "settled", "sale success settled"},
		{"refuses late", "refuse", "go https://shop.example/late", "decline (The payer refused.)", "sale fail decline"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1", with("session_expiry", 10))
			payer.pays("05/38")
			bank := payer.screen().Go.URL
			w.pass(10 * time.Minute)
			payer.sees("go https://shop.example/late")
			payer.is("3ds")
			stale := payer.attempt("01/38")
			payer.send(stale)
			payer.sees("go https://shop.example/late")

			if test.button != "" {
				payer.comesBack(payer.pressesAt(bank, test.button))
			}
			w.pass(2 * time.Hour)
			payer.sees(test.page)
			payer.is(test.status)
			w.shop.told("3ds success 3ds", test.last)
		})
	}
}

// Where the shop has named no address for an ending, the page's own message has a link to the first that it has named
// of expiry_url, cancel_url and error_url.
func TestEveryEndingHasAWayBack(t *testing.T) {
	const late, cart, help = "https://shop.example/late", "https://shop.example/cart", "https://shop.example/help"
	ends := map[string]func(v *Visit){
		"expired":           func(v *Visit) { v.w.skip(time.Hour) },
		"cancelled":         func(v *Visit) { v.closes() },
		"too_many_declines": func(v *Visit) { v.pays("02/38") },
		"technical_problem": func(v *Visit) {
			v.w.shop.set(func(m *settings.Merchant) { m.Disabled = true })
			v.w.skip(2 * time.Minute) // settings are known for one
		},
	}
	own := map[string]string{
		"expired": "expiry_url", "cancelled": "cancel_url", "too_many_declines": "cancel_url",
		"technical_problem": "error_url",
	}
	for ending, end := range ends {
		for _, known := range []map[string]any{
			{}, {"expiry_url": late}, {"cancel_url": cart}, {"error_url": help},
			{"expiry_url": late, "cancel_url": cart, "error_url": help}, {"cancel_url": cart, "error_url": help},
			{"expiry_url": late, "error_url": help},
		} {
			w := open(t, func(m *settings.Merchant) { m.Mappings[0].MaxDeclines = 1 })
			payer := w.shop.visits("pen-1", with("url_target", "_top"), with("expiry_url", known["expiry_url"]),
				with("cancel_url", known["cancel_url"]), with("error_url", known["error_url"]))
			end(payer)
			got := payer.screen()
			want := cmp.Or(known[own[ending]], known["expiry_url"], known["cancel_url"], known["error_url"])
			switch {
			case want == nil:
				if got.Kind != screen.KindMessage || got.Go != nil {
					t.Errorf("%s, %v: %+v", ending, known, got)
				}
			case got.Go == nil || got.Go.URL != want || got.Go.Target != "_top":
				t.Errorf("%s, %v: %+v, want %v", ending, known, got.Go, want)
			case (known[own[ending]] == nil || ending == "too_many_declines") != (got.Kind == screen.KindMessage):
				t.Errorf("%s, %v: a screen of kind %s", ending, known, got.Kind)
			}
			if text := got.Message.Text; string(text) != ending {
				t.Errorf("%s, %v: it says %s", ending, known, text)
			}
		}
	}
}
