package story

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/internal/settings"
)

// Read this file first: it shows what the service does, through its real HTTP routes. open starts the service,
// shop.visits creates a session and opens its page, pays fills in the form with the test card of an expiry date
// (protocol.md, Test key and test cards) and lets the workers work.

func TestPayByCard(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")

	payer.sees("form")
	payer.is("prepare")
	promised := payer.paymentID()

	payer.pays("01/38")

	payer.sees("go https://shop.example/paid")
	payer.is("settled")
	w.shop.told("sale success settled")
	w.ledgerIs("1 x 10.00 USD approved")
	if got := payer.paymentID(); got != promised {
		t.Errorf("the payment's id is %s, promised was %s", got, promised)
	}
	payer.sees("go https://shop.example/paid") // when the page is loaded again
}

// What each card of the sandbox leads to when nothing goes wrong.
func TestEveryCard(t *testing.T) {
	const paid, form = "go https://shop.example/paid", "form: declined (Declined by processing.)"
	const no, no3DS = "decline (Declined by processing.)", "decline (The payer refused.)"
	tests := []struct {
		card, auth, button string
		page, status       string
		events             string
	}{
		{"01/38", "no", "", paid, "settled", "sale success settled"},
		{"01/38", "yes", "", paid, "pending", "sale success pending"},
		{"02/38", "no", "", form, no, "sale fail decline"},
		{"03/38", "yes", "", paid, "pending", "sale success pending"},
		{"05/38", "no", "confirm", paid, "settled", "3ds success 3ds, sale success settled"},
		{"05/38", "yes", "confirm", paid, "pending", "3ds success 3ds, sale success pending"},
		{"05/38", "no", "refuse", "form: declined (The payer refused.)", no3DS, "3ds success 3ds, sale fail decline"},
		{"06/38", "no", "confirm", form, no, "3ds success 3ds, sale fail decline"},
		{"12/38", "no", "confirm", paid, "settled", "redirect success redirect, sale success settled"},
		{
			"12/38", "no", "refuse", "form: declined (The payer refused.)", no3DS,
			"redirect success redirect, sale fail decline",
		},
		{"12/39", "no", "confirm", form, no, "redirect success redirect, sale fail decline"},
		{"09/33", "no", "", form, no, "sale fail decline"},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.card, "/", "-")+" auth "+test.auth+" "+test.button, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1", with("auth", test.auth))
			payer.pays(test.card)
			if test.button != "" {
				payer.comesBack(payer.presses(test.button))
				w.work()
			}
			payer.sees(test.page)
			payer.is(test.status)
			w.shop.told(strings.Split(test.events, ", ")...)
			if len(w.ledger()) != 1 {
				t.Errorf("the sandbox's ledger have %v", w.ledger())
			}
		})
	}
}

func TestDeclinedThenPaidWithAnotherCard(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	promised := payer.paymentID()

	payer.pays("02/38")
	payer.sees("form: declined (Declined by processing.)")
	payer.is("decline (Declined by processing.)")
	first := payer.paymentID()

	payer.pays("01/38")
	payer.sees("go https://shop.example/paid")
	payer.is("settled")
	second := payer.paymentID()

	w.shop.told("sale fail decline", "sale success settled")
	w.ledgerIs("1 x 10.00 USD declined", "1 x 10.00 USD approved")
	if first != promised || second == first {
		t.Errorf("payments %s and %s, promised was %s", first, second, promised)
	}
	got, want := slices.Sorted(maps.Keys(w.ledger())), []string{first, second}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the sandbox has charges of %v", got)
	}
}

func TestDeclinedTooOften(t *testing.T) {
	tests := []struct {
		name        string
		maxDeclines int // 0: the default, 3
		cancelURL   any
		declines    int
	}{
		{"three times", 0, "https://shop.example/cart", 3},
		{"three times, no cancel_url", 0, nil, 3},
		{"once", 1, "https://shop.example/cart", 1},
		{"once, no cancel_url", 1, nil, 1},
		{"app", 1, "penshop://cart?x=1", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, func(m *settings.Merchant) { m.Mappings[0].MaxDeclines = test.maxDeclines })
			payer := w.shop.visits("pen-1", with("cancel_url", test.cancelURL))
			for n := range test.declines {
				if n > 0 {
					payer.sees("form: declined (Declined by processing.)")
				}
				if last := payer.screen().LastTry; last != (n > 0 && n == test.declines-1) {
					t.Errorf("after %d declines, it is the last try: %t", n, last)
				}
				payer.pays("02/38")
			}
			const end = "message: too_many_declines (Declined by processing.)"
			payer.sees(end)
			back := cmp.Or(test.cancelURL, any("https://shop.example/late"))
			if to := payer.screen().Go; to == nil || to.URL != back {
				t.Errorf("the way on is %+v, want %v", to, back)
			}
			payer.is("decline (Declined by processing.)")
			w.shop.told(slices.Repeat([]string{"sale fail decline"}, test.declines)...)

			payer.send(payer.attempt("01/38")) // the session is over
			w.work()
			payer.sees(end)
			w.ledgerIs(slices.Repeat([]string{"1 x 10.00 USD declined"}, test.declines)...)
		})
	}
}
