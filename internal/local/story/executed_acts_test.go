package story

import (
	"testing"
	"time"

	"checkout/internal/operator"
	"checkout/internal/store"
)

// as is the actor for an act of ann with an Idempotency-Key.
func (w *World) as(key string) *operator.Actor {
	act := actOf(ann, store.NewUUID(w.app.Core.Random(16)))
	act.Key = key
	return w.app.Actor.By(act)
}

// What the connector function has to do is done at once, and the response says what came of it. If the message is lost
// or the function ends before it, the sweep has it done, and whoever repeats the call is told then.
func TestActsAreExecuted(t *testing.T) {
	lookUp := func(s *operator.Actor, id string) (operator.Done, error) { return s.LookUp(t.Context(), id, "") }
	settle := func(s *operator.Actor, id string) (operator.Done, error) {
		return s.Settle(t.Context(), settlement(id, false))
	}
	for _, test := range []struct {
		name, fault string
		do          func(s *operator.Actor, id string) (operator.Done, error)
	}{
		{"look-up", "none", lookUp}, {"look-up", "message lost", lookUp}, {"look-up", "dies after", lookUp},
		{"settle", "none", settle}, {"settle", "queue fails", settle},
	} {
		t.Run(test.name+", "+test.fault, func(t *testing.T) {
			w := open(t)
			bank := silent()
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			id := payer.paymentID()
			w.waitsForPerson() // no message is under way then
			bank.lookUp = onFollowUp(approved)
			calls := func() (done operator.Done, died bool) {
				defer func() { died = recover() != nil }()
				done, err := test.do(w.as("one"), id)
				if err != nil {
					t.Error(err)
				}
				return done, false
			}
			switch test.fault {
			case "message lost":
				w.queue.lose = loseJobs
			case "queue fails":
				w.queue.lose = failAll
			case "dies after":
				w.store.next(test.fault)
			}
			done, died := calls()
			w.queue.lose = nil
			const want = "The provider has approved it. The payment is paid."
			const undone = "It is not done yet, and goes on by itself. The payment is in progress."
			switch {
			case died != (test.fault == "dies after"):
				t.Errorf("died %t", died)
			case test.fault == "none" && (!done.Decided || done.Text != want),
				test.fault != "none" && !died && (done.Decided || done.Text != undone):
				t.Errorf("%+v", done)
			}
			w.pass(2 * time.Minute)
			if again, _ := calls(); !again.Decided || again.Text != want {
				t.Errorf("again %+v", again)
			}
			payer.is("settled")
			if got := w.acted(); len(got) != 1 || len(payer.payment().Acts) != 1 {
				t.Errorf("audit log %q, acts %+v", got, payer.payment().Acts)
			}
		})
	}
}
