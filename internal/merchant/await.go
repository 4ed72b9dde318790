package merchant

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/payment"
	"checkout/internal/settings"
)

// AwaitTimeout is how long a merchant's call waits for the outcome of its job. It is less than the time limit of the
// functions that wait (10 s in template.yaml).
const AwaitTimeout = 7 * time.Second

// awaitPauses are the pauses between reads of the payment while a call waits. The last one repeats.
var awaitPauses = []time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond,
}

// await waits until a job has ended, at most AwaitTimeout, and returns the response to the call that asked for the job.
// Refunds are not waited for.
func (s *Service) await(ctx context.Context, m *settings.Merchant, a awaited) (Response, error) {
	if a.Kind == payment.JobRefund {
		return accepted(a.PaymentID), nil
	}
	waited := a.waited
	for i := 0; ; i++ {
		now := s.Now()
		p, err := s.Payment(ctx, now, a.PaymentID)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, fmt.Errorf("payment %s is gone", a.PaymentID)
		}
		pause := awaitPauses[min(i, len(awaitPauses)-1)]
		if waited += pause; !awaits(p, a) || waited > AwaitTimeout || s.Pause(ctx, pause) != nil {
			return responseTo(m, p, a, now), nil
		}
	}
}

// awaits reports whether a job has not ended, and the payer need not act before it can. A charge is found by its kind:
// at each MID it has another reference.
func awaits(p *payment.Payment, a awaited) bool {
	if a.Kind == payment.JobCharge {
		return p.Jobs.Charge() != nil && p.Action == nil
	}
	return p.Jobs.Find(a.Reference) != nil
}

// responseTo returns the response to a call whose job has ended, or has not ended yet.
func responseTo(m *settings.Merchant, p *payment.Payment, a awaited, now time.Time) Response {
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

// awaited names the job that a call waits for. Kind also decides which response it gets.
type awaited struct {
	PaymentID string          `json:"payment_id"`
	Reference string          `json:"reference"`
	Kind      payment.JobKind `json:"kind"`
	// RedirectURL is where the payer goes while the payment of a wallet's token is not decided.
	RedirectURL string `json:"redirect_url,omitempty"`

	waited time.Duration // how much of AwaitTimeout the call has waited already
}
