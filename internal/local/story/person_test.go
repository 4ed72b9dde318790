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
			for _, part := range []string{"person", "by Ann, Seen at the bank."} {
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

// A notice after a person has decided: the same outcome changes nothing, and the other one is reported to the operator
// and changes nothing either.
func TestNoticeAfterAPersonDecided(t *testing.T) {
	for _, test := range []struct {
		approved          bool
		notice            connector.Result
		status            string
		metric, elsewhere string
	}{
		{true, approved, "settled", "", `_after_`},
		{true, declined, "settled", `"declined_after_approved":1`, `approved_after_declined`},
		{false, declined, "decline (Seen at the bank. (decided by Ann))", "", `_after_`},
		{false, approved, "decline (Seen at the bank. (decided by Ann))", `"approved_after_declined":1`,
			`declined_after_approved`},
	} {
		t.Run(fmt.Sprint(test.approved, test.notice.Outcome), func(t *testing.T) {
			w := open(t)
			w.goesLive(silent())
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.waitsForPerson()
			w.settles(payer.paymentID(), test.approved)
			w.pass(2 * time.Minute)
			callbacks := len(w.shop.Taken())
			w.reported(realBank, payer.about(payer.paymentID(), test.notice))
			w.pass(time.Hour)
			payer.is(test.status)
			if len(w.shop.Taken()) != callbacks {
				t.Error("the shop was told again")
			}
			log := w.log.String()
			if test.metric != "" && strings.Count(log, test.metric) != 1 || strings.Contains(log, test.elsewhere) {
				t.Errorf("%q is not the only metric", test.metric)
			}
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

// Captures and voids that stay unknown are settled by a person, too.
func TestPersonSettlesCaptureAndVoid(t *testing.T) {
	for _, test := range []struct{ does, status, event string }{
		{"capture 4.00", "settled", "capture success settled"},
		{"void", "void", "void success void"},
	} {
		t.Run(test.does, func(t *testing.T) {
			w := open(t, operations)
			bank := silent()
			bank.charge = onCharge(approved)
			w.goesLive(bank)
			payer := w.shop.visits("pen-1", with("auth", "yes"))
			payer.pays("01/38")
			id := payer.paymentID()
			if got := w.shop.does(test.does, id); !strings.Contains(got, "WAITING") {
				t.Errorf("%s: %s", test.does, got)
			}
			w.waitsForPerson()
			w.settles(id, true)
			w.pass(2 * time.Minute)
			payer.is(test.status)
			if got := w.shop.last(strings.Fields(test.does)[0]); got.Event() != test.event {
				t.Errorf("told %s", got.Event())
			}
			if len(bank.followUps) != 1 {
				t.Errorf("sent %d times", len(bank.followUps))
			}
		})
	}
}

// The listing has pages: each payment is on one of them, those that wait longest first.
func TestPagesOfWhatWaits(t *testing.T) {
	w := open(t)
	w.goesLive(withoutLookUps(silent()))
	var want []string
	for i := range 7 {
		if i%3 == 0 { // some of the same millisecond
			w.skip(time.Minute)
		}
		w.shop.visits(pen(i)).pays("01/38")
		want = append(want, pen(i))
	}
	w.pass(74 * time.Hour)
	var got []string
	since, next, pages := time.Time{}, "", 0
	for ; pages == 0 || next != ""; pages++ {
		found, after, err := w.app.Reader.WaitingForPerson(t.Context(), next, 2)
		if err != nil || len(found) == 0 || len(found) > 2 {
			t.Fatalf("page %d: %d, %v", pages, len(found), err)
		}
		for _, r := range found {
			if r.UnknownSince.Before(since) {
				t.Errorf("%s is not in order", r.OrderNumber)
			}
			since, got = r.UnknownSince, append(got, r.OrderNumber)
		}
		next = after
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || pages != 4 {
		t.Errorf("%d pages of %q, want %q", pages, got, want)
	}
	if _, _, err := w.app.Reader.WaitingForPerson(t.Context(), "x", 2); fault.CodeOf(err) != fault.CodeInvalid {
		t.Errorf("no page: %v", err)
	}
}

// What can't be settled: without name or reason, what does not wait, an unknown payment, an amount that only the
// provider knows.
func TestWhatAPersonMayNotSettle(t *testing.T) {
	w := open(t)
	w.goesLive(silent())
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	for _, test := range []struct {
		change func(*operator.Settlement)
		want   fault.Code
	}{
		{func(d *operator.Settlement) { d.Verdict = payment.VerdictAccept }, fault.CodeNotAllowed},
		{func(d *operator.Settlement) { d.Reference = "x" }, fault.CodeNotAllowed},
		{func(d *operator.Settlement) { d.By = " " }, fault.CodeInvalid},
		{func(d *operator.Settlement) { d.Reason = "" }, fault.CodeInvalid},
		{func(d *operator.Settlement) { d.Reason = strings.Repeat("x", 121) }, fault.CodeInvalid},
		{func(d *operator.Settlement) { d.Reason = "a\nb" }, fault.CodeInvalid},
		{func(d *operator.Settlement) { d.PaymentID = strings.Repeat("0", 36) }, fault.CodeNotFound},
	} {
		d := settlement(id, true)
		test.change(&d)
		w.mayNotSettle(d, test.want)
	}
	payer.is("prepare")
}

// A person pastes a card's number into the reason: nobody gets it.
func TestReasonOfAPersonHasNoCardNumber(t *testing.T) {
	w := open(t)
	w.goesLive(silent())
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.waitsForPerson()
	d := settlement(payer.paymentID(), false)
	d.Reason = "4111 1111 1111 1111 was charged back."
	if _, err := w.app.Actor.Settle(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	w.pass(2 * time.Minute)
	payer.is("decline (****** was charged back. (decided by Ann))")
}
