package payment

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// A provider contradicts itself, or a person, if it approves a charge after that was declined, declines what a person
// has approved, or approves a refund of more than is left (protocol.md, Approved after a decline). The report is stored
// as a transaction of its own type, with a job that a person decides: to give the money back, to accept the report, or
// to close the case.

// Contradictions are what providers, or a person, have reported against how the payment's requests have ended.
type Contradictions struct{ p *Payment }

// Contradictions returns the contradictions of the payment.
func (p *Payment) Contradictions() Contradictions { return Contradictions{p} }

// Add stores a report that contradicts how a request has ended. Each outcome of a request is reported once:
// repeats change nothing, also when a person has decided.
func (c Contradictions) Add(reference string, result connector.Result, now time.Time) Effects {
	status := Success
	if result.Outcome != connector.OutcomeApproved {
		status = Fail
	}
	of := c.p.Transactions.Ended(reference)
	if of == nil || c.p.Transactions.contradiction(reference, status) != nil {
		return Effects{}
	}
	report := Transaction{
		Type: EventContradiction, Status: status, Date: now, Reference: reference, Code: result.Code,
		Amount: cmp.Or(of.Amount, result.Amount), SentAt: of.SentAt,
	}
	job := Job{Kind: JobContradiction, Reference: reference}
	report.MID, report.Connector = c.p.Requests().Place(&job)
	if status == Success {
		report.Authorised, report.Reported = c.p.Auth || result.Authorised, &result.ProviderData
	} else {
		report = report.because(ReasonOf(result))
	}
	c.p.Transactions = append(c.p.Transactions, report)
	c.leaveToPerson(reference, now)
	return Effects{Save: true}
}

// AddAmount is Add for an approval of another amount than was asked for, if result.Other says so.
func (c Contradictions) AddAmount(reference string, result ParsedResult, now time.Time) Effects {
	e := c.Add(reference, result.Result, now)
	if found := result.Other; e.Save && found != nil {
		c.p.Transactions.latestContradiction(reference).Amount = found.Moved
		job := c.p.Jobs.Find(reference)
		job.Amount, job.Finding = found.Moved, found
	}
	return e
}

// leaveToPerson adds the job of a contradiction. It takes the place of an operator's look-up of the same request, and
// of the job about money that has arrived for it and does not count.
func (c Contradictions) leaveToPerson(reference string, now time.Time) *Job {
	report := c.p.Transactions.latestContradiction(reference)
	job := Job{
		Kind: JobContradiction, Reference: reference, Amount: report.Amount, SentAt: cmp.Or(report.SentAt, now),
		Released: true, UnknownSince: now, Person: true,
	}
	if old := c.p.Jobs.Find(reference); old != nil {
		if old.Decision != nil { // about money that did not count, before this was known
			c.p.Acts.Finish(reference, "not executed: the provider has reported something else since")
		}
		job.Coins = old.Coins
		job.keepAsked(*old)
		*old = job
		return old
	}
	c.p.Jobs = append(c.p.Jobs, job)
	return &c.p.Jobs[len(c.p.Jobs)-1]
}

// AreEnded reports whether a person has ended the contradiction that a report of an outcome was.
func (c Contradictions) AreEnded(reference string, status TransactionStatus) bool {
	report := c.p.Transactions.contradiction(reference, status)
	return report != nil && !slices.ContainsFunc(c.p.Jobs, func(j Job) bool {
		return c.p.Requests().Contradiction(&j) == report
	})
}

// HasOpenApproval reports whether a declined charge of the payment was reported as approved, and nobody has ended that.
func (c Contradictions) HasOpenApproval() bool {
	return slices.ContainsFunc(c.p.Jobs, func(j Job) bool {
		report := c.p.Requests().Contradiction(&j)
		return report != nil && report.Status == Success && c.p.Requests().about(&j).Type.kind() == JobCharge
	})
}

// MaxGiveBacks is how often a person may try to give money back: a stored payment has to stay small.
const MaxGiveBacks = 20

// EndGiveBack ends a give-back. One that has failed leaves the contradiction to a person again.
func (c Contradictions) EndGiveBack(job Job, result connector.Result, now time.Time) Effects {
	if result.Outcome == connector.OutcomeApproved {
		c.p.finish(job, Ended(Success, now, result, nil))
		return Effects{Save: true}
	}
	reason := ReasonOf(result)
	c.p.finish(job, Ended(Fail, now, result, reason))
	c.reopen(job.About, job.Coins, c.p.Masker().Mask(reason.Text()), now)
	return Effects{Save: true}
}

// reopen leaves a contradiction to a person again, because the money was not refunded.
func (c Contradictions) reopen(reference string, coins *money.Coins, reason string, now time.Time) {
	job := c.leaveToPerson(reference, now)
	job.Finding = &Finding{At: now, Says: Fail, Text: "it was not given back: " + reason}
	job.addCoins(coins)
}
