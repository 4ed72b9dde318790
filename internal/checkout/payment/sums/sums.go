// Package sums tells what became of a payment's money.
package sums

import (
	"cmp"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// Sums are what became of a payment's money, in its currency. Of a payout they are the merchant's money: what has
// arrived at its payee, what came back from there, and what has stayed there.
type Sums struct {
	PaysOut   bool         // the money goes to the payer or a payee, not to the merchant
	Asked     money.Amount // zero until the payer has entered it
	Arrived   money.Amount // all that was ever taken, also for a charge that counts as declined
	Returned  money.Amount // refunded, voided after the capture, charged back, reversed
	Refunded  money.Amount // the part of it that was refunded, also of a charge that counts as declined
	Net       money.Amount // what arrived and was not returned
	Reserved  money.Amount // authorised, and neither captured nor voided
	Returning money.Amount // by refunds and give-backs without an outcome; it counts as kept until they succeed
	Received  *ReceivedSums
}

// ReceivedSums are what arrived for a payment that is made elsewhere, in its own currency, such as a coin.
type ReceivedSums struct {
	Due     money.Amount // zero if the payer might pay any amount
	Arrived money.Amount
	Counts  bool // the payment has succeeded: its other sums tell what was returned

	// What became of that which does not count: it waits for a person, was returned, or nothing follows from it.
	Waiting, Returned, Closed *money.Coins
}

// Of returns what became of the payment's money, as far as it is known: a request without an outcome has moved
// nothing yet.
func Of(p *payment.Payment) Sums {
	none := money.Zero(request.CurrencyOf(p.Order))
	s := Sums{
		PaysOut: p.Operation == method.Credit, Asked: cmp.Or(p.Amount, none), Arrived: cmp.Or(p.Captured, none),
		Returned: none, Refunded: none, Reserved: none, Returning: none,
	}
	if p.Status == payment.StatusPending && !p.Undecided() {
		s.Reserved = s.Asked
	}
	for _, t := range p.Transactions {
		if t.Status != payment.Success {
			continue
		}
		switch t.Type {
		case payment.EventRefund:
			s.Refunded = plus(s.Refunded, t.Amount)
		case payment.EventVoid:
			if !p.Captured.IsZero() {
				s.Returned = plus(s.Returned, t.Amount)
			}
		case payment.EventGiveBack:
			s.addReturned(p, t)
		case payment.EventChargeback, payment.EventReversal:
			s.Returned = plus(s.Returned, t.Amount)
		}
	}
	s.Returned = plus(s.Returned, s.Refunded)
	for i := range p.Jobs {
		s.addJob(p, &p.Jobs[i])
	}
	s.addReceived(p)
	if s.Returned.Currency() == s.Arrived.Currency() && s.Returned.Cmp(s.Arrived) > 0 {
		s.Returned = s.Arrived // a dispute can be of all, and takes only what was not refunded
	}
	s.Net = minus(s.Arrived, s.Returned)
	return s
}

// addReturned adds money that was taken for a charge that counts as declined, and was returned.
func (s *Sums) addReturned(p *payment.Payment, t payment.Transaction) {
	switch report := p.Requests().Contradiction(&payment.Job{Kind: payment.JobGiveBack, About: t.About}); {
	case report == nil: // it stands with what was received
		s.Refunded = plus(s.Refunded, t.Amount)
	case !report.Authorised:
		s.Arrived, s.Refunded = plus(s.Arrived, t.Amount), plus(s.Refunded, t.Amount)
	}
}

// addJob adds what a job tells of money: what is being returned, and what a provider says that it has taken for a
// charge that was declined. Of a charge whose amount it has not told, that is all that was asked for.
func (s *Sums) addJob(p *payment.Payment, job *payment.Job) {
	report := p.Requests().Contradiction(job)
	switch {
	case job.Kind == payment.JobRefund:
		s.Returning = plus(s.Returning, job.Amount)
	case report == nil || report.Status != payment.Success || !p.Requests().IsAboutCharge(job):
	case report.Authorised:
		s.Reserved = plus(s.Reserved, knownOr(report.Amount, s.Asked))
	default:
		amount := knownOr(report.Amount, s.Asked)
		s.Arrived = plus(s.Arrived, amount)
		if job.Kind == payment.JobGiveBack {
			s.Returning = plus(s.Returning, amount)
		}
	}
}

// addReceived adds what arrived of a payment that is made elsewhere. While it does not count, it stands beside the sums
// unless it is of the payment's currency.
func (s *Sums) addReceived(p *payment.Payment) {
	if p.Received == nil {
		return
	}
	r, err := payment.ParseReceipt(p.Received, nil)
	if err != nil || r.Arrived.IsZero() {
		return
	}
	s.Received = &ReceivedSums{Due: r.Due, Arrived: r.Arrived, Counts: !p.Captured.IsZero(), Closed: p.ClosedCoins}
	for _, job := range p.Jobs {
		s.Received.Waiting = withCoins(s.Received.Waiting, job.Coins)
	}
	for _, t := range p.Transactions {
		if t.Type == payment.EventGiveBack && t.Status == payment.Success {
			s.Received.Returned = withCoins(s.Received.Returned, t.Coins)
		}
	}
	if s.Arrived.IsZero() {
		s.Arrived = plus(s.Arrived, r.Arrived)
	}
}

// withCoins adds coins, unless they are of another currency.
func withCoins(sum, more *money.Coins) *money.Coins {
	if both, err := sum.Plus(more); err == nil {
		return both
	}
	return sum
}

// knownOr returns an amount, or another one if it is not known.
func knownOr(amount, other money.Amount) money.Amount {
	if amount.IsZero() {
		return other
	}
	return amount
}

// plus adds an amount, unless it is of another currency.
func plus(sum, more money.Amount) money.Amount {
	if more.Currency() != sum.Currency() {
		return sum
	}
	total, err := sum.Add(more)
	if err != nil {
		return sum
	}
	return total
}

// minus returns what is left of an amount without a part that is not larger.
func minus(sum, part money.Amount) money.Amount {
	if sum.Currency() != part.Currency() {
		return sum
	}
	left, err := sum.Sub(part)
	if err != nil {
		return money.Zero(sum.Currency())
	}
	return left
}
