package operator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// kept are the documents of an order that agree, until a test changes one before it is stored, or its record.
type kept struct {
	p, retry *payment.Payment
	sess     *checkout.Session
	told     []*callback.Callback
	chain    *checkout.Chain
	records  []store.Record
}

// keptOrder has a settled payment of a session with a callback in each state, a declined one, and a chain.
func keptOrder() *kept {
	k := &kept{p: paid(payment.StatusSettled), retry: paid(payment.StatusDecline)}
	k.p.ID, k.retry.ID = paymentID(1), paymentID(2)
	k.sess = &checkout.Session{ID: store.NewSessionID(store.OrderHash("live/shop", "1"), sentAt, make([]byte, 32))}
	k.sess.State = checkout.SessionComplete
	k.sess.PaymentID, k.sess.Paid, k.sess.ExpiresAt = k.p.ID, &screen.Payment{}, sentAt.Add(time.Hour)
	k.p.SessionID, k.retry.SessionID = k.sess.ID, k.sess.ID
	k.chain = &checkout.Chain{PaymentID: k.p.ID, NextAt: sentAt}
	for n, state := range []callback.State{callback.Waiting, callback.Parked, callback.Delivered} {
		k.told = append(k.told, &callback.Callback{PaymentID: k.p.ID, Seq: n + 1, State: state,
			Fields: callback.Fields{{Name: "id", Value: k.p.ID}}})
	}
	k.p.Callbacks = len(k.told)
	return k
}

// check stores the documents and returns the faults, after a change of the records.
func (k *kept) check(change func(k *kept)) string {
	k.records = []store.Record{k.p.Record(), k.retry.Record(), k.sess.Record(), k.chain.Record()}
	for _, c := range k.told {
		k.records = append(k.records, c.Record(sentAt))
	}
	for i := range k.records {
		k.records[i].Version = 1
	}
	if change != nil {
		change(k)
	}
	text := strings.Join(CheckOrder(sentAt, k.records), "\n")
	return strings.NewReplacer(k.p.ID, "1", k.retry.ID, "2", store.PublicID(k.sess.ID), "s",
		strings.TrimPrefix(k.p.Record().Key.Partition, "order/"), "hash").Replace(text)
}

// The documents of an order agree, or each fault is told with what it is of.
func TestCheckOrder(t *testing.T) {
	const payment1, retry, session, chain, waiting, parked, delivered = 0, 1, 2, 3, 4, 5, 6
	record := func(n int, change func(r *store.Record)) func(k *kept) {
		return func(k *kept) { change(&k.records[n]) }
	}
	unreadable := func(r *store.Record) { r.Doc = []byte("{") }
	unlisted := func(r *store.Record) { r.DueKind, r.DueAt = "", time.Time{} }
	timeless := func(r *store.Record) { r.DueAt = time.Time{} }
	lacks := func(n int) func(k *kept) {
		return func(k *kept) { k.records = slices.Delete(k.records, n, n+1) }
	}
	expires := func(n int, at time.Time) func(k *kept) {
		return record(n, func(r *store.Record) { r.ExpiresAt = at })
	}
	jobs := func(status payment.Status, all ...payment.Job) func(k *kept) {
		return func(k *kept) {
			status := status
			if k.p.Jobs, k.p.Status = all, status; status == payment.StatusPrepare {
				k.p.Transactions, k.p.Captured, k.sess.Paid = nil, usd(""), nil
			}
		}
	}
	charge, refund, report := job(payment.JobCharge), job(payment.JobRefund), job(payment.JobContradiction)
	charge.Amount = usd("")
	other, later := charge, refund
	other.Reference, later.Reference, later.DueAt = "other", "later", later.DueAt.Add(time.Second)
	settled, prepare := payment.StatusSettled, payment.StatusPrepare
	refunds := func(amount string) func(k *kept) {
		return func(k *kept) { did(k.p, payment.EventRefund, payment.Success, amount) }
	}
	listedAs := func(id, what, kind, want string) string {
		return fmt.Sprintf("payment %s: %s is due as %q and should be as %q", id, what, kind, want)
	}
	arrived := func(all, waits, counts, closed string) func(k *kept) {
		btc := func(amount string) *money.Coins {
			if amount == "" {
				return nil
			}
			return &money.Coins{Currency: "BTC", Amount: amount}
		}
		return func(k *kept) {
			if all != "" {
				k.p.Received = &connector.Received{Currency: "BTC", Amount: all}
			}
			waiting := payment.Job{Kind: payment.JobUnapplied, Reference: "w", Person: true, UnknownSince: sentAt}
			waiting.Coins = btc(waits)
			k.p.Jobs, k.p.ClosedCoins, k.p.Transactions[0].Coins = payment.Jobs{waiting}, btc(closed), btc(counts)
		}
	}
	charges := func(status string, n int) string {
		return fmt.Sprintf("payment 1: it is %s and has %d charges to do", status, n)
	}
	for name, x := range map[string]struct {
		before, after func(k *kept) // changes of what is stored, and of its records
		want          string
	}{
		"all agree": {},
		"a test order": {before: func(k *kept) {
			k.p.Owner.Test, k.sess.Request.Test, k.chain.Test = true, true, true
			k.p.Jobs = payment.Jobs{refund}
			for _, c := range k.told {
				c.Test = true
			}
		}},
		"all that arrived is in one place": {before: arrived("0.0010", "0.0004", "0.0003", "0.0003")},
		"more is in its places than arrived": {before: arrived("0.0010", "0.0004", "0.0004", "0.0003"),
			want: "payment 1: more is accepted, returned, closed or waits than has arrived"},
		"something waits, and nothing has arrived": {before: arrived("", "0.0004", "", ""),
			want: "payment 1: more is accepted, returned, closed or waits than has arrived"},
		"an older session has no payment": {before: func(k *kept) { k.sess.PaymentID = "" }},
		"another document": {after: func(k *kept) {
			k.records = append(k.records, store.Record{Key: store.DuplicateKey("hash"), Version: 1, Doc: []byte("{")})
		}},
		"the payment can't be read": {after: record(payment1, unreadable),
			want: "a payment of partition order/hash can't be read\nsession s: its payment 1 is not stored"},
		"the session can't be read": {after: record(session, unreadable),
			want: "a session of partition order/hash can't be read"},
		"a callback can't be read": {after: record(delivered, unreadable),
			want: "a callback of partition order/hash can't be read\npayment 1: 2 of its 3 callbacks are stored"},
		"the chain can't be read": {after: record(chain, unreadable),
			want: "a chain of partition order/hash can't be read"},

		"a callback is lost":          {after: lacks(waiting), want: "payment 1: 2 of its 3 callbacks are stored"},
		"callbacks have been deleted": {before: nil, after: func(k *kept) { expires(1, sentAt.Add(1))(k); lacks(4)(k) }},
		"a callback has expired": {after: expires(waiting, sentAt),
			want: "payment 1: 2 of its 3 callbacks are stored"},
		"a callback expires": {after: expires(waiting, sentAt.Add(1))},
		"the session expires, and a callback is lost": {after: func(k *kept) {
			expires(session, sentAt.Add(1))(k)
			lacks(waiting)(k)
		}, want: "payment 1: 2 of its 3 callbacks are stored"},
		"the payment is lost":          {after: lacks(payment1), want: "session s: its payment 1 is not stored"},
		"the payment has been deleted": {after: func(k *kept) { expires(retry, sentAt.Add(1))(k); lacks(payment1)(k) }},
		"the payment is another merchant's": {before: func(k *kept) { k.p.Merchant = "other" },
			want: "session s: its payment 1 is another owner's"},
		"the payment is of another session": {before: func(k *kept) { k.p.SessionID = "other" },
			want: "session s: its payment 1 is of another session"},
		"the session is complete by a declined payment": {before: func(k *kept) { k.sess.PaymentID = k.retry.ID },
			want: "session s: its payment 2 never succeeded, but the session is complete"},
		"the latest payment of an open session is declined": {before: func(k *kept) {
			k.sess.PaymentID, k.sess.Paid = k.retry.ID, nil
		}},
		"the session was paid twice": {before: func(k *kept) {
			id, session := k.retry.ID, k.retry.SessionID
			*k.retry = *paid(settled)
			k.retry.ID, k.retry.SessionID = id, session
		}, want: "payment 2: its session was also paid by 1"},
		"two payments without a session": {before: func(k *kept) {
			id := k.retry.ID
			*k.retry = *paid(settled)
			k.sess.PaymentID, k.p.SessionID, k.retry.ID = "", "", id
		}},

		"a waiting callback is not listed": {after: record(waiting, unlisted),
			want: listedAs("1", "callback 1, which is waiting,", "", "callback")},
		"a waiting callback has no time": {after: record(waiting, timeless),
			want: listedAs("1", "callback 1, which is waiting,", "callback", "callback")},
		"a parked callback is listed as waiting": {after: record(parked, func(r *store.Record) {
			r.DueKind = store.DueCallback.Of(false)
		}), want: listedAs("1", "callback 2, which is parked,", "callback", "parked")},
		"a delivered callback is listed": {after: record(delivered, func(r *store.Record) {
			r.DueKind, r.DueAt = store.DueParked, sentAt
		}), want: listedAs("1", "callback 3, which is delivered,", "parked", "")},
		"a delivered callback has a time": {after: record(delivered, func(r *store.Record) { r.DueAt = sentAt }),
			want: listedAs("1", "callback 3, which is delivered,", "", "")},
		"the chain is not listed":  {after: record(chain, unlisted), want: listedAs("1", "its chain", "", "chain")},
		"the chain that has ended": {before: func(k *kept) { k.chain.NextAt = time.Time{} }},
		"the chain that has ended is listed": {before: func(k *kept) { k.chain.NextAt = time.Time{} },
			after: record(chain, func(r *store.Record) { r.DueKind, r.DueAt = store.DueChain.Of(false), sentAt }),
			want:  listedAs("1", "its chain", "chain", "")},
		"a payment with a request is not listed": {before: jobs(settled, refund), after: record(payment1, unlisted),
			want: listedAs("1", "with 1 jobs it", "", "payment")},
		"a payment is listed for a person": {before: jobs(settled, refund), after: record(payment1, func(r *store.Record) {
			r.DueKind = store.DuePerson.Of(false)
		}), want: listedAs("1", "with 1 jobs it", "person", "payment")},
		"a payment waits for a person":    {before: jobs(settled, forPerson(refund))},
		"a payment waits, and is charged": {before: jobs(prepare, forPerson(report), charge)},
		"a payment is charged, and waits": {before: jobs(prepare, charge, forPerson(report))},

		"two requests have a reference": {before: jobs(settled, refund, refund),
			want: "payment 1: two jobs have the reference refund"},
		"a request is due when its payment is": {before: jobs(settled, refund, later), after: record(payment1,
			func(r *store.Record) { r.DueAt = later.DueAt })},
		"a request is due before its payment": {before: jobs(settled, refund, later), after: record(payment1,
			func(r *store.Record) { r.DueAt = later.DueAt.Add(time.Millisecond) }),
			want: "payment 1: a job is due before the payment is"},
		"what waits for a person is due": {before: jobs(settled, func() payment.Job {
			j := forPerson(refund)
			j.DueAt = sentAt
			return j
		}()), want: "payment 1: a job waits for a person and is due, or nobody knows since when it is unknown"},
		"what waits for a person is known": {before: jobs(settled, func() payment.Job {
			j := forPerson(refund)
			j.UnknownSince = time.Time{}
			return j
		}()), after: record(payment1, func(r *store.Record) { r.DueKind, r.DueAt = store.DuePerson.Of(false), sentAt }),
			want: "payment 1: a job waits for a person and is due, or nobody knows since when it is unknown"},
		"a payment is charged":     {before: jobs(prepare, charge)},
		"a payment is not charged": {before: jobs(prepare), want: charges("prepare", 0)},
		"the payer confirms nothing": {before: jobs(payment.Status3DS),
			want: "payment 1: it is 3ds after 1 charges, 0 declines, 0 voids, 0 refunds and 0 chargebacks or reversals\n" +
				charges("3ds", 0)},
		"the payer pays nothing elsewhere": {before: jobs(payment.StatusRedirect),
			want: "payment 1: it is redirect after 1 charges, 0 declines, 0 voids, 0 refunds and 0 chargebacks or reversals\n" +
				charges("redirect", 0)},
		"a payment is charged twice":        {before: jobs(prepare, charge, other), want: charges("prepare", 2)},
		"the payer pays, and it is charged": {before: jobs(payment.StatusPending, charge)},
		"the payer pays, and it is charged twice": {before: jobs(payment.StatusPending, charge, other),
			want: charges("pending", 2)},
		"a settled payment is charged": {before: jobs(settled, charge),
			want: "payment 1: it is settled and is still to be charged"},

		"nothing has happened": {before: func(k *kept) {
			jobs(payment.StatusRefund, refund, refund)(k)
			k.p.Transactions, k.p.Captured, k.sess.Paid = nil, usd(""), nil
		}, want: "payment 1: it is refund after 0 charges, 0 declines, 0 voids, 0 refunds and 0 chargebacks or reversals\n" +
			"payment 1: it is refund and nothing was captured\npayment 1: two jobs have the reference refund"},
		"nothing was refunded": {before: func(k *kept) { k.p.Status, k.p.Captured = payment.StatusRefund, usd("") },
			want: "payment 1: it is refund after 1 charges, 0 declines, 0 voids, 0 refunds and 0 chargebacks or reversals\n" +
				"payment 1: it is refund and nothing was captured"},
		"nothing was captured": {before: func(k *kept) { k.p.Captured = usd("") },
			want: "payment 1: it is settled and nothing was captured"},
		"a reversed payment was not captured": {before: func(k *kept) {
			k.p.Captured, k.p.Status = usd(""), payment.StatusReversal
			did(k.p, payment.EventReversal, payment.Success, "10.00")
		}},
		"what was not captured is refunded": {before: func(k *kept) {
			k.p.Captured, k.p.Status = usd(""), payment.StatusRefund
			did(k.p, payment.EventRefund, payment.Success, "10.00")
		}, want: "payment 1: it is refund and nothing was captured"},
		"what was not captured is being refunded": {before: func(k *kept) {
			jobs(payment.StatusVoid, refund)(k)
			k.p.Captured = usd("")
			did(k.p, payment.EventVoid, payment.Success, "10.00")
		}, want: "payment 1: it is void and nothing was captured"},
		"captured without an amount": {before: func(k *kept) { k.p.Amount = usd("") },
			want: "payment 1: its amounts have two currencies"},
		"a part was captured": {before: func(k *kept) { k.p.Captured = usd("9.99") }},
		"too much was captured": {before: func(k *kept) { k.p.Captured = usd("10.01") },
			want: "payment 1: more was captured than authorised"},
		"a part is refunded": {before: refunds("9.99")},
		"too much is refunded": {before: refunds("10.01"),
			want: "payment 1: more was given back than captured, or is asked to be"},
		"all is refunded": {before: func(k *kept) { refunds("10.00")(k); k.p.Status = payment.StatusRefund }},
		"not all is refunded": {before: func(k *kept) { refunds("9.99")(k); k.p.Status = payment.StatusRefund },
			want: "payment 1: it is refunded and not all was given back"},
	} {
		k := keptOrder()
		if x.before != nil {
			x.before(k)
		}
		if got := k.check(x.after); got != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, x.want)
		}
	}
}

// A status agrees with the transactions that lead to it: those of charges that were approved and declined, of voids,
// refunds and disputes. "+" is at least one, "." any number, and of "?" nothing is said.
func TestStatusAgreesWithTransactions(t *testing.T) {
	const chargeback, reversal = payment.StatusChargeback, payment.StatusReversal
	kinds := []payment.EventType{payment.EventSale, payment.EventSale, payment.EventVoid, payment.EventRefund}
	for status, want := range map[payment.Status]string{
		payment.StatusPrepare: "0.00?", payment.Status3DS: "0.00?", payment.StatusRedirect: "0.00?",
		payment.StatusPending: "1.00?", payment.StatusDecline: "0+???", payment.StatusSettled: "1.0.0",
		payment.StatusRefund: "1.?+?", payment.StatusVoid: "1.1??", chargeback: "1.??+", reversal: "1.??+", "other": "-----",
	} {
		for n := range 2 * 243 { // 0, 1 or 2 of each, with both kinds of disputes
			dispute := []payment.EventType{payment.EventChargeback, payment.EventReversal}[n/243]
			p, c, said, agrees := paid(status), &orderCheck{}, true, true
			if p.Transactions = nil; p.Disputed() && string(status) != string(dispute) {
				continue
			}
			for i, count := range []int{n % 3, n / 3 % 3, n / 9 % 3, n / 27 % 3, n / 81 % 3} {
				kind, end := append(kinds, dispute)[i], payment.Success
				if i == 1 {
					end = payment.Fail
				}
				for range count {
					did(p, kind, end, "1.00")
				}
				switch want[i] {
				case '?':
					said = said && count == 0
				case '+':
					agrees = agrees && count > 0
				case '.':
				default:
					agrees = agrees && want[i] == byte('0'+count)
				}
			}
			if c.checkStatus(p); said && (len(c.faults) == 0) != agrees {
				t.Errorf("%s after %d: %q", status, n, c.faults)
			}
		}
	}
	for charged, agrees := range []bool{true, true, false} { // the payer pays elsewhere, so that it is not decided
		p, c := paid(payment.StatusPending, job(payment.JobCharge)), &orderCheck{}
		p.Transactions = slices.Repeat(p.Transactions, charged)
		if c.checkStatus(p); (len(c.faults) == 0) != agrees {
			t.Errorf("pending, with a charge to do, after %d: %q", charged, c.faults)
		}
	}
}
