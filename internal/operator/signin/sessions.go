package signin

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/store"
)

// Sessions are those of all people who have signed in. NewSessions makes them.
type Sessions struct {
	store  store.Store
	now    func() time.Time
	random func(n int) []byte
}

// NewSessions returns the sessions in a store. random returns n unpredictable bytes.
func NewSessions(in store.Store, now func() time.Time, random func(n int) []byte) *Sessions {
	return &Sessions{in, now, random}
}

// Start begins the session of a person on the page of an origin, and returns its token. Errors: a *Refusal.
func (s *Sessions) Start(ctx context.Context, who Identity, origin string) (token string, of *Session, err error) {
	if err := who.check(); err != nil {
		return "", nil, err
	}
	return s.start(ctx, Session{Who: who.Who(), Email: who.label(), Origin: origin})
}

// start stores a new session, with other records in the same write.
func (s *Sessions) start(
	ctx context.Context, of Session, with ...store.Record,
) (token string, started *Session, err error) {
	now := s.now()
	token = text(s.random(secretSize))
	of.ID, of.StartedAt, of.UsedAt = store.SignInID(store.SignInKey(token)), now, now
	if err := s.store.Save(ctx, now, append(with, of.record())...); err != nil {
		return "", nil, fmt.Errorf("start a session: %w", err)
	}
	return token, &of, nil
}

// Of returns the session of a token, nil if there is none or it has ended.
func (s *Sessions) Of(ctx context.Context, token string) (*Session, error) {
	r, err := store.GetOne(ctx, s.store, s.now(), store.SignInKey(token))
	if err != nil {
		return nil, fmt.Errorf("read a session: %w", err)
	}
	return In(r)
}

// Refresh stores that a session is used now, unless that was stored within the last minute.
func (s *Sessions) Refresh(ctx context.Context, of *Session) error {
	now, used := s.now(), *of
	if now.Sub(of.UsedAt) < refreshAfter {
		return nil
	}
	used.UsedAt = now
	err := s.store.Save(ctx, now, used.record())
	if err != nil && !store.IsConflict(err) { // a conflict: it has ended, or another request has refreshed it
		return fmt.Errorf("refresh a session: %w", err)
	}
	return nil
}

// End ends a session at once.
func (s *Sessions) End(ctx context.Context, of *Session) error {
	if err := s.store.Save(ctx, s.now(), store.Record{Key: store.SignInOfID(of.ID), Delete: true}); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}
