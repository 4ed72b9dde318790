package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Faults stand at their fields, and a phone's form is short: Pay's top edge with every field, with all of them marked,
// and below a list of methods.
func TestFormPanel(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	for _, language := range []string{"en", "de", "ar"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			v := newVisit(t, at, s)
			v.do(chromedp.EmulateViewport(390, 1400)) // where Pay stands in its own place
			v.form(v.session(paying, object{"checkout_language": language}))
			v.checkPayTop("a list of methods", 700)
			v.form(v.session(onlyCard, object{"checkout_language": language}))
			v.accessible()
			v.checkPayTop("every field", 960)
			before := get[string](v.tab, cellPlaces)
			v.click("pay")
			v.until("document.querySelectorAll('[aria-invalid=true]').length > 8")
			v.checkPayTop("all fields marked", 960)
			v.none(language, "access.faults()")
			if after := get[string](v.tab, cellPlaces); after != before && language == "en" {
				t.Errorf("cells moved from %s to %s", before, after)
			}
			for _, scheme := range []string{"light", "dark"} {
				v.scheme(scheme)
				v.none(language+", "+scheme, "access.borders()")
			}
			v.checkNothingSent()
		})
	}
	t.Run("what is pressed on the way out of a faulty field is hit", func(t *testing.T) {
		v := newVisit(t, at, s)
		v.do(chromedp.EmulateViewport(390, 844))
		v.form(v.session(paying))
		v.write("payer_card", "4111")
		const next = "document.querySelector('.way:not(.chosen) label')"
		at := v.find(next)
		edge := get[float64](v.tab, next+".getBoundingClientRect().top") + 3
		v.do(chromedp.MouseClickXY(at.X, edge))
		v.until("!" + element("payer_card"))
	})
	t.Run("Cancel stands apart from what pays", func(t *testing.T) {
		v := newVisit(t, at, s)
		wallets := object{"methods": []string{"applepay", "googlepay"}}
		for name, session := range map[string]session{
			"a card": v.session(paying, onlyCard), "many methods": v.session(paying),
			"wallets alone":      v.session(paying, wallets),
			"a wallet that asks": v.session(object{"methods": []string{"googlepay"}}),
		} {
			for _, width := range []int64{390, 320} {
				v.do(chromedp.EmulateViewport(width, 600))
				v.open(session.URL)
				v.until(element("close"))
				v.checkApart(fmt.Sprintf("%s, %d px", name, width))
			}
		}
	})
	t.Run("Pay stays in view and covers nothing that has the focus", func(t *testing.T) {
		v := newVisit(t, at, s)
		v.do(chromedp.EmulateViewport(390, 600))
		v.form(v.session(onlyCard))
		v.accessible()
		const bar = "document.querySelector('.pay').getBoundingClientRect()"
		v.until(bar + ".bottom == innerHeight && " + bar + ".height == 64 && scrollY == 0")
		v.until(element("pay") + ".contains(document.elementFromPoint(innerWidth / 2, innerHeight - 32))")
		v.checkTabbing("a phone")
		v.until("(scrollTo(0, document.body.scrollHeight), " + bar + ".bottom < innerHeight)")
		v.do(chromedp.EmulateViewport(1280, 500))
		v.until("(scrollTo(0, 0), " + bar + ".bottom == innerHeight)")
		v.checkTabbing("a low window")
	})
}

// checkApart checks that Cancel can be pressed at the page's end, at least 48 px below whatever is above it.
func (v *visit) checkApart(what string) {
	v.t.Helper()
	const close = "document.getElementById('close')"
	top := get[float64](v.tab, "(scrollTo(0, document.body.scrollHeight), "+close+".getBoundingClientRect().top)")
	above := get[float64](v.tab, "Math.max(...[...document.querySelectorAll('.panel :is(button, .sealed, .pay)')]"+
		".filter(e => e.id != 'close').map(e => e.getBoundingClientRect().bottom))")
	if above < 1 || top-above < 48 {
		v.t.Errorf("%s: Cancel begins %v px below it", what, top-above)
	}
	v.until("(r => document.elementFromPoint(r.left + r.width / 2, r.top + 1)?.closest('#close') &&" +
		" document.elementFromPoint(r.left + r.width / 2, r.bottom - 1)?.closest('#close'))(" +
		close + ".getBoundingClientRect())")
}

// cellPlaces are the cells' places in their boxes, and their heights.
const cellPlaces = `[...document.querySelectorAll('.cell')].map(e => {
	const r = e.getBoundingClientRect();
	return [Math.round(r.top - e.parentElement.getBoundingClientRect().top), Math.round(r.height)].join() }).join(' ')`

func (v *visit) checkPayTop(when string, most float64) {
	v.t.Helper()
	top := get[float64](v.tab, element("pay")+".getBoundingClientRect().top + scrollY")
	if top > most {
		v.t.Errorf("%s: Pay begins at %v px", when, top)
	}
	v.t.Logf("%s: Pay begins at %v px", when, top)
}
