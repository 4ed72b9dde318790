package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestDemoCallbacks is a payment while the merchant looks at the list of callbacks: a row appears without a reload.
func TestDemoCallbacks(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	list := v.secondTab()
	list.open(at.BaseURL + "/demo/callbacks")
	list.until("document.querySelector('.none').checkVisibility()")
	get[bool](list.tab, "(window.same = true)")
	v.buy()
	v.pay("0138")
	v.until("location.pathname == '/demo/return/success'")
	list.until("document.querySelector('.callback')?.innerText.replace(/\\s+/g, ' ').startsWith(" +
		"'sale success settled 18.50 EUR shop-')")
	list.until(element("news") + ".innerText.startsWith('New callback: sale success')")
	list.until("document.querySelector('.callback').innerText.includes('signature verified') && " +
		"!document.querySelector('.none').checkVisibility() && window.same")
	list.until("document.querySelector('.fresh').getAnimations().every(a => a.playState == 'finished')")
	list.look("callbacks")
	get[bool](list.tab, "(document.querySelector('.callback details').open = true)")
	list.until("[...document.querySelectorAll('.callback dd')].some(e => e.innerText == '18.50')")
	v.look("order")
}

// TestDemoPlayground edits a session request and follows it to the page.
func TestDemoPlayground(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	v.opensDemo(at.BaseURL)
	v.look("shop")
	// A browser without windows does not open its clipboard.
	get[bool](v.tab, "(navigator.clipboard.writeText = async (text) => void (window.written = text), true)")
	number := v.find("document.querySelector('[data-copy^=\"4111\"]')")
	v.do(chromedp.MouseClickXY(number.X, number.Y))
	v.until(element("news") + ".innerText == 'Copied 4111 1111 1111 1111' && !!window.written")
	get[bool](v.tab, "(document.querySelector('#options').open = true)")
	get[bool](v.tab, "(document.querySelector('#methods [name=ask]').click(), true)")
	v.look("shop with options")
	v.checkFocusShown("shop with options", &knownKinds{})
	v.click("show")
	v.until(element("steps"))
	v.look("playground")
	text := get[string](v.tab, element("request")+".value")
	v.replace(strings.Replace(text, `"18.50"`, `"7.25"`, 1))
	v.until(element("steps") + ".innerText.includes('7.25EURCoffee beans••••••••') && " +
		element("code-python") + ".innerText.includes('sign(number, \"7.25\"')")
	v.replace(text + "}")
	v.until(element("fault") + ".innerText.includes('there is more behind the end')")
	v.replace(strings.Replace(text, `"{hash}"`, `"wrong"`, 1))
	// What is drawn anew moves the buttons.
	v.until("!" + element("fault") + ".innerText && " + element("own") + ".innerText.includes('wrong')")
	v.click("create")
	v.until(element("responses") + ".innerText.includes('HTTP 401')")
	v.replace(strings.Replace(text, `"18.50"`, `"7.25"`, 1))
	v.until("!" + element("own") + ".innerText")
	v.click("explain")
	v.until(element("complete") + " && !" + element("open"))
	v.click("create")
	v.until(element("open"))
	get[bool](v.tab, "(document.querySelector('.tabs input').focus(), true)")
	v.press(kb.ArrowRight)
	v.until(element("code-php") + ".checkVisibility() && !" + element("code-curl") + ".checkVisibility()")
	v.look("playground, created")
	v.click("open")
	v.until("location.search.startsWith('?session=') && " + element("pay"))
	v.pay("0138")
	v.checkOrder("settled", "sale success")
}

// opensDemo opens the demo shop, and waits until all of the page is there.
func (v *visit) opensDemo(base string) {
	v.t.Helper()
	v.open(base + "/demo")
	v.until("location.pathname == '/demo' && document.readyState == 'complete' && " + element("buy"))
}

// replace types another session request into the playground.
func (v *visit) replace(text string) {
	v.t.Helper()
	get[bool](v.tab, "(e => { e.value = "+quote(text)+"; e.dispatchEvent(new Event('input', {bubbles: true})); "+
		"return true })("+element("request")+")")
}

// look checks a page of the demo shop: by axe-core, by the Tab key, and for what is wider than a phone or a desktop.
func (v *visit) look(page string) {
	v.t.Helper()
	v.until("document.readyState == 'complete'") // with the style sheet
	v.do(chromedp.EmulateViewport(320, 844))
	v.checkWidth(page)
	v.do(chromedp.EmulateViewport(1280, 844))
	v.checkWidth(page)
	v.checkAccess(page)
	v.accessible()
	v.checkTabbing(page)
}
