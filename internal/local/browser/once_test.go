package browser

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// onceStories are about interruptions: there is one payment, and the payer sees its outcome.
var onceStories = []story{
	{"double click", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		at := v.find(element("pay"))
		v.do(chromedp.MouseClickXY(at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(2)))
		v.checkOnce(s)
	}},
	{"clicks without a moment between them", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		get[bool](v.tab, "(p => {p.click(); p.click(); p.form.requestSubmit(); return true})("+element("pay")+")")
		v.checkOnce(s)
	}},
	{"Enter and click while the response is awaited", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		id := h.wait()
		v.press(kb.Enter)
		get[bool](v.tab, "("+element("payer_cvv")+".focus(), true)")
		v.press(kb.Enter)
		v.click("pay")
		v.click("close")
		h.goOn(id)
		v.checkOnce(s)
	}},
	{"two tabs", func(v *visit) {
		s := v.session(paying)
		other := v.secondTab()
		tabs := []*visit{v, other}
		var holds []*held
		for _, tab := range tabs {
			tab.form(s)
			tab.card("0138")
			holds = append(holds, tab.hold(fetch.RequestStageRequest))
			tab.click("pay")
		}
		first, second := holds[0].wait(), holds[1].wait()
		holds[0].goOn(first)
		holds[1].goOn(second)
		for _, tab := range tabs {
			tab.checkReturn(tab.arrives("success"), s)
		}
		v.checkPayments(s, "settled")
		if sent := v.watch.sent(); len(sent) != 2 {
			v.t.Errorf("%d requests to pay", len(sent))
		}
	}},
	{"the other tab pays", func(v *visit) {
		s := v.session(paying)
		other := v.secondTab()
		v.form(s)
		v.card("0238")
		other.form(s)
		other.pay("0138")
		other.arrives("success")
		v.click("pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
	}},
	{"reload before the service has heard", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageRequest)
		v.click("pay")
		h.wait()
		h.off()
		v.open(s.URL)
		// The browser may have sent the request: then there is no form, and the payer returns to the shop.
		v.until(element("pay") + " || location.pathname == '/success'")
		if ready, err := read[bool](v.tab, "!!"+element("pay")); err == nil && ready {
			v.pay("0138")
		}
		v.arrives("success")
		v.checkPayments(s, "settled")
	}},
	{"reload before the response", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		h.wait()
		v.open(s.URL)
		v.checkOnce(s)
	}},
	{"back from the merchant", func(v *visit) {
		s := v.session(paying)
		v.open(v.shop.origin + "/cart")
		v.form(s)
		v.pay("0138")
		v.arrives("success")
		get[bool](v.tab, "(setTimeout(() => history.back()), true)") // later, so that the test has its value first
		v.until("location.pathname == '/cart'")                      // the checkout is not in the history between the two
		v.open(s.URL)
		eventually(v.t, func() bool { return v.shop.visited(s.Order, "success") == 2 },
			func() string { return "not at the merchant again: " + v.dump() })
		v.checkOnce(s)
	}},
	{"the connection breaks before the service has heard", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageRequest)
		v.click("pay")
		h.lose(h.wait())
		again := h.wait()             // sent by the page itself
		v.checkPayments(s, "prepare") // no attempt
		h.goOn(again)
		h.off()
		v.arrives("success")
		v.checkPayments(s, "settled")
		v.checkSameAttempt()
	}},
	{"the connection is lost for a while, and the browser is online again", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		v.online(false)
		v.click("pay")
		v.message("Connection lost")
		v.checkPayments(s, "prepare")
		v.online(true)
		v.arrives("success")
		v.checkPayments(s, "settled")
		v.checkSameAttempt()
	}},
	{"the connection breaks before the response", func(v *visit) {
		s := v.session(paying)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		h.lose(h.wait())
		v.checkOnce(s)
	}},
}

// online takes the browser's connection away, or gives it back.
func (v *visit) online(is bool) {
	v.t.Helper()
	all := network.Conditions{Offline: !is, DownloadThroughput: -1, UploadThroughput: -1}
	call(v.tab, network.EmulateNetworkConditionsByRule,
		network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{&all}})
	call(v.tab, network.OverrideNetworkState,
		network.OverrideNetworkStateParams{Offline: !is, DownloadThroughput: -1, UploadThroughput: -1})
}

// checkOnce waits for the merchant's page and checks that one request made one payment.
func (v *visit) checkOnce(s session) {
	v.t.Helper()
	v.checkReturn(v.arrives("success"), s)
	v.checkPayments(s, "settled")
	// What the browser tells of its requests may come after what they have done.
	eventually(v.t, func() bool { return len(v.watch.sent()) > 0 }, func() string { return "no request to pay was seen" })
	if sent := v.watch.sent(); len(sent) != 1 {
		v.t.Errorf("%d requests to pay", len(sent))
	}
}

// checkSameAttempt checks that the last two requests to pay have the same attempt id.
func (v *visit) checkSameAttempt() {
	v.t.Helper()
	sent := v.watch.sent()
	if len(sent) < 2 || attempt(v.t, sent[len(sent)-1]) != attempt(v.t, sent[len(sent)-2]) {
		v.t.Errorf("not twice the same attempt: %d requests", len(sent))
	}
}
