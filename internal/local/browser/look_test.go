package browser

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

var lookStories = []story{
	{"every screen can be used by everybody", func(v *visit) { onEveryScreen(v, v.checkAccess) }},
	{"every screen of other payments can be used by everybody", func(v *visit) { onOtherScreens(v, v.checkAccess) }},
}

// onEveryScreen calls look for each screen: form, faults, decline, message, wait.
func onEveryScreen(v *visit, look func(screen string)) {
	s := v.session(object{"cancel_url": nil})
	v.form(s)
	look("form")
	v.click("pay")
	v.checkFault("payer_card", "Invalid card")
	look("faults")
	v.everything("0238")
	v.click("pay")
	v.message("Declined by processing.")
	look("decline")
	v.click("close")
	v.message("The payment was cancelled.")
	look("message")
	v.form(v.session(payer))
	look("card only")
	v.pay("0139")
	v.message("Your payment is being processed.")
	look("wait")
}

// onOtherScreens calls look for the screens of payments other than a purchase by a typed card.
func onOtherScreens(v *visit, look func(screen string)) {
	careful := v.at(carefulKey)
	v.form(careful.session(payer, monthly,
		object{"card_token": []string{careful.save("0138"), careful.save("0241")}, "payment_schedule_amount": "7.50"}))
	v.click("pay")
	look("saved cards, security code and consent")
	v.form(v.session(payer, monthly, coin,
		object{"recurring_consent_required": nil, "vat_calc": true, "billing_address": object{"country": "DE"}}))
	look("schedule and VAT")
	v.form(v.session(payer, payee, transfer))
	v.click("pay")
	v.checkFault("order_amount", "Amount is required.")
	look("transfer")
	s := v.session(payer, coin)
	v.form(s)
	look("methods")
	v.pick("method", "crypto")
	v.until("!" + element("payer_card"))
	v.click("pay")
	v.message("Please pay with the details below.")
	v.click("crypto_address-copy")
	v.until(element("crypto_address-copy") + ".innerText.startsWith('Copied')")
	look("crypto address")
	provider := v.secondTab()
	provider.open(v.target.BaseURL + "/sandbox/" + v.payments(s)[0].ID)
	provider.click("pay_half")
	v.message("A part of the amount has arrived.")
	look("crypto partly paid")
	provider.until(element("pay_rest"))
	provider.click("pay_late")
	v.message("Your payment arrived too late")
	look("crypto paid too late")
	v.form(careful.session(payer))
	v.pay("0238")
	v.message("Declined by processing.")
	v.until(element("payer_cvv") + ".value == ''")
	v.pay("0138")
	v.message("There were too many attempts.")
	look("too many attempts")
}

// checkWidth checks that nothing is wider than the window.
func (v *visit) checkWidth(screen string) {
	v.t.Helper()
	if wide := get[int](v.tab, "document.scrollingElement.scrollWidth - innerWidth"); wide > 0 {
		v.t.Errorf("%s is %d pixels too wide", screen, wide)
	}
	const outside = "[...document.querySelectorAll('input, select, button')]" +
		".filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.id)"
	if out := get[[]string](v.tab, outside); len(out) > 0 {
		v.t.Errorf("%s: %v are cut off", screen, out)
	}
}

// axe is the source of axe-core, one of the page's development dependencies.
var axe = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile(filepath.Join(root, "infra", "page", "node_modules", "axe-core", "axe.min.js"))
})

// schemes are the runs of axe-core: all rules in light, then the colours in dark.
var schemes = []struct {
	name, options string
	least         int // how many rules have to pass, so that a run without checks fails
}{
	{"light", "{resultTypes: ['violations']}", 10},
	{"dark", "{resultTypes: ['violations'], runOnly: ['color-contrast']}", 1},
}

// checkAccess runs axe-core on the screen, in light and dark.
func (v *visit) checkAccess(screen string) {
	v.t.Helper()
	source, err := axe()
	if err != nil {
		v.t.Fatalf("axe-core is missing, run `make tools`: %v", err)
	}
	get[bool](v.tab, "(() => { if (!window.axe) {"+string(source)+"}; return true })()")
	for _, scheme := range schemes {
		v.scheme(scheme.name)
		type report struct {
			Violations []string
			Passes     int
		}
		r := get[report](v.tab, `axe.run(document, `+scheme.options+`).then(r => ({Passes: r.passes.length,
			Violations: r.violations.map(x => x.id + ': ' + x.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | '))}))`)
		if r.Passes < scheme.least {
			v.t.Errorf("%s, %s: only %d rules passed: axe-core did not look", screen, scheme.name, r.Passes)
		}
		if len(r.Violations) > 0 {
			v.t.Errorf("%s, %s:\n%s", screen, scheme.name, strings.Join(r.Violations, "\n"))
		}
	}
}
