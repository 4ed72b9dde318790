package worker

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/worker/outcome"
)

// results stores what providers say of their requests.
type results struct {
	core      *checkout.Core
	callbacks callback.Queue
}

// apply stores a provider's result of a task: payment, session and callback in one write, through the table of moves.
// Whether the result came as a response, from a look-up or in a notice: the first approval or decline counts, and later
// ones change nothing. A dispute that comes before its success is held in that write. Errors: CodeTooEarly of what
// comes before the success that it follows, also of what is held.
func (s *results) apply(ctx context.Context, t checkout.Task, provided connector.Result) error {
	var early error
	_, err := s.changeAndNotify(ctx, t, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		p, result := t.Payment, provided
		early = nil
		if elsewhere, found := p.Elsewhere().VoidedUnsent(t.Reference, result); found {
			result = elsewhere
		}
		switch {
		case result.Disputes() && p.Requests().IsFollowUp(t.Reference):
			// such as a refund that the payee's bank has sent back
			result.Outcome = connector.OutcomeDeclined
		case result.FollowsSuccess() && p.Transactions.WasDeclined(t.Reference) && p.Transactions.SuccessOf(t.Reference) < 0:
			// The charge was approved, else nothing could follow: a person decides.
			result = connector.Result{Outcome: connector.OutcomeApproved}
		case result.FollowsSuccess():
			follow := p.Disputes().Apply
			if result.IsElsewhere() {
				follow = p.Elsewhere().Apply
			}
			e, err := follow(result, now)
			if fault.CodeOf(err) == fault.CodeTooEarly {
				early = err
				return p.Disputes().Hold(result), nil
			}
			return e, err
		}
		result.RequiredAction = s.endable(p, result.RequiredAction)
		job, parsed := t.Job(), s.parseResult(ctx, p, result)
		if job == nil || !job.Kind.Sends() {
			return s.lateEffects(ctx, t, parsed, now)
		}
		storeFinding(t)
		return outcome.Decide(t, *job, parsed, now)
	})
	return cmp.Or(err, early)
}

// endable returns a required action that says whether the payment's connector can end it.
func (s *results) endable(p *payment.Payment, action *connector.RequiredAction) *connector.RequiredAction {
	if action == nil {
		return nil
	}
	told := *action
	told.CanEnd = s.core.Declarations[p.Connector].Cancel
	return &told
}

// lateEffects returns what a result leads to whose job is decided already. The decision stays, unless the provider
// reports that it failed after its success (FailLater). Money that arrived after the decline is reported to the
// merchant, and left to a person as all money that does not count. An approval of a charge that was declined is left to
// a person, also where another MID was charged instead, and so is a decline of what a person has approved. Both are
// measured until a person has decided.
func (s *results) lateEffects(
	ctx context.Context, t checkout.Task, result payment.ParsedResult, now time.Time,
) (payment.Effects, error) {
	p, arrived, charged := t.Payment, !result.Receipt.Added.IsZero(), t.Reference == t.Payment.ChargeReference
	late, e, err := arrived && charged && p.Status == payment.StatusDecline, payment.Effects{}, error(nil)
	switch {
	case late, result.Outcome == connector.OutcomeApproved && p.Transactions.WasDeclined(t.Reference) &&
		p.Transactions.SuccessOf(t.Reference) < 0:
		if result.Outcome == connector.OutcomeApproved && !p.Requests().IsFollowUp(t.Reference) {
			e = p.Contradictions().AddAmount(t.Reference, result, now)
		}
		if late || !p.Contradictions().AreEnded(t.Reference, payment.Success) {
			s.measureLate(ctx, t, metric.Line{
				Message: "approved by the provider after it was declined", Test: p.Test,
				Metrics: []metric.Metric{metric.Count("approved_after_declined")},
			})
		}
		if late {
			e = p.PaidLate(result, now)
		}
	case result.Outcome == connector.OutcomeDeclined && p.SuccessOf(t.Reference).ContradictsDecline():
		if t.Reported || p.Transactions[p.Transactions.SuccessOf(t.Reference)].Decision != nil {
			e, err = t.Payment.SuccessOf(t.Reference).FailLater(result.Result, now)
		}
		if !p.Contradictions().AreEnded(t.Reference, payment.Fail) {
			s.measureLate(ctx, t, metric.Line{
				Message: "declined by the provider after it was approved", Test: p.Test,
				Metrics: []metric.Metric{metric.Count("declined_after_approved")},
			})
		}
	case arrived && charged:
		s.core.Log.ErrorContext(ctx, "more arrived after the payment was settled", "payment", p.ID, "connector", p.Connector)
		e = p.Unapplied().AfterSuccess(result, now)
	}
	return e, err
}

// measureLate measures a result that contradicts how a request has ended.
func (s *results) measureLate(ctx context.Context, t checkout.Task, line metric.Line) {
	s.core.Measure(ctx, line, slog.String("payment", t.Payment.ID), slog.String("merchant", t.Payment.Merchant),
		slog.String("connector", t.Payment.Requests().Connector(t.Reference)), slog.String("reference", t.Reference))
}

// changeAndNotify changes a payment as change does, and puts the callback of the change on its queue. It also deletes
// the sealed card once nothing needs that any more, and applies a dispute that waited for the change.
func (s *results) changeAndNotify(
	ctx context.Context, t checkout.Task, f checkout.ChangeFunc,
) (stored bool, err error) {
	changed := t
	stored, made, err := s.core.Change(ctx, t, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		changed = t
		e, err := f(t, now)
		e.Deleted = t.Payment.CardDeletion()
		return e, err
	})
	made.Send(ctx, s.core.Log, s.callbacks, 0)
	if stored {
		err = s.applyHeldDispute(ctx, changed)
	}
	return stored, err
}

// applyHeldDispute applies the dispute of a payment that came before the success that it follows was known, or while
// the payment was refunded or voided, if that is so no longer.
func (s *results) applyHeldDispute(ctx context.Context, t checkout.Task) error {
	if t.Payment == nil || !t.Payment.Disputes().HasHeld() {
		return nil
	}
	_, err := s.changeAndNotify(ctx, t, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		return t.Payment.Disputes().ApplyHeld(now)
	})
	return err
}

// parseResult compares the money that a provider says has arrived with what is stored of the payment. If it can't be
// read, it counts as nothing.
func (s *results) parseResult(ctx context.Context, p *payment.Payment, result connector.Result) payment.ParsedResult {
	if result.Received == nil {
		return payment.ParsedResult{Result: result}
	}
	r, err := payment.ParseReceipt(result.Received, p.Received)
	if err != nil {
		s.core.Log.ErrorContext(ctx, "what arrived can't be read", "payment", p.ID, "connector", p.Connector, "error", err)
		return payment.ParsedResult{Result: result}
	}
	return payment.ParsedResult{Result: result, Receipt: r}
}
