package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// What comes once a form is begun is drawn as soon as it has come. It moves nothing, and takes neither the focus nor
// what was typed, or filled in without an event.
func TestRestIsDrawn(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	v.holdScripts()
	v.onNew(`window.shift = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) shift += e.value })
		.observe({type: 'layout-shift', buffered: true})`)
	for _, width := range []int64{1280, 700} {
		v.do(chromedp.EmulateViewport(width, 844))
		form := manyMethods(1)
		method := form["methods"].([]object)[0]
		method["icon"], method["fields"] = "phone", []object{
			{"id": "payer_name", "kind": "text", "autocomplete": "name", "required": true},
			{"id": "payer_email", "kind": "email", "autocomplete": "email", "required": true}}
		p := v.play(form, nil)
		v.until(element("pay"))
		v.typeIn("payer_email", "ada@")
		v.until("held.length > 0")
		get[bool](v.tab, "("+element("payer_name")+".value = 'Ada Example', true)")
		v.letScripts()
		v.until("document.querySelector('.hand-off summary')")
		v.focused("payer_email")
		v.until(element("payer_name") + ".value == 'Ada Example' && " + element("payer_email") + ".value == 'ada@'")
		v.drawn()
		if shift := get[float64](v.tab, "shift"); shift > 0.02 {
			t.Errorf("%d px wide: layout shift %.3f", width, shift)
		}
		p.watch.found() // the request that the page gave up when it was left
	}
}

// Whoever leaves before what asks has come is asked once it is there, and leaves if it can't be loaded.
func TestLeavesBeforeTheRest(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	v.holdScripts()
	s := v.session(paying)
	begin := func() {
		t.Helper()
		v.form(s)
		v.typeIn("payer_card", cardNumber)
		v.until("held.length > 0")
		v.click("close")
		v.until(element("close") + ".matches('[aria-disabled=true]:has(.ring)')")
		v.click("close") // once more changes nothing
	}
	begin()
	v.letScripts()
	v.focused("leave_ask")
	v.click("leave_no")
	v.focused("close")
	v.until("!document.querySelector('#close .ring')")
	v.checkPayments(s, "prepare")
	begin()
	get[bool](v.tab, "(held[0].script.onerror(), true)")
	v.arrives("cancel")
	v.checkPayments(s, "decline")
}

// holdScripts holds up all scripts that a page loads later, until letScripts.
func (v *visit) holdScripts() {
	v.t.Helper()
	v.onNew(`window.held = []; const { append } = HTMLHeadElement.prototype;
		HTMLHeadElement.prototype.append = function (script) {
			const run = () => append.call(this, script);
			if (held) held.push({ script, run }); else run();
		}`)
}

func (v *visit) letScripts() {
	v.t.Helper()
	get[bool](v.tab, "(all => (held = null, all.forEach(({ run }) => run()), true))(held)")
}
