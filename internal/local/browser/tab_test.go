package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tab is one tab of the payer's browser, or a frame in it.
type tab struct {
	t     *testing.T
	ctx   context.Context
	world runtime.ExecutionContextID // of the frame, 0 for the tab itself
}

// patientPage gives what the page loads twenty times as long as payers wait for it, since machines may be busy.
const patientPage = `(real => {
	window.setTimeout = (run, ms, ...more) => real(run, [8000, 15000, 35000].includes(ms) ? 20 * ms : ms, ...more);
})(setTimeout)`

// newTab connects to the tab of a context.
func newTab(t *testing.T, ctx context.Context, watch *watch) *tab {
	t.Helper()
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, watch.take); err != nil {
		t.Fatal(err)
	}
	call(b, css.Disable, cdp.Empty{})
	call(b, dom.Disable, cdp.Empty{})
	b.onNew(patientPage)
	call(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return b
}

// onNew runs a script in every document before its own.
func (b *tab) onNew(script string) {
	b.t.Helper()
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	if err != nil {
		b.t.Fatalf("%s: %v", command.Method, err)
	}
	return result
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v\n%s", err, b.dump())
	}
}

// read returns the value of a JavaScript expression in the page. It fails while the page is being left.
func read[T any](b *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise,
		func(p *runtime.EvaluateParams) { p.ContextID = b.world }))
}

// get returns the value of a JavaScript expression in a page that stays.
func get[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := read[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", expression, err, b.dump())
	}
	return value
}

// until waits for a JavaScript expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	var err error
	eventually(b.t, func() (yes bool) {
		yes, err = read[bool](b, "!!("+expression+")")
		return yes && err == nil
	}, func() string { return fmt.Sprintf("%s: %v\n%s", expression, err, b.dump()) })
}

// eventually waits until yes returns true. If that takes too long it fails with the text of what.
func eventually(t *testing.T, yes func() bool, what func() string) {
	t.Helper()
	for deadline := time.Now().Add(patience); !yes(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", patience, what())
		}
	}
}

// dump is the visible text, for messages.
func (b *tab) dump() string {
	text, _ := read[string](b,
		`location.href + "\n" + document.body?.innerText + "\nfocus: " + document.activeElement?.id`)
	return text
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func element(id string) string { return "document.getElementById(" + quote(id) + ")" }

// open navigates to an address and does not wait for the page.
func (b *tab) open(address string) {
	b.t.Helper()
	if result := call(b, page.Navigate, page.NavigateParams{URL: address}); result.ErrorText != "" {
		b.t.Fatalf("%s: %s", address, result.ErrorText)
	}
}

// press types keys into the element that has the focus.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// write replaces the text of a field at once, as pasting does.
func (b *tab) write(id, text string) {
	b.t.Helper()
	b.enter(id)
	if text == "" {
		b.press(kb.Backspace)
		return
	}
	call(b, input.InsertText, input.InsertTextParams{Text: text})
}

// typeIn replaces the text of a field key by key.
func (b *tab) typeIn(id, keys string) {
	b.t.Helper()
	b.enter(id)
	b.press(keys)
}

// enter gives a field the focus and selects its text.
func (b *tab) enter(id string) {
	b.t.Helper()
	get[bool](b, "("+element(id)+".focus(), "+element(id)+".select(), true)")
}

// choose selects an option of a list by its value, when the list has it.
func (b *tab) choose(id, value string) {
	b.t.Helper()
	b.until("[..." + element(id) + ".options].some(o => o.value == " + quote(value) + ")")
	get[bool](b, fmt.Sprintf("(e => {e.value = %s; e.dispatchEvent(new Event('change', {bubbles: true})); return "+
		"true})(%s)",
		quote(value), element(id)))
}

// spot is where to click on an element.
type spot struct{ X, Y float64 }

func (b *tab) find(element string) spot {
	b.t.Helper()
	// before that it may move, also when the styles of a script come that was loaded later
	const styled = "[...document.querySelectorAll('link[rel=stylesheet]')].every(l => l.sheet)"
	b.until("document.readyState == 'complete' && " + styled + " && " + element + "?.getClientRects().length")
	return get[spot](b, "(e => {e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "+
		"return {X: r.x + r.width / 2, Y: r.y + r.height / 2}})("+element+")")
}

// click presses the mouse on an element, once it has come to rest: what is below a fault moves when the fault goes.
func (b *tab) click(id string) {
	b.t.Helper()
	at := b.atRest(element(id))
	b.do(chromedp.MouseClickXY(at.X, at.Y))
}

// atRest returns where an element is, once it is there twice.
func (b *tab) atRest(expression string) (at spot) {
	b.t.Helper()
	eventually(b.t, func() bool {
		before := at
		at = b.find(expression)
		return at == before
	}, b.dump)
	return at
}

// pick presses the mouse on one of the radio buttons of a name, once its row has come to rest: rows move while a list
// opens.
func (b *tab) pick(name, value string) {
	b.t.Helper()
	choice := fmt.Sprintf("document.querySelector('#%s input[value=%s]')", name, quote(value))
	at := b.atRest(choice)
	b.do(chromedp.MouseClickXY(at.X, at.Y))
	b.until(choice + "?.checked")
}

// frame returns the frame of this tab that shows an address with that prefix. It must have the same origin as the tab
// itself.
func (b *tab) frame(address string) *tab {
	b.t.Helper()
	var found cdp.FrameID
	var look func(tree *page.FrameTree)
	look = func(tree *page.FrameTree) {
		if strings.HasPrefix(tree.Frame.URL, address) {
			found = tree.Frame.ID
		}
		for _, child := range tree.ChildFrames {
			look(child)
		}
	}
	eventually(b.t, func() bool {
		look(call(b, page.GetFrameTree, cdp.Empty{}).FrameTree)
		return found != ""
	}, func() string { return "no frame shows " + address })
	inside := *b
	inside.world = call(b, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: found}).ExecutionContextID
	return &inside
}

// location is the address shown.
func (b *tab) location() *url.URL {
	b.t.Helper()
	at, err := url.Parse(get[string](b, "location.href"))
	if err != nil {
		b.t.Fatal(err)
	}
	return at
}

// held are requests that are held up.
type held struct {
	tab   *tab
	stuck chan fetch.RequestID
}

// hold holds up requests to pay: before they are sent (Request) or before their response arrives (Response).
func (b *tab) hold(stage fetch.RequestStage) *held {
	b.t.Helper()
	return b.pause(fetch.RequestPattern{URLPattern: "*/pay", RequestStage: stage})
}

// pause holds up the requests of a pattern, also those for what the browser has already.
func (b *tab) pause(pattern fetch.RequestPattern) *held {
	b.t.Helper()
	h := &held{b, make(chan fetch.RequestID, 100)}
	err := chromedp.Listen(b.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			h.stuck <- e.RequestID
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	call(b, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	call(b, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{&pattern}})
	return h
}

// wait returns the next request that is held up.
func (h *held) wait() fetch.RequestID {
	h.tab.t.Helper()
	select {
	case id := <-h.stuck:
		return id
	case <-time.After(patience):
		h.tab.t.Fatalf("no request was held up\n%s", h.tab.dump())
		return ""
	}
}

// lose breaks the connection of a request that is held up.
func (h *held) lose(id fetch.RequestID) {
	h.tab.t.Helper()
	call(h.tab, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonConnectionReset})
}

// respond responds to a request that is held up.
func (h *held) respond(id fetch.RequestID, kind, body string) {
	h.tab.t.Helper()
	call(h.tab, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: id, ResponseCode: 200, Body: []byte(body),
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: kind}}})
}

// goOn lets a request that is held up, and all later ones, go on.
func (h *held) goOn(id fetch.RequestID) {
	h.tab.t.Helper()
	call(h.tab, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
	h.off()
}

func (h *held) off() {
	h.tab.t.Helper()
	call(h.tab, fetch.Disable, cdp.Empty{})
}
