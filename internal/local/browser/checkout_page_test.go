package browser

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pageLookStories are about how the page looks while a payer uses it.
var pageLookStories = []story{
	{"the busy button can be read, also under the pointer, and nothing jumps", checkBusy},
	{"a payment is said to be paid before the page leaves", checkPaid},
	{"a decline keeps the card but its code, which gets the focus", checkDecline},
	{"nothing shifts while the page is loaded and used", checkShift},
	{"a fault says how it is mended, when the field is left", checkMending},
	{"two zones on wide screens, one line that opens on narrow ones", checkZones},
	{"the test band fills in a card", checkBand},
	{"forty methods can be used on a phone", checkMany},
	{"rows help to choose, and the first ones are for the payer's region", checkRows},
	{"the cart adds up, and the shop can be reached", checkCart},
	{"whoever lost the connection can look at once", checkAskNow},
	{"the payer chooses the language", checkLanguageChoice},
	{"an amount of coins is shown as the language writes it, and copied with a point", checkCoins},
	{"what was paid, and to whom", checkFacts},
	{"the code that seals is loaded when the form is used, and asked for again", checkSealLoads},
	{"endings say what to do and lead back to the shop", checkEndings},
	{"the page that loads does not say at once that it could not", checkLoadingStill},
	{"the receipt is printed", checkPrinted},
	{"text that is cut is found", checkCutFound},
}

func TestPageLook(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	tell(t, at, pageLookStories)
}

const panel = "document.querySelector('.panel')"

// colour is one of an element's style, which has no transparency.
func (v *visit) colour(element, name string) color.RGBA {
	v.t.Helper()
	c := color.RGBA{A: 0xff}
	text := get[string](v.tab, "getComputedStyle("+element+")."+name)
	if _, err := fmt.Sscanf(text, "rgb(%d, %d, %d)", &c.R, &c.G, &c.B); err != nil {
		v.t.Errorf("%s of %s is %s", name, element, text)
	}
	return c
}

func (v *visit) scheme(name string) {
	v.t.Helper()
	call(v.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func (v *visit) checkContrast(id, when string) {
	v.t.Helper()
	v.accessible()
	for _, scheme := range []string{"light", "dark"} {
		v.scheme(scheme)
		v.none(when+", "+scheme, "access.contrasts("+element(id)+")")
	}
	v.scheme("light")
}

// point moves the mouse to a spot.
func (v *visit) point(at spot) {
	v.t.Helper()
	call(v.tab, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y})
}

// formPlace is where the parts of the form are.
const formPlace = `['payer_card', 'payer_cvv', 'pay'].map(id => {
	const r = document.getElementById(id).getBoundingClientRect();
	return [r.x, r.y, r.width, r.height].join() }).join(' ')`

func checkBusy(v *visit) {
	v.form(v.session(paying))
	v.checkContrast("pay", "idle")
	height := get[float64](v.tab, element("pay")+".offsetHeight")
	if height != 52 {
		v.t.Errorf("the button is %v px high", height)
	}
	v.card("0238")
	h := v.hold(fetch.RequestStageRequest)
	at := v.find(element("pay"))
	before := get[string](v.tab, formPlace)
	v.do(chromedp.MouseClickXY(at.X, at.Y))
	id := h.wait()
	v.until(element("pay") + ".ariaDisabled == 'true' && document.querySelector('#pay .ring')")
	v.focused("pay")
	v.press(kb.Enter) // does nothing more
	v.point(at)
	v.until(element("pay") + ".matches(':hover')")
	v.checkContrast("pay", "busy")
	if after := get[string](v.tab, formPlace); after != before {
		v.t.Errorf("the form moved from %s to %s", before, after)
	}
	if !get[bool](v.tab, "!!"+element("payer_card")+".closest('[inert]')") {
		v.t.Error("the form can be changed while it is sent")
	}
	h.goOn(id)
	v.message("Your payment was declined.")
	if sent := len(v.watch.sent()); sent != 1 {
		v.t.Errorf("%d requests to pay", sent)
	}
}

func checkPaid(v *visit) {
	// The shop's page is not loaded in this tab, so that the last words are still there.
	v.onNew(`
		new MutationObserver(() => {
			const text = document.getElementById('message')?.innerText ?? '';
			if (text.includes('Paid') && document.querySelector('.good .tick')) window.name = text;
		}).observe(document, {subtree: true, childList: true, attributes: true})`)
	s := v.session(paying)
	v.form(s)
	v.pay("0138")
	v.arrives("success")
	if told := get[string](v.tab, "window.name"); !strings.Contains(told, "Paid") ||
		!strings.Contains(told, "Taking you back to Demo Shop") {
		v.t.Errorf("told %q", told)
	}
}

func checkDecline(v *visit) {
	v.form(v.session())
	v.everything("0238")
	v.click("pay")
	v.message("Declined by processing.")
	v.focused("payer_cvv")
	v.until("['payer_card', 'payer_expiryDate', 'payer_name', 'payer_cvv'].map(id => document.getElementById(id).value)" +
		".join() == '4111 1111 1111 1111,02/38,Ada Example,'")
	v.click("use_another_card")
	v.until(element("payer_card") + ".value == '' && " + element("payer_expiryDate") + ".value == ''")
	v.until("!" + element("use_another_card"))
	v.until(element("payer_city") + ".value == 'Los Angeles'")
	expired := object{"name": "Ada Example", "email": "decline-card_expired@shop.example"}
	v.form(v.session(paying, object{"customer": expired}))
	v.pay("0138")
	v.message("The card has expired.")
	v.focused("payer_expiryDate")
}

func checkShift(v *visit) {
	v.onNew(`
		window.shift = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) shift += e.value })
			.observe({type: 'layout-shift', buffered: true})`)
	for _, width := range []int64{1280, 390} {
		v.do(chromedp.EmulateViewport(width, 844))
		v.form(v.session(paying))
		if width == 1280 {
			v.click("pay")
			v.checkFault("payer_card", "Card number: required")
		}
		v.until("document.readyState == 'complete'")
		v.drawn()
		if shift := get[float64](v.tab, "shift"); shift > 0.02 {
			v.t.Errorf("%d px wide: layout shift %.3f", width, shift)
		}
	}
}

// drawn waits until what has changed is drawn.
func (v *visit) drawn() {
	v.t.Helper()
	get[bool](v.tab, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

func checkMending(v *visit) {
	v.form(v.session(paying))
	for _, m := range []struct{ id, typed, cell, below string }{
		{"payer_card", "4111111111111112", "Card number: a digit seems wrong", "Check the number, or use another card."},
		{"payer_card", "41111111", "Card number: too short", "Enter all of its digits."},
		{"payer_expiryDate", "0120", "Expired: 01/20", "Check the date, or use another card."},
		{"payer_expiryDate", "0199", "Expiry: wrong year", "Check the year, or use another card."},
		{"payer_cvv", "12", "Code: 3 digits", "Enter the 3 digits on the back."},
	} {
		v.write(m.id, m.typed)
		if get[bool](v.tab, "!!document.querySelector('[aria-invalid=true]')") && m.id != "payer_card" {
			v.t.Errorf("%s is marked while it is typed", m.id)
		}
		get[bool](v.tab, "(document.activeElement.blur(), true)")
		v.checkFault(m.id, m.cell)
		v.until(element(m.id+"-fault") + ".innerText == " + quote(m.below) + " && " + element(m.id) +
			".getAttribute('aria-describedby').split(' ').includes(" + quote(m.id+"-fault") + ")")
		v.write(m.id, map[string]string{"payer_card": cardNumber, "payer_expiryDate": "0138", "payer_cvv": "123"}[m.id])
		v.until("!document.querySelector('[aria-invalid=true]')")
	}
	v.checkNothingSent()
}

func checkZones(v *visit) {
	v.do(chromedp.EmulateViewport(1280, 844))
	v.form(v.session())
	v.until("document.querySelector('.amount').getBoundingClientRect().right < " +
		"document.querySelector('.panel').getBoundingClientRect().left")
	v.do(chromedp.EmulateViewport(390, 844))
	v.until("document.querySelector('.amount').getClientRects().length == 0")
	v.until("document.querySelector('.toggle').innerText.includes('$10.00')")
	if top := get[float64](v.tab, "document.querySelector('form').getBoundingClientRect().top"); top > 300 {
		v.t.Errorf("on a phone the form begins at %v px", top)
	}
	get[bool](v.tab, "(document.querySelector('.toggle').click(), true)")
	v.until("document.querySelector('.amount').getClientRects().length == 1 && document.body.innerText.includes('A gift')")
}

func checkBand(v *visit) {
	s := v.session() // the whole form
	v.form(s)
	v.choose("test_card", "02/38")
	v.until(element("payer_card") + ".value == '4111 1111 1111 1111' && " + element("payer_cvv") + ".value == '123'")
	v.click("pay")
	v.message("Declined by processing.")
	v.choose("test_card", "01/38")
	v.until(element("payer_expiryDate") + ".value == '01/38'")
	v.click("pay")
	v.arrives("success")
	v.checkPayments(s, "settled", "decline")
}
