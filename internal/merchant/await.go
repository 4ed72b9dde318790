package merchant

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// AwaitTimeout is how long a merchant's call waits for the outcome of its job. It is less than the time limit of the
// functions that wait (10 s in template.yaml).
const AwaitTimeout = 7 * time.Second

// await waits until a job has ended and returns the response to the call that asked for the job. Refunds are not waited
// for.
func (s *payments) await(
	ctx context.Context, m *settings.Merchant, a checkout.Awaited, wait *checkout.Wait,
) (Response, error) {
	if a.Kind == payment.JobRefund {
		return accepted(a.PaymentID), nil
	}
	p, err := s.core.Await(ctx, a.PaymentID, wait, a.Pending)
	if err != nil {
		return nil, err
	}
	return responseTo(m, p, a, s.core.Now()), nil
}

// newWait is the wait of a call that begins.
func newWait() *checkout.Wait { return &checkout.Wait{AtMost: AwaitTimeout} }

// responseTo returns the response to a call whose job has ended, or has not ended yet.
func responseTo(m *settings.Merchant, p *payment.Payment, a checkout.Awaited, now time.Time) Response {
	end := payment.Transaction{Date: now}
	for _, t := range p.Transactions {
		if t.Reference == a.Reference {
			end = t
		}
	}
	switch a.Kind {
	case payment.JobCapture:
		return captureResponse(p, end)
	case payment.JobVoid:
		return voidResponse(p, end)
	}
	o := paymentObject(m, p)
	if p.Jobs.Charge() != nil {
		o.RedirectURL = a.RedirectURL
	}
	return o
}
