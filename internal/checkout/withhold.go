package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/merchant"
	"checkout/internal/request"
	"checkout/internal/store"
)

// withhold keeps the callback of a decline until its session is over, where the mapping says
// `declines: last` and the payer may still try again. It is stored like any other and due at the
// session's end; only then is it known whether it is news. One without an address waits too, and is
// parked then: who has parked callbacks sent must not be given a decline that is no news any more.
func withhold(c *callback.Callback, now time.Time, m *merchant.Merchant, t task) {
	p, sess := t.payment, t.session
	if c == nil || p.Status != StatusDecline || sess == nil || sess.StateAt(now) != SessionOpen {
		return
	}
	if !m.MappingNamed(p.Mapping).Compatibility.On(merchant.DeclinesSwitch) {
		return
	}
	c.State, c.SessionID, c.NextAt = callback.Waiting, sess.ID, sess.ExpiresAt
	sess.Withheld = c.Seq
}

// withheld is the callback that a session withholds, due now that the session ends: nothing if there is none.
func (s *Service) withheld(ctx context.Context, now time.Time, sess *Session) ([]store.Record, error) {
	if sess.Withheld == 0 {
		return nil, nil
	}
	key, err := store.CallbackKey(sess.PaymentID, sess.Withheld)
	if err != nil {
		return nil, fmt.Errorf("withheld callback: %w", err)
	}
	c := &callback.Callback{}
	if _, err := s.load(ctx, now, key, c); err != nil {
		return nil, fmt.Errorf("read withheld callback: %w", err)
	}
	if c.SessionID != sess.ID {
		return nil, nil
	}
	c.NextAt = now
	return []store.Record{c.Record(now)}, nil
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
		money, err := s.tellsOfMoney(ctx, now, c)
		if err != nil {
			return false, err
		}
		if !money {
			c.State = callback.Dropped
			return false, s.outbox().Save(ctx, now, c, time.Time{})
		}
	}
	if state := sess.StateAt(now); state == SessionOpen || state == SessionProcessing {
		return false, nil
	}
	c.SessionID, c.NextAt = "", now
	return true, nil
}

// tellsOfMoney reports whether a part of the money of a declined payment, or all of it too late, has arrived.
func (s *Service) tellsOfMoney(ctx context.Context, now time.Time, c *callback.Callback) (bool, error) {
	p, err := s.payment(ctx, now, c.PaymentID)
	return p != nil && p.Received != nil, err
}
