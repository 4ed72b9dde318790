package browser

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/page"
	protocol "github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// frameStories are about the checkout in a merchant's frame; url_target says which frame returns to the merchant.
var frameStories = []story{
	{"in a frame, back in the frame", inFrame(1, "", "/frame/1", "success")},
	{"in a frame, _parent", inFrame(1, "_parent", "/success", "")},
	// Browsers let no other site navigate a frame in the middle, so the payer goes on in the innermost one.
	{"in a frame in a frame, _parent", func(v *visit) {
		inFrame(2, "_parent", "/frame/2", "success")(v)
		v.expectFault("Unsafe attempt to initiate navigation")
	}},
	{"in a frame in a frame, _top", inFrame(2, "_top", "/success", "")},
	{"a bank's page opens in a window beside the frame", bankBesideFrame},
	{"a window that can't be closed leads nowhere by itself", windowStays},
	{"where the browser blocks windows, the payer opens one", windowBlocked},
	{"a frame that may open no window says what to do", frameWithoutWindows},
}

// inFrame is the story of a payment in a frame of that depth. Then the tab shows tabPath and, unless it is "", a frame
// framePath.
func inFrame(depth int, targetName, tabPath, framePath string) func(*visit) {
	return func(v *visit) {
		more := object{"url_target": targetName}
		if targetName == "" {
			more = object{"url_target": nil}
		}
		s := v.session(paying, more)
		v.open(fmt.Sprintf("%s/frame/%d?src=%s", v.shop.origin, depth, url.QueryEscape(s.URL)))
		inside := v.with(v.frame(v.target.BaseURL))
		inside.until(element("pay"))
		inside.pay("0138")
		if framePath != "" {
			v.frame(v.shop.origin + "/" + framePath)
		}
		v.until("location.origin == " + quote(v.shop.origin) + " && location.pathname == " + quote(tabPath))
		v.checkPayments(s, "settled")
		if got := v.shop.visited(s.Order, "success"); got != 1 {
			v.t.Errorf("%d times at success_url", got)
		}
	}
}

// framedAt opens a session in a frame of the shop.
func (v *visit) framedAt(s session, more string) *visit {
	v.t.Helper()
	v.open(v.shop.origin + "/frame/1?src=" + url.QueryEscape(s.URL) + more)
	inside := v.framed()
	inside.until(element("pay"))
	return inside
}

// opens returns the tab that opens while press runs.
func (v *visit) opens(press func()) *visit {
	v.t.Helper()
	profile := v.profile.id // other stories open windows, too
	opened := chromedp.WaitNewTarget(v.ctx, func(one *protocol.Info) bool { return one.BrowserContextID == profile })
	press()
	ctx, end := chromedp.NewContext(v.ctx, chromedp.WithTargetID(<-opened))
	v.t.Cleanup(end)
	return v.with(newTab(v.t, ctx, v.watch))
}

// atBank pays in a frame with a card that has to be confirmed, and returns the window in which the bank asks for it.
func (v *visit) atBank(inside *visit) *visit {
	v.t.Helper()
	bank := v.opens(func() { inside.pay("0538") })
	bank.until("location.pathname.startsWith('/sandbox/') && document.readyState == 'complete' && !opener")
	inside.message("The next page has opened in a new window.")
	return bank
}

// bankBesideFrame is refused in a window of the bank, and confirmed in another one.
func bankBesideFrame(v *visit) {
	s := v.session(paying)
	inside := v.framedAt(s, "")
	bank := v.atBank(inside)
	inside.until(element("open_window") + ".target == '_blank' && " + element("another"))
	bank.click("refuse")
	inside.message("The payer refused.")
	v.gone(bank)
	bank = v.atBank(inside)
	bank.click("confirm")
	v.frame(v.shop.origin + "/success")
	v.gone(bank)
	v.checkPayments(s, "settled", "decline")
	if got := v.shop.visited(s.Order, "success"); got != 1 {
		v.t.Errorf("%d times at success_url", got)
	}
}

// gone waits until a window is closed.
func (v *visit) gone(window *visit) {
	v.t.Helper()
	id := chromedp.FromContext(window.ctx).Target.TargetID
	eventually(v.t, func() bool {
		for _, one := range call(v.tab, protocol.GetTargets, protocol.GetTargetsParams{}).TargetInfos {
			if one.TargetID == id {
				return false
			}
		}
		return true
	}, func() string { return "the window is still open" })
}

func windowStays(v *visit) {
	s := v.session(paying)
	inside := v.framedAt(s, "")
	bank := v.atBank(inside)
	bank.onNew("window.close = () => {}")
	call(bank.tab, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: bank.before()})
	bank.message("Your payment is waiting for your confirmation.") // and is not sent to the bank once more
	bank.click("continue")
	bank.until("location.pathname.startsWith('/sandbox/') && document.readyState == 'complete'")
	bank.click("confirm")
	v.frame(v.shop.origin + "/success")
	for range 2 {
		bank.message("You can close this window")
		shop := element("continue")
		bank.until(shop + ".className == 'quiet' && " + shop + ".innerText.startsWith('Back to')")
		bank.noForm()
		call(bank.tab, page.Reload, page.ReloadParams{})
	}
	bank.message("You can close this window")
	v.checkPayments(s, "settled")
	if got := v.shop.visited(s.Order, "success"); got != 1 {
		v.t.Errorf("%d times at success_url", got)
	}
	bank.click("continue")
	bank.arrives("success")
}

func windowBlocked(v *visit) {
	s := v.session(paying)
	v.onNew("window.open = () => null")
	inside := v.framedAt(s, "")
	inside.pay("0538")
	inside.message("Your browser has blocked a new window.")
	inside.until("document.querySelectorAll('.primary').length == 1 && " + element("open_window") + ".matches('.primary')")
	call(v.tab, page.Reload, page.ReloadParams{})
	inside = v.framed()
	inside.message("Your payment is waiting for your confirmation.")
	bank := v.opens(func() { inside.click("open_window") })
	bank.until("location.pathname.startsWith('/sandbox/')")
	bank.click("confirm")
	v.frame(v.shop.origin + "/success")
	v.checkPayments(s, "settled")
}

func frameWithoutWindows(v *visit) {
	s := v.session(paying)
	inside := v.framedAt(s, "&sandbox="+url.QueryEscape("allow-scripts allow-same-origin allow-forms"))
	inside.pay("0538")
	inside.message("Your browser has blocked a new window.")
	inside.until(element("open_window") + ".href.endsWith('" + strings.TrimPrefix(s.URL, v.target.BaseURL) + "#window')")
	v.expectFault("Blocked opening")
	inside.until(element("page_address"))
	inside.checkAccess("a frame that may open no window")
	inside.click("page_address-copy")
	inside.until(element("copied") + ".innerText == 'Copied: Address to open in your browser'")
	v.expectFault("The Clipboard API has been blocked") // so the page copies as browsers did before
	bank := v.secondTab()                               // in which the payer pastes it
	bank.open(get[string](inside.tab, element("page_address")+".innerText"))
	bank.until("location.pathname.startsWith('/sandbox/')")
	bank.click("confirm")
	v.frame(v.shop.origin + "/success")
	v.checkPayments(s, "settled")
}
