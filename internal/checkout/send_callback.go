package checkout

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/request"
)

func (s *Service) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.meter(), Store: s.Store, Queue: s.Queue, Sender: s.Sender, Accounts: s.accounts(), Breakers: &s.breakerCache,
		Release: s.release,
	}
}

// SendCallback delivers the callback that the message names and those of the same payment that wait behind it, in
// order. An error means that the message should come again.
func (s *Service) SendCallback(ctx context.Context, message callback.Message) error {
	return s.outbox().Deliver(ctx, message)
}

// ParkedCallbacks lists the parked callbacks that the query chooses, in the order of their events.
func (s *Service) ParkedCallbacks(ctx context.Context, query callback.ParkedQuery) ([]callback.ParkedOne, error) {
	return s.outbox().ParkedCallbacks(ctx, query)
}

// SendParked has every parked callback that the query chooses sent again, and returns how many these are.
func (s *Service) SendParked(ctx context.Context, query callback.ParkedQuery) (int, error) {
	return s.outbox().SendParked(ctx, query)
}

// SendAgain has one parked callback sent again. Errors: CodeNotFound; CodeNotAllowed for one that is not parked or has no address.
func (s *Service) SendAgain(ctx context.Context, paymentID string, seq int) error {
	return s.outbox().SendAgain(ctx, paymentID, seq)
}

// release decides about a withheld callback: it may be sent once its session is over without success, is
// dropped when the payer tried again, and waits else. One that says what became of the payer's money is
// never dropped: it waits for the session's end, however that is.
func (s *Service) release(ctx context.Context, now time.Time, c *callback.Callback) (ready bool, err error) {
	if c.SessionID == "" {
		return true, nil
	}
	sess, err := s.session(ctx, now, c.SessionID)
	if request.ErrorCode(err) == request.CodeNotFound { // so long ago that it is forgotten
		c.SessionID, c.NextAt = "", now
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if sess.PaymentID != c.PaymentID {
		money, err := s.reportsMoney(ctx, now, c)
		if err != nil {
			return false, err
		}
		if !money {
			c.State = callback.Dropped
			return false, s.outbox().Save(ctx, now, c, time.Time{})
		}
	}
	if state := sess.stateAt(now); state == SessionOpen || state == SessionProcessing {
		return false, nil
	}
	c.SessionID, c.NextAt = "", now
	return true, nil
}

// tellsOfMoney reports whether a part of the money of a declined payment, or all of it too late, has arrived.
func (s *Service) reportsMoney(ctx context.Context, now time.Time, c *callback.Callback) (bool, error) {
	p, err := s.payment(ctx, now, c.PaymentID)
	return p != nil && p.Received != nil, err
}
