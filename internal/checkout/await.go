package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/merchant"
)

// AnswerWait is how long a merchant's call waits for the outcome that it asks
// for: less than the functions that answer may take (10 s in template.yaml).
const AwaitTimeout = 7 * time.Second

// awaitPauses is how long a waiting call pauses between its looks; the last one for ever.
var awaitPauses = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond}

// await waits for the end of a job, if it comes soon, and answers it.
func (s *Service) await(ctx context.Context, m *merchant.Merchant, a awaited) (Response, error) {
	if a.Kind == JobRefund {
		return accepted(a.PaymentID), nil
	}
	waited := time.Duration(0)
	for i := 0; ; i++ {
		now := s.Now()
		p, err := s.payment(ctx, now, a.PaymentID)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, fmt.Errorf("payment %s is gone", a.PaymentID)
		}
		pause := awaitPauses[min(i, len(awaitPauses)-1)]
		if waited += pause; !p.awaits(a) || waited > AwaitTimeout || s.Pause(ctx, pause) != nil {
			return p.response(m, a, now), nil
		}
	}
}

// waits reports whether a job has not ended. A charge has another reference at each MID.
func (p *Payment) awaits(a awaited) bool {
	if a.Kind == JobCharge {
		return p.Charge() != nil
	}
	return p.job(a.Reference) != nil
}

// answer is the payment as the answer to what was asked.
func (p *Payment) response(m *merchant.Merchant, a awaited, now time.Time) Response {
	end := Transaction{Date: now}
	for _, t := range p.Transactions {
		if t.Reference == a.Reference {
			end = t
		}
	}
	switch a.Kind {
	case JobCapture:
		return captureResponse(p, end)
	case JobVoid:
		return voidResponse(p, end)
	}
	return paymentObject(m, p)
}

// asked is what the answer to a call waits for: a job of a payment, and the
// form of the answer.
type awaited struct {
	PaymentID string  `json:"payment_id"`
	Reference string  `json:"reference"`
	Kind      JobKind `json:"kind"`
}
