package browser

import (
	"testing"
	"time"

	"checkout/internal/method"
)

// failures are the ways in which a payment by a method does not succeed at first, each with a method of another
// behaviour.
var failures = []struct {
	name, method string
	email        string // decides what the sandbox does; ada pays by hand
	act          func(v *methodVisit, country string)
}{
	{"is declined", "voucher", "declined", func(v *methodVisit, _ string) { v.isDeclined("Declined by processing.") }},
	{"is refused, then paid", "document_bank", "ada", func(v *methodVisit, country string) {
		v.acts(country, "refuse")
		v.isDeclined("The payer refused.")
		v.pays(country)
		v.finishes(country)
		v.isPaid("settled", "decline")
	}},
	{"expires", "instant_qr", "ada", func(v *methodVisit, country string) {
		v.acts(country, "expire")
		v.isDeclined("The payer did not finish in time.")
	}},
	{"is paid too late", "bank_curp", "ada", func(v *methodVisit, country string) {
		v.acts(country, "pay_late")
		v.message("Your payment arrived when the time to pay had run out.")
		v.checkPayments(v.s, "decline")
		v.noForm()
	}},
	{"is paid too little", "crypto_address", "ada", func(v *methodVisit, country string) {
		v.acts(country, "pay_half")
		v.message("Part of the amount has arrived.")
		v.acts(country, "expire")
		v.until("document.body.innerText.includes('Less was paid than was due')")
		v.checkPayments(v.s, "decline")
	}},
	{"has a wrong code three times", "pull_bank", "ada", func(v *methodVisit, _ string) {
		for range 2 {
			v.enters("000000")
			v.message("That code was wrong. Nothing was charged.")
			v.until(element("bankDetails.otp") + ".value == ''")
		}
		v.enters("000000")
		v.isDeclined("The code was wrong too often.")
	}},
	{"is left for another way", "upi_collect", "ada", func(v *methodVisit, country string) {
		v.click("another")
		v.until(element("pay") + "?.ariaDisabled == 'false'")
		v.checkPayments(v.s, "decline")
		v.pays(country)
		v.finishes(country)
		v.isPaid("settled", "decline")
	}},
	{"is cancelled", "link_email", "ada", func(v *methodVisit, _ string) {
		if get[bool](v.tab, "!!"+element("another")) {
			v.t.Error("another way is offered, and there is none")
		}
		v.click("close")
		v.arrives("cancel")
		v.checkPayments(v.s, "decline")
	}},
	{"is cancelled when money may have been sent", "crypto_address", "ada", func(v *methodVisit, _ string) {
		v.click("close")
		v.message("If you have sent money already")
		v.click("continue")
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

func TestMethodsFail(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	for _, fails := range failures {
		t.Run(fails.method+" that "+fails.name, func(t *testing.T) {
			t.Parallel()
			m, _ := method.Find(fails.method)
			country := methodCountries(m)[0]
			v := newVisit(t, at, s).opensMethod(m, country, fails.email)
			v.fills()
			v.click("pay")
			if fails.email == "ada" {
				v.comesElsewhere(country)
			}
			fails.act(v, country)
		})
	}
}
