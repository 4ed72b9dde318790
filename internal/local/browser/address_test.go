package browser

import (
	"strings"

	"github.com/chromedp/chromedp"
)

// checkAddress fills in addresses of countries that write them in different orders. A postal code that is unusual in
// its country stops Pay once; a phone number gets its country's calling code.
func checkAddress(v *visit) {
	v.form(v.session())
	v.everything("0138")
	address := "[...document.querySelectorAll('form :is(input, select)')].map(e => e.id.replace('payer_', ''))" +
		".slice(-5).join(' ')"
	for country, want := range map[string]string{
		"DE": "name country address zip city",
		"GB": "name country address city zip",
		"HU": "name country city address zip",
		"CN": "name country zip city address",
		"US": "country address city state zip",
		"JP": "country zip state city address",
	} {
		v.choose("payer_country", country)
		v.until(address + " == " + quote(want))
		for _, width := range []int64{320, 1280} {
			v.do(chromedp.EmulateViewport(width, 844))
			v.checkWidth(country)
		}
	}
	v.choose("payer_country", "GB")
	v.until(element("payer_zip") + ".inputMode != 'numeric'")
	v.choose("payer_country", "DE")
	v.until(element("payer_zip") + ".inputMode == 'numeric'")

	v.write("payer_phone", "")
	v.until(element("payer_phone") + ".placeholder == '+49'")
	v.write("payer_phone", "0151 2345678")
	v.typeIn("payer_zip", "1011")
	v.until(element("payer_phone") + ".value == '+49 151 2345678'")
	v.enter("payer_city")
	v.checkFault("payer_zip", "Postal code (PLZ)") // which is too long for more beside it
	v.until(element("payer_zip-fault") + ".innerText.includes('26133')")
	v.checkAccess("an unusual postal code")
	v.write("payer_zip", "SW1A 1AA")
	v.click("pay")
	v.focused("payer_zip")
	v.checkNothingSent()
	v.click("pay")
	v.arrives("success")
	sent := strings.Join(v.watch.sent(), "")
	for _, part := range []string{`"payer_zip":"SW1A 1AA"`, `"payer_phone":"+491512345678"`} {
		if !strings.Contains(sent, part) {
			v.t.Errorf("%s is not in what is sent: %s", part, sent)
		}
	}
}

// checkKnownCountry has a form without a list of countries: the shop has sent the payer's.
func checkKnownCountry(v *visit) {
	v.form(v.session(object{"billing_address": object{"country": "GB"}}))
	v.card("0138")
	for _, field := range texts {
		v.write(field.id, field.text)
	}
	v.write("payer_phone", "020 7946 0958")
	v.write("payer_zip", "10115")
	v.enter("payer_city")
	v.until(element("payer_phone") + ".value == '+44 20 7946 0958'")
	v.checkFault("payer_zip", "Postcode: check it")
	v.write("payer_zip", "sw1a1aa")
	v.enter("payer_city")
	v.until("!document.querySelector('[aria-invalid=true]')")
	v.click("pay")
	v.arrives("success")
}
