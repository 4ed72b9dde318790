package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// A person blocks the card of a payment, and an IP network that they type, sees both in the list, and takes the card's
// payments again. All of it is there in a narrow window, too.
func TestAdminBlocks(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38")
	a := run.enter(t, 0, hand{width: 1280})
	kind := func(name string) string { return "document.querySelector('dialog[open] [value=" + name + "]')" }
	a.view("payments/" + paid.id)
	a.hand.press(a, control("Block…"))
	a.does("Block the address", "chargebacks")
	a.shows("dialog[open] .wrong", "Choose what is to be blocked.")
	a.hand.press(a, kind("card"))
	a.does("Block the card", "chargebacks")
	a.shows("dialog[open] .said", "411111******1111 is blocked, from within a minute on.")
	a.hand.press(a, control("Close"))
	a.view("blocks")
	a.shows("main tbody td", "411111******1111")
	a.hand.press(a, control("Block an address"))
	a.hand.press(a, kind("ip"))
	a.hand.write(a, dialogField("value"), "198.51.100.0/8")
	a.does("Block the IP address", "a botnet")
	a.shows("dialog[open]", "It blocks too many")
	a.hand.write(a, dialogField("value"), "198.51.100.7/24")
	a.does("Block the IP address", "a botnet")
	a.shows("dialog[open] .said", "198.51.100.0/24 is blocked")
	a.hand.press(a, control("Close"))
	a.shows("main tbody td", "198.51.100.0/24")
	for _, width := range []int64{1280, 320} {
		a.do(chromedp.EmulateViewport(width, 844))
		a.checkWidth(fmt.Sprintf("blocks, %d px", width))
		a.checkAccess(fmt.Sprintf("blocks, %d px", width))
	}
	a.hand.press(a, "[...document.querySelectorAll('main tbody tr')].find(e => e.innerText.includes('411111'))"+
		".querySelector('td:last-child button')")
	a.does("Unblock this card", "it was another payer")
	a.shows("dialog[open] .said", "Its payments are taken again within a minute.")
	a.hand.press(a, control("Close"))
	a.until("!document.querySelector('main').innerText.includes('411111')")
}
