package checkout

import (
	"context"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/store"
)

// FollowUp is a capture, void or refund that somebody asks for.
type FollowUp struct {
	Kind   payment.JobKind
	Amount string // in the payment's currency; "": all that is left
	// With changes the payment further and returns what else is stored: only Once and Records of the effects count.
	With func(p *payment.Payment, job payment.Job, now time.Time) (payment.Effects, error)
}

// MayFollowUp returns the amount of a capture, void or refund: the requested one, or for "" all that is left.
// Errors: a Refusal if the connector can't do it, the payment's status or its other jobs do not allow it, or nothing is
// left; CodeInvalid for an amount that is too large, not valid, or of a void.
func (s *Core) MayFollowUp(
	p *payment.Payment, kind payment.JobKind, amount string, now time.Time,
) (money.Amount, error) {
	if !kind.AllowedBy(s.Declarations[p.Connector]) {
		return refuse(ErrNotAllowed(kind), "Its provider takes no request for a "+string(kind)+".")
	}
	switch kind {
	case payment.JobCapture:
		return mayCapture(p, amount)
	case payment.JobVoid:
		return mayVoid(p, amount, now)
	case payment.JobRefund:
		return mayRefund(p, amount)
	}
	return refuse(ErrNotAllowed(kind), "A payment takes no request for a "+string(kind)+".")
}

// ErrNotAllowed refuses what a payment's status does not allow (protocol.md, Errors).
func ErrNotAllowed(kind payment.JobKind) *fault.Error {
	switch kind {
	case payment.JobCapture:
		return errCapture()
	case payment.JobVoid:
		return errVoid()
	case payment.JobRefund:
		return errRefund()
	}
	return fault.Refuse(fault.CodeNotAllowed, "It is not allowed.")
}

// StartFollowUp resolves what is unknown of the payment, stores the job if the payment allows that, and sends it. It
// returns the job, whose outcome can be awaited. Errors: those of MayFollowUp and With.
func (j Jobs) StartFollowUp(ctx context.Context, p *payment.Payment, f FollowUp, wait *Wait) (Awaited, error) {
	p, err := j.Resolve(ctx, p, wait)
	if err != nil {
		return Awaited{}, err
	}
	a := Awaited{PaymentID: p.ID, Reference: store.NewUUID(j.core.Random(16)), Kind: f.Kind}
	t := Task{Payment: p, Reference: a.Reference}
	_, _, err = j.core.Change(ctx, t, func(t Task, now time.Time) (payment.Effects, error) {
		p := t.Payment
		amount, err := j.core.MayFollowUp(p, f.Kind, f.Amount, now)
		if err != nil {
			return payment.Effects{}, err
		}
		job := payment.Job{
			Kind: f.Kind, Reference: a.Reference, Amount: amount, Cause: fault.RequestID(ctx),
			DueAt: now.Add(payment.NewJobGrace),
		}
		p.Jobs = append(p.Jobs, job)
		with, err := f.With(p, job, now)
		return payment.Effects{Save: true, Once: with.Once, Records: with.Records}, err
	})
	if err != nil {
		return Awaited{}, err
	}
	j.Send(ctx, p.Message(a.Reference), 0)
	return a, nil
}
