package checkout

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/request"
)

func (s *Service) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.meter(), Store: s.Store, Queue: s.Queue, Sender: s.Sender,
		Accounts: s.accounts(), Breakers: &s.breakerCache, Release: s.release,
	}
}

// SendCallback delivers the callback that the message names and the payment's later ones, in order. An error means
// that the message should arrive again.
func (s *Service) SendCallback(ctx context.Context, message callback.Message) error {
	return s.outbox().Deliver(ctx, message)
}

// ParkedCallbacks lists the parked callbacks that match a query, in the order of their events.
func (s *Service) ParkedCallbacks(ctx context.Context, query callback.ParkedQuery) ([]callback.ParkedOne, error) {
	return s.outbox().ParkedCallbacks(ctx, query)
}

// SendParked has the parked callbacks that match a query sent again, and returns their number.
func (s *Service) SendParked(ctx context.Context, query callback.ParkedQuery) (int, error) {
	return s.outbox().SendParked(ctx, query)
}

// SendAgain has one parked callback sent again.
// Errors: CodeNotFound; CodeNotAllowed if it is not parked or has no address.
func (s *Service) SendAgain(ctx context.Context, paymentID string, seq int) error {
	return s.outbox().SendAgain(ctx, paymentID, seq)
}

// release reports whether a withheld callback can be sent: when its session has ended. It drops the callback if the
// payer has made another attempt, unless the callback reports money that arrived.
func (s *Service) release(ctx context.Context, now time.Time, c *callback.Callback) (ready bool, err error) {
	if c.SessionID == "" {
		return true, nil
	}
	sess, err := s.session(ctx, now, c.SessionID)
	if request.ErrorCode(err) == request.CodeNotFound { // the session is deleted after its TTL
		c.SessionID, c.NextAt = "", now
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if sess.PaymentID != c.PaymentID || sess.State == sessionComplete { // a person may have accepted an approval
		reportsMoney, err := s.reportsMoney(ctx, now, c)
		if err != nil {
			return false, err
		}
		if !reportsMoney {
			c.State = callback.Dropped
			return false, s.outbox().Save(ctx, now, c, time.Time{})
		}
	}
	switch sess.stateAt(now) {
	case sessionOpen, sessionHeld, sessionProcessing:
		return false, nil
	}
	c.SessionID, c.NextAt = "", now
	return true, nil
}

// reportsMoney reports whether money arrived for the declined payment of a callback: too little or too late.
func (s *Service) reportsMoney(ctx context.Context, now time.Time, c *callback.Callback) (bool, error) {
	p, err := s.payment(ctx, now, c.PaymentID)
	return p != nil && p.Received != nil, err
}
