package payment

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/connector"
)

// A provider contradicts itself, or a person, if it approves a charge after that was declined, declines what a person
// has approved, or approves a refund of more than is left (protocol.md, Approved after a decline). The report is stored
// as a transaction of its own type, with a job that a person decides: to give the money back, to accept the report, or
// to close the case.

// Contradict stores a report that contradicts how a request has ended. Each outcome of a request is reported once:
// repeats change nothing, also when a person has decided.
func Contradict(p *Payment, reference string, result connector.Result, now time.Time) Effects {
	status := Success
	if result.Outcome != connector.OutcomeApproved {
		status = Fail
	}
	of := p.Transactions.Ended(reference)
	if of == nil || p.Transactions.contradiction(reference, status) != nil {
		return Effects{}
	}
	report := Transaction{
		Type: EventContradiction, Status: status, Date: now, Reference: reference, Code: result.Code,
		Amount: cmp.Or(of.Amount, result.Amount), SentAt: of.SentAt,
	}
	job := Job{Kind: JobContradiction, Reference: reference}
	report.MID, report.Connector = p.PlaceOf(&job)
	if status == Success {
		report.Authorised, report.Reported = p.Auth || result.Authorised, &result.ProviderData
	} else {
		report = report.because(ReasonOf(result))
	}
	p.Transactions = append(p.Transactions, report)
	p.leaveToPerson(reference, now)
	return Effects{Save: true}
}

// ContradictAmount is Contradict for an approval of another amount than was asked for, if result.Other says so.
func ContradictAmount(p *Payment, reference string, result ParsedResult, now time.Time) Effects {
	e := Contradict(p, reference, result.Result, now)
	if found := result.Other; e.Save && found != nil {
		p.Transactions.latestContradiction(reference).Amount = found.Moved
		job := p.Jobs.Find(reference)
		job.Amount, job.Finding = found.Moved, found
	}
	return e
}

// leaveToPerson adds the job of a contradiction. It takes the place of an operator's look-up of the same request.
func (p *Payment) leaveToPerson(reference string, now time.Time) *Job {
	report := p.Transactions.latestContradiction(reference)
	job := Job{
		Kind: JobContradiction, Reference: reference, Amount: report.Amount, SentAt: cmp.Or(report.SentAt, now),
		Released: true, UnknownSince: now, Person: true,
	}
	if old := p.Jobs.Find(reference); old != nil {
		if old.Asked {
			job.Asked, job.Person, job.DueAt = true, false, old.DueAt
		}
		*old = job
		return old
	}
	p.Jobs = append(p.Jobs, job)
	return &p.Jobs[len(p.Jobs)-1]
}

// IsDecidedBy reports whether a person has ended the contradiction that a report of an outcome was.
func (p *Payment) IsDecidedBy(reference string, status TransactionStatus) bool {
	report := p.Transactions.contradiction(reference, status)
	return report != nil && !slices.ContainsFunc(p.Jobs, func(j Job) bool { return p.ContradictionOf(&j) == report })
}

// IsContradicted reports whether a declined charge of the payment was reported as approved, and nobody has ended that.
func (p *Payment) IsContradicted() bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool {
		report := p.ContradictionOf(&j)
		return report != nil && report.Status == Success && p.about(&j).Type.kind() == JobCharge
	})
}

// MaxGiveBacks is how often a person may try to give money back: a stored payment has to stay small.
const MaxGiveBacks = 20

// StartGiveBack makes a contradiction a request that gives the money back, under a reference of its own.
func (p *Payment) StartGiveBack(job *Job, reference, cause string, now time.Time) {
	*job = Job{
		Kind: JobGiveBack, Reference: reference, About: job.Reference, Amount: job.Amount, Cause: cause,
		DueAt: now.Add(NewJobGrace),
	}
}

// EndGiveBack ends a give-back. One that has failed leaves the contradiction to a person again.
func EndGiveBack(p *Payment, job Job, result connector.Result, now time.Time) Effects {
	if result.Outcome == connector.OutcomeApproved {
		p.finish(job, Ended(Success, now, result, nil))
		return Effects{Save: true}
	}
	reason := ReasonOf(result)
	p.finish(job, Ended(Fail, now, result, reason))
	p.reopen(job.About, p.Masked(reason.Text()), now)
	return Effects{Save: true}
}

// reopen leaves a contradiction to a person again, because the money was not refunded.
func (p *Payment) reopen(reference, reason string, now time.Time) {
	p.leaveToPerson(reference, now).Finding = &Finding{At: now, Says: Fail, Text: "it was not given back: " + reason}
}
