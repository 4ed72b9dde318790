package browser

import (
	"testing"
	"time"

	"checkout/internal/checkout"
	stored "checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
)

// adminJobs are what people come to the admin page for.
var adminJobs = []struct {
	name string
	do   func(a *adminVisit)
}{
	{"the payer says he paid", findPaid},
	{"what happened", tellStory},
	{"why it was declined", tellReason},
	{"refund a part", refundPart},
	{"refund a list", refundList},
	{"money that came too late", returnLate},
	{"the shop did not get the callback", sendAgain},
	{"a note for the next person", writeNote},
	{"a limit of a shop", setLimit},
	{"a new merchant", addMerchant},
}

// TestAdminJobs does each job in each way.
func TestAdminJobs(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	for _, job := range adminJobs {
		for name, by := range hands {
			t.Run(job.name+" by "+name, func(t *testing.T) {
				t.Parallel()
				a := run.enter(t, 0, by)
				job.do(a)
				a.checkWidth(job.name)
			})
		}
	}
}

// findPaid finds a payment by what a payer has at hand.
func findPaid(a *adminVisit) {
	a.run.pay(a.t, pensKey, "01/38") // what is found alone is opened at once
	paid := a.run.pay(a.t, pensKey, "01/38")
	a.hand.find(a, paid.Order)
	a.heading("Order " + paid.Order)
	a.shows(".top", "10.00")
	a.hand.find(a, "ada@example.com") // of many orders
	a.until(rowOf(paid))
	a.hand.press(a, rowOf(paid))
	a.heading("Order " + paid.Order)
	get[bool](a.tab, "history.back() ?? true")
	a.until("document.activeElement == " + rowOf(paid)) // where the person was before
	mask := "1111 " + time.Now().UTC().Format(time.DateOnly)
	a.hand.find(a, mask)
	a.heading("Find “" + mask + "”") // or the list of before has the same field
	a.hand.choose(a, "document.querySelector('main select[name=merchant]')", "Pen Shop")
	a.hand.press(a, control("Find there"))
	a.until(rowOf(paid))
	a.hand.find(a, "no-such-order")
	a.shows("main", "Nothing was found.")
}

// rowOf is the link to a payment in a list.
func rowOf(s sold) string {
	return "[...document.querySelectorAll('main a.row')].find(e => e.innerText == " + quote(s.Order) + ")"
}

// tellStory reads what happened to a payment from its view alone.
func tellStory(a *adminVisit) {
	paid := a.run.pay(a.t, pensKey, "01/38")
	a.hand.find(a, paid.id)
	a.heading("Order " + paid.Order)
	a.shows(".meaning", "Whose turn it is")
	a.shows(".meaning", "Tell the payer")
	a.until("document.querySelectorAll('.timeline li time').length >= 3")
	times := get[[]string](a.tab, "[...document.querySelectorAll('.timeline li time')].map(e => e.dateTime)")
	if !inOrder(times) {
		a.t.Errorf("not in order: %v", times)
	}
}

func inOrder(times []string) bool {
	var before time.Time
	for _, text := range times {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || at.Before(before) {
			return false
		}
		before = at
	}
	return true
}

// tellReason tells a payer why a card was declined.
func tellReason(a *adminVisit) {
	declined := a.run.pay(a.t, pensKey, "02/38")
	a.hand.find(a, declined.Order)
	a.heading("Order " + declined.Order)
	for _, text := range []string{"Reason", "Would another try help", "Tell the payer"} {
		a.shows(".meaning dt", text)
	}
	a.shows(".timeline", "code 05") // the provider's
	a.until("!" + control("Refund"))
	a.shows(".cannot", "Refund")
}

// refundPart gives a part of the money back to the payer. Two clicks are one refund.
func refundPart(a *adminVisit) {
	paid := a.run.pay(a.t, pensKey, "01/38")
	a.hand.find(a, paid.Order)
	a.heading("Order " + paid.Order)
	a.refund(paid)
	a.shows(".meaning", "of it was refunded") // or the button moves while it is pressed
	a.hand.press(a, control("Refund"))        // what is left
	a.until(dialogField("amount") + ".value == '6.00'")
	a.hand.press(a, control("Cancel"))
	if n := a.run.pens.callbacks(paid.Order, "refund"); n != 1 {
		a.t.Errorf("%d refunds", n)
	}
}

// refund has 4.00 of the payment refunded that is shown.
func (a *adminVisit) refund(paid sold) {
	a.t.Helper()
	a.hand.press(a, control("Refund"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.write(a, dialogField("amount"), "4.00")
	a.hand.write(a, dialogField("reason"), "one pen is missing")
	const button = "document.querySelector('dialog[open] form button:not([type=button])')"
	a.until(button + ".innerText.includes('4.00')")
	a.hand.press(a, button)
	if !a.hand.keyboard {
		get[bool](a.tab, "("+button+"?.click(), true)")
	}
	a.until("document.querySelector('dialog[open] .said')")
	a.hand.press(a, control("Close"))
	eventually(a.t, func() bool { return a.run.pens.callbacks(paid.Order, "refund") == 1 },
		func() string { return "no callback of the refund" })
}

// returnLate stores that a part of what came too late was returned by hand. The dialog asks for what that needs.
func returnLate(a *adminVisit) {
	declined := a.run.pay(a.t, pensKey, "02/38")
	a.run.arrives(a, declined.id, money.Coins{Currency: "BTC", Amount: "0.0005"})
	a.hand.find(a, declined.Order)
	a.heading("Order " + declined.Order)
	a.shows(".meaning", "0.00050000 BTC")
	a.hand.press(a, control("Settle"))
	a.until("document.querySelector('dialog[open]')")
	a.until("!" + dialogField("amount") + " && !" + dialogField("transfer"))
	returned := "document.querySelector('dialog[open] [value=returned]')"
	if a.hand.keyboard {
		a.reach(returned)
		a.tab.press(" ")
	} else {
		a.hand.press(a, returned)
	}
	a.until(dialogField("transfer"))
	a.shows("dialog[open]", "Amount in BTC, at most 0.00050000")
	a.hand.write(a, dialogField("amount"), "0.0002")
	a.hand.write(a, dialogField("transfer"), "tx-1")
	a.hand.write(a, dialogField("reason"), "the shop has sent it back")
	a.hand.press(a, control("Settle as returned 0.0002"))
	a.until("document.querySelector('dialog[open] .said')")
	a.shows("dialog[open] .said", "0.00020000 BTC counts as returned by hand.")
	a.hand.press(a, control("Close"))
	a.shows(".timeline", "0.00020000 BTC was returned by hand.")
	a.shows(".meaning", "0.00030000 BTC arrived")
}

// arrives has coins arrive for a payment that was declined.
func (r *adminRun) arrives(a *adminVisit, id string, coins money.Coins) {
	a.t.Helper()
	core := r.server.App.Core
	p, sess, err := core.PaymentAndSession(a.t.Context(), core.Now(), id, "")
	if err != nil || p == nil {
		a.t.Fatalf("%s: %v", id, err)
	}
	_, _, err = core.Change(a.t.Context(), checkout.Task{Payment: p, Session: sess},
		func(t checkout.Task, now time.Time) (stored.Effects, error) {
			t.Payment.Received = &connector.Received{Currency: coins.Currency, Amount: coins.Amount}
			t.Payment.Unapplied().Add(&coins, now)
			return stored.Effects{Save: true}, nil
		})
	if err != nil {
		a.t.Fatal(err)
	}
}

// sendAgain sends a callback once more that the shop did not get.
func sendAgain(a *adminVisit) {
	run := startAdmin(a.t) // whose shop is closed at first
	a = run.enter(a.t, 0, a.hand)
	run.pens.closed.Store(true)
	paid := run.pay(a.t, pensKey, "01/38")
	eventually(a.t, func() bool {
		a.view("payments/" + paid.id)
		return get[bool](a.tab, "!!document.querySelector('.deliveries table')")
	}, func() string { return "no try of the callback" })
	a.shows(".deliveries", "503")
	a.shows(".deliveries td[data-name=Took]", " ms")
	a.hand.press(a, control("Its beginning"))
	a.shows(".deliveries details details", "the shop is closed")
	run.pens.closed.Store(false)
	a.hand.press(a, control("Send again"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.write(a, dialogField("reason"), "the shop is open again")
	a.hand.press(a, control("Send it again"))
	a.shows("dialog[open] .said", "The shop has taken it: HTTP 200")
	a.hand.press(a, control("Close"))
	a.shows(".deliveries", "delivered") // without another look
	a.hand.press(a, control("Send again"))
	a.shows("dialog[open]", "marked as a redelivery")
	a.hand.write(a, dialogField("reason"), "the shop has lost it")
	a.hand.press(a, control("Send it again"))
	a.shows("dialog[open] .said", "The shop has taken it: HTTP 200")
	if n := run.pens.callbacks(paid.Order, "sale"); n != 2 {
		a.t.Errorf("%d callbacks", n)
	}
}

// writeNote writes down what the next person has to know of a session, and ends the session.
func writeNote(a *adminVisit) {
	paid := a.run.pay(a.t, pensKey, "02/38") // its payer may try again
	a.hand.find(a, paid.Order)
	a.heading("Order " + paid.Order)
	a.hand.press(a, control("Add a note"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.press(a, control("Add the note"))
	a.shows("dialog[open] .wrong", "Write the note first.")
	a.hand.write(a, dialogField("text"), "The payer will pay by transfer.")
	a.hand.press(a, control("Add the note"))
	a.shows("dialog[open] .said", "The note stands")
	a.hand.press(a, control("Close"))
	a.shows(".timeline", "The payer will pay by transfer.")
	a.loaded() // or the button moves while it is pressed
	a.hand.press(a, control("End the session"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.write(a, dialogField("reason"), "paid by transfer")
	a.hand.press(a, "document.querySelector('dialog[open] button.danger')")
	a.shows("dialog[open] .said", "The checkout session is over")
	a.hand.press(a, control("Close"))
	a.shows(".timeline", "Ended the checkout session: paid by transfer")
	a.until("!" + control("End the session"))
}
