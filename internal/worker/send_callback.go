package worker

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/fault"
)

// CallbackSender sends callbacks to merchants. NewCallbackSender makes one.
type CallbackSender struct {
	core     *checkout.Core
	queue    callback.Queue
	breakers callback.BreakerCache

	Sender callback.Sender
}

// NewCallbackSender makes a sender of callbacks, which sends those that have to wait to the queue again.
func NewCallbackSender(core *checkout.Core, queue callback.Queue, sender callback.Sender) *CallbackSender {
	return &CallbackSender{core: core, queue: queue, Sender: sender}
}

func (s *CallbackSender) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.core.Meter(), Store: s.core.Store, Queue: s.queue, Sender: s.Sender,
		Accounts: s.core.Accounts(), Breakers: &s.breakers, Release: s.release,
	}
}

// SendCallback delivers the callback that the message names and the payment's later ones, in order. An error means
// that the message should arrive again.
func (s *CallbackSender) SendCallback(ctx context.Context, message callback.Message) error {
	return s.outbox().Deliver(ctx, message)
}

// release reports whether a withheld callback can be sent: when its session has ended. It drops the callback if the
// payer has made another attempt, unless the callback reports money that arrived.
func (s *CallbackSender) release(ctx context.Context, now time.Time, c *callback.Callback) (ready bool, err error) {
	if c.SessionID == "" {
		return true, nil
	}
	sess, err := s.core.Session(ctx, now, c.SessionID)
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
	if !sess.IsOver(now) {
		return false, nil
	}
	c.SessionID, c.NextAt = "", now
	return true, nil
}

// reportsMoney reports whether money arrived for the declined payment of a callback: too little or too late.
func (s *CallbackSender) reportsMoney(ctx context.Context, now time.Time, c *callback.Callback) (bool, error) {
	p, err := s.core.Payment(ctx, now, c.PaymentID)
	return p != nil && p.Received != nil, err
}
