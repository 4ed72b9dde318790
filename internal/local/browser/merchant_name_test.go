package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"checkout/internal/settings"
)

// A merchant's name of 255 characters takes one line of a phone's head, and two lines elsewhere. It is there in full
// for readers of screens, in a title, and in the opened head.
func TestLongMerchantName(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("The Old North Harbour Coffee ", 7)
	name += strings.Repeat("o", 255-len(name))
	v := brandedVisit(t, func(m *settings.Merchant, _ *shop) {
		m.Name, m.Branding.LegalName = name, name
		m.Branding.Support = settings.Support{Email: "help@shop.example"}
	})
	// What is said of the paid payment is measured before the shop is opened.
	v.onNew(`
		window.linesOf = all => { const e = document.querySelector(all);
			return Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)) };
		new MutationObserver(() => {
			if (!document.querySelector('.good .tick')) return;
			window.name = linesOf('#message .text') + ' lines, ' + (document.scrollingElement.scrollWidth - innerWidth) +
				' px too wide';
		}).observe(document, {subtree: true, childList: true, attributes: true})`)
	lines := func(of string, want int) {
		t.Helper()
		if got := get[int](v.tab, "linesOf("+quote(of)+")"); got != want {
			t.Errorf("%s has %d lines, not %d", of, got, want)
		}
	}
	for _, width := range []int64{320, 390, 1280} {
		v.do(chromedp.EmulateViewport(width, 844))
		v.form(v.session(paying))
		head := 1
		if width == 1280 {
			head = 2
		}
		lines("h1", head)
		lines("footer p", 2)
		lines("footer .support span", 2)
		v.until("document.querySelector('h1').title == " + quote(name) + " && document.querySelector('footer p').innerText" +
			".includes(" + quote(name) + ")")
		v.checkWidth(fmt.Sprintf("a form, %d px", width))
		if width != 1280 {
			get[bool](v.tab, "(document.querySelector('.toggle').click(), true)")
			v.until("linesOf('h1') > 3 && (e => e.scrollHeight - e.clientHeight < 2)(document.querySelector('h1'))")
			v.checkWidth(fmt.Sprintf("an opened head, %d px", width))
		}
		v.pay("0138")
		v.arrives("success")
		if got := get[string](v.tab, "window.name"); got != "2 lines, 0 px too wide" {
			t.Errorf("%d px, paid: %s", width, got)
		}
	}
	p := v.stage(nil)
	for _, width := range []int64{320, 1280} {
		v.do(chromedp.EmulateViewport(width, 844))
		ending := messageIn("en", "expired", nil)
		ending["merchant"], ending["go"] = name, object{"url": v.shop.url("cancel"), "target": "_self"}
		p.load(ending)
		v.until(element("continue"))
		lines("#continue span", 2)
		v.until(element("continue") + ".title == " + element("continue") + ".innerText")
		v.checkWidth(fmt.Sprintf("an ending, %d px", width))
		v.checkAccess(fmt.Sprintf("a long name at an ending, %d px", width))
	}
}
