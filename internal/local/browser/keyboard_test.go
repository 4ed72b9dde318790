package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// keyboardStories are all that a payer can do, without a mouse. "the whole form by keyboard" is the way of a card.
var keyboardStories = []story{
	{"a method that was searched for", searchByKeyboard},
	{"a declined card", declineByKeyboard},
	{"an order that opens on a phone", orderByKeyboard},
	{"leaving, and the way back to the shop", cancelByKeyboard},
	{"paying elsewhere: an address is copied, and paid", elsewhereByKeyboard},
	{"a code in a second form", codeByKeyboard},
	{"a connection that was lost", lostByKeyboard},
	{"a form that comes back as it was", sentByKeyboard},
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	tell(t, at, keyboardStories)
}

// reach presses the Tab key until an element has the focus.
func (v *visit) reach(what string) {
	v.t.Helper()
	v.until(what)
	for range 150 {
		if get[bool](v.tab, "document.activeElement == "+what) {
			return
		}
		v.press(kb.Tab)
	}
	v.t.Fatalf("the Tab key does not reach %s\n%s", what, v.dump())
}

// back presses the Tab key with Shift.
func (v *visit) back() {
	v.t.Helper()
	v.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// heard waits until the heading has the focus: a new screen is read from there.
func (v *visit) heard() {
	v.t.Helper()
	v.until("document.activeElement?.tagName == 'H1'")
}

func searchByKeyboard(v *visit) {
	v.form(v.session(paying))
	v.reach(element("more_ways"))
	v.press(kb.Enter)
	v.focused("search")
	v.press("voucher")
	const others = "[...document.querySelectorAll('#method input[type=radio]')].filter(e => !e.checked)"
	v.until(others + ".length == 1")
	v.press(kb.Tab)
	v.until("document.activeElement.type == 'radio' && document.activeElement.checked")
	v.press(kb.ArrowDown)
	v.until("document.activeElement.type == 'radio' && document.activeElement.value == 'voucher' && " +
		"document.activeElement.checked")
	v.press(kb.Tab)
	v.until("document.querySelector('.way.chosen .box').contains(document.activeElement)")
}

// declineByKeyboard mends the faults of an empty form, is declined, and pays with another card.
func declineByKeyboard(v *visit) {
	s := v.session(paying, onlyCard)
	v.form(s)
	v.reach(element("payer_card"))
	v.press(kb.Enter)
	v.focused("payer_card")
	v.checkFault("payer_card", "Card number: required")
	v.press(cardNumber)
	v.until("document.querySelectorAll('[aria-invalid=true]').length == 2")
	v.press(kb.Enter)
	v.focused("payer_expiryDate")
	v.press("0238" + kb.Tab + securityCode + kb.Enter)
	v.message("Your payment was declined.")
	v.focused("payer_cvv")
	for range 3 {
		v.back()
	}
	v.focused("use_another_card")
	v.press(kb.Enter)
	v.focused("payer_card")
	v.press(cardNumber + kb.Tab + "0138" + kb.Tab + securityCode + kb.Enter)
	v.arrives("success")
	v.checkPayments(s, "settled", "decline")
}

func orderByKeyboard(v *visit) {
	v.window(true)
	v.form(v.session(paying, onlyCard))
	v.reach(element("test_card"))
	v.press(kb.Tab)
	const open = "document.activeElement.getAttribute('aria-expanded')"
	for _, key := range []string{kb.Enter, " "} {
		before := get[string](v.tab, open)
		v.press(key)
		v.until(open + " != " + quote(before) + " && (document.querySelector('.amount').getClientRects().length == 1) == " +
			"(" + open + " == 'true')")
	}
}

func cancelByKeyboard(v *visit) {
	s := v.session(paying, onlyCard)
	v.form(s)
	v.reach(element("close"))
	v.press(kb.Enter)
	v.arrives("cancel")
	v.form(v.session(paying, onlyCard, object{"cancel_url": nil}))
	v.reach(element("close"))
	v.press(" ")
	v.message("Payment cancelled")
	v.heard()
}

// ofCoin is a screen of who pays elsewhere.
func ofCoin(address string) object {
	return waitScreen(object{"message": object{"text": "pay_elsewhere"}, "actions": []string{"paid", "another", "cancel"},
		"show": []object{{"id": "crypto_address", "type": "copy", "value": address}}})
}

func elsewhereByKeyboard(v *visit) {
	p := v.play(ofCoin("sandbox1"), func(sent) object { return nil })
	copied := element("crypto_address-copy")
	v.until(copied)
	v.reach(element("crypto_address-copy"))
	v.press(kb.Enter)
	v.until(copied + ".innerText.startsWith('Copied')")
	v.focused("crypto_address-copy")
	p.show(ofCoin("sandbox2"))
	v.until(element("crypto_address") + ".innerText == 'sandbox2'")
	v.focused("crypto_address-copy") // a poll takes nothing away
	v.press(" ")
	v.until(element("copied") + ".innerText.includes('Copied')")
	v.reach(element("paid"))
	v.press(" ")
	v.until("!" + element("paid"))
	v.until("document.activeElement.className == 'note'")
	v.leaveByKeyboard(p)
	ended := messageIn("en", "paid_too_little", nil)
	ended["go"] = object{"url": v.shop.url("cancel"), "target": "_self"}
	p.show(ended)
	v.until(element("continue"))
	v.heard()
	v.reach(element("continue"))
	v.press(kb.Enter)
	v.arrives("cancel")
}

// leaveByKeyboard stays, and stays again, and is asked each time, as the payment is said to be made already.
func (v *visit) leaveByKeyboard(p *played) {
	v.t.Helper()
	for _, stay := range []func(){func() { v.press(kb.Escape) }, func() { v.reach(element("leave_no")); v.press(" ") }} {
		v.reach(element("close"))
		v.press(kb.Enter)
		v.focused("leave_ask")
		v.until("document.querySelector('.ask').innerText.includes('refunded or applied') && " +
			"document.querySelector('.ask .facts').innerText.includes('2026-1187')")
		v.checkAccess("asked before leaving")
		stay()
		v.focused("close")
	}
	if got := p.last(); got.path != "" {
		v.t.Errorf("sent %s", got.path)
	}
}

func codeByKeyboard(v *visit) {
	const never = 600_000 // ms until a poll, which would fail as well and take the form away
	asks := waitScreen(object{"message": object{"text": "enter_code"}, "step": "1", "actions": []string{"cancel"},
		"poll_ms": never,
		"fields": []object{{"id": "otp", "kind": "code", "required": true, "inputmode": "numeric", "format": "digits",
			"min": 6, "max": 6}}})
	turn := 1
	p := v.play(asks, func(q sent) object {
		if fields, _ := q.body["fields"].(map[string]any); fields["otp"] == "123456" {
			return waitScreen(object{"message": object{"text": "processing"}})
		}
		turn++
		asks["step"], asks["message"] = fmt.Sprint(turn), object{"text": "code_wrong"}
		return asks
	})
	v.focused("otp")
	v.press("000000")
	v.reach(element("answer"))
	p.fails(400)
	get[bool](v.tab, "("+element("answer")+".addEventListener('blur', () => window.lostFocus = true), true)")
	v.press(kb.Enter)
	v.message("There is a technical problem.")
	v.until("document.activeElement.id == 'answer' && !window.lostFocus")
	p.fails(0)
	v.press(kb.Enter)
	v.message("That code was wrong.")
	v.until("document.activeElement.id == 'otp' && " + element("otp") + ".value == ''")
	v.press("123456")
	v.reach(element("answer"))
	v.press(" ")
	v.message("Your payment is being processed.")
	v.heard()
}

func lostByKeyboard(v *visit) {
	p := v.play(waitScreen(object{"message": object{"text": "processing"}}), func(sent) object { return nil })
	v.message("Your payment is being processed.")
	p.fails(503)
	v.until(element("ask_now"))
	v.reach(element("ask_now"))
	p.fails(0)
	v.press(kb.Enter)
	v.until("!" + element("ask_now"))
	v.heard()
}

// sentByKeyboard pays from a field; the service takes no payment now, and the field has the focus again.
func sentByKeyboard(v *visit) {
	p := v.play(syntheticForm(), func(sent) object { return nil })
	v.until(element("payer_card"))
	v.reach(element("payer_card"))
	v.press(cardNumber)
	p.fails(429)
	v.press(kb.Enter)
	v.message("There were too many attempts.")
	v.focused("payer_card")
}
