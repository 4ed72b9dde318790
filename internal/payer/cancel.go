package payer

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Cancel ends a session because the payer closed the form, and returns the next screen. While a payment waits for the
// payer elsewhere, it has the provider end that payment first. Any other session stays as it is, and so does every one
// where the mapping's cancel_ends_session is off: the payer then goes to cancel_url. Errors: CodeNotFound.
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
	goesOn := false
	sess, _, err := s.changeSession(ctx, "end attempt", s.readSession(ctx, sessionID),
		func(now time.Time, sess *checkout.Session) (_ bool, _ []store.Record, err error) {
			if why == screen.ActionCancel {
				if goesOn, err = s.goesOnWhenCancelled(ctx, now, sess); goesOn || err != nil {
					return false, nil, err
				}
			}
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
	if goesOn {
		return s.leave(ctx, s.core.Now(), sess)
	}
	may := func(sess *checkout.Session, now time.Time) bool { return slices.Contains(sess.Endings(now), why) }
	return s.changeAttempt(ctx, sess, may, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		t.Session.Ending = why
		t.Job().EndBy(fault.RequestID(ctx), now)
		return payment.Effects{Save: true, SaveSession: true}, nil
	})
}

// goesOnWhenCancelled reports whether the mapping of a session lets a payer who cancels come back to it.
func (s *Page) goesOnWhenCancelled(ctx context.Context, now time.Time, sess *checkout.Session) (bool, error) {
	m, err := s.core.Merchant(ctx, sess.Request.Merchant, now)
	if err != nil || m == nil {
		return false, err
	}
	return !m.MappingNamed(sess.Mapping).EndsOnCancel(), nil
}

// leave returns a screen that leads to cancel_url, if the present one offers to leave the session, else the present
// one.
func (s *Page) leave(ctx context.Context, now time.Time, sess *checkout.Session) (screen.Screen, error) {
	page, err := s.screen(ctx, now, sess)
	if err != nil || !slices.Contains(page.Actions, screen.ActionLeave) {
		return page, err
	}
	m, err := s.core.Merchant(ctx, sess.Request.Merchant, now)
	if err != nil || m == nil {
		return page, err
	}
	mapping := m.MappingNamed(sess.Mapping)
	page = firstOf(m, mapping, sess)
	page.Kind, page.Go = screen.KindGo, goTo(cancelURL(m, mapping, sess), sess)
	return page, nil
}

// withLeave puts the action of leaving a session in the place of that which ends it, where the mapping wants that.
// There is none of both where no cancel_url is known.
func withLeave(page screen.Screen, mapping *settings.Mapping, sess *checkout.Session) screen.Screen {
	i := slices.Index(page.Actions, screen.ActionCancel)
	if i < 0 || mapping.EndsOnCancel() {
		return page
	}
	page.Actions = slices.Delete(slices.Clone(page.Actions), i, i+1)
	if sess.Request.CancelURL != "" {
		page.Actions = append(page.Actions, screen.ActionLeave)
	}
	return page
}
