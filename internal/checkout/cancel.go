package checkout

import (
	"context"
	"fmt"

	"checkout/internal/screen"
	"checkout/internal/store"
)

// Cancel ends an open session because the payer closed the form, and returns the next screen. A session that is not
// open stays as it is.
// Errors: CodeNotFound.
func (s *Service) Cancel(ctx context.Context, sessionID string) (screen.Screen, error) {
	now := s.Now()
	sess, err := s.session(ctx, now, sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	if sess.stateAt(now) != sessionOpen {
		return s.screen(ctx, now, sess)
	}
	sess.State = sessionCancelled
	withheld, err := s.releasedCallback(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	err = s.Store.Save(ctx, now, append(withheld, sess.record())...)
	if store.IsConflict(err) {
		return s.NextScreen(ctx, sessionID)
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("store cancelled session: %w", err)
	}
	return s.screen(ctx, now, sess)
}
