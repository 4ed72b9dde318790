package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/settings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const pensKey = "pens-live"

// adminRun is a running service whose operators look at the live payments of a merchant, the Pen Shop.
type adminRun struct {
	server *local.Server
	at     target
	shop   *shop
	pens   *pens
}

// pens is the server of the Pen Shop, which receives callbacks.
type pens struct {
	closed  atomic.Bool // it responds to none with success
	refused atomic.Bool // it has done so

	mu  sync.Mutex
	got []client.Callback
}

func (p *pens) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if p.closed.Load() || err != nil {
		p.refused.Store(true)
		time.Sleep(2 * time.Millisecond) // the try takes some time
		http.Error(w, "the shop is closed", http.StatusServiceUnavailable)
		return
	}
	c, err := client.ReadCallback(r.Header, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	p.got = append(p.got, c)
	p.mu.Unlock()
}

// callbacks returns how many of an order were received of a type, such as sale.
func (p *pens) callbacks(order, kind string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.got {
		if c.Fields.Get("order_number") == order && c.Fields.Get("type") == kind {
			n++
		}
	}
	return n
}

// startAdmin starts the service with the Pen Shop. A merchant without an address for callbacks has them parked.
func startAdmin(t *testing.T) *adminRun { return startAdminAt(t, time.Now) }

// startAdminAt is startAdmin with another clock.
func startAdminAt(t *testing.T, now func() time.Time) *adminRun {
	t.Helper()
	at, server := embedded(t, now)
	at.Key = pensKey
	r := &adminRun{server: server, at: at, shop: openShop(t), pens: &pens{}}
	receiver := httptest.NewServer(r.pens)
	t.Cleanup(receiver.Close)
	shop := careful(server.Demo)
	shop.ID, shop.Name, shop.LiveKey, shop.TestKey = "pens", "Pen Shop", pensKey, "pens-test"
	shop.NotificationURL, shop.TestNotificationURL = receiver.URL, receiver.URL
	shop.Mappings = []settings.Mapping{{Name: "default", MIDs: []settings.MID{
		{Name: "sandbox", Connector: settings.SandboxConnector, Methods: []string{"card"}}}}}
	silent := shop
	silent.ID, silent.Name, silent.LiveKey, silent.TestKey = "ink", "Ink Shop", "ink-live", "ink-test"
	silent.NotificationURL, silent.TestNotificationURL = "", ""
	for _, m := range []settings.Merchant{shop, silent} {
		if err := server.App.Merchants.Save(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// sold is an order with what became of it.
type sold struct {
	session
	id string // of its payment
}

// pay pays an order of a merchant with the test card of an expiry date, without a browser, and waits until the payment
// is decided and listed.
func (r *adminRun) pay(t *testing.T, key, expiry string, more ...object) sold {
	t.Helper()
	at := r.at
	at.Key = key
	v := &visit{tab: &tab{t: t}, target: at, shop: r.shop}
	number := object{"order": object{"number": fmt.Sprintf("A-2026-%d", 10_000+orders.Add(1))}}
	s := v.session(append([]object{paying, number}, more...)...)
	if _, err := s.Pay(expiry); err != nil {
		t.Fatal(err)
	}
	var list []payment
	eventually(t, func() bool {
		list = v.payments(s)
		return len(list) == 1 && list[0].Status != "prepare"
	}, func() string { return s.Order + " is not paid" })
	r.index(t)
	return sold{s, list[0].ID}
}

// index has all payments listed.
func (r *adminRun) index(t *testing.T) {
	t.Helper()
	if err := r.server.App.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// adminVisit is a person at the admin page.
type adminVisit struct {
	*visit
	run  *adminRun
	base string // address of the page
	hand hand
}

// enter opens the admin page by the link of a person of a local run: 0 has all roles, 1 is support.
func (r *adminRun) enter(t *testing.T, person int, by hand) *adminVisit {
	t.Helper()
	server, err := r.server.StartAdmin(local.People[person], 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	link := server.Link()
	base, _, _ := strings.Cut(link, "#")
	a := &adminVisit{visit: newVisit(t, r.at, r.shop), run: r, base: base, hand: by}
	a.scheme("light")
	a.do(chromedp.EmulateViewport(by.width, 844))
	a.open(link)
	a.heading("Overview")
	return a
}

// view opens a view by its address, as after a click on a link that somebody has sent.
func (a *adminVisit) view(place string) {
	a.t.Helper()
	a.open("about:blank")
	a.open(a.base + "#/" + place)
	a.loaded()
}

// heading waits until a view with this heading is there with what it shows.
func (a *adminVisit) heading(text string) {
	a.t.Helper()
	a.until("document.querySelector('main h1')?.innerText == " + quote(text))
	a.loaded()
}

// loaded waits until nothing is read any more.
func (a *adminVisit) loaded() {
	a.t.Helper()
	a.until("document.querySelector('main h1') && !document.querySelector('.read[aria-busy=true], .late')")
}

// shows waits until a part of the page has a text.
func (a *adminVisit) shows(selector, text string) {
	a.t.Helper()
	a.until("[...document.querySelectorAll(" + quote(selector) + ")]" +
		".some(e => e.innerText.replace(/\\s+/g, ' ').includes(" + quote(text) + "))")
}

// control is a link or button, the first that is seen whose text begins so, in the dialog if one is open.
func control(text string) string {
	return "[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('a, button, summary')]" +
		".find(e => e.checkVisibility() && e.innerText.trim().startsWith(" + quote(text) + "))"
}

// dialogField is a field of the dialog that is open.
func dialogField(name string) string {
	return "document.querySelector('dialog[open] [name=" + name + "]')"
}

const findField = "document.getElementById('find-field')"

// hand is how a person uses the page: by the keyboard, or by a mouse in a window of a width.
type hand struct {
	keyboard bool
	width    int64
}

// press uses what a JavaScript expression names.
func (h hand) press(a *adminVisit, what string) {
	a.t.Helper()
	if h.keyboard {
		a.reach(what)
		a.tab.press("\r")
		return
	}
	at := a.tab.find(what)
	a.do(chromedp.MouseClickXY(at.X, at.Y))
}

func (h hand) write(a *adminVisit, what, text string) {
	a.t.Helper()
	if h.keyboard {
		a.reach(what)
	} else {
		h.press(a, what)
		a.until("document.activeElement == " + what)
	}
	get[bool](a.tab, "(document.activeElement.select(), true)") // as Ctrl-A does
	a.tab.press(text)
}

// choose sets a list, whose options no test can click on.
func (h hand) choose(a *adminVisit, what, text string) {
	a.t.Helper()
	a.until(what)
	if h.keyboard {
		a.reach(what)
		a.tab.press(text)
		a.until(what + ".selectedOptions[0].text == " + quote(text))
		return
	}
	get[bool](a.tab, "(e => { e.value = [...e.options].find(o => o.text == "+quote(text)+").value; "+
		"e.dispatchEvent(new Event('change', {bubbles: true})); return true })("+what+")")
}

func (h hand) find(a *adminVisit, text string) {
	a.t.Helper()
	if h.keyboard {
		a.shortcut("/")
		a.until("document.activeElement == " + findField)
		a.tab.press(text + "\r")
		return
	}
	h.write(a, findField, text)
	h.press(a, control("Find"))
}

// shortcut presses a key whose character the page may keep from being typed.
func (a *adminVisit) shortcut(key string) {
	a.t.Helper()
	call(a.tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key,
		Text: key})
	call(a.tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key})
}

// hands are the ways in which each job is done.
var hands = map[string]hand{"keyboard": {keyboard: true, width: 1280}, "mouse in a narrow window": {width: 320}}
