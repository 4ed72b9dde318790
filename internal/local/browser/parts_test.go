package browser

import (
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// checkLanguageChoice changes the language twice while the form is filled in.
func checkLanguageChoice(v *visit) {
	v.form(v.session(object{"checkout_language": "en"}))
	v.write("payer_card", cardNumber)
	v.choose("language", "ar")
	v.until("document.documentElement.lang == 'ar'")
	v.checkTexts("ar", "رقم البطاقة")
	v.until("document.documentElement.dir == 'rtl'")
	v.choose("language", "de")
	v.until("document.documentElement.lang == 'de'")
	v.checkTexts("de", "Kartennummer")
	v.until(element("payer_card") + ".value == '4111 1111 1111 1111'")
	v.open(v.location().String()) // as after a bank's page
	v.until(element("pay"))
	v.checkTexts("de", "Kartennummer")
}

// checkCoins copies an amount that is shown with a comma.
func checkCoins(v *visit) {
	v.play(waitScreen(object{"language": "de", "message": object{"text": "pay_elsewhere"}, "show": []object{
		{"id": "crypto_amount", "type": "amount", "value": "42.360000", "currency": "USDT"}}}), nil)
	v.until(element("crypto_amount") + "?.innerText == '42,360000'")
	get[bool](v.tab, "(navigator.clipboard.writeText = async text => void (window.written = text), true)")
	v.click("crypto_amount-copy")
	v.until("window.written == '42.360000'")
}

// checkFacts shows payee, description and what was paid.
func checkFacts(v *visit) {
	form := manyMethods(1)
	form["operation"], form["payee"] = "transfer", "Jane Doe"
	order := form["order"].(object)
	order["description"] = strings.Repeat("Coffee and filters for the whole office, every month. ", 5)
	v.play(form, func(sent) object { return nil })
	v.until("document.querySelector('.order').innerText.replace(/\\n+/g, ' ').startsWith('You send €48.40 to Jane Doe')")
	v.until(element("pay") + ".innerText == 'Send €48.40\\nto Jane Doe'")
	const height = "document.getElementById('description').clientHeight"
	v.until(height + " < 50")
	get[bool](v.tab, "(document.querySelector('.order button').click(), true)")
	v.until(height + " > 60 && document.querySelector('.order button').innerText == 'less'")

	paid := v.secondTab()
	screen := waitScreen(object{"kind": "message", "message": object{"text": "paid"}, "operation": "credit",
		"payee": "Jane Doe", "go": object{"url": v.shop.url("success"), "target": "_self"},
		"payment": object{"at": "2026-11-21T14:07:00Z", "method": "card", "mask": "411111******1111"}})
	paid.do(chromedp.EmulateViewport(390, 844))
	paid.play(form, nil)
	paid.until(headLine + " == 'You send to Jane Doe'")
	form["operation"] = "credit"
	paid.play(form, nil)
	paid.until(headLine + " == 'You receive from North Roastery'")
	paid.play(screen, func(sent) object { return nil })
	paid.message("The money has been sent to you.")
	for _, part := range []string{"Amount\n€48.40", "Recipient\nJane Doe", "Payment method\nVisa", "•••• 1111",
		"Date\nNovember 21, 2026", "Reference\n2026-1187"} {
		paid.until("document.querySelector('.facts').innerText.includes(" + quote(part) + ")")
	}
	paid.checkAccess("paid out")
}

// checkSealLoads loses the code that seals once; the payer pays nevertheless.
func checkSealLoads(v *visit) {
	h := v.pause(fetch.RequestPattern{URLPattern: "*/after-*.js"})
	v.form(v.session(paying))
	if len(h.stuck) > 0 {
		v.t.Error("the code that seals is loaded with the form")
	}
	v.typeIn("payer_card", "4")
	h.lose(h.wait())
	v.card("0138")
	v.click("pay")
	h.lose(h.wait())
	h.goOn(h.wait())
	v.arrives("success")
	v.watch.found() // the browser reports scripts that did not come
}
