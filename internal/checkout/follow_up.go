package checkout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// maxRefunds is how many refunds a payment may have, whatever their outcome: a stored payment has to stay small.
const maxRefunds = 200

// MayFollowUp returns the amount of a capture, void or refund: the requested one, or for "" all that is left. A refund
// in progress reduces what is left, so concurrent refunds never exceed the payment.
// Errors: a Refusal if the connector can't do it, the payment's status or its other jobs do not allow it, or nothing is
// left; CodeInvalid for an amount that is too large, not valid, or of a void.
func (s *Core) MayFollowUp(
	p *payment.Payment, kind payment.JobKind, amount string, now time.Time,
) (money.Amount, error) {
	if !kind.AllowedBy(s.Declarations[p.Connector]) {
		return refuse(kind, "Its provider takes no request for a "+string(kind)+".")
	}
	switch kind {
	case payment.JobCapture:
		return mayCapture(p, amount)
	case payment.JobVoid:
		if amount != "" {
			return money.Amount{}, fault.At("amount", "A void has no amount: it is of all.")
		}
		return mayVoid(p, now)
	case payment.JobRefund:
		return mayRefund(p, amount)
	}
	return refuse(kind, "A payment takes no request for a "+string(kind)+".")
}

func mayCapture(p *payment.Payment, text string) (money.Amount, error) {
	const kind = payment.JobCapture
	switch ended, job := whyEnded(p), waitsFor(p.Jobs); {
	case ended != "":
		return refuse(kind, ended)
	case p.Status == payment.StatusSettled:
		return refuse(kind, "It was captured already.")
	case job != nil:
		return refuse(kind, whyWait(job))
	case p.Status != payment.StatusPending:
		return refuse(kind, whyUndecided)
	}
	return p.Amounts().Read(text, p.Amount, fault.NumberCaptureAmount)
}

func mayVoid(p *payment.Payment, now time.Time) (money.Amount, error) {
	const kind = payment.JobVoid
	settled := p.Status == payment.StatusSettled
	today := settledAt(p).UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	switch ended, job := whyEnded(p), waitsFor(p.Jobs); {
	case ended != "":
		return refuse(kind, ended)
	case settled && (!today || p.Transactions.Count(payment.EventRefund, payment.Success) > 0):
		return refuse(kind, "Only a payment of the same day (UTC) without refunds can be voided: refund it.")
	case job != nil:
		return refuse(kind, whyWait(job))
	case !settled && p.Status != payment.StatusPending:
		return refuse(kind, whyUndecided)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt returns when the payment was authorised, or later captured; zero if neither.
func settledAt(p *payment.Payment) time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == payment.Success && (t.Type == p.EventType(payment.JobCharge) || t.Type == payment.EventCapture) {
			at = t.Date
		}
	}
	return at
}

func mayRefund(p *payment.Payment, text string) (money.Amount, error) {
	const kind = payment.JobRefund
	settled, before := p.Status == payment.StatusSettled, p.Jobs
	if settled { // then refunds wait for nothing but a void
		before = slices.DeleteFunc(slices.Clone(before), func(j payment.Job) bool { return j.Kind != payment.JobVoid })
	}
	switch ended, job := whyEnded(p), waitsFor(before); {
	case ended != "":
		return refuse(kind, ended)
	case settled && p.Amounts().CountRefunds() >= maxRefunds:
		return refuse(kind, fmt.Sprintf("It has %d refunds, and can have no more.", maxRefunds))
	case job != nil:
		return refuse(kind, whyWait(job))
	case p.Status == payment.StatusPending:
		return refuse(kind, "Nothing was captured yet: void it.")
	case !settled:
		return refuse(kind, whyUndecided)
	}
	refundable, err := p.Amounts().Refundable()
	if err != nil {
		return money.Amount{}, err
	}
	if refundable.IsZero() {
		wrong := fault.Fault{Number: fault.NumberRefundAmount, Path: "amount", Text: "Nothing is left to refund."}
		why := "Nothing is left to refund, or a refund of the rest is in progress."
		return money.Amount{}, &Refusal{fault.Invalid([]fault.Fault{wrong}), why}
	}
	return p.Amounts().Read(text, refundable, fault.NumberRefundAmount)
}

// ErrNotAllowed refuses what a payment's status does not allow (protocol.md, Errors).
func ErrNotAllowed(kind payment.JobKind) *fault.Error {
	switch kind {
	case payment.JobCapture:
		return fault.RefuseAs(fault.CodeNotAllowed, fault.NumberCaptureStatus, "Capture is not allowed.")
	case payment.JobRefund:
		return fault.RefuseAs(fault.CodeNotAllowed, fault.NumberRefundStatus, "Refund is not allowed.")
	case payment.JobVoid:
		return fault.Refuse(fault.CodeNotAllowed, "Void is not allowed.")
	}
	return fault.Refuse(fault.CodeNotAllowed, "Retry is not allowed.")
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
