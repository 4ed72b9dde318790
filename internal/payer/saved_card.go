package payer

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// CardRemoval names the saved card that a payer removes, by screen.Saved.ID.
type CardRemoval struct {
	Saved string `json:"saved"`
}

// RemoveCard removes one of the saved cards that a session offers, and returns the next screen. The merchant gets a
// callback of it, stored in the same write. It changes nothing if the card is removed already, the session is not open,
// or the mapping has no save_cards. Errors: CodeInvalid, CodeNotFound; ErrConflicts.
func (s *Page) RemoveCard(ctx context.Context, sessionID string, removal CardRemoval) (screen.Screen, error) {
	sess, _, err := s.changeSession(ctx, "remove card", s.readSession(ctx, sessionID),
		func(now time.Time, sess *checkout.Session) (bool, []store.Record, error) {
			i := form.SavedIndex(sess.Saved, removal.Saved)
			if i < 0 {
				return false, nil, fault.At("saved", method.TextNotChoice)
			}
			if sess.StateAt(now) != checkout.SessionOpen || !sess.Saved[i].RemovedAt.IsZero() {
				return false, nil, nil
			}
			return s.removeCard(ctx, now, sess, &sess.Saved[i])
		})
	if err != nil {
		return screen.Screen{}, err
	}
	return s.screen(ctx, s.core.Now(), sess)
}

// removeCard removes a card from a session's list, and returns the documents of that: the card, and the callback. There
// are none if the card is stored no longer, or was removed in another session.
func (s *Page) removeCard(
	ctx context.Context, now time.Time, sess *checkout.Session, listed *card.Saved,
) (removed bool, records []store.Record, err error) {
	m, err := s.core.Merchant(ctx, sess.Request.Merchant, now)
	if err != nil || m == nil || !m.MappingNamed(sess.Mapping).SaveCards {
		return false, nil, err
	}
	var saved card.Saved
	found, err := s.core.Load(ctx, now, store.SavedCardKey(listed.Token), &saved)
	if err != nil {
		return false, nil, fmt.Errorf("read saved card: %w", err)
	}
	listed.RemovedAt = now
	if !found || saved.Owner != sess.Request.Owner || !saved.RemovedAt.IsZero() {
		return true, nil, nil
	}
	saved.RemovedAt = now
	records = []store.Record{saved.Record()}
	if c := s.core.CardRemoved(now, m, sess, &saved); c != nil {
		c.Cause = fault.RequestID(ctx)
		records = append(records, c.Record(now)) // this side has no queue of callbacks: Sweep sends it
	}
	return true, records, nil
}
