package outcome

import (
	"cmp"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// Unapplied is what SettleUnapplied needs beside the job.
type Unapplied struct {
	PaidElsewhere string // why the money can't be accepted, because the order was paid otherwise; "" if it was not
	Reference     string // of the transaction by which money was returned
}

// SettleUnapplied ends a job about money that arrived and does not count, as a person has decided. What can't be
// executed any more is left to the person again. So is the part of the money that the decision is not about.
func SettleUnapplied(t checkout.Task, with Unapplied, now time.Time) (payment.Effects, error) {
	p, job := t.Payment, *t.Job()
	decision := *job.Decision
	coins := decision.Coins.Text()
	switch decision.Verdict {
	case payment.VerdictClose:
		p.Acts.Finish(job.Reference, "the case of "+coins+" is closed")
		return payment.Effects{Save: true}, CloseCoins(p, job, now)
	case payment.VerdictReturned:
		p.Acts.Finish(job.Reference, coins+" counts as returned by hand")
		return payment.Effects{Save: true}, ReturnCoins(p, job, with.Reference, now)
	case payment.VerdictAccept:
		return acceptUnapplied(t, job, with.PaidElsewhere, now)
	}
	return leaveUnapplied(t, "it is no decision of money that does not count", now), nil
}

// acceptUnapplied makes a declined payment one that has succeeded with the amount that the person has named, by the
// rules of an approval after a decline.
func acceptUnapplied(
	t checkout.Task, job payment.Job, paidElsewhere string, now time.Time,
) (payment.Effects, error) {
	p, decision := t.Payment, *job.Decision
	requested, payerEnters, err := p.Requests().Amount(&job)
	if err != nil {
		return payment.Effects{}, err
	}
	refused := t.MayAccept(&job) + paidElsewhere
	if refused == "" && (decision.Amount.IsZero() || !payerEnters && decision.Amount.Cmp(requested) > 0) {
		refused = "the amount has to be named"
	}
	if refused != "" {
		return leaveUnapplied(t, refused, now), nil
	}
	p.Acts.Finish(job.Reference, decision.Coins.Text()+" counts as "+connector.WithCurrency(decision.Amount))
	charge := job
	charge.Kind, charge.Coins, charge.Amount = payment.JobCharge, decision.Coins, decision.Amount
	if !payerEnters {
		p.Amount = decision.Amount
	}
	result := connector.Result{Outcome: connector.OutcomeApproved, Amount: decision.Amount}
	e, err := p.Approve(charge, payment.ParsedResult{Result: result}, now)
	if err = cmp.Or(err, LeaveRest(p, job, now)); err != nil {
		return payment.Effects{}, fmt.Errorf("accept money that did not count: %w", err)
	}
	why := &reason.Reason{Code: reason.Person, Words: decision.Text()}
	if e.Event.Reason = why; !payerEnters && decision.Amount != requested {
		e.Event.Amount = decision.Amount
		why.Words = fmt.Sprintf("%s of %s. %s", decision.Amount, connector.WithCurrency(requested), why.Words)
	}
	p.Transactions.EndedBy(job.Reference, decision, why)
	return e, nil
}

// leaveUnapplied leaves the job undone.
func leaveUnapplied(t checkout.Task, why string, now time.Time) payment.Effects {
	t.Payment.Acts.Finish(t.Reference, "nothing has changed")
	return LeaveUndone(t, why, now)
}

// ReturnCoins stores that coins of a job were returned by hand, as a transaction with a reference of its own. Its
// amount is that of the coins if they are of the payment's currency. The job keeps the others for a person.
func ReturnCoins(p *payment.Payment, job payment.Job, reference string, now time.Time) error {
	decision, of := *job.Decision, payment.AboutCharge{About: job.Reference, Coins: job.Decision.Coins}
	decision.Coins = nil // the transaction has them
	end := payment.Transaction{
		Type: payment.EventGiveBack, Status: payment.Success, Date: now, Reference: reference, Elsewhere: true,
		Decision: &decision, AboutCharge: of,
	}
	end.MID, end.Connector = p.Requests().Place(&job)
	if amount, err := of.Coins.Money(); err == nil && amount.Currency() == request.CurrencyOf(p.Order) {
		end.Amount = amount
	}
	left, err := job.Coins.Minus(of.Coins)
	if err != nil {
		return err
	}
	p.Transactions = append(p.Transactions, end)
	if left == nil {
		p.Jobs.Remove(job.Reference)
		return nil
	}
	open := p.Jobs.Find(job.Reference)
	open.Coins, open.Decision = left, nil
	p.LookUps(open).SetNext(now)
	return nil
}

// CloseCoins ends a job about money that does not count. Nothing follows from its coins.
func CloseCoins(p *payment.Payment, job payment.Job, now time.Time) (err error) {
	if p.ClosedCoins, err = p.ClosedCoins.Plus(job.Decision.Coins); err != nil {
		return err
	}
	p.Jobs.Remove(job.Reference)
	return LeaveRest(p, job, now)
}

// LeaveRest leaves to a person the coins of a job that a decision was not about: those of the payment's currency beyond
// the amount that counts, and those that have arrived since.
func LeaveRest(p *payment.Payment, ended payment.Job, now time.Time) error {
	left, err := ended.Coins.Minus(ended.Decision.Coins)
	if err == nil {
		p.Unapplied().Add(left, now)
	}
	return err
}
