package browser

import (
	"fmt"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// manyMethods is a form with so many methods and a cart.
func manyMethods(count int) object {
	icons := []string{"card", "bank", "qr", "phone", "wallet", "voucher", "coin", "mail"}
	methods := make([]object, count)
	for i := range methods {
		methods[i] = object{"id": fmt.Sprintf("way_%d", i+1), "label": fmt.Sprintf("way_%d", i+1),
			"icon": icons[i%len(icons)], "group": "bank", "action": "submit",
			"fields": []object{{"id": "iban", "kind": "text", "required": true, "max": 34}}}
	}
	return object{"kind": "form", "operation": "purchase", "language": "en", "merchant": "North Roastery",
		"branding": object{"accent": "#1f5f4a", "legal_name": "North Roastery GmbH",
			"terms_url": "https://shop.example/terms", "privacy_url": "https://shop.example/privacy"},
		"order": object{"number": "2026-1187", "description": "Coffee and filters", "amount": "48.40", "currency": "EUR",
			"decimals": 2},
		"items": []object{{"name": "Kenya AA, whole beans", "quantity": "2", "price": "33.00"},
			{"name": "Paper filters", "quantity": "1", "price": "9.50"}},
		"actions": []string{"cancel"}, "methods": methods}
}

// checkMany chooses among forty methods on a phone.
func checkMany(v *visit) {
	v.do(chromedp.EmulateViewport(390, 844))
	v.play(manyMethods(40), nil)
	v.until(element("pay"))
	const rows = "document.querySelectorAll('#method input[type=radio]').length"
	v.until(rows + " == 5 && !" + element("search"))
	v.picture("phone-40-methods.png")
	v.click("more_ways")
	v.until(rows + " == 40 && " + element("search") + " && !" + element("more_ways"))
	v.typeIn("search", "way 37")
	v.until(rows + " == 2") // the chosen one stays
	v.pick("method", "way_37")
	v.until("document.querySelector('.way.chosen #iban')")
	v.checkWidth("forty methods")
	v.checkAccess("forty methods")
	v.picture("phone-search.png")
	v.scheme("light")
	v.do(chromedp.EmulateViewport(1280, 844))
	v.picture("wide-40-methods.png")
	v.until("document.querySelector('.items').innerText.includes('€33.00')")
}

// checkEndings shows each ending with a sign, a heading, a sentence, a way back to the shop and the reference.
func checkEndings(v *visit) {
	p := v.stage(nil)
	for text, heading := range map[string]string{
		"paid": "Paid", "too_many_declines": "Payment declined", "cancelled": "Payment cancelled",
		"expired": "Your session has expired", "paid_too_late": "Paid too late", "unknown_session": "Page not available",
		"technical_problem": "Something went wrong",
	} {
		screen := manyMethods(0)
		screen["kind"], screen["message"] = "message", object{"text": text}
		screen["go"] = object{"url": v.shop.url("cancel"), "target": "_self"}
		p.load(screen)
		v.until("document.querySelector('#message h2')?.innerText == " + quote(heading))
		v.until("document.querySelector('#message .sign svg')")
		v.until("document.querySelector('#message .text').innerText.length > 10")
		v.until("document.querySelector('.facts').innerText.includes('2026-1187')")
		if text == "paid" {
			v.until("document.querySelector('.facts').innerText.includes('€48.40')")
		}
		if got := get[bool](v.tab, "!!"+element("print")); got != (text == "paid") {
			v.t.Errorf("%s: can be printed: %t", text, got)
		}
		v.until(element("continue") + ".innerText == 'Back to North Roastery'")
		v.click("continue")
		v.arrives("cancel")
	}
}

// checkAskNow loses the connection; the payer does not wait for the page to look again.
func checkAskNow(v *visit) {
	v.form(v.session(paying))
	v.card("0138")
	h := v.hold(fetch.RequestStageRequest)
	v.click("pay")
	id := h.wait()
	call(v.tab, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/page/v1/*"}}})
	h.lose(id)
	v.message("Connection lost")
	v.message("You will not be charged twice.")
	h.wait() // the page's own request stays without a response
	v.click("ask_now")
	h.goOn(h.wait())
	v.message("The connection is back.")
	v.until("!" + element("ask_now"))
}
