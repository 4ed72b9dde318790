package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/golden"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// The MIDs of shop.
var (
	midOne     = circuit.MID{Owner: "live/shop", Mapping: "all", Name: "one", Connector: "bank"}
	midTwo     = circuit.MID{Owner: "live/shop", Mapping: "all", Name: "two", Connector: "other"}
	midOfTests = circuit.MID{Owner: "test/shop", Mapping: "all", Name: "one", Connector: settings.SandboxConnector}
	midThree   = circuit.MID{Owner: "live/shop", Mapping: "all", Name: "three", Connector: "blind"}
)

// fail has charges of MIDs fail a while ago. Five open a circuit breaker for a minute.
func fail(charges int, before time.Duration, mids ...circuit.MID) func(*world) {
	return func(w *world) {
		w.ago(before, func() {
			for _, mid := range mids {
				for range charges {
					w.core.Circuits().Count(w.t.Context(), circuit.Charge{MID: mid, SentAt: w.now, Reason: circuit.NotReached})
				}
			}
		})
	}
}

// first does several things one after the other.
func first(all ...func(*world)) func(*world) {
	return func(w *world) {
		for _, do := range all {
			do(w)
		}
	}
}

// probes has another charge be the probe of a MID.
func probes(mid circuit.MID) func(*world) {
	return func(w *world) {
		lease, usable := w.core.Circuits().Probe(w.t.Context(), mid, payment.JobLease)
		if !usable || lease == nil {
			w.t.Fatalf("%v can't be probed", mid)
		}
		if err := w.core.Store.Save(w.t.Context(), w.now, *lease); err != nil {
			w.t.Fatal(err)
		}
	}
}

// took has a request to a MID have taken so long, at its end.
func took(mid circuit.MID, long time.Duration) func(*world) {
	return func(w *world) {
		w.now = w.now.Add(-long)
		done := w.core.Circuits().Sending(w.t.Context(), mid, false)
		w.now = w.now.Add(long)
		done()
	}
}

// runs has that many requests of an owner be under way.
func runs(requests int, mid circuit.MID) func(*world) {
	return func(w *world) {
		for range requests {
			if _, ok := w.core.Circuits().Enter(w.t.Context(), mid, requests, payment.JobLease); !ok {
				w.t.Error("no place")
			}
		}
	}
}

// set changes the merchant.
func set(change func(m *settings.Merchant)) func(*world) {
	return func(w *world) {
		m := shop()
		change(&m)
		record, err := store.GetOne(w.t.Context(), w.core.Store, w.now, store.SettingsKey("shop"))
		if err == nil {
			err = w.core.Store.Save(w.t.Context(), w.now, store.Encode(record.Key, record.Version, m))
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// limited has a time limit by the world's clock.
type limited struct {
	context.Context
	until time.Time
}

func (l limited) Deadline() (time.Time, bool) { return l.until, true }

// timedOut is an error that may be one of time.
type timedOut bool

func (e timedOut) Error() string { return "no time" }
func (e timedOut) Timeout() bool { return bool(e) }

func bothOthers(j *payment.Job) *payment.Job {
	j.MIDs = []string{"two", "three"}
	return j
}

func changes(f func(*payment.Job)) func(*payment.Job) *payment.Job {
	return func(j *payment.Job) *payment.Job {
		f(j)
		return j
	}
}

func midIsGone(p *payment.Payment) { p.MID = "gone" }

func bankIsGone(w *world) { delete(w.Connectors, "bank") }

func ofTest(p *payment.Payment) { p.Test, p.Connector = true, settings.SandboxConnector }

var (
	charge   = has(payment.JobCharge, "", bothOthers)
	refund   = with(charged(settled), has(payment.JobRefund, "3.00 USD"))
	approved = reply{result: connector.Result{Outcome: connector.OutcomeApproved}}
	softly   = reply{result: connector.Result{Outcome: connector.OutcomeDeclined,
		ReasonCode: reason.InsufficientFunds}}
	refused = reply{result: connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.PayerRefused,
		ProviderData: connector.ProviderData{ProviderID: "p"}}}
	notFound   = reply{result: connector.Result{Outcome: connector.OutcomeUnknown}}
	silent     = reply{err: errors.New("got nothing")}
	notReached = reply{err: fmt.Errorf("%w: refused", connector.ErrNotSent)}
)

// late is a reply that takes its time.
func late(r reply, takes time.Duration) reply {
	r.takes = takes
	return r
}

// sending is a charge of 10.00 USD that is sent, or another job.
type sending struct {
	name    string
	before  func(*world) // what has happened before
	make    func(*payment.Payment)
	says    []reply // of the MIDs, in their order; those without one approve
	message payment.JobMessage
	after   time.Duration            // since the payment was stored; 0 is a second
	time    time.Duration            // limit of the run, 0 for none
	meets   []func(*payment.Payment) // what another process stores before each save of the payment, nil for nothing
}

var sendings = []struct {
	name string
	slow bool // through the queue for slow providers
	rows []sending
}{
	{"a charge goes around open circuit breakers", true, []sending{
		{name: "none is open", make: charge},
		{name: "its own is open", before: fail(5, 30*time.Second, midOne), make: charge},
		{name: "its own and the next one are open", before: fail(5, 30*time.Second, midOne, midTwo), make: charge},
		{name: "all are open", before: fail(5, 30*time.Second, midOne, midTwo, midThree), make: charge},
		{name: "its own may be probed", before: fail(5, time.Minute, midOne), make: charge},
		{name: "its own may be probed, and the probe fails", before: fail(5, time.Minute, midOne), make: charge,
			says: []reply{silent}},
		{name: "its own is being probed", before: first(fail(5, time.Minute, midOne), probes(midOne)), make: charge},
		{name: "the next one may be probed", before: first(fail(5, time.Minute, midTwo), fail(5, 0, midOne)), make: charge},
		{name: "there is no other", before: fail(5, 0, midOne), make: has(payment.JobCharge, "")},
		{name: "the others can't be charged", make: has(payment.JobCharge, "", changes(func(j *payment.Job) {
			j.MIDs = []string{"gone", "two", "three"}
		})), before: first(fail(5, 0, midOne), set(func(m *settings.Merchant) { m.Mappings[0].MIDs[1].Disabled = true }),
			func(w *world) { delete(w.Connectors, "blind") })},
		{name: "a test, of which the other MID is gone", before: fail(5, 0, midOfTests),
			make: with(has(payment.JobCharge, "", changes(func(j *payment.Job) { j.MIDs = []string{"gone"} })), ofTest)},
		{name: "a test", before: fail(5, 0, midOfTests), make: with(charge, ofTest)},
		{name: "it was sent, and not received", before: fail(5, 0, midOne), says: []reply{notFound}, make: func(
			p *payment.Payment) {
			bothOthers(sent(job(p, payment.JobCharge, ""))).SentAt = storedAt.Add(-time.Hour)
		}},
		{name: "it was looked up before", before: fail(5, 0, midOne), make: has(payment.JobCharge, "", bothOthers,
			changes(func(j *payment.Job) { j.LookUps = 1 }))},
		{name: "its payer has to act", before: fail(5, 0, midOne), make: with(charge, atBank)},
		{name: "its payer was shown something", before: fail(5, 0, midOne), make: with(charge, atBank,
			func(p *payment.Payment) { p.Status = payment.StatusPrepare })},
		{name: "its payer has acted", before: fail(5, 0, midOne), make: with(charge,
			func(p *payment.Payment) { p.Status = payment.StatusRedirect })},
		{name: "a call asks for a look-up", before: fail(5, time.Minute, midOne), make: charge, message: lookUp},
		{name: "a person decides", before: fail(5, time.Minute, midOne), make: has(payment.JobCharge, "", bothOthers, changes(
			func(j *payment.Job) { j.Person, j.DueAt = true, time.Time{} }))},
		{name: "its MID is gone", before: fail(5, 0, midOne), make: with(charge, midIsGone)},
		{name: "its MID has another provider", before: fail(5, 0, midTwo),
			make: with(charge, func(p *payment.Payment) { p.MID = "two" })},
	}},
	{"a request goes through the queue for slow providers", false, []sending{
		{name: "nobody knows its provider", make: refund},
		{name: "another request finds out", before: func(w *world) {
			w.core.Circuits().Enter(w.t.Context(), midOne, liveShare, payment.JobLease)
		}, make: refund},
		{name: "it is fast", before: took(midOne, circuit.SlowAfter-1), make: refund},
		{name: "it is slow", before: took(midOne, circuit.SlowAfter), make: refund},
		{name: "it becomes slow", make: refund, says: []reply{late(approved, circuit.SlowAfter)}},
		{name: "its circuit breaker is open", before: fail(5, 0, midOne), make: refund},
		{name: "its circuit breaker is open, a call asks", before: fail(5, 0, midOne), make: has(payment.JobCharge, "", sent),
			message: payment.JobMessage{LookUp: true, Cause: "call"}},
		{name: "the probe of its circuit breaker", before: fail(5, time.Minute, midOne), make: charge},
		{name: "the probe of another circuit breaker", before: first(fail(5, time.Minute, midTwo), fail(5, 0, midOne)),
			make: charge},
		{name: "what a person has decided", before: fail(5, 0, midOne),
			make: with(charged(settled), has(payment.JobRefund, "3.00 USD", sent, decided(payment.VerdictApproved)))},
		{name: "its merchant has less than its share of places", make: refund,
			before: first(took(midOne, 0), runs(liveShare-1, midOne))},
		{name: "its merchant has its share of places", make: refund, before: first(took(midOne, 0), runs(liveShare, midOne))},
		{name: "its merchant has less than its share of tests", make: with(charge, ofTest),
			before: first(took(midOfTests, 0), runs(testShare-1, midOfTests))},
		{name: "its merchant has its share of tests", make: with(charge, ofTest),
			before: first(took(midOfTests, 0), runs(testShare, midOfTests))},
		{name: "two of an unknown provider", make: with(refund, has(payment.JobRefund, "4.00 USD", changes(
			func(j *payment.Job) { j.Reference = "another" })))},
	}},
	{"a charge that fails after another one", true, []sending{
		{name: "approved at once", make: charge, before: fail(1, 0, midOne)},
		{name: "approved, before a payer gives up", make: charge, before: fail(1, 0, midOne),
			says: []reply{late(approved, 10*time.Second-1)}},
		{name: "approved, after a payer gives up", make: charge, before: fail(1, 0, midOne),
			says: []reply{late(approved, 10*time.Second)}},
		{name: "declined", make: has(payment.JobCharge, ""), before: fail(1, 0, midOne), says: []reply{softly}},
		{name: "not reached", make: has(payment.JobCharge, ""), before: fail(1, 0, midOne), says: []reply{notReached}},
		{name: "not reached in time", make: has(payment.JobCharge, ""), before: fail(1, 0, midOne),
			says: []reply{{err: fmt.Errorf("%w: %w", connector.ErrNotSent, timedOut(true))}}},
		{name: "no response in time", make: charge, before: fail(1, 0, midOne), says: []reply{{err: timedOut(true)}}},
		{name: "no response", make: charge, before: fail(1, 0, midOne), says: []reply{{err: timedOut(false)}}},
		{name: "no outcome", make: charge, before: fail(1, 0, midOne), says: []reply{notFound}},
		{name: "a refund", make: refund, before: fail(1, 0, midOne), says: []reply{silent}},
	}},
	{"a charge tries its MIDs", true, []sending{
		{name: "declined softly", make: charge, says: []reply{softly}},
		{name: "declined softly by each", make: charge, says: []reply{softly, softly, softly}},
		{name: "declined softly, with time for one more", make: charge, says: []reply{softly}, time: 20*time.Second + 1},
		{name: "declined softly, without time for one more", make: charge, says: []reply{softly}, time: 20 * time.Second},
		{name: "not reached", make: charge, says: []reply{notReached}},
		{name: "none is reached", make: charge, says: []reply{notReached, notReached, notReached}},
		{name: "declined softly, after its payer was shown something", make: with(charge, atBank), says: []reply{softly}},
		{name: "not reached, without time for one more", make: charge, says: []reply{notReached}, time: 20 * time.Second},
		{name: "not reached, after a request that was lost", says: []reply{notReached}, make: has(payment.JobCharge, "",
			bothOthers, changes(func(j *payment.Job) { j.LookUps = 1 }))},
		{name: "no response", make: charge, says: []reply{silent}},
	}},
	{"a job", true, []sending{
		{name: "of a payment that is gone", make: charge, message: payment.JobMessage{PaymentID: "gone"}},
		{name: "of a payment without jobs", make: charged(settled)},
		{name: "that has ended, of a payment with a dispute that came before", message: payment.JobMessage{Reference: "gone"},
			make: with(charged(settled), func(p *payment.Payment) {
				p.EarlyDispute = &payment.EarlyDispute{To: payment.StatusChargeback, ID: "d"}
			})},
		{name: "of another reference", make: with(refund, has(payment.JobRefund, "4.00 USD", changes(func(j *payment.Job) {
			j.Reference = "another"
		}))), message: payment.JobMessage{Reference: "another"}},
		{name: "that is one of two that a call looks up", make: with(charged(settled),
			has(payment.JobRefund, "3.00 USD", sent), has(payment.JobRefund, "4.00 USD", sent,
				changes(func(j *payment.Job) { j.Reference = "another" }))),
			message: payment.JobMessage{LookUp: true}},
		{name: "that a call has led to", make: has(payment.JobCharge, "", changes(func(j *payment.Job) { j.Cause = "job" })),
			message: payment.JobMessage{Cause: "call"}, says: []reply{silent}},
		{name: "that a call had led to", make: has(payment.JobCharge, "", changes(func(j *payment.Job) { j.Cause = "job" })),
			says: []reply{silent}},
		{name: "whose connector is gone", make: charge, before: bankIsGone},
		{name: "whose connector is gone, after a decision", make: has(payment.JobCharge, "", sent,
			decided(payment.VerdictDeclined)), before: bankIsGone},
		{name: "that was sent, and whose connector is gone", make: has(payment.JobCharge, "", sent, changes(
			func(j *payment.Job) { j.SentAt = storedAt.Add(-time.Hour) })), before: bankIsGone},
		{name: "that was sent, and whose connector is gone, a call asks", make: has(payment.JobCharge, "", sent),
			before: bankIsGone, message: payment.JobMessage{LookUp: true}},
		{name: "of a test, whose MID is gone", make: with(charge, ofTest, midIsGone)},
		{name: "with parameters that can't be read", make: with(charge, func(p *payment.Payment) {
			p.Parameters = json.RawMessage(`[1]`)
		})},
		{name: "that is unknown for long", says: []reply{silent}, make: has(payment.JobCharge, "", sent, longUnknown)},
		{name: "that is unknown for long, and whose circuit breaker is open", before: fail(5, 0, midOne),
			says: []reply{silent}, make: has(payment.JobCharge, "", sent, longUnknown)},
		{name: "of which another amount has moved", says: []reply{{err: connector.ErrOtherAmount}}, make: with(has(
			payment.JobCharge, "", sent, longUnknown), func(p *payment.Payment) {
			p.Status, p.Action = payment.StatusPending, pays.RequiredAction
		})},
		{name: "with a second form, too late", make: with(atBank, has(payment.JobCharge, "", sent, secondForm),
			func(p *payment.Payment) { p.Action.ExpiresAt = storedAt })},
		{name: "with a second form, of a connector without them", make: with(atBank, isBlind, has(payment.JobCharge, "", sent,
			secondForm))},
		{name: "to be ended, of a connector that can't", make: with(atBank, isBlind, has(payment.JobCharge, "", sent, changes(
			func(j *payment.Job) { j.End = true })))},
		{name: "that gives back what is disputed", make: with(charged(declined), contradicted(connector.OutcomeApproved, ""),
			func(p *payment.Payment) {
				p.Jobs[0].GiveBack("the-give_back", "", storedAt)
				p.Status = payment.StatusChargeback
			})},
		{name: "that captures what is disputed", make: with(charged(authorised), has(payment.JobCapture, "3.00 USD"),
			func(p *payment.Payment) { p.Status = payment.StatusChargeback })},
	}},
	{"a charge that its provider is to end", true, []sending{
		{name: "which never received it", make: has(payment.JobCharge, "", sent, toEnd, faulty), says: []reply{notFound}},
		{name: "which may not have found it yet", make: has(payment.JobCharge, "", sent, toEnd), says: []reply{notFound},
			before: func(w *world) { w.core.Declarations["bank"] = settings.Declaration{FoundAfter: 600} }},
		{name: "which does not respond", make: has(payment.JobCharge, "", sent, toEnd), says: []reply{silent}},
		{name: "for its payer", make: has(payment.JobCharge, "", sent, toEnd), says: []reply{refused}},
		{name: "for a fault", make: has(payment.JobCharge, "", sent, toEnd, faulty), says: []reply{refused}},
		{name: "for a fault, and was declined before", make: has(payment.JobCharge, "", sent, toEnd, faulty),
			says: []reply{softly}},
		{name: "which names a card", make: has(payment.JobCharge, "", sent, toEnd), says: []reply{{
			result: connector.Result{Outcome: connector.OutcomeDeclined, Reason: "No " + visa}}}},
	}},
	{"a look-up that somebody asks for", true, []sending{
		{name: "of a request that was lost", says: []reply{notFound}, message: lookUp,
			make: has(payment.JobCharge, "", sent, longUnknown)},
		{name: "of a request that was lost, and a person decides", says: []reply{notFound}, message: lookUp,
			make: has(payment.JobCharge, "", sent, longUnknown, forPerson)},
		{name: "of a request that was lost, an operator asks", says: []reply{notFound},
			make: with(has(payment.JobCharge, "", sent, longUnknown, asked), withAct)},
		{name: "in vain, an operator asks", says: []reply{silent},
			make: with(has(payment.JobCharge, "", sent, longUnknown, asked), withAct)},
		{name: "of a provider that can't be asked", make: with(has(payment.JobCharge, "", sent), isBlind), message: lookUp},
		{name: "while another one lasts", make: has(payment.JobCharge, "", sent, longUnknown, asked),
			says: []reply{{err: silent.err, meanwhile: func(w *world) error {
				return w.RunJob(w.t.Context(), payment.JobMessage{PaymentID: chargeID, Slow: true})
			}}}},
		{name: "after one that has begun lately", message: lookUp, make: has(payment.JobCharge, "", sent, longUnknown,
			changes(func(j *payment.Job) { j.LookedUpAt = storedAt.Add(-9*time.Second + 1) }))},
		{name: "after one that has begun before", message: lookUp, make: has(payment.JobCharge, "", sent, longUnknown,
			changes(func(j *payment.Job) { j.LookedUpAt = storedAt.Add(-9 * time.Second) }))},
		{name: "approved without the amount that the payer enters", message: lookUp, make: with(has(payment.JobCharge, "",
			sent, longUnknown), func(p *payment.Payment) { p.Amount = money.Amount{} })},
		{name: "that names a card", message: lookUp, make: has(payment.JobCharge, "", sent, longUnknown), says: []reply{{
			result: connector.Result{Outcome: connector.OutcomeDeclined, Reason: "No " + visa}}}},
		{name: "of what has ended, in vain", says: []reply{silent}, make: with(charged(settled), endedLookUp, withAct)},
		{name: "of what has ended, and was lost", says: []reply{notFound}, make: with(charged(settled), endedLookUp)},
		{name: "of what was declined, approved", make: with(charged(declined), endedLookUp)},
		{name: "of what was declined, approved of another amount", make: with(charged(declined), endedLookUp),
			says: []reply{{err: connector.OtherAmountError{Moved: amountOf("9.00 USD"), Approved: true}}}},
		{name: "of what was declined, not approved of another amount", make: with(charged(declined), endedLookUp),
			says: []reply{{err: connector.OtherAmountError{Moved: amountOf("9.00 USD")}}}},
		{name: "of what was approved after its decline", make: with(charged(declined),
			contradicted(connector.OutcomeApproved, ""), func(p *payment.Payment) { asked(&p.Jobs[0]) })},
		{name: "of what was approved after its decline, declined", says: []reply{softly}, make: with(charged(declined),
			contradicted(connector.OutcomeApproved, ""), func(p *payment.Payment) { asked(&p.Jobs[0]) })},
		{name: "of what was declined after its approval, approved", make: with(charged(settled),
			contradicted(connector.OutcomeDeclined, ""), func(p *payment.Payment) { asked(&p.Jobs[0]) })},
	}},
	{"a write that meets another one", false, []sending{
		{name: "a charge, another change", make: charge, meets: meet(other)},
		{name: "a charge, that another worker sends", make: charge, meets: meet(sentNow)},
		{name: "a charge, that has ended", make: charge, meets: meet(func(p *payment.Payment) { p.Jobs = nil })},
		{name: "a charge, another change each time", make: charge, meets: slices.Repeat(meet(other), store.ConflictTries)},
		{name: "a charge, another change each time but the last", make: charge,
			meets: slices.Repeat(meet(other), store.ConflictTries-1)},
		{name: "a look-up, another change", make: has(payment.JobCharge, "", sent), message: lookUp, meets: meet(other)},
		{name: "a look-up, another one", make: has(payment.JobCharge, "", sent), message: lookUp,
			meets: meet(func(p *payment.Payment) { p.Jobs[0].BeginLookUp(storedAt.Add(time.Second)) })},
		{name: "a look-up in vain, that has ended", make: has(payment.JobCharge, "", sent), message: lookUp,
			says: []reply{silent}, meets: meet(nil, func(p *payment.Payment) { p.Jobs = nil })},
		{name: "a look-up in vain, that a person decides", message: lookUp, says: []reply{notFound},
			make: has(payment.JobCharge, "", sent, longUnknown, asked), meets: meet(nil, func(p *payment.Payment) {
				p.Jobs[0].Decide(payment.Decision{Verdict: payment.VerdictDeclined, By: "Ann", At: storedAt})
			})},
		{name: "a second form, another change", make: with(atBank, has(payment.JobCharge, "", sent, secondForm)),
			meets: meet(other)},
		{name: "a second form, that another worker sends", make: with(atBank, has(payment.JobCharge, "", sent, secondForm)),
			meets: meet(func(p *payment.Payment) {
				p.Jobs[0].Continue = false
				sentNow(p)
			})},
		{name: "a charge at the next MID, another change", make: charge, says: []reply{softly}, meets: meet(nil, other)},
		{name: "a charge at another MID, another change", make: charge, says: []reply{notReached}, meets: meet(nil, other)},
	}},
}

// meet is what is stored before each save.
func meet(changes ...func(*payment.Payment)) []func(*payment.Payment) { return changes }

func other(p *payment.Payment) { p.Callbacks++ }

func sentNow(p *payment.Payment) { p.Jobs[0].Send(storedAt.Add(time.Second)) }

func toEnd(j *payment.Job) *payment.Job {
	j.End, j.SentAt = true, storedAt.Add(-time.Minute)
	return j
}

func faulty(j *payment.Job) *payment.Job {
	j.Fault = "an address is missing"
	return j
}

func longUnknown(j *payment.Job) *payment.Job {
	j.SentAt, j.UnknownSince, j.Tries = storedAt.Add(-4*time.Hour), storedAt.Add(-4*time.Hour), 12
	return j
}

// endedLookUp has an operator ask for a look-up of the charge, which has ended.
func endedLookUp(p *payment.Payment) {
	asked(sent(job(p, payment.JobLookUp, "10.00 USD"))).Reference = chargeID
}

// withAct says that an operator has asked for a look-up.
func withAct(p *payment.Payment) {
	p.Acts = append(p.Acts, payment.Act{At: storedAt, Do: payment.VerdictLookUp, Type: payment.EventSale,
		Reference: chargeID, Amount: p.Amount})
}

func secondForm(j *payment.Job) *payment.Job {
	j.Continue = true
	return j
}

// meeting has another process change the payment before saves of it.
func (w *world) meeting(changes []func(*payment.Payment)) {
	docs := w.core.Store
	w.core.Store = &storetest.Scripted{Store: docs, Before: func(request string) error {
		if request != "save o" || len(changes) == 0 {
			return nil
		}
		change := changes[0]
		if changes = changes[1:]; change == nil {
			return nil
		}
		p := &payment.Payment{}
		key, _ := store.PaymentKey(chargeID)
		record, err := store.GetOne(w.t.Context(), docs, w.now, key)
		if err == nil {
			err = record.Decode(p)
		}
		if err != nil {
			return err
		}
		change(p)
		return docs.Save(w.t.Context(), w.now, p.Record())
	}}
}

// Which requests are sent, where, through which queue, and what counts for circuit breakers: testdata/sends.golden.
func TestSends(t *testing.T) {
	table := golden.Table{}
	for _, part := range sendings {
		table.Begin(part.name)
		for _, row := range part.rows {
			table.Add(row.name, row.run(t, part.slow))
		}
	}
	golden.Compare(t, "testdata/sends.golden", table.Text(), *update)
}

// begin starts a worker with the payment.
func (s sending) begin(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, reply{}, storedAt.Add(cmp.Or(s.after, time.Second)), at{make: s.make}.payment().Record())
	says := append(s.says[:len(s.says):len(s.says)], approved, approved, approved)
	w.Connectors = map[string]connector.Connector{"bank": bank{"one", says[0], says[0], w},
		"other": bank{"two", says[1], says[1], w}, "blind": blind{bank{"three", says[2], says[2], w}},
		settings.SandboxConnector: bank{"the sandbox", says[0], says[0], w}}
	w.Vault = openVault{}
	key := store.Encode(store.DayKeyKey("2030-03-04"), 0, card.DayKey{ID: dayKey, Day: "2030-03-04"})
	if err := w.core.Store.Save(t.Context(), storedAt, key); err != nil {
		t.Fatal(err)
	}
	if s.before != nil {
		s.before(w)
		w.before, w.counted = w.documents(), nil
	}
	return w
}

func (s sending) send(w *world, slow bool) error {
	ctx, message := w.t.Context(), s.message
	if s.time > 0 {
		ctx = limited{ctx, w.now.Add(s.time)}
	}
	if message.Slow = slow; message.PaymentID == "" {
		message.PaymentID = chargeID
	}
	return w.RunJob(ctx, message)
}

func (s sending) run(t *testing.T, slow bool) string {
	t.Helper()
	w := s.begin(t)
	w.meeting(s.meets)
	return w.told(s.send(w, slow))
}

// A process that stands still while it stores that it sends a request does not send it: the lease may be over. A later
// run looks it up and sends it.
func TestNothingIsSentTooLate(t *testing.T) {
	for name, test := range map[string]struct {
		sending
		save int // of the payment, that takes long
		sent int // requests until then
	}{
		"a charge":     {sending{make: charge}, 1, 0},
		"the next MID": {sending{make: charge, says: []reply{softly}}, 2, 1},
		"another MID":  {sending{make: charge, says: []reply{notReached}}, 2, 1},
		"a refund": {sending{make: with(charged(settled), has(payment.JobRefund, "1.00 USD")),
			message: payment.JobMessage{Reference: "the-refund"}}, 1, 0},
		"a second form": {sending{make: with(atBank, has(payment.JobCharge, "", sent, secondForm))}, 1, 0},
	} {
		for _, takes := range []time.Duration{8 * time.Second, 11 * time.Second, 13 * time.Minute} {
			t.Run(fmt.Sprint(name, " ", takes), func(t *testing.T) {
				w, saves := test.begin(t), 0
				w.core.Store = &storetest.Scripted{Store: w.docs, Before: func(request string) error {
					if request == "save o" {
						if saves++; saves == test.save {
							w.now = w.now.Add(takes)
						}
					}
					return nil
				}}
				err := test.send(w, true)
				late := takes > 10*time.Second
				if sent := len(w.requests); (sent == test.sent) != late || (err != nil) != late {
					t.Errorf("%d requests were sent: %v, %v", sent, w.requests, err)
				}
			})
		}
	}
}

// A run says which read or write fails, so that its message comes again. That of a circuit breaker may fail, and where
// no card is blocked that of the key of fingerprints.
func TestARunSaysWhatFails(t *testing.T) {
	for name, s := range map[string]sending{
		"a token":         {make: google(), before: ofWallet(asCards, itsCard)},
		"a saved card":    {make: saved(), before: keeps()},
		"a second form":   {make: with(atBank, has(payment.JobCharge, "", sent, secondForm))},
		"a look-up":       {make: has(payment.JobCharge, "", sent), message: lookUp},
		"a lost request":  {make: has(payment.JobCharge, "", sent, longUnknown), says: []reply{notFound}},
		"no second MID":   {make: charge, says: []reply{softly}},
		"a decision":      {make: has(payment.JobCharge, "", sent, decided(payment.VerdictApproved))},
		"another amount":  {make: charge, says: []reply{{err: connector.OtherAmountError{Moved: amountOf("9.00 USD")}}}},
		"what has an end": {make: charged(settled), message: payment.JobMessage{Reference: "gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
				w := s.begin(t)
				script := &storetest.Scripted{Store: w.core.Store}
				w.core.Store = script
				return script, func() error { return s.send(w, true) }
			}, "3 get circuit", "4 get circuit", "5 get circuit", "6 get fingerprint", "7 save fingerprint",
				"8 get fingerprint", "7 get fingerprint", "8 save fingerprint", "9 get fingerprint")
		})
	}
}
