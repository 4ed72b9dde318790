package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// checkScreens draws every kind of screen in a language on a phone and looks at each.
func (v *visit) checkScreens(language string) {
	v.t.Helper()
	v.do(chromedp.EmulateViewport(390, 844))
	p := v.stage(nil)
	var letters strings.Builder
	see := func(name string) {
		v.t.Helper()
		v.checkWidth(language + " " + name)
		v.checkTextPlaces(language + " " + name)
		v.checkWords(language, name)
		letters.WriteString(get[string](v.tab, "document.body.textContent"))
		v.checkDirections(language, name)
		v.picture(language + "-" + name + ".png")
	}
	v.seeNames(p, language, see)
	v.seeTransfer(p, language, see)
	v.seeWaits(p, language, see)
	v.checkLetters(letters.String())
}

// seeNames shows every method and every field of a method, then the way from busy over a decline to the end.
func (v *visit) seeNames(p *played, language string, see func(string)) {
	v.t.Helper()
	form := everyName(v.t, language)
	for _, m := range form["methods"].([]object) {
		if m["id"] == "voucher" { // for the button by which another card is taken
			m["fields"] = []object{{"id": "payer_card", "kind": "card_number", "required": true}}
		}
	}
	p.load(form)
	v.click("more_ways")
	v.until(element("search"))
	see("names")
	v.click("pay")
	v.until("document.querySelectorAll('.fault').length > 30")
	see("names-faults")
	v.pick("method", "voucher")
	v.write("payer_card", "4000000000000002") // in a field that this form does not seal
	v.click("pay")
	v.until("document.querySelector('#pay[aria-busy=true]')")
	see("busy")
	form["methods"] = slices.DeleteFunc(form["methods"].([]object), func(m object) bool {
		return m["id"] != "voucher" && m["id"] != "cash_mx"
	})
	form["message"] = object{"text": "declined", "reason": object{"code": "insufficient_funds"}}
	p.show(form)
	v.until("document.querySelector('#message p') && " + element("use_another_card"))
	see("decline")
	v.click("pay")
	p.show(messageIn(language, "too_many_declines", object{"code": "paid_too_little", "arrived": "0.5", "due": "1.0",
		"currency": "BTC"}))
	v.until(element("continue"))
	see("declined")
}

// seeTransfer shows saved cards, an amount to enter, a consent and the time that is left.
func (v *visit) seeTransfer(p *played, language string, see func(string)) {
	v.t.Helper()
	field := func(id, kind string) object { return object{"id": id, "kind": kind, "required": true} }
	code, consent := field("payer_cvv", "security_code"), field("recurring_consent", "consent")
	card := object{"id": "card", "label": "card", "icon": "card", "group": "card", "action": "submit",
		"fields": []object{field("order_amount", "amount"), field("payer_card", "card_number"), consent},
		"saved": []object{{"id": "a", "mask": "411111******1111", "expiry": "01/2038",
			"fields": []object{field("order_amount", "amount"), code, field("payee_card", "card_number"), consent}}}}
	screen := messageIn(language, "", nil)
	screen["kind"], screen["operation"], screen["methods"] = "form", "transfer", []object{card}
	screen["test"], screen["actions"] = true, []string{"cancel"}
	screen["expires_in_ms"], screen["lifetime_ms"] = 90_000, 1_200_000
	screen["schedule"] = object{"amount": "1234.50", "interval": 3, "unit": "month", "count": 11, "start": "2035-04-01"}
	p.load(screen)
	v.click("pay")
	v.until("document.querySelectorAll('.fault').length > 3 && document.querySelector('[role=timer]')")
	see("transfer")
}

// elsewhere is what waiting screens show, by their texts.
var elsewhere = []struct {
	text string
	show []object
}{
	{"processing", nil},
	{"scan_qr", []object{{"id": "qr_code", "type": "qr", "value": qrText},
		{"id": "app_link", "type": "link", "value": "https://bank.example/pay"}}},
	{"confirm_in_app", []object{{"id": "confirm_number", "type": "text", "value": "42"}}},
	{"enter_code", nil},
	{"transfer_details", []object{{"id": "account_number", "type": "copy", "value": "DE02120300000000202051"},
		{"id": "account_name", "type": "text", "value": "Löwe & 1187"},
		{"id": "bank_name", "type": "text", "value": "Löwe"},
		{"id": "payment_reference", "type": "copy", "value": "1187/A-2"}}},
	{"voucher_issued", []object{{"id": "amount_due", "type": "amount", "value": "48.40", "currency": "EUR"},
		{"id": "voucher_barcode", "type": "barcode", "value": barcodeText},
		{"id": "voucher_number", "type": "copy", "value": "9876543210"},
		{"id": "pay_until", "type": "deadline", "value": "2038-01-19T03:14:07Z"}}},
	{"pay_elsewhere", crypto},
	{"partly_paid", crypto},
	{"checking_payment", nil},
	{"checking_outcome", nil},
	{"checking_first", nil},
	{"open_link", []object{{"id": "app_link", "type": "link", "value": "https://bank.example/pay"},
		{"id": "provider_message", "type": "text", "value": "Löwe 1187"}}},
	{"ending_payment", nil},
	{"payout_under_way", nil},
}

var crypto = []object{{"id": "crypto_amount", "type": "amount", "value": "52.360000", "currency": "USDT"},
	{"id": "crypto_coin", "type": "text", "value": "USDT"}, {"id": "crypto_network", "type": "text", "value": "tron"},
	{"id": "crypto_address", "type": "copy", "value": "TXk3QpYB7mVtE9fA2cW8LrNd5HsJ6uGzR4"},
	{"id": "amount_received", "type": "amount", "value": "10.00", "currency": "USDT"},
	{"id": "amount_missing", "type": "amount", "value": "42.360000", "currency": "USDT"}}

// seeWaits shows what the payer waits for, each text as the response to the next poll, then the last screens.
func (v *visit) seeWaits(p *played, language string, see func(string)) {
	v.t.Helper()
	const text = "document.querySelector('#message .text')?.innerText ?? ''"
	before := ""
	for _, waits := range elsewhere {
		screen := messageIn(language, waits.text, nil)
		screen["kind"], screen["actions"], screen["poll_ms"] = "wait", []string{"paid", "another", "cancel"}, 500
		if waits.show != nil {
			screen["show"] = waits.show
		}
		if waits.text == "enter_code" {
			screen["step"] = "1"
			screen["fields"] = []object{{"id": "bankDetails.otp", "kind": "code", "required": true, "inputmode": "numeric"}}
		}
		if before == "" {
			p.load(screen)
		} else {
			p.show(screen)
		}
		v.until("![''," + quote(before) + "].includes(" + text + ")")
		before = get[string](v.tab, text)
		see("wait-" + waits.text)
		if waits.text == "partly_paid" {
			v.checkCoins(language)
		}
	}
	p.show(messageIn(language, "paid", nil))
	v.until(element("print"))
	see("paid")
	p.load(messageIn(language, "paid_too_late", object{"code": "paid_too_late", "arrived": "20.00", "currency": "USDT"}))
	v.until(element("continue"))
	see("too-late")
	elsewhere := messageIn(language, "continue_elsewhere", nil)
	elsewhere["kind"] = "go"
	p.load(elsewhere)
	v.until("document.querySelector('.leave') && " + element("continue"))
	see("elsewhere")
}

// checkCoins compares an amount of coins, which is shown with the language's decimal sign and copied with a point.
func (v *visit) checkCoins(language string) {
	v.t.Helper()
	want := "42,360000"
	if slices.Contains([]string{"en", "ar", "zh", "zho"}, language) {
		want = "42.360000"
	}
	v.until(element("amount_missing"))
	if got := get[string](v.tab, element("amount_missing")+".innerText"); got != want {
		v.t.Errorf("%s shows %s, want %s", language, got, want)
	}
	get[bool](v.tab, "(navigator.clipboard.writeText = async (text) => void (window.written = text), true)")
	v.click("amount_missing-copy")
	v.until("window.written")
	if got := get[string](v.tab, "window.written"); got != "42.360000" {
		v.t.Errorf("%s copies %s", language, got)
	}
}

// messageIn is a last screen in a language. Its names have no letters that a language could lack.
func messageIn(language, text string, reason object) object {
	message := object{"text": text}
	if reason != nil {
		message["reason"] = reason
	}
	return object{"kind": "message", "operation": "purchase", "language": language, "merchant": "Löwe & 1187",
		"order": object{"number": "1187/A-2", "amount": "48.40", "currency": "EUR", "decimals": 2}, "message": message,
		"branding": object{"terms_url": "https://shop.example/terms", "privacy_url": "https://shop.example/privacy"},
		"go":       object{"url": "https://shop.example/", "target": "_self"}}
}

// everyName is a form with every method of the catalogue. The first has every field that methods request.
func everyName(t *testing.T, language string) object {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra", "methods.json"))
	if err != nil {
		t.Fatal(err)
	}
	var catalogue []struct {
		ID   string
		Rows []struct {
			Path   string
			Ask    bool
			Values []string
		}
	}
	if err := json.Unmarshal(text, &catalogue); err != nil {
		t.Fatal(err)
	}
	methods, fields, known := []object{}, []object{}, map[string]bool{}
	for _, method := range catalogue {
		for _, row := range method.Rows {
			if !row.Ask || known[row.Path] {
				continue
			}
			known[row.Path] = true
			field := object{"id": row.Path, "kind": "text", "required": true}
			if len(row.Values) > 0 {
				options := []object{}
				for _, value := range row.Values {
					options = append(options, object{"value": value})
				}
				field["kind"], field["options"] = "select", options
			}
			fields = append(fields, field)
		}
		methods = append(methods, object{"id": method.ID, "label": method.ID, "icon": "bank", "group": "bank",
			"action": "submit", "fields": []object{}})
	}
	methods[0]["fields"] = fields
	screen := messageIn(language, "", nil)
	delete(screen, "message")
	screen["kind"], screen["methods"], screen["actions"] = "form", methods, []string{"cancel"}
	return screen
}

var literal = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)

// literals are the texts of a catalogue's source.
func literals(language string) ([]string, error) {
	var texts []string
	for _, folder := range []string{"", "names"} {
		source, err := os.ReadFile(filepath.Join(root, "infra", "page", "src", "texts", folder, language+".ts"))
		if err != nil {
			return nil, err
		}
		for _, quoted := range literal.FindAllString(string(source), -1) {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	}
	return texts, nil
}

var place = regexp.MustCompile(`\{\w+\}`)

// englishTexts matches what the English catalogue says and that of a language does not, with places filled.
func englishTexts(language string) (*regexp.Regexp, error) {
	texts, err := literals("en")
	if err != nil {
		return nil, err
	}
	var own []string
	if language != "en" {
		own, err = literals(language)
	}
	var patterns []string
	for _, text := range texts {
		if len(place.ReplaceAllString(text, "")) < 3 || slices.Contains(own, text) {
			continue
		}
		parts := place.Split(text, -1)
		for i, part := range parts {
			parts[i] = regexp.QuoteMeta(part)
		}
		patterns = append(patterns, strings.Join(parts, ".+"))
	}
	return regexp.MustCompile("^(?:" + strings.Join(patterns, "|") + ")$"), err
}

// checkWords checks that nothing on the screen is a text of the English catalogue, unless the language writes it alike.
func (v *visit) checkWords(language, screen string) {
	v.t.Helper()
	const said = `(() => {
		const said = [document.title];
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node; node = walk.nextNode();) said.push(node.data);
		for (const e of document.querySelectorAll('p, dt, dd, button, label, legend, h1, h2, a, li')) said.push(e.innerText);
		for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
			for (const e of document.querySelectorAll('[' + name + ']')) said.push(e.getAttribute(name));
		return [...new Set(said.map(text => text.trim()))].filter(text => /\p{L}/u.test(text));
	})()`
	texts := get[[]string](v.tab, said)
	if len(texts) < 8 {
		v.t.Errorf("%s: only %q", screen, texts)
	}
	pattern, err := englishTexts(language)
	if err != nil {
		v.t.Fatal(err)
	}
	found := slices.DeleteFunc(texts, func(text string) bool { return !pattern.MatchString(text) })
	if language == "en" && len(found) == 0 {
		v.t.Errorf("%s: no text is known", screen)
	}
	if language != "en" && len(found) > 0 {
		v.t.Errorf("%s %s: %q is English", language, screen, found)
	}
}

// checkLetters checks that the browser has a drawing of every letter of a text: one that differs from that of a letter
// that no font has.
func (v *visit) checkLetters(text string) {
	v.t.Helper()
	const missing = `(text => {
		const canvas = document.createElement('canvas');
		canvas.width = canvas.height = 48;
		const pen = canvas.getContext('2d', {willReadFrequently: true});
		pen.font = '32px ' + getComputedStyle(document.body).fontFamily;
		const drawn = letter => {
			pen.clearRect(0, 0, 48, 48);
			pen.fillText(letter, 4, 36);
			return canvas.toDataURL();
		};
		const none = drawn('\u{10FFFE}');
		if (none == drawn(' ')) return ['a missing letter is not drawn'];
		return [...new Set(text)].filter(letter => drawn(letter) == none);
	})`
	if letters := get[[]string](v.tab, missing+"("+quote(text)+")"); len(letters) > 0 {
		v.t.Errorf("no font has %q", letters)
	}
}

// checkDirections checks that the page runs as its language does, that numbers, codes and addresses run left to right
// in every language, and that arrows point where reading goes.
func (v *visit) checkDirections(language, screen string) {
	v.t.Helper()
	want := map[bool]string{true: "rtl", false: "ltr"}[language == "ar"]
	const wrong = `(want => {
		const faults = [], direction = e => getComputedStyle(e).direction;
		const texts = 'html, body, main, h1, h2, p, label, button, legend, dl, dt, dd, select';
		for (const e of document.querySelectorAll(texts))
			if (direction(e) != want && !e.closest('bdi')) faults.push(e.tagName + ' ' + e.id + ' ' + direction(e));
		const numbers = 'bdi[dir=ltr], [role=timer] bdi, input[inputmode=numeric], input[type=tel], input[type=email]';
		for (const e of document.querySelectorAll(numbers)) if (direction(e) != 'ltr') faults.push('number ' + e.id);
		for (const e of document.querySelectorAll('.leave'))
			if ((new DOMMatrix(getComputedStyle(e).transform).a < 0) != (want == 'rtl')) faults.push('arrow');
		return faults;
	})(` + `"WANT")`
	if faults := get[[]string](v.tab, strings.Replace(wrong, "WANT", want, 1)); len(faults) > 0 {
		v.t.Errorf("%s %s: %s", language, screen, strings.Join(faults, ", "))
	}
}
