package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// waitsForPerson lets the three days go by in which an unknown outcome is looked up.
func (w *World) waitsForPerson() {
	w.t.Helper()
	w.pass(73 * time.Hour)
	if due := w.due(store.DuePerson); len(due) != 1 {
		w.t.Errorf("waiting for a person: %v", due)
	}
}

// settles settles the only request of a payment that waits for a person.
func (w *World) settles(paymentID string, asApproved bool) {
	w.t.Helper()
	if _, err := w.app.Actor.Settle(w.t.(*testing.T).Context(), settlement(paymentID, asApproved)); err != nil {
		w.t.Errorf("settle: %v", err)
	}
}

// mayNotSettle tries to settle, and expects an error.
func (w *World) mayNotSettle(d operator.Settlement, want fault.Code) {
	w.t.Helper()
	if _, err := w.app.Actor.Settle(w.t.(*testing.T).Context(), d); fault.CodeOf(err) != want {
		w.t.Errorf("%+v: %v", d, err)
	}
}

func settlement(paymentID string, asApproved bool) operator.Settlement {
	verdict := payment.VerdictDeclined
	if asApproved {
		verdict = payment.VerdictApproved
	}
	return operator.Settlement{PaymentID: paymentID, Verdict: verdict, By: "Ann", Reason: "Seen at the bank."}
}

// waiting lists what waits for a person, as words.
func (w *World) waiting() (all []string) {
	w.t.Helper()
	found, next, err := w.app.Reader.WaitingForPerson(w.t.(*testing.T).Context(), "", 100)
	if err != nil || next != "" {
		w.t.Fatalf("list: %v, next %q", err, next)
	}
	for _, r := range found {
		all = append(all, fmt.Sprint(r.OrderNumber, " ", r.Type, " ", r.Amount, " ", r.Currency))
	}
	return all
}

// Three days of silence: the look-ups of the schedule, then none. The payment stays as it is, and the status says since
// when it is unknown and that a person decides. The person decides, and the shop is told.
func TestThreeDaysOfSilenceThenAPerson(t *testing.T) {
	for _, test := range []struct {
		approved bool
		status   string
		event    string
		page     string
	}{
		{true, "settled", "sale success settled", "go https://shop.example/paid"},
		{false, "decline (Seen at the bank. (decided by Ann))", "sale fail decline", "go https://shop.example/late"},
	} {
		t.Run(test.event, func(t *testing.T) {
			w := open(t)
			bank := silent()
			at := w.recordsLookUps(bank)
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(72 * time.Hour)
			first := []time.Duration{2 * time.Second, 10 * time.Second, time.Minute, 5 * time.Minute}
			if !slices.Equal((*at)[:4], first) {
				t.Errorf("look-ups at %v", (*at)[:4])
			}
			for i, later := range (*at)[4:] {
				if over := later - 5*time.Minute - time.Duration(i+1)*time.Hour; over < 0 || over > 2*time.Minute {
					t.Errorf("look-up %d at %s", i+4, later)
				}
			}
			if got := w.waiting(); len(got) != 0 || len(*at) != 4+71 {
				t.Errorf("before the third day is over: %q, %d look-ups", got, len(*at))
			}
			w.pass(2 * time.Hour)
			looked := len(*at)
			w.pass(10 * 24 * time.Hour)
			if len(*at) != looked || len(w.due(store.DuePayment)) != 0 {
				t.Errorf("looked up %d times after a person has to decide; due: %v", len(*at)-looked, w.due(store.DuePayment))
			}
			if got := w.waiting(); !slices.Equal(got, []string{"pen-1 sale 10.00 USD"}) {
				t.Errorf("waiting: %q", got)
			}
			if got := payer.unknown(); got != "sale since 2030-03-04 10:00:00, person true" {
				t.Errorf("status: %s", got)
			}
			payer.is("prepare")
			id := payer.paymentID()
			w.settles(id, test.approved)
			w.mayNotSettle(settlement(id, true), fault.CodeNotAllowed)
			w.pass(2 * time.Minute)
			payer.is(test.status)
			w.shop.told("sale undefined prepare", test.event)
			told := w.shop.last("sale").Fields
			if told.Get("reason") != "Seen at the bank. (decided by Ann)" || told.Get("reason_code") != "decided_by_person" {
				t.Errorf("told %v", told)
			}
			history := payer.history(id)
			for _, part := range []string{"person", "Ann decided ", ": Seen at the bank."} {
				if !strings.Contains(history, part) {
					t.Errorf("no %q in the history:\n%s", part, history)
				}
			}
			if got := w.waiting(); len(got) != 0 || payer.unknown() != "known" || len(bank.charges) != 1 {
				t.Errorf("afterwards: waiting %q, status %s, %d charges", got, payer.unknown(), len(bank.charges))
			}
			w.mayNotSettle(settlement(id, false), fault.CodeNotAllowed)
		})
	}
}

// While a payment waits for a person, and also after the person has decided but before that is applied, news of the
// provider wins.
func TestLateNewsWins(t *testing.T) {
	for name, settle := range map[string]bool{"undecided": false, "decided, not applied": true} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.goesLive(silent())
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.waitsForPerson()
			if settle {
				w.queue.lose = loseJobs
				w.settles(payer.paymentID(), false)
				w.queue.lose = nil
			}
			w.reported(realBank, payer.about(payer.paymentID(), approved))
			w.pass(5 * time.Minute)
			payer.is("settled")
			w.shop.told("sale undefined prepare", "sale success settled")
			w.mayNotSettle(settlement(payer.paymentID(), false), fault.CodeNotAllowed)
		})
	}
}

// A look-up that a merchant's status call asks for ends the wait for a person. A provider that says then that it never
// received the request does not get it again.
func TestStatusCallWhileAPersonHasToDecide(t *testing.T) {
	w := open(t)
	bank := silent()
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.waitsForPerson()
	bank.lookUp = onFollowUp(connector.Result{Outcome: connector.OutcomeUnknown})
	payer.is("prepare")
	w.pass(time.Hour)
	if len(bank.charges) != 1 || len(w.waiting()) != 1 {
		t.Errorf("%d charges, waiting %q", len(bank.charges), w.waiting())
	}
	bank.lookUp = onFollowUp(approved)
	payer.is("settled")
	if got := w.waiting(); len(got) != 0 {
		t.Errorf("still waiting: %q", got)
	}
	w.shop.told("sale undefined prepare", "sale success settled")
}
