package checkout

import (
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// withhold delays the callback of a decline until its session ends, if the mapping has `declines: last` and the payer
// may make another attempt, which would make the decline outdated. The callback is due when the session expires. One
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
	c.State, c.SessionID, c.NextAt = callback.Waiting, sess.ID, sess.ExpiresAt
	sess.WithheldSeq = c.Seq
}
