package browser

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/method"
)

// failure is one way in which a payment by a method does not succeed at first.
type failure struct {
	name  string
	email string // the value that makes the sandbox do it; "": ada, who pays by hand
	whole bool   // only with -methods
	of    func(method.Method, string) bool
	act   func(v *methodVisit, country string)
}

func acted(m method.Method, step string) bool      { return step != "" && !m.Card }
func sendsMoney(_ method.Method, step string) bool { return step == "pay" }

func staysOnPage(m method.Method, step string) bool { return acted(m, step) && step != "go" }

// failures are all ways, with the methods that have them.
var failures = []failure{
	{"is declined", "declined", false, func(m method.Method, _ string) bool { return !m.Card },
		func(v *methodVisit, _ string) { v.isDeclined("Declined by processing.") }},
	{"is declined, then paid", "", true, func(m method.Method, step string) bool {
		return acted(m, step) && step != "code"
	}, func(v *methodVisit, country string) {
		v.acts(country, "refuse")
		v.isDeclined("The payer refused.")
		v.fills()
		v.click("pay")
		v.comesElsewhere(country)
		v.finishes(country)
		v.isPaid("settled", "decline")
	}},
	{"expires", "", true, func(m method.Method, step string) bool { return acted(m, step) && step != "code" },
		func(v *methodVisit, country string) {
			v.acts(country, "expire")
			v.isDeclined("The payer did not finish in time.")
		}},
	{"expires by itself", "expires", true, acted, func(v *methodVisit, _ string) {
		limit := time.Now().Add(4 * patience) // for the 20 seconds, and until the provider is asked again
		for v.payments(v.s)[0].Status != "decline" && time.Now().Before(limit) {
			time.Sleep(time.Second)
		}
		v.checkPayments(v.s, "decline")
		v.isTold("fail decline The payer did not finish in time.")
	}},
	{"is paid too late", "", true, func(m method.Method, step string) bool { return acted(m, step) && step != "code" },
		func(v *methodVisit, country string) {
			v.acts(country, "pay_late")
			v.message("Your payment arrived when the time to pay had run out.")
			v.checkPayments(v.s, "decline")
			v.noForm()
		}},
	{"is paid too little", "", true, sendsMoney, func(v *methodVisit, country string) {
		v.acts(country, "pay_half")
		v.message("Part of the amount has arrived.")
		v.acts(country, "expire")
		v.until("document.body.innerText.includes('Less was paid than was due')")
		v.checkPayments(v.s, "decline")
	}},
	{"is paid in parts", "", true, sendsMoney, func(v *methodVisit, country string) {
		v.acts(country, "pay_half")
		v.message("Part of the amount has arrived.")
		v.acts(country, "pay_rest")
		v.isPaid("settled")
	}},
	{"has a wrong code three times", "", false, func(_ method.Method, step string) bool { return step == "code" },
		func(v *methodVisit, _ string) {
			for range 2 {
				v.enters("000000")
				v.message("That code was wrong. Nothing was charged.")
				v.until(element("bankDetails.otp") + ".value == ''")
			}
			v.enters("000000")
			v.isDeclined("The code was wrong too often.")
		}},
	{"is left for another way", "", true, staysOnPage,
		func(v *methodVisit, country string) {
			v.click("another")
			v.until(element("pay") + "?.ariaDisabled == 'false'")
			v.checkPayments(v.s, "decline")
			v.fills()
			v.click("pay")
			v.comesElsewhere(country)
			v.finishes(country)
			v.isPaid("settled", "decline")
		}},
	{"is cancelled", "", true, staysOnPage,
		func(v *methodVisit, country string) {
			v.click("close")
			if sendsMoney(v.m, v.elsewhere(country)) {
				v.message("If you have sent money already")
				v.click("continue")
			}
			v.arrives("cancel")
			v.checkPayments(v.s, "decline")
		}},
}

// isDeclined checks that the payer is at the form again, and why, and that the shop was told.
func (v *methodVisit) isDeclined(reason string) {
	v.t.Helper()
	v.until(element("pay") + " && document.body.innerText.includes(" + quote(reason) + ")")
	v.checkPayments(v.s, "decline")
	v.isTold("fail decline " + reason)
}

// TestMethodsFail lets one method of each behaviour fail in each way: declined, too late, too little, with a wrong
// code, left for another way, cancelled.
func TestMethodsFail(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	t.Run("pay by", func(t *testing.T) { // so that the shop is closed after the last of them
		for _, id := range slices.DeleteFunc(slices.Clone(ofEachBehaviour), method.TakesCard) {
			for _, fails := range failures {
				m, _ := method.Find(id)
				country := methodCountries(m)[0]
				v := &methodVisit{m: m}
				if fails.whole && !*everyMethod || !fails.of(m, v.elsewhere(country)) {
					continue
				}
				t.Run(fmt.Sprintf("%s that %s", id, fails.name), func(t *testing.T) {
					t.Parallel()
					email := fails.email
					if email == "" {
						email = "ada"
					}
					v := newVisit(t, at, s).opensMethod(m, country, email)
					v.fills()
					v.click("pay")
					if email != "declined" {
						v.comesElsewhere(country)
					}
					fails.act(v, country)
				})
			}
		}
	})
}
