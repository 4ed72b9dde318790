package checkout

import (
	"cmp"
	"slices"
	"time"
)

// A provider contradicts itself, or a person, if it approves a charge after that was declined, or declines what a
// person has approved (decisions.md 5). The report is stored as a transaction of its own type, with a job that a person
// decides: to give the money back, to accept the report, or to close the case.

// contradict stores a report that contradicts how a request has ended. Each outcome of a request is reported once:
// repeats change nothing, also when a person has decided.
func contradict(t task, result Result, now time.Time) effects {
	p, status := t.payment, Success
	if result.Outcome != OutcomeApproved {
		status = Fail
	}
	of := p.ended(t.reference)
	if of == nil || p.contradiction(t.reference, status) != nil {
		return effects{}
	}
	report := Transaction{
		Type: EventContradiction, Status: status, Date: now, Reference: t.reference, Code: result.Code,
		Amount: cmp.Or(of.Amount, result.Amount), SentAt: of.SentAt,
	}
	job := Job{Kind: JobContradiction, Reference: t.reference}
	report.MID, report.Connector = p.PlaceOf(&job)
	if status == Success {
		report.Authorised, report.Reported = p.Auth || result.Authorised, &result.ProviderData
	} else {
		report = report.because(reasonOf(result))
	}
	p.Transactions = append(p.Transactions, report)
	p.leaveToPerson(t.reference, now)
	t.updateHold()
	return effects{save: true, saveSession: true}
}

// leaveToPerson adds the job of a contradiction. It takes the place of an operator's look-up of the same request.
func (p *Payment) leaveToPerson(reference string, now time.Time) *Job {
	report := p.latestContradiction(reference)
	job := Job{
		Kind: JobContradiction, Reference: reference, Amount: report.Amount, SentAt: cmp.Or(report.SentAt, now),
		Released: true, UnknownSince: now, Person: true,
	}
	if old := p.job(reference); old != nil {
		if old.Asked {
			job.Asked, job.Person, job.DueAt = true, false, old.DueAt
		}
		*old = job
		return old
	}
	p.Jobs = append(p.Jobs, job)
	return &p.Jobs[len(p.Jobs)-1]
}

// contradiction returns the report of an outcome of the request with a reference, nil if there was none.
func (p *Payment) contradiction(reference string, status TransactionStatus) *Transaction {
	i := slices.IndexFunc(p.Transactions, func(t Transaction) bool {
		return t.Type == EventContradiction && t.Reference == reference && t.Status == status
	})
	if i < 0 {
		return nil
	}
	return &p.Transactions[i]
}

// latestContradiction returns the latest report about the request with a reference, nil if there is none.
func (p *Payment) latestContradiction(reference string) *Transaction {
	for i := len(p.Transactions) - 1; i >= 0; i-- {
		if t := &p.Transactions[i]; t.Type == EventContradiction && t.Reference == reference {
			return t
		}
	}
	return nil
}

// contradictionOf returns the report that a contradiction or give-back is about, nil for any other job.
func (p *Payment) contradictionOf(job *Job) *Transaction {
	if job.Kind != JobContradiction && job.Kind != JobGiveBack {
		return nil
	}
	return p.latestContradiction(cmp.Or(job.About, job.Reference))
}

// isDecidedBy reports whether a person has ended the contradiction that a report of an outcome was.
func (p *Payment) isDecidedBy(reference string, status TransactionStatus) bool {
	report := p.contradiction(reference, status)
	return report != nil && !slices.ContainsFunc(p.Jobs, func(j Job) bool { return p.contradictionOf(&j) == report })
}

// isContradicted reports whether a declined charge of the payment was reported as approved, and nobody has ended that.
func (p *Payment) isContradicted() bool {
	return slices.ContainsFunc(p.Jobs, func(j Job) bool {
		report := p.contradictionOf(&j)
		return report != nil && report.Status == Success
	})
}

// isHeld reports whether the session may not offer anything to pay with.
func (s *Session) isHeld() bool { return len(s.Contradicted) > 0 }

// updateHold holds the session while its payment is contradicted, whatever the session's state is: it may be open again
// when a later attempt ends.
func (t task) updateHold() {
	sess, id := t.session, t.payment.ID
	if sess == nil {
		return
	}
	sess.Contradicted = slices.DeleteFunc(sess.Contradicted, func(other string) bool { return other == id })
	if t.payment.isContradicted() {
		sess.Contradicted = append(sess.Contradicted, id)
	}
}

// maxGiveBacks is how often a person may try to give money back: a stored payment has to stay small.
const maxGiveBacks = 20

// startGiveBack makes a contradiction a request that gives the money back, under a reference of its own.
func (p *Payment) startGiveBack(job *Job, reference, cause string, now time.Time) {
	*job = Job{
		Kind: JobGiveBack, Reference: reference, About: job.Reference, Amount: job.Amount, Cause: cause,
		DueAt: now.Add(newJobGrace),
	}
}

// endGiveBack ends a give-back. One that has failed leaves the contradiction to a person again.
func endGiveBack(t task, job Job, result Result, now time.Time) effects {
	p := t.payment
	if result.Outcome == OutcomeApproved {
		p.finish(job, ended(Success, now, result, nil))
		t.updateHold()
		return effects{save: true, saveSession: true}
	}
	reason := reasonOf(result)
	p.finish(job, ended(Fail, now, result, reason))
	p.reopen(job.About, p.Masked(reason.Text()), now)
	return effects{save: true}
}

// reopen leaves a contradiction to a person again, because the money was not refunded.
func (p *Payment) reopen(reference, reason string, now time.Time) {
	p.leaveToPerson(reference, now).Finding = &Finding{At: now, Says: Fail, Text: "it was not given back: " + reason}
}
