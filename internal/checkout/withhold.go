package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// withhold delays the callback of a decline until its session ends, if the mapping has `declines: last` and the payer
// may make another attempt, which would make the decline outdated. The callback is due when the session is over. One
// without an address is delayed, too, and parked then, so that no outdated decline is among the parked callbacks.
func withhold(c *callback.Callback, now time.Time, m *settings.Merchant, t Task) {
	p, sess := t.Payment, t.Session
	if c == nil || p.Status != payment.StatusDecline || sess == nil {
		return
	}
	if state := sess.StateAt(now); state != SessionOpen && state != SessionHeld {
		return
	}
	if !m.MappingNamed(p.Mapping).Compatibility.On(settings.DeclinesSwitch) {
		return
	}
	c.State, c.SessionID, c.NextAt = callback.Waiting, sess.ID, sess.overAt()
	sess.WithheldSeq = c.Seq
}

// ReleasedCallback returns the callback that a session withholds, due now; no record if there is none.
func (s *Core) ReleasedCallback(ctx context.Context, now time.Time, sess *Session) ([]store.Record, error) {
	c, err := s.withheldCallback(ctx, now, sess)
	if err != nil || c == nil {
		return nil, err
	}
	c.NextAt = now
	return []store.Record{c.Record(now)}, nil
}

// withheldCallback reads the callback that a session withholds, nil if there is none, or none any more.
func (s *Core) withheldCallback(ctx context.Context, now time.Time, sess *Session) (*callback.Callback, error) {
	if sess.WithheldSeq == 0 {
		return nil, nil
	}
	key, err := store.CallbackKey(sess.PaymentID, sess.WithheldSeq)
	if err != nil {
		return nil, fmt.Errorf("withheld callback: %w", err)
	}
	c := &callback.Callback{}
	if _, err := s.Load(ctx, now, key, c); err != nil {
		return nil, fmt.Errorf("read withheld callback: %w", err)
	}
	if c.SessionID != sess.ID {
		return nil, nil
	}
	return c, nil
}
