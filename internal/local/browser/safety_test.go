package browser

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
)

var safetyStories = []story{
	{"card data leaves the page encrypted and is stored nowhere", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		v.checkStorage()
		h := v.hold(fetch.RequestStageRequest)
		v.click("pay")
		id := h.wait()
		v.checkStorage()
		h.lose(id)
		again := h.wait() // by the page itself
		v.checkStorage()
		h.lose(again)
		v.open(s.URL)
		h.off()
		v.until(element("pay"))
		v.until(element("payer_card") + ".value == '' && " + element("payer_cvv") + ".value == ''")
		v.pay("0138")
		v.arrives("success")
		for _, body := range v.watch.sent() {
			sealed := readPay(v.t, body)
			if sealed.Sealed.Ciphertext == "" || sealed.Sealed.Enc == "" || sealed.Sealed.KeyID == "" ||
				len(sealed.Fields) != 0 || hasCard(body) || strings.Contains(body, "01/38") {
				v.t.Errorf("sent %s", body)
			}
		}
	}},
	{"the page has no script or style but its own", func(v *visit) {
		v.form(v.session())
		loose := get[[]string](v.tab,
			`[...document.querySelectorAll(
				'script, link[rel=stylesheet], style, [style], [onclick], [onload], iframe, img:not([src^="/logos/"]), object')]
			.filter(e => !((e.tagName == 'SCRIPT' && e.src || e.tagName == 'LINK') &&
				/^sha384-/.test(e.integrity) && e.crossOrigin == 'anonymous' && e.textContent == ''))
			.map(e => e.outerHTML)`)
		if len(loose) != 1 || !strings.HasPrefix(loose[0], "<style>") {
			v.t.Errorf("%v", loose)
		}
		const both = "document.querySelectorAll('script').length * document.querySelector('style').sheet.cssRules.length"
		if get[int](v.tab, both) < 1 {
			v.t.Error("no script or no style sheet")
		}
	}},
	{"the watch sees what it watches for", func(v *visit) {
		v.form(v.session())
		get[bool](v.tab, `(() => {const s = document.createElement('script'); s.textContent = 'window.bad = 1'; `+
			`document.body.append(s); return true})()`)
		v.expectFault("Content Security Policy")
		get[bool](v.tab, `(() => {const s = document.createElement('style'); s.textContent = 'body {opacity: 0}'; `+
			`document.head.append(s); return true})()`)
		v.expectFault("Content Security Policy")
		get[bool](v.tab, `(fetch('http://elsewhere.example/').catch(() => {}), true)`)
		v.expectFault("Content Security Policy")
		get[bool](v.tab, `(fetch('/x', {method: 'POST', body: '4111 1111 1111 1111'}), true)`)
		v.expectFault("card data")
		get[bool](v.tab, `(setTimeout(() => { throw new Error('x') }), true)`)
		v.expectFault("exception")
		call(v.tab, page.Navigate, page.NavigateParams{URL: "http://elsewhere.example/"})
		v.expectFault("a request to elsewhere.example")
	}},
}

// code finds the security code as a number of its own: ids, times and ports may contain its digits by chance.
var code = regexp.MustCompile(`\b` + securityCode + `\b`)

// checkStorage checks that the page's storage has no card data.
func (v *visit) checkStorage() {
	v.t.Helper()
	stored := get[string](v.tab, "JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie, "+
		"location.href, history.state])")
	if hasCard(stored) || code.MatchString(stored) {
		v.t.Errorf("card data in %s", stored)
	}
}

// expectFault waits for a fault that the story has caused, and removes it.
func (v *visit) expectFault(part string) {
	v.t.Helper()
	eventually(v.t, func() bool { return strings.Contains(strings.Join(v.watch.found(), "; "), part) },
		func() string { return "no fault with " + part })
}

// payBody is what the page sends to pay.
type payBody struct {
	Attempt string            `json:"attempt"`
	Saved   string            `json:"saved"`
	Save    bool              `json:"save"`
	Fields  map[string]string `json:"fields"`
	Sealed  struct {
		KeyID      string `json:"key_id"`
		Enc        string `json:"enc"`
		Ciphertext string `json:"ciphertext"`
	} `json:"sealed"`
}

func readPay(t *testing.T, body string) payBody {
	t.Helper()
	var p payBody
	if err := json.Unmarshal([]byte(body), &p); err != nil || p.Attempt == "" {
		t.Fatalf("%v: %s", err, body)
	}
	return p
}

func attempt(t *testing.T, body string) string {
	t.Helper()
	return readPay(t, body).Attempt
}
