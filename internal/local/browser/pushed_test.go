package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// wrongCard are values of a card's fields, with every fault that is found when a field is left.
var wrongCard = [][2]string{
	{"payer_card", "4111"}, {"payer_card", "4111 1111 1111 1112"}, {"payer_expiryDate", "13/38"},
	{"payer_expiryDate", "01/20"}, {"payer_expiryDate", "1"}, {"payer_cvv", "1"}, {"payer_name", "Ada"},
}

// rightCard has no fault.
var rightCard = map[string]string{
	"payer_card": cardNumber, "payer_expiryDate": "01/38", "payer_cvv": securityCode, "payer_name": "Ada Example",
}

// Faults have their place from the start: the longest of each field of a card leaves Pay where it is on a phone. It has
// two lines, so that the place is not a large one.
func TestFaultsPushNothing(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	t.Run("each", func(t *testing.T) { // so that the shop is closed after the last of them
		for _, language := range []string{"en", "de", "ru"} {
			t.Run(language, func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, at, s)
				v.do(chromedp.EmulateViewport(390, 844))
				v.form(v.session(onlyCard, object{"checkout_language": language}))
				const top = "Math.round(document.querySelector('#pay').getBoundingClientRect().top + scrollY)"
				before, most := get[int](v.tab, top), 0.0
				for _, wrong := range wrongCard {
					id, fault := wrong[0], element(wrong[0]+"-fault")
					v.write(id, wrong[1])
					v.press("\t")
					v.until(fault)
					if got := get[int](v.tab, top); got != before {
						t.Errorf("%s pushes Pay from %d to %d: %s", wrong, before, got, get[string](v.tab, fault+".innerText"))
					}
					most = max(most, get[float64](v.tab, fault+".getBoundingClientRect().height"))
					v.write(id, rightCard[id])
					v.until("!" + fault)
				}
				if most < 30 || most > 40 {
					t.Errorf("the longest fault has not two lines: %v px", most)
				}
				v.checkNothingSent()
			})
		}
	})
}
