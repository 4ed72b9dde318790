package merchant

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/payment"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// followUp is a request for a capture, void or refund of a payment.
type followUp struct {
	request.FollowUp
	kind payment.JobKind

	// allow checks by the payment's status, its other jobs and the requested amount whether the job is allowed, and
	// returns the amount of the job.
	allow func(p *payment.Payment, amount string, now time.Time) (money.Amount, error)

	idem *idempotencyRecord
}

// followUp authenticates a request, stores its job and waits for the outcome. r has the kind and allow only.
func (s *Service) followUp(ctx context.Context, call Call, r followUp) (response Response, err error) {
	if r.FollowUp, err = request.ReadFollowUp(call.Body, r.kind == payment.JobCapture ||
		r.kind == payment.JobRefund); err != nil {
		return nil, err
	}
	now := s.Now()
	m, owner, err := s.account(ctx, r.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	p, err := s.paymentOf(ctx, now, owner, r.PaymentID)
	if err != nil {
		return nil, err
	}
	caller := settings.Caller{Merchant: m, Owner: owner}
	if err := s.authenticate(caller, r.Hash, request.SignedAmount(r.PaymentID, r.Amount), r.formatted(p)...); err != nil {
		return nil, err
	}
	response, err = s.idempotent(ctx, caller, call, func(idem *idempotencyRecord) (Response, error) {
		if p == nil {
			return nil, s.errNotStored(ctx, caller, r.kind, r.PaymentID)
		}
		r.idem = idem
		return s.startFollowUp(ctx, m, p, r)
	})
	return response, request.WithFirst(err, m.FirstErrors(p.MappingName()))
}

// errNotStored is the error of a request for a payment that is not stored: not allowed if a session without an attempt
// has reserved the id, else unknown.
func (s *Service) errNotStored(
	ctx context.Context, caller settings.Caller, kind payment.JobKind, paymentID string,
) error {
	if _, err := s.unattemptedPayment(ctx, caller, paymentID); err != nil {
		return err
	}
	return errNotAllowed(kind)
}

// errNotAllowed refuses what a payment's status does not allow (protocol.md, Errors).
func errNotAllowed(kind payment.JobKind) *request.Error {
	switch kind {
	case payment.JobCapture:
		return request.Refuse(request.CodeNotAllowed, request.FaultCaptureStatus, "Capture is not allowed.")
	case payment.JobRefund:
		return request.Refuse(request.CodeNotAllowed, request.FaultRefundStatus, "Refund is not allowed.")
	case payment.JobVoid:
		return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, "Void is not allowed.")
	}
	return request.Refuse(request.CodeNotAllowed, request.FaultInvalid, "Retry is not allowed.")
}

// paymentOf reads a payment of a merchant, nil if it has none of that id in that mode.
func (s *Service) paymentOf(ctx context.Context, now time.Time, o request.Owner, id string) (*payment.Payment, error) {
	p, err := s.Payment(ctx, now, id)
	if err != nil || p == nil || p.Owner != o {
		return nil, err
	}
	return p, nil
}

// formatted returns the text that may be signed for an amount that is a JSON number, beside its literal text
// (protocol.md, Hashes).
func (r followUp) formatted(p *payment.Payment) []request.Signed {
	if !r.Number || p == nil {
		return nil
	}
	amount, err := money.Parse(r.Amount, request.CurrencyOf(p.Order))
	if err != nil {
		return nil
	}
	return []request.Signed{request.SignedAmount(r.PaymentID, amount.String())}
}

// startFollowUp resolves what is unknown of the payment, stores the job of a request if the payment allows that, and
// waits for the outcome.
func (s *Service) startFollowUp(
	ctx context.Context, m *settings.Merchant, p *payment.Payment, r followUp,
) (Response, error) {
	p, waited, err := s.resolve(ctx, p)
	if err != nil {
		return nil, err
	}
	reference := store.NewUUID(s.Random(16))
	a := awaited{PaymentID: p.ID, Reference: reference, Kind: r.kind, waited: waited}
	t := checkout.Task{Payment: p, Reference: reference}
	_, _, err = s.Change(ctx, t, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		p := t.Payment
		if !r.kind.AllowedBy(s.Declarations[p.Connector]) {
			return payment.Effects{}, errNotAllowed(r.kind)
		}
		amount, err := r.allow(p, r.Amount, now)
		if err != nil {
			return payment.Effects{}, err
		}
		p.Jobs = append(p.Jobs, payment.Job{
			Kind: r.kind, Reference: reference, Amount: amount, Cause: request.ID(ctx), DueAt: now.Add(payment.NewJobGrace),
		})
		var response Response
		if r.kind == payment.JobRefund {
			response = accepted(p.ID)
		}
		return payment.Effects{Save: true, Records: r.idem.with(&a, response)}, nil
	})
	if err != nil {
		return nil, err
	}
	s.SendJob(ctx, t.Payment.Message(reference), 0)
	return s.await(ctx, m, a)
}
