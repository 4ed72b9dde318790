package payer

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// MoreTime gives the payer of a form more time, once, and returns the next screen (protocol.md, Sessions). A session
// that is not open, was extended before or ends too soon stays as it is. Errors: CodeNotFound; ErrConflicts.
func (s *Page) MoreTime(ctx context.Context, sessionID string) (screen.Screen, error) {
	sess, _, err := s.changeSession(ctx, "more time", s.readSession(ctx, sessionID),
		func(now time.Time, sess *checkout.Session) (bool, []store.Record, error) {
			return s.core.Extend(ctx, now, sess)
		})
	if err != nil {
		return screen.Screen{}, err
	}
	return s.screen(ctx, s.core.Now(), sess)
}
