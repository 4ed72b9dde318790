package browser

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/local"

	"github.com/chromedp/cdproto/input"
	cdptarget "github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// TestGooglePayOfAnotherSite has the frame on another site than the page, as deployments without a domain have it. The
// browser runs it in a process of its own.
func TestGooglePayOfAnotherSite(t *testing.T) {
	t.Parallel()
	server, err := local.Start(t.Context(), local.Config{Root: root, Now: time.Now, WalletHost: "wallet.localhost"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	at, _ := takesGooglePay(t, target{server.URL, server.Demo.TestKey, server.Demo.Password}, server)
	tell(t, at, []story{
		{"a payment", func(v *visit) {
			s := v.session(known)
			v.open(s.URL)
			frame := v.otherProcess(server)
			v.typeIn("payer_card", cardNumber)
			at := v.find(element("googlepay")) // a hand takes longer to press than a picture to be drawn
			v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
			v.until("!" + element("googlepay") + ".inert")
			get[bool](v.tab, "new Promise(end => requestAnimationFrame(() => requestAnimationFrame(() => end(true))))")
			v.do(chromedp.MouseClickXY(at.X, at.Y))
			frame.until("document.documentElement.dataset.request")
			endsSheet(frame, "confirm", googleToken(v.t, s, 1))
			v.arrives("success")
			v.checkPayments(s, "settled")
		}},
		{"it takes the focus from a card field", func(v *visit) {
			s := v.session(known)
			v.open(s.URL)
			frame := v.otherProcess(server)
			v.typeIn("payer_card", cardNumber)
			v.press("\t0138\t7")
			v.focused("payer_cvv")
			_, _ = read[bool](frame, "(window.focus(), "+element("pay")+".focus(), true)")
			v.until("!document.querySelector('iframe')")
			v.focused("payer_cvv")
			v.press("391")
			v.until(element("payer_cvv") + ".value == " + quote(securityCode))
			v.click("pay")
			v.arrives("success")
		}},
		{"it takes the focus before the page's timers run", func(v *visit) {
			s := v.session(known)
			v.open(s.URL)
			frame := v.otherProcess(server)
			v.typeIn("payer_card", cardNumber)
			v.press("\t")
			v.focused("payer_expiryDate")
			get[bool](v.tab, "(timers = [], later = setTimeout, true)")
			get[bool](v.tab, "(setTimeout = (f, ms) => ms ? later(f, ms) : timers.push(f), true)")
			v.press("0138\t7")
			v.focused("payer_cvv")
			_, _ = read[bool](frame, "(window.focus(), "+element("pay")+".focus(), true)")
			v.focused("googlepay")
			get[bool](v.tab, "(setTimeout = later, timers.forEach(f => f()), true)")
			v.focused("payer_cvv")
			v.until("!document.querySelector('iframe')")
		}},
	})
}

// otherProcess waits for the wallet's button in a frame that has a process of its own.
func (v *visit) otherProcess(server *local.Server) *tab {
	v.t.Helper()
	v.until(element("googlepay") + "?.getAttribute('aria-busy') == 'false'")
	var found cdptarget.ID
	eventually(v.t, func() bool {
		all, err := chromedp.Targets(v.ctx)
		for _, info := range all {
			own := err == nil && info.ParentID == chromedp.FromContext(v.ctx).Target.TargetID
			if own && info.Type == "iframe" && strings.HasPrefix(info.URL, server.WalletURL) {
				found = info.TargetID
			}
		}
		return found != ""
	}, v.dump)
	ctx, end := chromedp.NewContext(v.ctx, chromedp.WithTargetID(found))
	v.t.Cleanup(end)
	frame := &tab{t: v.t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		v.t.Fatal(err)
	}
	return frame
}
