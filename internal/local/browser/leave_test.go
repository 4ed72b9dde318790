package browser

import (
	"fmt"
	"testing"
	"time"
)

// What asks before leaving stays open while the screen is read again, and keeps the focus.
func TestLeaveDialogOutlivesPolls(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	const open = "document.activeElement.id == 'leave_yes' && document.querySelectorAll('.ask').length == 1"
	reach := func(asked string) {
		t.Helper()
		v.click(asked)
		v.focused("leave_ask")
		get[bool](v.tab, "("+element("leave_yes")+".focus(), window.asked = document.querySelector('.ask'), true)")
	}
	p := v.play(ofCoin("sandbox1"), nil)
	v.until(element("paid"))
	v.click("paid")
	for i, asked := range []string{"close", "another"} {
		p.show(ofCoin("before"))
		v.until(element("crypto_address") + ".innerText == 'before'")
		reach(asked)
		for n := range 3 {
			address := fmt.Sprintf("poll-%d-%d", i, n)
			p.show(ofCoin(address))
			v.until(element("crypto_address") + ".innerText == " + quote(address))
			if !get[bool](v.tab, open+" && window.asked.isConnected") {
				t.Fatalf("%s: what asks is gone after poll %d", asked, n+1)
			}
		}
		v.click("leave_no")
		v.focused(asked)
	}
	form := manyMethods(2)
	p.load(form)
	v.until(element("iban"))
	v.write("iban", "DE02")
	reach("close")
	for n := range 3 {
		said := fmt.Sprintf("poll %d", n)
		form["order"].(object)["description"] = said
		p.show(form)
		get[bool](v.tab, "document.dispatchEvent(new Event('visibilitychange'))") // as when the payer comes back
		v.until("document.querySelector('.who p').innerText == " + quote(said))
		if !get[bool](v.tab, open+" && window.asked.isConnected") {
			t.Fatalf("what asks in a form is gone after poll %d", n+1)
		}
	}
	v.click("leave_no")
	v.focused("close")
	v.until(element("iban") + ".value == 'DE02'")
	p.watch.found()
}
