package payer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// Cancel ends a session because the payer closed the form, and returns the next screen. While a payment waits for the
// payer elsewhere, it has the provider end that payment first. Any other session stays as it is. Errors: CodeNotFound.
func (s *Service) Cancel(ctx context.Context, sessionID string) (screen.Screen, error) {
	return s.endAttempt(ctx, sessionID, screen.ActionCancel)
}

// ChooseAnother lets a payer who has to pay elsewhere choose another way to pay, and returns the next screen. That is
// the form again, but only when the provider has said that the payment was ended and can't be paid any more: until
// then the session waits, so that nobody is charged twice. Errors: CodeNotFound.
func (s *Service) ChooseAnother(ctx context.Context, sessionID string) (screen.Screen, error) {
	return s.endAttempt(ctx, sessionID, screen.ActionAnother)
}

// endAttempt stores that the payer wants the attempt ended, and starts the job that tells the provider.
func (s *Service) endAttempt(ctx context.Context, sessionID string, why screen.Action) (screen.Screen, error) {
	test := false
	for range store.ConflictTries {
		now := s.Now()
		sess, err := s.Session(ctx, now, sessionID)
		if err != nil {
			return screen.Screen{}, err
		}
		test = sess.Request.Test
		if sess.StateAt(now) == checkout.SessionOpen && why == screen.ActionCancel {
			return s.cancelOpen(ctx, now, sess)
		}
		if !slices.Contains(sess.Endings(now), why) {
			return s.screen(ctx, now, sess)
		}
		p, err := s.Payment(ctx, now, sess.PaymentID)
		if err != nil {
			return screen.Screen{}, err
		}
		if p == nil || p.Charge() == nil || p.Action == nil {
			return s.screen(ctx, now, sess) // the outcome is being stored
		}
		job := p.Charge()
		job.EndBy(request.ID(ctx), now)
		sess.Ending = why
		err = s.Store.Save(ctx, now, sess.Record(), p.Record())
		if err == nil {
			s.SendJob(ctx, p.Message(job.Reference), 0)
			return s.screen(ctx, now, sess)
		}
		if !store.IsConflict(err) {
			return screen.Screen{}, fmt.Errorf("store the end of an attempt: %w", err)
		}
	}
	return screen.Screen{}, s.Conflicts(ctx, test, "end attempt", "")
}

// cancelOpen ends a session whose payer has begun no attempt, or only declined ones.
func (s *Service) cancelOpen(ctx context.Context, now time.Time, sess *checkout.Session) (screen.Screen, error) {
	sess.State = checkout.SessionCancelled
	withheld, err := s.releasedCallback(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	err = s.Store.Save(ctx, now, append(withheld, sess.Record())...)
	if store.IsConflict(err) {
		return s.NextScreen(ctx, sess.ID)
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("store cancelled session: %w", err)
	}
	return s.screen(ctx, now, sess)
}

// releasedCallback returns the callback that a session withholds, due now; no record if there is none.
func (s *Service) releasedCallback(ctx context.Context, now time.Time, sess *checkout.Session) ([]store.Record, error) {
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
	c.NextAt = now
	return []store.Record{c.Record(now)}, nil
}
