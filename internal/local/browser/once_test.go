package browser

import (
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// onceStories: whatever happens on the way, there is one payment, and the payer sees what became of it.
var onceStories = []story{
	{"double click", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		at := v.find(element("pay"))
		v.do(chromedp.MouseClickXY(at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(2)))
		v.checkOnce(s)
	}},
	{"clicks without a moment between them", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		get[bool](v.tab, "(p => {p.click(); p.click(); p.form.requestSubmit(); return true})("+element("pay")+")")
		v.checkOnce(s)
	}},
	{"Enter and click while the answer is awaited", func(v *visit) {
		s := v.session(payer)
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
		s := v.session(payer)
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
		s := v.session(payer)
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
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageRequest)
		v.click("pay")
		h.wait()
		h.off()
		v.open(s.URL)
		// It may be that the browser sent it after all: then there is no form, and the payer arrives.
		v.until(element("pay") + " || location.pathname == '/success'")
		if ready, err := read[bool](v.tab, "!!"+element("pay")); err == nil && ready {
			v.pay("0138")
		}
		v.arrives("success")
		v.checkPayments(s, "settled")
	}},
	{"reload before the answer", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		h.wait()
		v.open(s.URL)
		v.checkOnce(s)
	}},
	{"back from the merchant", func(v *visit) {
		s := v.session(payer)
		v.open(v.shop.origin + "/cart")
		v.form(s)
		v.pay("0138")
		v.arrives("success")
		get[bool](v.tab, "(history.back(), true)")
		v.until("location.pathname == '/cart'") // the checkout is not in between
		v.open(s.URL)
		eventually(v.t, func() bool { return v.shop.visited(s.Order, "success") == 2 }, func() string { return "not at the merchant again: " + v.dump() })
		v.checkOnce(s)
	}},
	{"the connection breaks before the service has heard", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageRequest)
		v.click("pay")
		h.lose(h.wait())
		v.message("The connection is back. Please try again: you will not be charged twice.")
		h.off()
		v.checkPaymentsNone(s)
		v.click("pay") // everything is still filled in
		v.arrives("success")
		v.checkPayments(s, "settled")
		v.checkSameAttempt()
	}},
	{"the connection breaks before the answer", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0138")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		h.lose(h.wait())
		v.checkOnce(s)
	}},
	{"the connection breaks before the answer, a decline", func(v *visit) {
		s := v.session(payer)
		v.form(s)
		v.card("0238")
		h := v.hold(fetch.RequestStageResponse)
		v.click("pay")
		h.lose(h.wait())
		v.message("Declined by processing.")
		h.off()
		v.checkPayments(s, "decline")
		v.pay("0138")
		v.arrives("success")
		v.checkPayments(s, "settled", "decline")
	}},
}

// checkOnce waits for the merchant's page and checks that one request made one payment.
func (v *visit) checkOnce(s session) {
	v.t.Helper()
	v.checkReturn(v.arrives("success"), s)
	v.checkPayments(s, "settled")
	if sent := v.watch.sent(); len(sent) != 1 {
		v.t.Errorf("%d requests to pay", len(sent))
	}
}

// checkPaymentsNone says that nothing was tried: an order without an attempt is shown as one that prepares.
func (v *visit) checkPaymentsNone(s session) {
	v.t.Helper()
	v.checkPayments(s, "prepare")
}

// checkSameAttempt says that the last two requests to pay were one and the same attempt.
func (v *visit) checkSameAttempt() {
	v.t.Helper()
	sent := v.watch.sent()
	if len(sent) < 2 || attempt(v.t, sent[len(sent)-1]) != attempt(v.t, sent[len(sent)-2]) {
		v.t.Errorf("not twice the same attempt: %d requests", len(sent))
	}
}
