package merchant

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// FollowUps captures, refunds and voids payments. NewFollowUps makes it.
type FollowUps struct {
	core     *checkout.Core
	callers  callers
	payments payments
}

// NewFollowUps makes what captures, refunds and voids payments.
func NewFollowUps(core *checkout.Core, queue payment.JobQueue) *FollowUps {
	return &FollowUps{core, callers{core: core}, newPayments(core, queue)}
}

// followUp is a request for a capture, void or refund of a payment.
type followUp struct {
	request.FollowUp
	kind payment.JobKind
	idem *checkout.IdempotencyRecord
}

// followUp authenticates a request, stores its job and waits for the outcome.
func (s *FollowUps) followUp(ctx context.Context, call Call, kind payment.JobKind) (response Response, err error) {
	r := followUp{kind: kind}
	if r.FollowUp, err = request.ReadFollowUp(call.Body, kind != payment.JobVoid); err != nil {
		return nil, err
	}
	now := s.core.Now()
	caller, read, err := s.callers.accountAndPayment(ctx, now, r.MerchantKey, r.PaymentID)
	if err != nil {
		return nil, err
	}
	if caller, err = s.callers.authenticate(ctx, caller, r.Hash, r.signed()...); err != nil {
		return nil, err
	}
	p, err := read(caller)
	if err != nil {
		return nil, err
	}
	response, err = s.payments.idempotent(ctx, caller, call, func(idem *checkout.IdempotencyRecord) (Response, error) {
		if p == nil {
			return nil, s.payments.errNotStored(ctx, caller, r.PaymentID, checkout.ErrNotAllowed(kind))
		}
		r.idem = idem
		return s.startFollowUp(ctx, caller.Merchant, p, r)
	})
	return response, fault.WithFirst(err, caller.Merchant.FirstErrors(p.MappingName()))
}

// errNotStored is the error of a request for a payment that is not stored: notAllowed if a session without an attempt
// has reserved the id, else unknown.
func (s *payments) errNotStored(ctx context.Context, caller settings.Caller, paymentID string, notAllowed error) error {
	if _, err := s.unattemptedPayment(ctx, caller, paymentID); err != nil {
		return err
	}
	return notAllowed
}

// signed returns the texts that may be signed: one, and more for an amount that is a JSON number, behind its literal
// text.
func (r followUp) signed() (texts []request.Signed) {
	texts = append(texts, request.SignedAmount(r.PaymentID, r.Amount))
	if !r.Number {
		return texts
	}
	for _, amount := range formattedAmounts(r.Amount) {
		texts = append(texts, request.SignedAmount(r.PaymentID, amount))
	}
	return texts
}

// mostDecimals is how many decimals a currency can have.
const mostDecimals = 18

// formattedAmounts are the texts of a number with the decimals of any currency (protocol.md, Hashes): that of the
// payment is known only once the hash is good and something may be read.
func formattedAmounts(number string) (texts []string) {
	for exponent := range mostDecimals + 1 {
		amount, err := money.Parse(number, money.Currency{Code: "any", Exponent: exponent})
		if text := amount.String(); err == nil && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// startFollowUp stores the job of a request if the payment allows that, and waits for the outcome.
func (s *FollowUps) startFollowUp(
	ctx context.Context, m *settings.Merchant, p *payment.Payment, r followUp,
) (Response, error) {
	wait := newWait()
	a, err := s.payments.jobs.StartFollowUp(ctx, p, checkout.FollowUp{
		Kind: r.kind, Amount: r.Amount,
		With: func(p *payment.Payment, job payment.Job, _ time.Time) (payment.Effects, error) {
			var response Response
			if job.Kind == payment.JobRefund {
				response = accepted(p.ID)
			}
			a := checkout.Awaited{PaymentID: p.ID, Reference: job.Reference, Kind: job.Kind}
			return payment.Effects{Once: r.idem.Of(&a, response)}, nil
		},
	}, wait)
	if err != nil {
		return nil, err
	}
	return s.payments.await(ctx, m, a, wait)
}
