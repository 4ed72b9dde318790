package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// runDecision executes what a person has decided of a job. The provider is looked up first, where the connector can:
// if it says the outcome of a request, that counts, and the person's decision does not.
func (s *Service) runDecision(ctx context.Context, t task) error {
	result := Result{}
	t.finding = noFinding(s.Now(), "it can't be looked up")
	if querier, ok := t.connector.(StatusQuerier); ok {
		var err error
		result, err = s.queryStatus(ctx, t, querier)
		if err == nil && t.charge.Kind == JobCharge {
			err = t.payment.lacksAmount(result)
		}
		t.finding = t.findingOf(result, err, s.Now())
	}
	ctx = context.WithoutCancel(ctx)
	if t.job().Kind != JobContradiction && (t.finding.Says == Success || t.finding.Says == Fail) && !result.disputes() {
		return s.apply(ctx, t, result)
	}
	return s.applyDecision(ctx, t)
}

// applyDecision applies what a person has decided of a job, after the provider was looked up.
func (s *Service) applyDecision(ctx context.Context, t task) error {
	paidElsewhere, err := s.paidByRetry(ctx, t.payment)
	if err != nil {
		return err
	}
	ran, giveBack, givesBack := *t.job(), store.NewUUID(s.Random(16)), false
	_, err = s.changeAndNotify(ctx, t, func(t task, now time.Time) (effects, error) {
		job := t.job()
		if job == nil || job.Decision == nil {
			return effects{}, nil
		}
		job.LookUps, job.LookedUpAt = ran.LookUps, ran.LookedUpAt
		t.storeFinding()
		if job.Kind != JobContradiction {
			return settleJob(t, *job, now)
		}
		switch report := t.payment.contradictionOf(job); {
		case job.Decision.Verdict == VerdictClose:
			t.payment.remove(job.Reference)
			t.updateHold()
			return effects{save: true, saveSession: true}, nil
		case t.finding.Says != report.Status && (t.finding.Says == Success || t.finding.Says == Fail):
			return leaveUndone(t, "the provider says otherwise", now), nil
		case job.Decision.Verdict == VerdictGiveBack:
			t.payment.startGiveBack(job, giveBack, request.ID(ctx), now)
			givesBack = true
			return effects{save: true}, nil
		}
		return s.acceptReport(t, *job, paidElsewhere, now)
	})
	if err == nil && givesBack {
		s.sendJob(ctx, t.payment.message(giveBack), 0)
	}
	return err
}

// leaveUndone leaves a job as it was before the decision, because that can't be executed.
func leaveUndone(t task, why string, now time.Time) effects {
	p, job := t.payment, t.job()
	for i := range p.Acts {
		if a := &p.Acts[i]; a.Reference == t.reference && a.At.Equal(job.Decision.At) {
			a.Result += "; not executed: " + why
		}
	}
	job.Decision = nil
	p.setNextLookUp(job, now)
	return effects{save: true}
}

// settleJob ends a job as a person has decided, as if the provider had said it.
func settleJob(t task, job Job, now time.Time) (effects, error) {
	p, decision := t.payment, *job.Decision
	reason := &screen.Reason{Code: screen.ReasonPerson, Words: decision.text()}
	result := Result{Outcome: OutcomeDeclined, ReasonCode: reason.Code, Reason: reason.Words}
	requested, payerEnters, err := p.requestAmount(&job)
	if err != nil {
		return effects{}, err
	}
	amount := requested
	if decision.Verdict == VerdictApproved {
		result = Result{Outcome: OutcomeApproved}
		if amount = movedAmount(job, requested); amount.Cmp(requested) > 0 && !payerEnters || amount.IsZero() {
			return leaveUndone(t, "the amount has to be named", now), nil
		}
		switch {
		case payerEnters:
			result.Amount = amount
		case amount != requested && job.Kind == JobCharge:
			p.Amount = amount
		case amount != requested:
			job.Amount = amount
		}
		if amount != requested && !payerEnters {
			reason.Words = fmt.Sprintf("%s of %s. %s", amount, withCurrency(requested), reason.Words)
		}
	}
	e, err := decide(t, job, parsedResult{Result: result}, now)
	if err != nil || !e.save {
		return effects{}, err
	}
	if e.event != nil {
		e.event.Reason = reason
		if amount != requested && !payerEnters {
			e.event.Amount = amount
		}
	}
	p.endedBy(job.Reference, decision, reason)
	return e, nil
}

// movedAmount returns the amount that an approval is of: the one that the person has named, or the provider, or else
// the one that was requested.
func movedAmount(job Job, requested money.Amount) money.Amount {
	switch {
	case job.Kind == JobVoid || job.Kind == JobGiveBack:
		return requested
	case !job.Decision.Amount.IsZero():
		return job.Decision.Amount
	case job.Finding != nil && !job.Finding.Moved.IsZero():
		return job.Finding.Moved
	}
	return requested
}

// endedBy stores a person's decision with the latest transaction of the request with a reference.
func (p *Payment) endedBy(reference string, d Decision, reason *screen.Reason) {
	for i := len(p.Transactions) - 1; i >= 0; i-- {
		t := &p.Transactions[i]
		if t.Reference == reference && t.Type != EventContradiction {
			*t = t.because(reason)
			t.Decision = &d
			return
		}
	}
}
