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
	v.until(rows + " == 4 && !" + element("search"))
	v.until(element("more_ways") + ".innerText == 'More ways to pay (36)'")
	v.click("more_ways")
	v.until(rows + " == 40 && " + element("search") + " && " + element("more_ways") + ".ariaExpanded == 'true'")
	v.until("document.activeElement.checked") // a finger opened it, so that no keyboard covers the list
	v.click("more_ways")
	v.until(rows + " == 4 && !" + element("search") + " && document.activeElement.id == 'more_ways'")
	v.click("more_ways")
	v.until(element("search"))
	v.typeIn("search", "way 37")
	v.until(rows + " == 2") // the chosen one stays
	v.pick("method", "way_37")
	v.until("document.querySelector('.way.chosen #iban')")
	v.checkWidth("forty methods")
	v.checkAccess("forty methods")
	v.do(chromedp.EmulateViewport(1280, 844))
}

// headLine is the second line of a phone's head.
const headLine = "document.querySelector('.who p').innerText"

// checkRows has a card with the networks that it takes, a method that the merchant has named, and two for regions.
func checkRows(v *visit) {
	v.do(chromedp.EmulateViewport(390, 844))
	form := manyMethods(7)
	methods := form["methods"].([]object)
	card := methods[0]
	card["label"], card["networks"] = "card", []string{"visa", "mastercard", "unionpay", "elo"}
	card["fields"] = []object{{"id": "payer_card", "kind": "card_number", "required": true}}
	methods[1]["note"], methods[1]["name"] = "confirm", "Harbour Bank"
	methods[3]["countries"], methods[6]["countries"] = []string{"BR"}, []string{"MX", "US"}
	p := v.play(form, nil)
	v.until(element("pay"))
	v.until("[...document.querySelectorAll('#method [type=radio]')].map(e => e.value).join() ==" +
		" 'way_7,way_1,way_2,way_3'")
	v.until(element("more_ways") + ".innerText == 'More ways to pay (3)'")
	v.until("document.querySelectorAll('.way')[2].innerText ==" +
		" 'Harbour Bank\\nYou confirm on your phone.'")
	v.pick("method", "way_1")
	v.until(element("payer_card"))
	const marks = "document.querySelector('.way.chosen .marks')"
	v.until(marks + ".ariaLabel == 'Accepted cards: Visa, Mastercard, UnionPay, elo'")
	v.until("[..." + marks + ".children].every(e => { const r = e.getBoundingClientRect();" +
		" return r.width == 24 && r.height == 16 && r.bottom < 264 })") // within 200 px of the head
	v.until("!" + marks + ".matches('.known') && " + headLine + " == 'Coffee and filters'")
	v.write("payer_card", cardNumber)
	v.until(marks + ".matches('.known') && " + marks + ".querySelector('.lit title').textContent == 'Visa'")
	v.checkAccess("rows")
	for _, scheme := range []string{"light", "dark"} {
		v.scheme(scheme)
		edge, ground := v.colour("document.querySelector('.way')", "borderTopColor"), v.colour(panel, "backgroundColor")
		if got := contrast(edge, ground); got < 3 {
			v.t.Errorf("%s: the box of methods has a border of %.2f:1", scheme, got)
		}
	}
	v.scheme("light")
	for _, fields := range [][]object{card["fields"].([]object), {{"id": "payer_email", "kind": "email",
		"autocomplete": "email"}, card["fields"].([]object)[0]}} { // alone, and with other fields
		card["fields"], form["methods"] = fields, []object{card}
		p.load(form)
		v.until("document.querySelector('h2 .marks').parentElement.innerText.startsWith('Card')")
		v.until("document.querySelectorAll('.marks').length == 1")
	}
}

// checkCart has items with and without totals of their own, and what they come to.
func checkCart(v *visit) {
	v.do(chromedp.EmulateViewport(1280, 844))
	form := manyMethods(1)
	form["branding"].(object)["support"] = object{"email": "help@shop.example", "phone": "+49 30 123", "address": "1 Pier"}
	items := []object{{"name": "Beans", "quantity": "2", "price": "16.50", "total": "33.00"},
		{"name": "Filters", "price": "9.50"}}
	form["items"] = items
	p := v.play(form, nil)
	v.until("document.querySelector('.items').innerText == 'Beans\\n2 × €16.50\\n€33.00\\nFilters\\n€9.50'")
	v.until("!document.querySelector('.what dl')")
	delete(items[0], "total")
	form["totals"] = []object{{"kind": "items", "amount": "42.50"}, {"kind": "delivery", "amount": "7.90"},
		{"kind": "discount", "amount": "-2.00"}, {"kind": "total", "amount": "48.40"}}
	p.load(form)
	v.until("document.querySelector('.items').innerText == 'Beans\\n2 × €16.50\\nFilters\\n€9.50'")
	v.until("document.querySelector('.what dl').innerText.replace(/\\n+/g, ' ') ==" +
		" 'Items €42.50 Delivery €7.90 Discount −€2.00 Total €48.40'")
	v.until("getComputedStyle(document.querySelector('.what dl dd')).textAlign == 'end'") // its style comes with the page
	v.until("document.querySelector('footer').innerText.includes('Contact North Roastery help@shop.example')")
	v.until("[...document.querySelectorAll('.support a')].map(e => e.href).join() ==" +
		" 'mailto:help@shop.example,tel:+4930123'")
	v.checkAccess("cart")
	form["kind"], form["message"] = "message", object{"text": "paid_too_late"}
	p.load(form)
	v.until("document.querySelectorAll('#message .support a').length == 2")
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
		v.until("document.querySelector('#message .text').innerText.length > 10 && " +
			"document.querySelector('.facts').innerText.includes('2026-1187')")
		if got := get[bool](v.tab, "!!"+element("print")); got != (text == "paid") {
			v.t.Errorf("%s: can be printed: %t", text, got)
		}
		v.until(element("continue") + ".innerText == 'Back to North Roastery'")
	}
	v.click("continue")
	v.arrives("cancel")
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
	h.goOn(h.wait()) // and so does the payment then, by itself
	v.until("!" + element("ask_now"))
	v.arrives("success")
	v.checkSameAttempt()
}
