package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"checkout/internal/local"
	"checkout/internal/settings"
)

// TestGooglePayTakenOver is a frame whose script somebody else has taken over.
func TestGooglePayTakenOver(t *testing.T) {
	t.Parallel()
	at, server := withGooglePay(t, func(g *settings.GooglePay) { g.AskEmail, g.AskBillingAddress = true, true })
	tell(t, at, []story{
		{"it tells things that nobody asked for", checkUnasked(server)},
		{"it says that nothing was charged while a card is", checkFalseEnd(server)},
		{"it answers with what is no token and no text", checkForged(server)},
		{"it is pressed again and again", checkPressedAgain(server)},
		{"it is loaded anew, or leads elsewhere", checkLedAway(server)},
		{"its origin does not answer", checkUnreachable(server)},
		{"it reaches out of its frame", checkSandbox(server)},
		{"it waits for the mouse to shake", checkShakes(server)},
	})
}

// says sends a message from the frame, as a script there could.
func says(frame *tab, messages ...string) {
	frame.t.Helper()
	for _, message := range messages {
		get[bool](frame, "(parent.postMessage("+message+", '*'), true)")
	}
}

func saysOften(frame *tab, message string) {
	frame.t.Helper()
	get[bool](frame, "(() => {for (let i = 0; i < 5000; i++) parent.postMessage("+message+", '*'); return true})()")
}

// hears makes the frame note what the page tells it; heard are the types of that so far.
func hears(frame *tab) {
	frame.t.Helper()
	get[bool](frame, "(window.heard = [], addEventListener('message', e => heard.push(e.data.type)), true)")
}

func heard(frame *tab) string {
	frame.t.Helper()
	return get[string](frame, "heard.join()")
}

// settles waits until the page has handled all messages so far.
func settles(v *visit, frame *tab) {
	v.t.Helper()
	get[bool](v.tab, "(window.marked = false, "+
		"addEventListener('message', e => {if (e.data == 'mark') marked = true}), true)")
	says(frame, "'mark'")
	v.until("marked")
}

func checkUnasked(server *local.Server) func(*visit) {
	return func(v *visit) {
		s := v.session(known)
		v.open(s.URL)
		frame := v.walletFrame(server)
		hears(frame)
		token := quote(googleToken(v.t, s, 1))
		says(frame, "null", "1", "'x'", "[]", "[[]]", "undefined", "{}", "{type: {}}", "{type: '__proto__'}",
			"new Map([['type', 'wallet:token']])", "{type: 'wallet:token'}", "{type: 'wallet:token', token: "+token+"}",
			"{type: 'wallet:failed'}", "{type: 'wallet:closed'}", "{type: 'wallet:ready', ready: true}")
		saysOften(frame, "{type: 'wallet:failed'}")
		v.typeIn("payer_card", cardNumber)
		says(frame, "{type: 'wallet:pressed'}", "{type: 'wallet:token', token: "+token+", contact: {}}")
		settles(v, frame)
		if got := heard(frame); got != "" {
			v.t.Errorf("while a card number is typed the frame was told %s", got)
		}
		if got := get[string](v.tab, element("message")+".innerText"); got != "" {
			v.t.Errorf("the page says %q", got)
		}
		v.focused("payer_card")
		v.card("0138")
		v.click("pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
	}
}

func checkFalseEnd(server *local.Server) func(*visit) {
	return func(v *visit) {
		s := v.session(known)
		v.open(s.URL)
		frame := v.walletFrame(server)
		v.sheet(frame)
		v.card("0139") // pending
		v.click("pay")
		v.until(element("pay") + "?.getAttribute('aria-busy') == 'true'")
		for range 20 {
			_, gone := read[bool](frame, "(parent.postMessage({type: 'wallet:failed'}, '*'), "+
				"parent.postMessage({type: 'wallet:pressed'}, '*'), true)")
			text, left := read[string](v.tab, element("message")+".innerText")
			if gone != nil || left != nil {
				break
			}
			if strings.Contains(text, "nothing was charged") {
				v.t.Fatalf("while a card is charged the page says %q", text)
			}
			time.Sleep(50 * time.Millisecond)
		}
		v.until("!document.querySelector('iframe')")
	}
}

func checkForged(server *local.Server) func(*visit) {
	return func(v *visit) {
		s := v.session()
		v.open(s.URL)
		frame := v.walletFrame(server)
		for _, token := range []string{
			"7", "null", "''", "'x'.repeat(8193)", "{toString: 1}",
			"(() => {let a = []; for (let i = 0; i < 3000; i++) a = [a]; return a})()",
		} {
			v.sheet(frame)
			says(frame, "{type: 'wallet:token', token: "+token+", contact: {payer_email: 'a@example.org', payer_country: 'DE'}}")
			v.message("nothing was charged")
			endsSheet(frame, "cancel", "")
			v.sheet(frame)
			endsSheet(frame, "cancel", "")
			v.until("!" + element("message") + ".innerText.includes('nothing was charged')")
		}
		if sent := v.watch.sent(); len(sent) != 0 {
			v.t.Errorf("sent %v", sent)
		}
		// What is no text is asked for, as if the wallet had told nothing.
		for _, contact := range []string{
			`JSON.parse('{"payer_email": {"a": 1}, "payer_country": 7, "__proto__": {"payer_email": "x"}}')`,
			"{payer_email: 'x'.repeat(9999999)}",
		} {
			s := v.session()
			v.open(s.URL)
			frame := v.walletFrame(server)
			v.sheet(frame)
			says(frame, "{type: 'wallet:token', token: "+quote(googleToken(v.t, s, 1))+", contact: "+contact+"}")
			v.focused("payer_email")
			v.until(element("payer_email") + ".value == '' && " + element("payer_country") + ".value == ''")
		}
	}
}

func checkPressedAgain(server *local.Server) func(*visit) {
	return func(v *visit) {
		s := v.session(known, object{"order": object{"amount": "10.00"}})
		v.open(s.URL)
		frame := v.walletFrame(server)
		hears(frame)
		v.sheet(frame)
		saysOften(frame, "{type: 'wallet:pressed'}")
		settles(v, frame)
		if got := heard(frame); got != "wallet:open" {
			v.t.Errorf("the frame was told %s", got)
		}
		endsSheet(frame, "cancel", "")
		v.sheet(frame)
		token := googleToken(v.t, s, 1)
		endsSheet(frame, "confirm", token)
		says(frame, "{type: 'wallet:token', token: "+quote(token)+", contact: {}}")
		v.arrives("success")
		v.checkPayments(s, "settled")
		if sent := v.watch.sent(); len(sent) != 1 {
			v.t.Errorf("%d requests to pay", len(sent))
		}
	}
}

func checkLedAway(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.open(v.session(known).URL)
		frame := v.walletFrame(server)
		v.sheet(frame) // which goes with the document
		_, _ = read[bool](frame, "(window.stale = true, location.reload(), true)")
		frame = v.freshFrame(server)
		frame.until(element("pay") + ".innerText == 'Google Pay' && !" + element("pay") + ".disabled")
		v.sheet(frame)
		endsSheet(frame, "cancel", "")
		// When it has been looked at whether each of the two documents listens, the second one is still there.
		get[bool](v.tab, "new Promise(end => setTimeout(() => end(true), 2000))")
		_, _ = read[bool](frame, "(location = 'http://elsewhere.localhost/', true)")
		v.until("!document.querySelector('iframe, .wallets')")
		v.expectFault("violates the following Content Security Policy directive: \"frame-src")
		v.card("0138")
		v.click("pay")
		v.arrives("success")
	}
}

// checkUnreachable shows no button where there is none, and soon no trace of one.
func checkUnreachable(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.watch.frame(server.WalletURL)
		h := v.pause(fetch.RequestPattern{URLPattern: server.WalletURL + "/*"})
		v.open(v.session(known).URL)
		id := h.wait()
		v.until("getComputedStyle(" + element("googlepay") + ").opacity < 0.5")
		v.card("0138")
		h.lose(id)
		v.until("!document.querySelector('iframe, .wallets')")
		h.off()
		v.click("pay")
		v.arrives("success")
	}
}

// freshFrame waits for a new document in the wallet's frame.
func (v *visit) freshFrame(server *local.Server) *tab {
	v.t.Helper()
	var frame *tab
	eventually(v.t, func() bool {
		frame = v.frame(server.WalletURL)
		old, err := read[bool](frame, "!!document.documentElement.dataset.request || document.readyState != 'complete'")
		return err == nil && !old
	}, v.dump)
	return frame
}

// checkSandbox tries what a frame could do to the page around it and to the payer.
func checkSandbox(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.open(v.shop.origin + "/cart")
		v.until("document.readyState == 'complete'")
		s := v.session(known)
		v.open(s.URL)
		frame := v.walletFrame(server)
		for _, try := range []struct{ code, want string }{
			{"confirm('Your card number?') ? 'asked' : 'no'", "no"},
			{"document.documentElement.requestFullscreen().then(() => 'full', e => e.name)", "TypeError"},
			{"document.body.requestPointerLock().then(() => 'locked', e => e.name)", "SecurityError"},
			{"navigator.serviceWorker.register('/none.js').then(() => 'registered', e => e.name)", "TypeError"},
			{"new Promise(end => {new Worker('data:text/javascript,1').onerror = () => end('no')})", "no"},
			{"new Promise(end => {new Worker(URL.createObjectURL(new Blob(['1']))).onerror = () => end('no')})", "no"},
			{"fetch('https://elsewhere.localhost/').then(() => 'sent', e => e.name)", "TypeError"},
			{"fetch(document.documentElement.dataset.page + '/page/v1/x').then(() => 'sent', e => e.name)", "TypeError"},
			{"(() => {try {parent.location = 'http://elsewhere.localhost/'; return 'moved'} catch (e) {return e.name}})()",
				"SecurityError"},
			{"(document.body.insertAdjacentHTML('beforeend', '<form target=_top action=http://elsewhere.localhost/></form>'), " +
				"document.forms[0].submit(), 'no')", "no"},
			{"(document.body.insertAdjacentHTML('beforeend', '<a target=_top href=http://elsewhere.localhost/>x</a>" +
				"<a id=file download href=data:,x>x</a>'), [...document.links].forEach(a => a.click()), 'no')", "no"},
			{"(history.go(-1), 'no')", "no"},
		} {
			if got := get[string](frame, try.code); got != try.want {
				v.t.Errorf("%s: %s", try.code, got)
			}
		}
		settles(v, frame)
		v.card("0138")
		v.click("pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
		// The browser says what it has refused.
		for _, fault := range v.watch.found() {
			if !slices.ContainsFunc([]string{"sandboxed", "Content Security Policy", "Permissions policy"},
				func(why string) bool { return strings.Contains(fault, why) }) {
				v.t.Error(fault)
			}
		}
	}
}

// checkShakes moves the mouse that lies on the button a little while a card number is typed.
func checkShakes(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.open(v.session(known).URL)
		frame := v.walletFrame(server)
		v.sheet(frame)
		endsSheet(frame, "cancel", "")
		at := v.find(element("googlepay"))
		v.typeIn("payer_card", "4111")
		v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X+3, at.Y+2))
		v.until(element("googlepay") + ".inert")
		v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X+23, at.Y+2))
		v.until("!" + element("googlepay") + ".inert")
		v.press("1")
		v.until(element("googlepay") + ".inert")
		// A finger is put down without a move, and some browsers leave the focus where it is.
		get[bool](v.tab, element("googlepay")+
			".parentElement.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))")
		v.until("!" + element("googlepay") + ".inert && document.activeElement.id == 'payer_card'")
	}
}
