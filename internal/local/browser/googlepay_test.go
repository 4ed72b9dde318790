package browser

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"checkout/internal/local"
	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

//go:embed testdata/pay.js
var payScript string

// payHost is the host of Google Pay's script. The browser of these tests is led to one on loopback instead.
const payHost = "pay.google.com"

func startPayHost() *httptest.Server {
	return httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/gp/p/js/pay.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(payScript))
		case "/sheet":
			write(w, "<h1>The wallet's sheet</h1>")
		default:
			http.NotFound(w, r)
		}
	}))
}

// trusted are the flags that lead the browser to host instead of Google's, and make it trust this certificate alone.
// Names other than those of loopback addresses are not looked up, so a request to another machine fails, and its story
// with it.
func trusted(host *httptest.Server) []chromedp.ExecAllocatorOption {
	sum := sha256.Sum256(host.Certificate().RawSubjectPublicKeyInfo)
	return []chromedp.ExecAllocatorOption{
		chromedp.Flag("host-resolver-rules", "MAP "+payHost+":443 "+host.Listener.Addr().String()+
			", MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"),
		chromedp.Flag("ignore-certificate-errors-spki-list", base64.StdEncoding.EncodeToString(sum[:])),
	}
}

// withGooglePay is a service whose merchant takes Google Pay with the live key, at the sandbox's connector, which
// stands for a provider. The test wallet's tokens are good there.
func withGooglePay(t *testing.T, changes ...func(*settings.GooglePay)) (target, *local.Server) {
	t.Helper()
	at, server := embedded(t, time.Now)
	return takesGooglePay(t, at, server, changes...)
}

func takesGooglePay(
	t *testing.T, at target, server *local.Server, changes ...func(*settings.GooglePay),
) (target, *local.Server) {
	t.Helper()
	server.App.Runner.Wallets = testTokens{server.App.Runner.Wallets}
	m := walletShop(server.Demo)
	m.Wallets.GooglePay = &settings.GooglePay{
		TermsAcceptedAt: time.Now().AddDate(0, 0, -1), Environment: settings.WalletTest,
		AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}, Networks: []string{"VISA"},
		MerchantName: "The Pen Shop", Country: "DE", PrivateKeys: []string{testwallet.RecipientKey()},
	}
	for _, change := range changes {
		change(m.Wallets.GooglePay)
	}
	if err := server.App.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	at.Key = liveWalletKey
	return at, server
}

// googleToken is what the wallet gives for an order.
func googleToken(t *testing.T, s session, month int) string {
	t.Helper()
	token, err := testwallet.Make(testwallet.GooglePay, testwallet.Content{
		ID: s.Order, At: time.Now(), Number: cardNumber, ExpiryMonth: month, ExpiryYear: 2038,
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// walletFrame waits for the wallet's button, and returns the frame that has it. The watch lets only that frame ask
// Google.
func (v *visit) walletFrame(server *local.Server) *tab {
	v.t.Helper()
	v.watch.frame(server.WalletURL)
	v.until(element("googlepay") + "?.getAttribute('aria-busy') == 'false'")
	return v.frame(server.WalletURL)
}

// sheet presses the button and waits until the sheet is open.
func (v *visit) sheet(frame *tab) {
	v.t.Helper()
	v.presses()
	frame.until("document.documentElement.dataset.request")
}

// presses moves the mouse to the button in the frame, and presses it.
func (v *visit) presses() {
	v.t.Helper()
	at := v.find(element("googlepay"))
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y))
}

// tabsTo presses Tab, which leads to the button in the frame: it is the first. The focus gets into another process
// late, and a second Tab meanwhile would lead past it.
func (v *visit) tabsTo(frame *tab) {
	v.t.Helper()
	v.do(chromedp.KeyEvent("\t"))
	frame.until("document.activeElement == " + element("pay"))
}

// endsSheet is what the payer does at the sheet.
func endsSheet(frame *tab, event, token string) {
	frame.t.Helper()
	get[bool](frame, "(root => {root.dataset.token = "+quote(token)+"; root.dispatchEvent(new Event("+quote(event)+
		")); return true})(document.documentElement)")
}

func TestGooglePay(t *testing.T) {
	t.Parallel()
	at, server := withGooglePay(t)
	tell(t, at, []story{
		{"a payment", func(v *visit) {
			s := v.session(known)
			v.open(s.URL)
			frame := v.walletFrame(server)
			v.until("document.querySelector('.wallets').getBoundingClientRect().bottom < " + element("pay") +
				".getBoundingClientRect().top")
			v.checkAccess("a wallet in a frame")
			v.sheet(frame)
			request := get[string](frame, "document.documentElement.dataset.request")
			for _, part := range []string{
				`"totalPrice":"10.00"`, `"currencyCode":"USD"`, `"countryCode":"DE"`, `"type":"DIRECT"`, `"publicKey":"`,
				`"allowedCardNetworks":["VISA"]`, `"merchantName":"The Pen Shop"`,
			} {
				if !strings.Contains(request, part) {
					v.t.Errorf("the request %s lacks %s", request, part)
				}
			}
			if got := get[string](frame, "document.documentElement.dataset.options"); got != `{"environment":"TEST"}` {
				v.t.Errorf("options %s", got)
			}
			endsSheet(frame, "confirm", googleToken(v.t, s, 1))
			v.arrives("success")
			v.checkPayments(s, "settled")
			for _, body := range v.watch.sent() {
				if readPay(v.t, body).Sealed.Ciphertext == "" || strings.Contains(body, "signedMessage") {
					v.t.Errorf("sent %s", body)
				}
			}
		}},
		{"a decline, a closed sheet, and a card", func(v *visit) {
			s := v.session(known)
			v.open(s.URL)
			frame := v.walletFrame(server)
			v.sheet(frame)
			endsSheet(frame, "confirm", googleToken(v.t, s, 2))
			v.message("Declined by processing.")
			v.sheet(frame)
			endsSheet(frame, "break", "")
			v.message("nothing was charged")
			v.sheet(frame)
			endsSheet(frame, "cancel", "")
			v.until("!" + element("message") + ".innerText.includes('nothing was charged')")
			v.card("0138")
			v.click("pay")
			v.arrives("success")
			v.checkPayments(s, "settled", "decline")
		}},
		{"what the wallet does not tell is asked for first", func(v *visit) {
			s := v.session()
			v.open(s.URL)
			v.walletFrame(server)
			v.presses()
			v.focused("payer_email")
			v.walletFrame(server)
			v.presses()
			v.checkFault("payer_email", "Email: required")
			v.write("payer_email", "ada@example.org")
			v.choose("payer_country", "DE")
			frame := v.walletFrame(server)
			v.enter("payer_email")
			v.press("\r") // which leads to the button, since that alone opens the wallet
			frame.until("document.activeElement == " + element("pay"))
			v.press("\r")
			frame.until("document.documentElement.dataset.request")
			endsSheet(frame, "confirm", googleToken(v.t, s, 1))
			v.arrives("success")
		}},
		{"the keyboard, in another language", func(v *visit) {
			s := v.session(known, object{"checkout_language": "ar"})
			v.open(s.URL)
			frame := v.walletFrame(server)
			frame.until("document.documentElement.dir == 'rtl' && " + element("pay") + ".innerText == 'Google Pay'")
			v.tabsTo(frame)
			v.do(chromedp.KeyEvent("\r"))
			frame.until("document.documentElement.dataset.request")
			endsSheet(frame, "confirm", googleToken(v.t, s, 1))
			v.arrives("success")
		}},
		{"in the merchant's frame", func(v *visit) {
			s := v.session(known)
			v.open(v.shop.origin + "/frame/1?src=" + s.URL)
			checkout := v.with(v.frame(v.target.BaseURL))
			frame := checkout.walletFrame(server)
			checkout.presses()
			frame.until("document.documentElement.dataset.request")
			endsSheet(frame, "confirm", googleToken(v.t, s, 1))
			v.frame(v.shop.origin + "/success")
			v.checkPayments(s, "settled")
		}},
		{"without the wallet's script there is no button", func(v *visit) {
			v.watch.frame(server.WalletURL)
			h := v.pause(fetch.RequestPattern{URLPattern: "https://" + payHost + "/*"})
			v.open(v.session(known, object{"methods": []string{"googlepay"}}).URL)
			h.lose(h.wait())
			v.until(element("no_way") + "?.innerText.includes('in another browser') && " + element("close"))
			h.off()
		}},
		{"neither runs or reads anything of the other", checkApart(server)},
		{"nobody else can use the frame", checkStrangers(server)},
		{"the frame gets nothing that is typed into card fields", checkKeystrokes(server)},
	})
}

func TestGooglePayNotReady(t *testing.T) {
	t.Parallel()
	at, server := withGooglePay(t, func(g *settings.GooglePay) { g.AuthMethods = []string{"PAN_ONLY"} })
	v := newVisit(t, at, openShop(t))
	v.watch.frame(server.WalletURL)
	v.form(v.session(known))
	v.until("!document.querySelector('.wallets, iframe')")
	v.pay("0138")
	v.arrives("success")
}

// TestGooglePayTells is a merchant that needs the payer's email and country, and lets the wallet ask for them.
func TestGooglePayTells(t *testing.T) {
	t.Parallel()
	at, server := withGooglePay(t, func(g *settings.GooglePay) { g.AskEmail, g.AskBillingAddress = true, true })
	v := newVisit(t, at, openShop(t))
	s := v.session()
	v.open(s.URL)
	frame := v.walletFrame(server)
	v.sheet(frame)
	get[bool](frame, `(document.documentElement.dataset.payer =
		'{"email": "ada@example.org", "address": {"countryCode": "DE", "locality": "Berlin"}}', true)`)
	endsSheet(frame, "confirm", googleToken(t, s, 1))
	v.arrives("success")
	sent := readPay(t, v.watch.sent()[0]).Fields
	if len(sent) != 2 || sent["payer_email"] != "ada@example.org" || sent["payer_country"] != "DE" {
		t.Errorf("sent %v", sent)
	}
}

// checkApart attacks the page of the card fields from the frame, and the frame from the page.
func checkApart(server *local.Server) func(*visit) {
	return func(v *visit) {
		s := v.session(known)
		v.open(s.URL)
		frame := v.walletFrame(server)
		load := "(() => {const s = document.createElement('script'); s.src = 'https://" + payHost + "/gp/p/js/pay.js'; " +
			"return new Promise(end => {s.onload = () => end('loaded'); s.onerror = () => end('refused'); " +
			"document.head.append(s)})})()"
		if got := get[string](v.tab, load); got != "refused" {
			v.t.Errorf("the wallet's script on the page of card fields: %s", got)
		}
		v.expectFault("Content Security Policy")
		v.card("0138")
		for _, try := range []string{
			"parent.document.body.innerHTML", "parent.document.getElementById('payer_card').value",
			"parent.localStorage.length", "parent.location.href", "top.document.title", "parent.frames[0].parent.document.title",
		} {
			got := get[string](frame, "(() => {try {return 'read ' + ("+try+")} catch (e) {return e.name}})()")
			if got != "SecurityError" {
				v.t.Errorf("%s: %s", try, got)
			}
		}
		if got := get[string](v.tab, "(() => {try {return document.querySelector('iframe').contentWindow.document.title} "+
			"catch (e) {return e.name}})()"); got != "SecurityError" {
			v.t.Errorf("the page reads the frame: %s", got)
		}
		// The sandbox keeps the frame from leading the payer elsewhere.
		get[bool](frame, "(() => {try {top.location = 'http://elsewhere.example/'} catch {} return true})()")
		v.expectFault("Unsafe attempt to initiate navigation")
		// Nothing is paid with a token that nobody has asked for, nor with one that does not come from the frame.
		token := quote(googleToken(v.t, s, 1))
		get[bool](frame, "(parent.postMessage({type: 'wallet:token', token: "+token+"}, '*'), true)")
		get[bool](v.tab, "(postMessage({type: 'wallet:token', token: "+token+"}, '*'), true)")
		v.sheet(frame)
		get[bool](v.tab, "(postMessage({type: 'wallet:token', token: "+token+"}, '*'), true)")
		endsSheet(frame, "cancel", "")
		v.click("pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
	}
}

// checkKeystrokes takes the focus from card fields, as a script in the frame could.
func checkKeystrokes(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.open(v.session(known).URL)
		frame := v.walletFrame(server)
		v.presses() // the mouse stays there
		frame.until("document.documentElement.dataset.request")
		endsSheet(frame, "cancel", "")
		get[bool](frame, `(addEventListener('keydown', e => document.documentElement.dataset.keys += e.key), `+
			`document.documentElement.dataset.keys = '', true)`)
		v.typeIn("payer_card", cardNumber)
		v.press("\t") // Tab alone lets go of the field
		v.focused("payer_expiryDate")
		v.press("0138\t")
		v.focused("payer_cvv")
		v.press("7")
		get[bool](frame, "(window.focus(), "+element("pay")+".focus(), true)")
		v.focused("payer_cvv")
		v.press("391")
		v.until("!document.querySelector('iframe')")
		v.until(element("payer_cvv") + ".value == " + quote(securityCode))
		v.click("pay")
		v.arrives("success")
	}
}

// checkStrangers shows the frame on another page, which plays the checkout's.
func checkStrangers(server *local.Server) func(*visit) {
	return func(v *visit) {
		v.onNew("if (window == top) {window.heard = []; addEventListener('message', e => heard.push(e.data))}")
		v.open(v.shop.origin + "/frame/1?src=" + server.WalletURL + "/")
		frame := v.frame(server.WalletURL)
		frame.until("document.readyState == 'complete'")
		for _, from := range []*tab{v.tab, frame} {
			get[bool](from, "(w => {for (const m of [{type: 'wallet:show', environment: 'TEST', ready: {}, text: 'x', "+
				"lang: 'en', dir: 'ltr'}, {type: 'wallet:open', request: {}}]) w.postMessage(m, '*'); return true})"+
				"(window == top ? frames[0] : window)")
		}
		v.do(chromedp.MouseClickXY(100, 20))
		if get[bool](frame, "!!document.querySelector('script[src*=google]') || !document.querySelector('button').disabled") {
			v.t.Error("the frame works for a stranger")
		}
		if got := get[string](v.tab, "JSON.stringify(heard)"); got != "[]" {
			v.t.Errorf("a stranger heard %s", got)
		}
		// On its own it does nothing either.
		alone := v.secondTab()
		alone.open(server.WalletURL + "/")
		alone.until("document.querySelector('button')?.disabled")
		if get[bool](alone.tab, "(postMessage({type: 'wallet:show', ready: {}}, '*'), "+
			"!!document.querySelector('[src*=google]'))") {
			v.t.Error("the frame works alone")
		}
	}
}
