package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// chained begins a recurring chain with a monthly schedule.
var chained = object{"recurring_init": true, "schedule_id": "0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10"}

// A person stops the schedule of a chain with the refund of its first payment, finds the chain by a link of the
// payment, and resumes and lowers it there. All of it is there in a narrow window, too.
func TestAdminChain(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38", chained)
	a := run.enter(t, 0, hand{width: 1280})
	a.view("chains")
	a.shows("main tbody td", "every month")
	a.view("payments/" + paid.id)
	a.shows(".meaning dd", "The schedule charges 10.00 USD again.")
	a.hand.press(a, control("Refund"))
	a.until("document.querySelector('dialog[open] [name=stop]')")
	a.hand.press(a, dialogField("stop"))
	a.does("Refund", "the payer has left")
	a.shows("dialog[open] .said", "The schedule is stopped: it charges nothing more.")
	a.hand.press(a, control("Close"))
	a.shows(".meaning dd", "Nobody’s: nothing more is due.")
	a.hand.press(a, control("Recurring chain"))
	a.shows(".means", "The schedule was stopped on")
	a.hand.press(a, control("Resume the schedule"))
	a.does("Resume", "the payer has come back")
	a.shows("dialog[open] .said", "The schedule goes on.")
	a.hand.press(a, control("Close"))
	a.hand.press(a, control("Lower the amount"))
	a.hand.write(a, dialogField("amount"), "4.50")
	a.does("Lower the amount to 4.50 USD", "agreed by phone")
	a.shows("dialog[open] .said", "Each charge is lowered. The next charge of 4.50 USD is due on")
	a.hand.press(a, control("Close"))
	a.shows(".timeline li", "each charge is lowered from 10.00 USD to 4.50 USD")
	for _, place := range []string{"chains", "chains/" + paid.id} {
		a.view(place)
		for _, width := range []int64{1280, 320} {
			a.do(chromedp.EmulateViewport(width, 844))
			a.checkWidth(fmt.Sprintf("%s, %d px", place, width))
			a.checkAccess(fmt.Sprintf("%s, %d px", place, width))
		}
	}
}

// does gives the reason of the dialog that is open, and presses its button, which begins with a text.
func (a *adminVisit) does(button, reason string) {
	a.t.Helper()
	a.hand.write(a, dialogField("reason"), reason)
	a.hand.press(a, "[...document.querySelectorAll('dialog[open] form button:not([type=button])')]"+
		".find(e => e.innerText.startsWith("+quote(button)+"))")
}
