package worker

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/fault"
)

func (s *Service) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.Meter(), Store: s.Store, Queue: s.Callbacks, Sender: s.Sender,
		Accounts: s.Accounts(), Breakers: &s.breakerCache, Release: s.release,
	}
}

// SendCallback delivers the callback that the message names and the payment's later ones, in order. An error means
// that the message should arrive again.
func (s *Service) SendCallback(ctx context.Context, message callback.Message) error {
	return s.outbox().Deliver(ctx, message)
}

// release reports whether a withheld callback can be sent: when its session has ended. It drops the callback if the
// payer has made another attempt, unless the callback reports money that arrived.
func (s *Service) release(ctx context.Context, now time.Time, c *callback.Callback) (ready bool, err error) {
	if c.SessionID == "" {
		return true, nil
	}
	sess, err := s.Session(ctx, now, c.SessionID)
	if fault.CodeOf(err) == fault.CodeNotFound { // the session is deleted after its TTL
		c.SessionID, c.NextAt = "", now
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if sess.PaymentID != c.PaymentID || sess.State == checkout.SessionComplete { // a person may have accepted an approval
		reportsMoney, err := s.reportsMoney(ctx, now, c)
		if err != nil {
			return false, err
		}
		if !reportsMoney {
			c.State = callback.Dropped
			return false, s.outbox().Save(ctx, now, c, time.Time{})
		}
	}
	switch sess.StateAt(now) {
	case checkout.SessionOpen, checkout.SessionHeld, checkout.SessionProcessing:
		return false, nil
	}
	c.SessionID, c.NextAt = "", now
	return true, nil
}

// reportsMoney reports whether money arrived for the declined payment of a callback: too little or too late.
func (s *Service) reportsMoney(ctx context.Context, now time.Time, c *callback.Callback) (bool, error) {
	p, err := s.Payment(ctx, now, c.PaymentID)
	return p != nil && p.Received != nil, err
}
