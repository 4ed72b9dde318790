package payment

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/money"
)

// Money that arrives for a payment that is declined, or in excess of one that has succeeded, counts for nothing. It
// waits for a person as a job about the charge, which has the coins of which nobody has decided: to accept them, to
// store that they were returned by hand, or to close the case. Where the provider also reports that the charge was
// approved, they belong to that contradiction.
//
// Of all that has arrived (Payment.Received), each coin is in one place: with a job, with the give_back by which it was
// returned, with the charge that a person has accepted for it, or in History.ClosedCoins.

// Unapplied is the money of a payment that has arrived and does not count.
type Unapplied struct{ p *Payment }

// Unapplied returns the money of the payment that does not count.
func (p *Payment) Unapplied() Unapplied { return Unapplied{p} }

// declined leaves to a person what has arrived for a charge that is declined now. What can't be read counts as nothing.
func (u Unapplied) declined(now time.Time) {
	if u.p.Received == nil {
		return
	}
	if r, err := ParseReceipt(u.p.Received, nil); err == nil {
		u.Add(money.CoinsOf(r.Arrived), now)
	}
}

// Add leaves to a person coins that have arrived, beside those of which nobody has decided yet.
func (u Unapplied) Add(coins *money.Coins, now time.Time) {
	if coins == nil {
		return
	}
	reference := u.p.ChargeReference
	job := Job{
		Kind: JobUnapplied, Reference: reference, SentAt: now, Released: true, UnknownSince: now, Person: true, Coins: coins,
	}
	if of := u.p.Transactions.Ended(reference); of != nil {
		job.SentAt = cmp.Or(of.SentAt, now)
	}
	switch old := u.p.Jobs.Find(reference); {
	case old == nil:
		u.p.Jobs = append(u.p.Jobs, job)
	case old.Kind.ForPerson():
		old.addCoins(coins)
	default: // an operator's look-up of the charge, which goes on
		job.keepAsked(*old)
		*old = job
	}
}

// AfterSuccess stores money that arrived after the payment had succeeded, and leaves it to a person: what exceeds the
// amount that was due, and what was known before. Nothing is known of it if neither is.
func (u Unapplied) AfterSuccess(result ParsedResult, now time.Time) Effects {
	r, known := result.Receipt, u.p.Received != nil
	added := r.Added
	before, err := r.Arrived.Sub(r.Added)
	switch {
	case err != nil || r.Due.IsZero() && !known:
		return Effects{}
	case u.accepted() || before.Cmp(r.Due) >= 0 || r.Due.IsZero():
	case r.Arrived.Cmp(r.Due) > 0:
		added, _ = r.Arrived.Sub(r.Due)
	default:
		added = money.Amount{}
	}
	u.p.Received = result.Received
	u.Add(money.CoinsOf(added), now)
	return Effects{Save: true}
}

// accepted reports whether the payment has succeeded because a person has accepted coins that did not count.
func (u Unapplied) accepted() bool {
	return slices.ContainsFunc(u.p.Transactions, func(t Transaction) bool {
		return t.Type.kind() == JobCharge && t.Status == Success && t.Coins != nil
	})
}

// addCoins adds coins that have arrived. Those of another currency, which the payment's can't be, are left out.
func (j *Job) addCoins(coins *money.Coins) {
	if sum, err := j.Coins.Plus(coins); err == nil {
		j.Coins = sum
	}
}
