package payer

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// Cancel ends a session because the payer closed the form, and returns the next screen. While a payment waits for the
// payer elsewhere, it has the provider end that payment first. Any other session stays as it is. Errors: CodeNotFound.
func (s *Page) Cancel(ctx context.Context, sessionID string) (screen.Screen, error) {
	return s.endAttempt(ctx, sessionID, screen.ActionCancel)
}

// ChooseAnother lets a payer who has to pay elsewhere choose another way to pay, and returns the next screen. That is
// the form again, but only when the provider has said that the payment was ended and can't be paid any more: until
// then the session waits, so that nobody is charged twice. Errors: CodeNotFound.
func (s *Page) ChooseAnother(ctx context.Context, sessionID string) (screen.Screen, error) {
	return s.endAttempt(ctx, sessionID, screen.ActionAnother)
}

// endAttempt stores that the payer wants the attempt ended, and starts the job that tells the provider.
func (s *Page) endAttempt(ctx context.Context, sessionID string, why screen.Action) (screen.Screen, error) {
	sess, _, err := s.changeSession(ctx, "end attempt", s.readSession(ctx, sessionID),
		func(now time.Time, sess *checkout.Session) (bool, []store.Record, error) {
			if sess.StateAt(now) != checkout.SessionOpen || why != screen.ActionCancel {
				return false, nil, nil
			}
			sess.Cancel()
			withheld, err := s.core.ReleasedCallback(ctx, now, sess)
			return true, withheld, err
		})
	if err != nil {
		return screen.Screen{}, err
	}
	may := func(sess *checkout.Session, now time.Time) bool { return slices.Contains(sess.Endings(now), why) }
	return s.changeAttempt(ctx, sess, may, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		t.Session.Ending = why
		t.Job().EndBy(fault.RequestID(ctx), now)
		return payment.Effects{Save: true, SaveSession: true}, nil
	})
}
