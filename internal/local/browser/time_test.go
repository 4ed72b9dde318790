package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Two minutes before the end of a form the page says so; the payer has more time once, from two tabs too, and what was
// typed stays.
func TestMoreTime(t *testing.T) {
	t.Parallel()
	c := newClock()
	at, _ := embedded(t, c.now)
	v := newVisit(t, at, openShop(t))
	s := v.session(paying, object{"session_expiry": 5})
	v.form(s)
	const said = "document.querySelector('.soon [role=status]')?.innerText"
	c.move(3 * time.Minute)
	v.open("about:blank") // the browser's own clock is not moved
	v.form(s)
	v.write("payer_card", cardNumber)
	v.until(said + " == 'Less than two minutes left to pay'")
	v.until("document.querySelector('[role=timer]').innerText.startsWith('Time left to pay: 01:')")
	v.checkAccess("the time is almost over")
	other := v.secondTab()
	other.form(s)
	other.until("!!" + element("more_time"))
	v.click("more_time")
	v.until(said + ".startsWith('You have more time: you can pay until ')")
	v.until("!" + element("more_time"))
	if got := get[string](v.tab, element("payer_card")+".value"); got == "" {
		t.Error("what was typed is gone")
	}
	v.checkAccess("more time is given")
	other.click("more_time") // which another tab was given
	other.until("!" + element("more_time"))
	v.until("!document.querySelector('.soon.shown')")
	c.move(4 * time.Minute) // after the first end
	v.card("0138")
	v.click("pay")
	v.arrives("success")
	v.checkPayments(s, "settled")
}

// The warning before the end stands over the page, but never over what has the focus.
func TestWarningCoversNoFocus(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	form := v.screenOf(v.session())
	form.Test = true
	form.ExpiresInMS, form.MoreTimeMS, form.LifetimeMS = 100_000, 90_000, 3_600_000
	p := v.stage(nil)
	for _, height := range []int64{211, 640} { // the first is a desktop's at 400 %
		v.do(chromedp.EmulateViewport(320, height))
		p.load(form)
		v.until(element("more_time"))
		v.accessible()
		v.checkTabbing(fmt.Sprintf("%d px high", height))
		v.checkWidth("the end is near")
	}
	p.watch.found() // requests that the page gave up when it was left
}

// Leaving asks once if something was typed, and says what becomes of the session.
func TestLeavesAForm(t *testing.T) {
	t.Parallel()
	at, server := embedded(t, time.Now)
	lenient := careful(server.Demo)
	lenient.ID, lenient.LiveKey, lenient.TestKey = "lenient", "lenient-live", "lenient-test"
	lenient.Mappings[0].CancelEndsSession = new(bool)
	if err := server.App.Merchants.Save(t.Context(), lenient); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		goesOn     bool
		says, ends string
	}{
		"it ends":  {false, "This ends the payment.", "decline"},
		"it stays": {true, "you can come back and pay until ", "prepare"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVisit(t, at, openShop(t))
			if test.goesOn {
				v = v.at(lenient.TestKey)
			}
			s := v.session(paying)
			v.form(s)
			v.write("payer_card", cardNumber)
			v.click("close")
			v.focused("leave_ask")
			v.until("document.querySelector('.ask').innerText.includes(" + quote(test.says) + ")")
			v.checkAccess("asked before leaving a form")
			v.click("leave_no")
			v.focused("close")
			v.click("close")
			v.click("leave_yes")
			v.arrives("cancel")
			v.checkPayments(s, test.ends)
			if test.goesOn {
				v.form(s)
				v.pay("0138")
				v.arrives("success")
				v.checkPayments(s, "settled")
			}
		})
	}
}

// What was typed is there after a reload and in the order's next session, but no card data, and is gone once it is
// paid.
func TestKeptFields(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	s := v.session()
	v.form(s)
	v.everything("0138")
	v.until("sessionStorage.getItem('typed')?.includes('90001')")
	const kept = "sessionStorage.getItem('typed')"
	values := get[string](v.tab, "JSON.stringify(JSON.parse("+kept+").values)") // an order's number may have any digits
	for _, secret := range []string{cardNumber[:6], securityCode, "01/38", "0138"} {
		if strings.Contains(values, secret) {
			t.Errorf("%s is kept: %s", secret, values)
		}
	}
	v.open(s.URL)
	v.until(element("payer_zip") + "?.value == '90001'")
	for _, field := range texts {
		v.until(element(field.id) + ".value == " + quote(field.text))
	}
	v.until(element("payer_country") + ".value == 'US' && " + element("payer_state") + ".value == 'CA'")
	v.until(element("payer_card") + ".value == '' && " + element("payer_cvv") + ".value == ''")
	v.card("0138")
	v.click("pay")
	v.arrives("success")
	v.open(s.URL)
	v.arrives("success")
	v.form(v.session())
	if get[bool](v.tab, "!!"+kept) {
		t.Errorf("it is kept after it was paid: %s", get[string](v.tab, kept))
	}
	v.until(element("payer_zip") + ".value == ''")
}

// Whoever left a session finds names and address again in the order's next one, in the same tab, but no card data.
func TestKeptForTheNextSession(t *testing.T) {
	t.Parallel()
	c := newClock()
	at, _ := embedded(t, c.now)
	v := newVisit(t, at, openShop(t))
	first := v.session()
	v.form(first)
	v.everything("0138")
	v.click("close")
	v.click("leave_yes")
	v.arrives("cancel")
	c.move(time.Minute) // after which the order may have another session
	next := v.session(object{"order": object{"number": first.Order}})
	if next.Session == first.Session {
		t.Fatal("it is the same session")
	}
	v.form(next)
	for _, field := range texts {
		v.until(element(field.id) + "?.value == " + quote(field.text))
	}
	v.until(element("payer_country") + ".value == 'US' && " + element("payer_state") + ".value == 'CA'")
	for _, id := range []string{"payer_card", "payer_expiryDate", "payer_cvv"} {
		v.until(element(id) + ".value == ''")
	}
	v.form(v.session()) // another order
	v.card("0138")
	v.until("globalThis.checkoutAfter") // which fills in what was kept
	v.drawn()
	if got := get[string](v.tab, element("payer_zip")+".value"); got != "" {
		t.Errorf("another order's postal code: %q", got)
	}
}
