package operator

import (
	"context"
	"slices"
	"time"

	"checkout/internal/payment"
)

// ActsOf are an operator's acts on a payment.
type ActsOf struct {
	Acts    []payment.Act
	Status  payment.Status // of the payment
	Pending bool           // one of them was not executed yet
}

// actPause is the pause between two reads while an operator waits.
const actPause = time.Second

// AwaitActs waits until all that operators have asked for of a payment was executed, at most for a time.
// Errors: CodeNotFound.
func (s *Service) AwaitActs(ctx context.Context, paymentID string, atMost time.Duration) (ActsOf, error) {
	for waited := time.Duration(0); ; waited += actPause {
		p, err := s.Payment(ctx, s.Now(), paymentID)
		if err != nil {
			return ActsOf{}, err
		}
		if p == nil {
			return ActsOf{}, payment.ErrNotFound()
		}
		a := ActsOf{Acts: p.Acts, Status: p.Status}
		a.Pending = slices.ContainsFunc(p.Acts, func(act payment.Act) bool { return act.Result == "" })
		if !a.Pending || waited >= atMost || s.Pause(ctx, actPause) != nil {
			return a, nil
		}
	}
}
