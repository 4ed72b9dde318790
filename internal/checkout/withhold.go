package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/merchant"
	"checkout/internal/store"
)

// withhold delays the callback of a decline until its session ends, if the mapping has `declines: last` and the payer
// may make another attempt, which would make the decline outdated. The callback is due when the session expires. One
// without an address is delayed, too, and parked then, so that no outdated decline is among the parked callbacks.
func withhold(c *callback.Callback, now time.Time, m *merchant.Merchant, t task) {
	p, sess := t.payment, t.session
	if c == nil || p.Status != StatusDecline || sess == nil {
		return
	}
	if state := sess.stateAt(now); state != sessionOpen && state != sessionHeld {
		return
	}
	if !m.MappingNamed(p.Mapping).Compatibility.On(merchant.DeclinesSwitch) {
		return
	}
	c.State, c.SessionID, c.NextAt = callback.Waiting, sess.ID, sess.ExpiresAt
	sess.WithheldSeq = c.Seq
}

// releasedCallback returns the callback that a session withholds, due now; no record if there is none.
func (s *Service) releasedCallback(ctx context.Context, now time.Time, sess *Session) ([]store.Record, error) {
	if sess.WithheldSeq == 0 {
		return nil, nil
	}
	key, err := store.CallbackKey(sess.PaymentID, sess.WithheldSeq)
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
