package checkout

import (
	"context"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// Extension is when the payer of a session was given more time, and when it would have ended without.
type Extension struct {
	At     time.Time `json:"at"`
	Before time.Time `json:"before"`
}

// MoreTimeWithin returns for how long from now the payer of the session can ask for more time: once, while the session
// is open and its longest time is not used up, so early that the new end is stored before any clock has reached the old
// one: no session goes on that a merchant, a callback or an operator was told to be over. 0: not any more.
func (s *Session) MoreTimeWithin(now time.Time) time.Duration {
	if s.StateAt(now) != SessionOpen || s.Extension != nil || !s.longerEnd().After(s.ExpiresAt) {
		return 0
	}
	return max(s.ExpiresAt.Add(-endsWithin).Sub(now), 0)
}

// longerEnd is the end of a session that lasts twice as long, but no longer than any session may.
func (s *Session) longerEnd() time.Time {
	end := s.ExpiresAt.Add(s.ExpiresAt.Sub(s.CreatedAt))
	if latest := s.CreatedAt.Add(request.MaxSession); latest.Before(end) {
		return latest
	}
	return end
}

// Extend gives the payer of a session more time, if they can ask for it, and moves the callback that the session
// withholds to its new end. A payment that has begun is not changed by that: its session is not open. It returns the
// callback's document, and false if the session stays as it is.
func (s *Core) Extend(ctx context.Context, now time.Time, sess *Session) (extended bool, _ []store.Record, err error) {
	if sess.MoreTimeWithin(now) == 0 {
		return false, nil, nil
	}
	withheld, err := s.withheldCallback(ctx, now, sess)
	if err != nil || withheld == nil && sess.WithheldSeq != 0 { // it was sent, as that of a session that is over
		return false, nil, err
	}
	sess.Extension = &Extension{At: now, Before: sess.ExpiresAt}
	sess.ExpiresAt = sess.longerEnd()
	if withheld == nil {
		return true, nil, nil
	}
	withheld.NextAt = sess.overAt()
	return true, []store.Record{withheld.Record(withheld.NextAt)}, nil
}
