package payer

import (
	"context"
	"errors"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// changeSession has f change the session that read returns, and stores it with the documents that f returns. It repeats
// that while others change the session, and stores nothing if f reports that there is nothing to change. It returns the
// session as it is then. Errors: those of read and f; ErrConflicts.
func (s *Page) changeSession(
	ctx context.Context, operation string, read func(now time.Time) (*checkout.Session, error),
	f func(now time.Time, sess *checkout.Session) (changed bool, more []store.Record, err error),
) (sess *checkout.Session, changed bool, err error) {
	update := store.Update{Doing: operation, Store: s.core.Store, Now: s.core.Now}
	err = update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
		if sess, err = read(now); err != nil {
			return nil, err
		}
		if changed, records, err = f(now, sess); err != nil || !changed {
			return nil, err
		}
		return append(records, sess.Record()), nil
	})
	if errors.Is(err, store.ErrConflicts) {
		err = s.core.Conflicts(ctx, sess.Request.Test, operation, sess.PaymentID)
	}
	return sess, changed && err == nil, err
}

// changeAttempt has f change the attempt of a session that its payer has to do something for, while the session may be
// changed so, and starts the job that tells the provider. It returns the next screen, also if nothing changes. Errors:
// those of f; ErrConflicts.
func (s *Page) changeAttempt(
	ctx context.Context, sess *checkout.Session, may func(*checkout.Session, time.Time) bool, f checkout.ChangeFunc,
) (screen.Screen, error) {
	if now := s.core.Now(); !may(sess, now) {
		return s.screen(ctx, now, sess)
	}
	p, err := s.core.Payment(ctx, s.core.Now(), sess.PaymentID)
	if err != nil {
		return screen.Screen{}, err
	}
	latest := checkout.Task{Payment: p, Session: sess}
	if p != nil {
		stored, _, err := s.core.Change(ctx, latest, func(t checkout.Task, now time.Time) (payment.Effects, error) {
			latest = t
			charge := t.Payment.Jobs.Charge()
			if t.Session == nil {
				return payment.Effects{}, checkout.ErrSessionNotFound()
			}
			decided := charge == nil || t.Payment.Action == nil || t.Session.PaymentID != t.Payment.ID
			if decided || !may(t.Session, now) {
				return payment.Effects{}, nil // the session has moved on, or is about to
			}
			latest.Reference = charge.Reference
			return f(latest, now)
		})
		if err != nil {
			return screen.Screen{}, err
		}
		if stored {
			s.jobs.Send(ctx, p.Message(latest.Reference), 0)
		}
	}
	return s.screen(ctx, s.core.Now(), latest.Session)
}

// readSession returns what reads the session with an id.
func (s *Page) readSession(ctx context.Context, id string) func(now time.Time) (*checkout.Session, error) {
	return func(now time.Time) (*checkout.Session, error) { return s.core.Session(ctx, now, id) }
}
