package browser

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// clock is the service's clock, which only a test moves.
type clock struct {
	start time.Time
	ahead atomic.Int64
}

func newClock() *clock { return &clock{start: time.Now()} }

func (c *clock) now() time.Time { return c.start.Add(time.Duration(c.ahead.Load())) }

func (c *clock) move(d time.Duration) { c.ahead.Add(int64(d)) }

func TestSessionExpires(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		more object
		ends func(*visit)
	}{
		"with expiry_url": {object{}, func(v *visit) { v.arrives("expiry") }},
		"without expiry_url": {object{"expiry_url": nil},
			func(v *visit) { v.message("The time to pay has run out."); v.noForm() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClock()
			at, _ := embedded(t, c.now)
			v := newVisit(t, at, openShop(t))
			s := v.session(paying, test.more, object{"session_expiry": 1})
			v.form(s)
			v.card("0138")
			if get[bool](v.tab, "!!document.querySelector('[role=timer]')") {
				t.Error("a minute before the end the time left is shown already")
			}
			// The session's last seconds: the page polls when they are over by its own clock, and again until they are
			// over by the service's clock, too.
			c.move(56 * time.Second)
			v.open("about:blank")
			v.form(s)
			v.until("document.querySelector('[role=timer]')?.innerText.startsWith('Time left to pay')")
			c.move(5 * time.Second)
			test.ends(v)
			v.open(s.URL)
			test.ends(v)
			v.checkPayments(s, "decline")
			v.checkNothingSent()
		})
	}
}

// TestSleepingPage is a laptop that was closed while the form was open: the session is over when the payer pays.
func TestSleepingPage(t *testing.T) {
	t.Parallel()
	c := newClock()
	at, _ := embedded(t, c.now)
	v := newVisit(t, at, openShop(t))
	s := v.session(paying, object{"session_expiry": 1})
	v.form(s)
	v.card("0138")
	c.move(2 * time.Minute)
	v.click("pay")
	v.arrives("expiry")
	if got := v.payments(s); len(got) != 1 || got[0].Reason != "Session expired." {
		t.Errorf("payments %+v", got)
	}
}

func TestDemoShop(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	v.opensDemo(v.target.BaseURL)
	get[bool](v.tab, "(document.querySelector('#options').open = true)")
	get[bool](v.tab, "(document.querySelector('[name=customer]').click(), true)")
	v.click("buy")
	v.until("location.search.startsWith('?session=') && " + element("pay"))
	v.everything("0138")
	v.click("pay")
	v.checkOrder("settled", "sale success")
	v.until("document.body.innerText.includes('The hash in the address matches.')")
	v.write("amount", "1.50")
	v.click("refund")
	v.checkOrder("settled", "refund success") // in part
	v.until(element("response") + ".innerText.includes('accepted')")
	v.click("void")
	v.until(element("response") + ".innerText.includes('HTTP 400')") // of what was refunded in part
	v.checkAccess("order")

	v.buy("auth=yes", "save=yes")
	v.pay("0138")
	v.checkOrder("pending", "sale success")
	v.click("capture")
	v.checkOrder("settled", "capture success")

	v.buy("saved=yes", "schedule=0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10")
	v.pick("saved", "1")
	v.click("recurring_consent")
	v.click("pay")
	v.checkOrder("settled", "sale success")
	v.until("[...document.querySelectorAll('.callback dt')].some(e => e.textContent == 'recurring_token')")

	v.opensDemo(v.target.BaseURL)
	v.until(element("find") + " && !document.getElementById('find').parentElement.hidden") // its script is there
	v.write("find", "M1 crypto account")
	v.until("[...document.querySelectorAll('.ways > li')].filter(e => e.checkVisibility()).length == 1")
	get[bool](v.tab, "(document.querySelector('#methods [value=crypto]').click(), true)")
	v.until(element("pay"))
	v.click("pay")
	v.message("Please pay with the details below.")
}

// buy sets fields of the demo shop's form, as name=value, and buys, until the page's form is there.
func (v *visit) buy(choices ...string) {
	v.t.Helper()
	v.opensDemo(v.target.BaseURL)
	for _, choice := range choices {
		name, value, _ := strings.Cut(choice, "=")
		get[bool](v.tab, "(e => { if (e.type == 'checkbox') e.click(); else e.value = "+quote(value)+"; return true })"+
			"(document.querySelector("+quote("#options [name="+name+"]")+"))")
	}
	v.click("buy")
	v.until("location.search.startsWith('?session=') && " + element("pay"))
}

// checkOrder waits until the demo shop's page of an order has a status and a callback that is as it should be.
func (v *visit) checkOrder(status, callback string) {
	v.t.Helper()
	v.until("location.pathname.startsWith('/demo/return/') && " + element("status") + "?.dataset.status == " +
		quote(status))
	v.until("[...document.querySelectorAll('.callback')].some(e => e.innerText.replace(/\\s+/g, ' ').includes(" +
		quote(callback) + ") && e.innerText.includes('hash verified') && e.innerText.includes('signature verified'))")
	v.until("!" + element("state") + ".dataset.again") // until then what is typed there may be lost
	if get[bool](v.tab, "!!document.querySelector('.bad')") {
		v.t.Error(v.dump())
	}
}
