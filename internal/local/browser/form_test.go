package browser

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var paidStories = []story{
	{"the form has only the card when the rest is known", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		if got := v.fields(); got != "payer_card payer_expiryDate payer_cvv" {
			v.t.Errorf("fields %s", got)
		}
		v.pay("0138")
		v.checkReturn(v.arrives("success"), s)
		v.checkPayments(s, "settled")
	}},
	{"keyboard alone", payByKeyboard},
}

var formStories = []story{
	{"fields have ids, labels, and say what they take", checkAttributes},
	{"empty fields", func(v *visit) {
		v.form(v.session())
		v.choose("payer_country", "US")
		v.click("pay")
		v.focused("payer_email")
		for id, want := range emptyFaults {
			v.checkFault(id, want)
		}
		v.choose("payer_country", "")
		v.until(element("payer_country") + ".value == ''")
		v.click("pay")
		v.checkFault("payer_country", "Country: required")
		v.checkNothingSent()
	}},
	{"the first faulty field has the focus", func(v *visit) {
		v.form(v.session())
		v.everything("0138")
		v.write("payer_phone", "none")
		v.write("payer_city", "")
		v.write("payer_cvv", "1")
		v.click("pay")
		v.focused("payer_phone")
		v.checkFault("payer_phone", "Phone number: not valid")
		v.write("payer_phone", "+15550100")
		v.click("pay")
		v.focused("payer_cvv")
		v.write("payer_cvv", securityCode)
		v.click("pay")
		v.focused("payer_city")
		v.checkNothingSent()
	}},
	{"nothing that is too long is cut", checkTooLong},
	{"card number and expiry date are formatted while typed", checkTyping},
	{"a card that is pasted whole has its date, too", checkPasted},
	{"states are a list where there is one", checkStates},
	{"an address is as its country writes it", checkAddress},
	{"a country that the shop knows decides, too", checkKnownCountry},
	{"a name of one word is marked once", checkNameOfOneWord},
	{"a name with a digit is corrected", checkNameWithDigit},
}

// fields are the ids of all inputs, in order.
func (v *visit) fields() string {
	v.t.Helper()
	return get[string](v.tab, "[...document.querySelectorAll('form input, form select')].map(e => e.id).join(' ')")
}

func (v *visit) focused(id string) {
	v.t.Helper()
	v.until("document.activeElement?.id == " + quote(id))
}

// checkFault waits until a field is marked and its label, which is its name for assistive technology, says the fault.
func (v *visit) checkFault(id, want string) {
	v.t.Helper()
	v.until("(e => e.getAttribute('aria-invalid') == 'true' && e.labels[0].innerText.trim() == " + quote(want) +
		")(" + element(id) + ")")
}

func (v *visit) checkNothingSent() {
	v.t.Helper()
	if len(v.watch.sent()) != 0 {
		v.t.Error("a request to pay was sent")
	}
}

// emptyFaults are the labels of empty fields that are marked, in the United States.
var emptyFaults = map[string]string{
	"payer_card":       "Card number: required",
	"payer_expiryDate": "Expiry: MM/YY",
	"payer_cvv":        "Code: 3 digits",
	"payer_name":       "Name on card: required",
	"payer_email":      "Email: required",
	"payer_state":      "State: required",
	"payer_city":       "City: required",
	"payer_address":    "Address: required",
	"payer_zip":        "ZIP code: required",
	"payer_phone":      "Phone number: required",
}

// checkTooLong types and pastes more than fields take. The address gets a second line, and what is in both is paid
// with.
func checkTooLong(v *visit) {
	v.form(v.session())
	v.everything("0138")
	const (
		address = "Am alten Güterbahnhof 123, Hinterhaus, 4. Stock"
		city    = "Llanfairpwllgwyngyllgogerychwyrndrobwll"
	)
	v.until("!" + element("payer_address2"))
	v.typeIn("payer_address", address)
	v.until(element("payer_address2"))
	v.write("payer_city", city) // in one piece, as it is pasted
	v.enter("payer_name")
	v.checkFault("payer_address", "Address: 47/32")
	v.checkFault("payer_city", "City: 39/32")
	v.until(element("payer_address") + ".value == " + quote(address))
	v.until(element("payer_city") + ".value == " + quote(city))
	for _, width := range []int64{320, 1280} {
		v.do(chromedp.EmulateViewport(width, 844))
		v.checkWidth("too long")
		v.checkTextPlaces("too long")
	}
	v.checkAccess("too long")
	v.click("pay")
	v.focused("payer_address")
	v.checkNothingSent()
	v.write("payer_address", "Am alten Güterbahnhof 123")
	v.until(element("payer_address2")) // it stays while the rest is on its way there
	v.write("payer_address2", "Hinterhaus, 4. Stock")
	v.write("payer_city", "Llanfair")
	v.click("pay")
	v.arrives("success")
	sent := strings.Join(v.watch.sent(), "")
	for _, part := range []string{
		`"payer_address":"Am alten Güterbahnhof 123"`, `"payer_address2":"Hinterhaus, 4. Stock"`,
	} {
		if !strings.Contains(sent, part) {
			v.t.Errorf("%s is not in what is sent: %s", part, sent)
		}
	}
}

func checkAttributes(v *visit) {
	s := v.session()
	v.form(s)
	for _, part := range []string{"Demo Shop", "$10.00", "A gift", s.Order, "Test mode"} {
		v.until("document.body.innerText.includes(" + quote(part) + ")")
	}
	type field struct{ ID, Autocomplete, InputMode, Label string }
	want := []field{
		{"payer_email", "email", "email", "Email"},
		{"payer_phone", "tel", "tel", "Phone number"},
		{"payer_card", "cc-number", "numeric", "Card number"},
		{"payer_expiryDate", "cc-exp", "numeric", "Expiry date"},
		{"payer_cvv", "cc-csc", "numeric", "Security code"},
		{"payer_name", "cc-name", "", "Name on card"},
		{"payer_country", "country", "", "Country"},
		{"payer_address", "address-line1", "", "Address"},
		{"payer_city", "address-level2", "", "City"},
		{"payer_state", "address-level1", "", "State"},
		{"payer_zip", "postal-code", "", "ZIP code"},
	}
	got := get[[]field](v.tab, `[...document.querySelectorAll('form input, form select')].map(e => ({
		ID: e.id, Autocomplete: e.autocomplete, InputMode: e.inputMode ?? '',
		Label: e.labels[0].innerText.replace(' (optional)', '')}))`)
	if len(got) != len(want) {
		v.t.Fatalf("%d fields: %v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			v.t.Errorf("%+v, not %+v", got[i], want[i])
		}
	}
	for _, id := range []string{"pay", "close", "message"} {
		v.until(element(id))
	}
	v.until(element("payer_country") + ".value == 'US'") // the region of the browser's first language
	if role := get[string](v.tab, element("message")+".getAttribute('role')"); role != "alert" {
		v.t.Errorf("the message's role is %q", role)
	}
}

func checkTyping(v *visit) {
	v.form(v.session())
	v.checkTyped("payer_card", cardNumber, "4111 1111 1111 1111")
	v.until(element("payer_card-brand") + ".innerText == 'Visa'")
	v.checkTyped("payer_card", "378282246310005", "3782 822463 10005")
	v.until(element("payer_card-brand") + ".innerText == 'American Express'")
	v.checkTyped("payer_cvv", "12345x", "1234") // of American Express
	v.checkTyped("payer_expiryDate", "9", "09/")
	v.write("payer_expiryDate", "January 2039")
	v.until(element("payer_expiryDate") + ".value == '01/39'")
	v.write("payer_card", "4111-1111-1111-1111")
	v.until(element("payer_card") + ".value == '4111 1111 1111 1111'")

	// In the middle: typed characters are inserted at the caret, which moves on.
	v.checkTyped("payer_card", "41115678", "4111 5678")
	get[bool](v.tab, "("+element("payer_card")+".setSelectionRange(4, 4), true)")
	v.press("23")
	v.until(element("payer_card") + ".value == '4111 2356 78' && " + element("payer_card") + ".selectionStart == 7")
	v.press(kb.Backspace + kb.Backspace + kb.Backspace)
	v.until(element("payer_card") + ".value == '4115 678' && " + element("payer_card") + ".selectionStart <= 4")

	v.checkTyped("payer_card", "4111222233", "4111 2222 33")
	v.history("undo", "4111 2222 3", "4111 2222")
	v.history("redo", "4111 2222 3", "4111 2222 33")
	v.press(kb.Backspace + kb.Backspace + kb.Backspace)
	v.until(element("payer_card") + ".value == '4111 222'")
	v.history("undo", "4111 2222", "4111 2222 3", "4111 2222 33")
}

// checkPasted pastes what people have of their cards, into the number and the date. Undo takes the number back.
func checkPasted(v *visit) {
	v.form(v.session(paying, onlyCard))
	number, expiry, code := element("payer_card"), element("payer_expiryDate"), element("payer_cvv")
	paste := func(into, text string) {
		v.t.Helper()
		get[bool](v.tab, "(() => { const data = new DataTransfer(); data.setData('text', "+quote(text)+");"+
			into+".focus(); return "+into+".dispatchEvent(new ClipboardEvent('paste', "+
			"{clipboardData: data, bubbles: true, cancelable: true})) || true })()")
	}
	v.click("payer_card")
	v.until("globalThis.checkoutAfter")
	paste(number, "4111 1111 1111 1111\n01/38\n123")
	v.until(number + ".value == '4111 1111 1111 1111' && " + expiry + ".value == '01/38' && " + code + ".value == ''")
	v.history("undo", "")
	v.checkTyped("payer_expiryDate", "2038-01-31", "01/38")
	v.checkTyped("payer_card", cardNumber, "4111 1111 1111 1111")
	v.write("payer_cvv", securityCode)
	v.click("pay")
	v.arrives("success")
}

// history undoes or redoes in the field that has the focus, and waits for its value after each step.
func (v *visit) history(command string, values ...string) {
	v.t.Helper()
	for _, want := range values {
		call(v.tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown,
			Key: "z", Code: "KeyZ", WindowsVirtualKeyCode: 'Z', Modifiers: 2, Commands: []string{command}})
		call(v.tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp,
			Key: "z", Code: "KeyZ", WindowsVirtualKeyCode: 'Z', Modifiers: 2})
		v.until("document.activeElement.value == " + quote(want))
	}
}

func (v *visit) checkTyped(id, keys, want string) {
	v.t.Helper()
	v.typeIn(id, keys)
	v.until(element(id) + ".value == " + quote(want))
}

func checkStates(v *visit) {
	v.form(v.session())
	for country, want := range map[string]struct{ code, fault string }{
		"CA": {"ON", "Province: required"}, "JP": {"13", "Prefecture: required"},
	} {
		v.choose("payer_country", country)
		v.choose("payer_state", want.code)
		v.choose("payer_state", "")
		v.click("pay")
		v.checkFault("payer_state", want.fault)
	}
	v.choose("payer_country", "DE")
	v.until("!" + element("payer_state"))
}

// payByKeyboard goes from field to field with Tab, and Enter pays.
func payByKeyboard(v *visit) {
	s := v.session(object{"methods": []string{"card"}}) // the list of methods would come first
	v.form(s)
	typed := []struct{ id, keys string }{
		{"payer_email", "ada@example.com"}, {"payer_phone", "+15550100"},
		{"payer_card", cardNumber}, {"payer_expiryDate", "0138"}, {"payer_cvv", securityCode}, {"payer_name", "Ada Example"},
		{"payer_country", "United States"}, {"payer_address", "1 Sample Street"},
		{"payer_city", "Los Angeles"}, {"payer_state", "California"}, {"payer_zip", "90001"},
	}
	v.press(kb.Tab)
	v.focused("test_card")
	for _, field := range typed {
		v.press(kb.Tab)
		v.focused(field.id)
		if listed := map[string]string{"payer_country": "US", "payer_state": "CA"}[field.id]; listed != "" {
			v.typeChoice(field.id, field.keys, listed)
		} else {
			v.press(field.keys)
		}
	}
	v.press(kb.Tab)
	v.focused("pay")
	if get[string](v.tab, "getComputedStyle(document.activeElement).outlineStyle") == "none" {
		v.t.Error("nobody sees where the focus is")
	}
	v.press(kb.Tab)
	v.focused("close")
	v.write("payer_phone", "+15550100")
	v.press(kb.Enter)
	v.checkReturn(v.arrives("success"), s)
	v.checkPayments(s, "settled")
}

// typeChoice types the name of a list's option into the list that has the focus, and repeats it if the machine was so
// busy that the browser took a pause between two keys for the end of the name.
func (v *visit) typeChoice(id, name, value string) {
	v.t.Helper()
	const pause = 2 * time.Second // longer than the browser's
	last := time.Time{}
	eventually(v.t, func() bool {
		if get[string](v.tab, element(id)+".value") == value {
			return true
		}
		if time.Since(last) > pause {
			v.press(name)
			last = time.Now()
		}
		return false
	}, func() string { return "not chosen: " + v.dump() })
}
