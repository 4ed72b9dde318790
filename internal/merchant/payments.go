package merchant

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
)

// payments finds and makes the payments of merchants, and waits for their outcomes.
type payments struct {
	core *checkout.Core
	jobs checkout.Jobs
}

func newPayments(core *checkout.Core, queue payment.JobQueue) payments {
	return payments{core, checkout.NewJobs(core, queue)}
}

// paymentOf reads a payment of a merchant, nil if it has none of that id in that mode.
func (s *payments) paymentOf(ctx context.Context, now time.Time, o fault.Owner, id string) (*payment.Payment, error) {
	p, err := s.core.Payment(ctx, now, id)
	if err != nil || p == nil || p.Owner != o {
		return nil, err
	}
	return p, nil
}
