package browser

import (
	"strings"

	"github.com/chromedp/chromedp/kb"
)

// savedStories are about saved cards.
var savedStories = []story{
	{"a card is saved, then one click pays", func(v *visit) {
		s := v.session(paying, object{"card_token": []string{v.save("0138")}})
		v.form(s)
		if got := v.fields(); got != "" {
			v.t.Errorf("the form has %s", got)
		}
		v.until("document.getElementById('saved').innerText.includes('•••• 1111') && " +
			"document.getElementById('saved').innerText.includes('01/2038')")
		v.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		if sent := v.lastSent(); sent.Saved != "1" || sent.Sealed.Ciphertext != "" {
			v.t.Errorf("sent %+v", sent)
		}
	}},
	{"the security code of a saved card", func(v *visit) {
		v = v.at(carefulKey)
		s := v.session(paying, object{"card_token": []string{v.save("0138")}})
		v.form(s)
		if got := v.fields(); got != "payer_cvv" {
			v.t.Errorf("the form has %s", got)
		}
		v.click("pay")
		v.checkFault("payer_cvv", "Code: 3 digits")
		v.focused("payer_cvv")
		v.checkNothingSent()
		v.write("payer_cvv", securityCode)
		v.click("pay")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		if sent := v.lastSent(); sent.Saved != "1" || sent.Sealed.Ciphertext == "" || len(sent.Fields) != 0 {
			v.t.Errorf("sent %+v", sent)
		}
	}},
	{"another card than the saved one", func(v *visit) {
		s := v.session(paying, object{"card_token": []string{v.save("0138")}})
		v.form(s)
		v.pick("saved", "")
		v.until(element("payer_card"))
		v.write("payer_card", cardNumber)
		v.pick("saved", "1")
		v.until("!" + element("payer_card"))
		v.pick("saved", "")
		v.until(element("payer_card"))
		v.pay("0241")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
		if sent := v.lastSent(); sent.Saved != "" || sent.Sealed.Ciphertext == "" {
			v.t.Errorf("sent %+v", sent)
		}
		if got := v.callback(s, "sale")["card_expiration_date"]; got != "02/2041" {
			v.t.Errorf("paid with the card that expires %s", got)
		}
	}},
	{"the payer has a card saved", func(v *visit) {
		v = v.at(carefulKey)
		s := v.session(paying)
		v.form(s)
		const box = "document.getElementById('save_card')"
		v.until(box + ".checked == false && " + box + ".labels[0].innerText.includes('Save this card') && " +
			"document.getElementById(" + box + ".getAttribute('aria-describedby')).innerText.includes('Careful Shop')")
		v.click("save_card")
		v.pay("0138")
		v.checkReturn(v.arrives("success"), s)
		token := v.callback(s, "sale")["card_token"]
		if sent := v.lastSent(); !sent.Save || len(token) != 64 {
			v.t.Errorf("sent %+v, card_token %q", sent, token)
		}
		v.form(v.session(paying, object{"card_token": []string{token}}))
		v.until("!document.getElementById('save_card')") // a saved card is chosen
		v.pick("saved", "")
		v.until("document.getElementById('save_card').checked == false")
	}},
	{"saved cards are removed by keyboard alone", func(v *visit) {
		v = v.at(carefulKey)
		v.form(v.session(paying, object{"card_token": []string{v.save("0138"), v.save("0241")}}))
		focus := func(what string) { v.until("document.activeElement?.matches(" + quote(what) + ")") }
		const first, left = ".choice:first-of-type ", "[...document.querySelectorAll('#saved .choice')].length == "
		v.press(kb.Tab)
		v.press(kb.Tab)
		focus(first + "> button[aria-label='Remove: Visa ending in 1111']")
		v.press(kb.Enter)
		focus(first + ".remove .quiet")
		v.press(kb.Escape)
		focus(first + "> button")
		for _, then := range []string{left + "2", left + "0"} {
			v.press(kb.Enter)
			focus(first + ".remove .quiet")
			v.back()
			v.press(kb.Enter)
			v.until(then + " && [...document.querySelectorAll('[role=status]')].some(e => " +
				"e.innerText.includes('The card was removed'))")
			if strings.HasSuffix(then, "2") {
				focus(first + "input[type=radio]")
				v.press(kb.Tab)
			}
		}
		focus("#form input")
		v.until(element("payer_card") + " && " + element("save_card"))
	}},
	{"a saved card by keyboard alone", func(v *visit) {
		v = v.at(carefulKey)
		s := v.session(paying, object{"card_token": []string{v.save("0138"), v.save("0241")}})
		v.form(s)
		v.press(kb.Tab)
		v.until("document.activeElement?.name == 'saved' && document.activeElement.value == '1'")
		for _, next := range []string{"2", "", "1", "2"} { // after the last one, the arrow selects the first
			v.press(kb.ArrowDown)
			v.until("document.activeElement?.name == 'saved' && document.activeElement.checked && " +
				"document.activeElement.value == " + quote(next))
		}
		v.press(kb.Tab) // to the button that removes it
		v.press(kb.Tab)
		v.focused("payer_cvv")
		v.press(securityCode)
		v.press(kb.Enter)
		v.arrives("success")
		v.checkPayments(s, "settled")
		if got := v.callback(s, "sale")["card_expiration_date"]; got != "02/2041" {
			v.t.Errorf("paid with the card that expires %s", got)
		}
	}},
}

// save pays with req_token, without a browser, and returns the card_token of the callback.
func (v *visit) save(expiry string) string {
	v.t.Helper()
	s := v.session(paying, object{"req_token": true})
	if _, err := s.Pay(expiry[:2] + "/" + expiry[2:]); err != nil {
		v.t.Fatal(err)
	}
	token := v.callback(s, "sale")["card_token"]
	if len(token) != 64 {
		v.t.Fatalf("card_token %q", token)
	}
	return token
}

// lastSent is the latest request to pay.
func (v *visit) lastSent() payBody {
	v.t.Helper()
	sent := v.watch.sent()
	return readPay(v.t, sent[len(sent)-1])
}
