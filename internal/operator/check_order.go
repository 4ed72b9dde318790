package operator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/store"
)

// CheckOrder checks that the documents of one partition agree with one another, for instance after a restore. It
// returns a line for each fault, with the id of the payment or the public part of the session's, and no other stored
// data.
func CheckOrder(now time.Time, records []store.Record) []string {
	c := orderCheck{
		payments:  map[string]*payment.Payment{},
		sessions:  map[string]*checkout.Session{},
		callbacks: map[string]int{},
		paid:      map[string]string{},
	}
	for _, r := range records {
		if r.ExpiresAt.IsZero() || now.Before(r.ExpiresAt) {
			c.add(r)
		}
	}
	for _, sess := range c.sessions {
		c.checkSession(sess)
	}
	for id, p := range c.payments {
		if !c.expires && c.callbacks[id] != p.Callbacks {
			c.fault(id, "%d of its %d callbacks are stored", c.callbacks[id], p.Callbacks)
		}
	}
	slices.Sort(c.faults)
	return c.faults
}

// orderCheck is a check of one partition.
type orderCheck struct {
	payments  map[string]*payment.Payment
	sessions  map[string]*checkout.Session
	callbacks map[string]int    // by payment
	paid      map[string]string // the successful payment of each session
	expires   bool              // documents have a TTL, so some may be deleted
	faults    []string
}

func (c *orderCheck) fault(payment, format string, args ...any) {
	c.faults = append(c.faults, "payment "+payment+": "+fmt.Sprintf(format, args...))
}

// add checks one document by itself.
func (c *orderCheck) add(r store.Record) {
	switch {
	case store.IsSession(r.Key):
		sess := &checkout.Session{}
		if err := r.Decode(sess); err != nil {
			c.faults = append(c.faults, "a session of partition "+r.Key.Partition+" can't be read")
			return
		}
		c.sessions[sess.ID] = sess
		return // that it has a TTL says nothing of payments
	case !store.IsPaymentData(r.Key), strings.HasPrefix(r.Key.Sort, "note/"):
		return
	case store.IsPayment(r.Key):
		p := &payment.Payment{}
		if err := r.Decode(p); err != nil {
			c.faults = append(c.faults, "a payment of partition "+r.Key.Partition+" can't be read")
			return
		}
		c.payments[p.ID] = p
		c.addPayment(p, r)
	case strings.HasPrefix(r.Key.Sort, "callback/"):
		var b callback.Callback
		if err := r.Decode(&b); err != nil {
			c.faults = append(c.faults, "a callback of partition "+r.Key.Partition+" can't be read")
			return
		}
		c.callbacks[b.PaymentID]++
		due := map[callback.State]store.DueKind{
			callback.Waiting: store.DueCallback.Of(b.Test),
			callback.Parked:  store.DueParked,
		}
		c.checkDue(r, b.PaymentID, fmt.Sprintf("callback %d, which is %s,", b.Seq, b.State), due[b.State])
	default:
		var chain checkout.Chain
		if err := r.Decode(&chain); err != nil {
			c.faults = append(c.faults, "a chain of partition "+r.Key.Partition+" can't be read")
			return
		}
		due := store.DueKind("")
		if !chain.NextAt.IsZero() {
			due = store.DueChain.Of(chain.Test)
		}
		c.checkDue(r, chain.PaymentID, "its chain", due)
	}
	c.expires = c.expires || !r.ExpiresAt.IsZero()
}

// checkSession checks that a session and its latest payment belong to each other, and to one owner.
func (c *orderCheck) checkSession(sess *checkout.Session) {
	if sess.PaymentID == "" {
		return
	}
	p := c.payments[sess.PaymentID]
	says := ""
	switch {
	case p == nil && !c.expires:
		says = "is not stored"
	case p == nil:
		return
	case p.Owner != sess.Request.Owner:
		says = "is another owner's"
	case p.SessionID != sess.ID:
		says = "is of another session"
	case sess.Paid != nil && !p.Succeeded():
		says = "never succeeded, but the session is complete"
	default:
		return
	}
	c.faults = append(c.faults, "session "+store.PublicID(sess.ID)+": its payment "+sess.PaymentID+" "+says)
}

// checkDue checks that a document is in the due listing of a kind, "" for none.
func (c *orderCheck) checkDue(r store.Record, payment, what string, kind store.DueKind) {
	if r.DueKind != kind || r.DueAt.IsZero() != (kind == "") {
		c.fault(payment, "%s is due as %q and should be as %q", what, r.DueKind, kind)
	}
}

func (c *orderCheck) addPayment(p *payment.Payment, r store.Record) {
	kind := store.DueKind("")
	for _, job := range p.Jobs {
		switch {
		case !job.Person:
			kind = store.DuePayment.Of(p.Test)
		case kind == "":
			kind = store.DuePerson.Of(p.Test)
		}
	}
	c.checkDue(r, p.ID, fmt.Sprintf("with %d jobs it", len(p.Jobs)), kind)
	c.checkJobs(p, r)
	c.checkStatus(p)
	c.checkAmounts(p)
	c.checkCoins(p)
	if p.Succeeded() && p.SessionID != "" {
		if other := c.paid[p.SessionID]; other != "" {
			c.fault(p.ID, "its session was also paid by %s", other)
		}
		c.paid[p.SessionID] = p.ID
	}
}

func (c *orderCheck) checkJobs(p *payment.Payment, r store.Record) {
	references, charges := map[string]bool{}, 0
	for _, job := range p.Jobs {
		if references[job.Reference] {
			c.fault(p.ID, "two jobs have the reference %s", job.Reference)
		}
		references[job.Reference] = true
		if job.Kind == payment.JobCharge {
			charges++
		}
		if !job.Person && job.DueAt.Truncate(time.Millisecond).Before(r.DueAt) {
			c.fault(p.ID, "a job is due before the payment is")
		}
		if job.Person && (!job.DueAt.IsZero() || job.UnknownSince.IsZero()) {
			c.fault(p.ID, "a job waits for a person and is due, or nobody knows since when it is unknown")
		}
	}
	undecided := p.Status == payment.StatusPrepare || p.Status == payment.Status3DS ||
		p.Status == payment.StatusRedirect
	if charges > 1 || undecided && charges != 1 {
		c.fault(p.ID, "it is %s and has %d charges to do", p.Status, charges)
	}
	if charges > 0 && !undecided && p.Status != payment.StatusPending {
		c.fault(p.ID, "it is %s and is still to be charged", p.Status)
	}
}

// checkStatus checks that the payment's status agrees with its transactions.
func (c *orderCheck) checkStatus(p *payment.Payment) {
	charge := p.EventType(payment.JobCharge)
	charged := p.Transactions.Count(charge, payment.Success)
	declined := p.Transactions.Count(charge, payment.Fail)
	voided := p.Transactions.Count(payment.EventVoid, payment.Success)
	refunded := p.Transactions.Count(payment.EventRefund, payment.Success)
	disputed := p.Transactions.Count(payment.EventChargeback, payment.Success) +
		p.Transactions.Count(payment.EventReversal, payment.Success)
	waits := p.Status == payment.StatusPending && p.Jobs.Charge() != nil // the payer pays elsewhere, so it is not decided
	agrees := charged <= 1
	switch p.Status {
	case payment.StatusPrepare, payment.Status3DS, payment.StatusRedirect:
		agrees = agrees && charged == 0 && voided == 0 && refunded == 0
	case payment.StatusPending:
		agrees = agrees && (waits || charged == 1) && voided == 0 && refunded == 0
	case payment.StatusDecline:
		agrees = agrees && charged == 0 && declined > 0
	case payment.StatusSettled:
		agrees = agrees && charged == 1 && voided == 0 && disputed == 0
	case payment.StatusRefund:
		agrees = agrees && charged == 1 && refunded > 0
	case payment.StatusVoid:
		agrees = agrees && charged == 1 && voided == 1
	case payment.StatusChargeback, payment.StatusReversal:
		agrees = agrees && charged == 1 && disputed >= 1
	default:
		agrees = false
	}
	if !agrees {
		c.fault(p.ID, "it is %s after %d charges, %d declines, %d voids, %d refunds and %d chargebacks or reversals",
			p.Status, charged, declined, voided, refunded, disputed)
	}
}

// checkAmounts checks that no more was captured than authorised, and no more refunded than captured.
func (c *orderCheck) checkAmounts(p *payment.Payment) {
	if p.Captured.IsZero() {
		if len(p.Amounts().Refunds()) > 0 || p.Status == payment.StatusSettled || p.Status == payment.StatusRefund {
			c.fault(p.ID, "it is %s and nothing was captured", p.Status)
		}
		return
	}
	if p.Captured.Currency() != p.Amount.Currency() {
		c.fault(p.ID, "its amounts have two currencies")
		return
	}
	if p.Captured.Cmp(p.Amount) > 0 {
		c.fault(p.ID, "more was captured than authorised")
	}
	refundable, err := p.Amounts().Refundable()
	switch {
	case err != nil:
		c.fault(p.ID, "more was given back than captured, or is asked to be")
	case p.Status == payment.StatusRefund && !refundable.IsZero():
		c.fault(p.ID, "it is refunded and not all was given back")
	}
}

// checkCoins checks that of the money that arrived and did not count, no more was accepted, returned and closed, and
// waits for a person, than has arrived.
func (c *orderCheck) checkCoins(p *payment.Payment) {
	places := []*money.Coins{p.ClosedCoins}
	for _, job := range p.Jobs {
		places = append(places, job.Coins)
	}
	for _, t := range p.Transactions {
		if t.Status == payment.Success {
			places = append(places, t.Coins)
		}
	}
	var left *money.Coins
	if p.Received != nil {
		left = &money.Coins{Currency: p.Received.Currency, Amount: p.Received.Amount}
	}
	for _, coins := range places {
		var err error
		if left, err = left.Minus(coins); err != nil {
			c.fault(p.ID, "more is accepted, returned, closed or waits than has arrived")
			return
		}
	}
}
