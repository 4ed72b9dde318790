package checkout

import (
	"context"
	"fmt"
	"slices"
	"time"

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
		sess, err := s.session(ctx, now, sessionID)
		if err != nil {
			return screen.Screen{}, err
		}
		test = sess.Request.Test
		if sess.stateAt(now) == sessionOpen && why == screen.ActionCancel {
			return s.cancelOpen(ctx, now, sess)
		}
		if !slices.Contains(sess.endings(now), why) {
			return s.screen(ctx, now, sess)
		}
		p, err := s.payment(ctx, now, sess.PaymentID)
		if err != nil {
			return screen.Screen{}, err
		}
		if p == nil || p.Charge() == nil || p.Action == nil {
			return s.screen(ctx, now, sess) // the outcome is being stored
		}
		job := p.Charge()
		job.End, job.Tries, job.Cause, job.DueAt = true, 0, request.ID(ctx), now.Add(newJobGrace)
		job.Person, sess.Ending = false, why
		err = s.Store.Save(ctx, now, sess.record(), p.record())
		if err == nil {
			s.sendJob(ctx, p.message(job.Reference), 0)
			return s.screen(ctx, now, sess)
		}
		if !store.IsConflict(err) {
			return screen.Screen{}, fmt.Errorf("store the end of an attempt: %w", err)
		}
	}
	return screen.Screen{}, s.conflicts(ctx, test, "end attempt", "")
}

// cancelOpen ends a session whose payer has begun no attempt, or only declined ones.
func (s *Service) cancelOpen(ctx context.Context, now time.Time, sess *Session) (screen.Screen, error) {
	sess.State = sessionCancelled
	withheld, err := s.releasedCallback(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	err = s.Store.Save(ctx, now, append(withheld, sess.record())...)
	if store.IsConflict(err) {
		return s.NextScreen(ctx, sess.ID)
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("store cancelled session: %w", err)
	}
	return s.screen(ctx, now, sess)
}

// endable returns a required action that says whether the payment's connector can end it.
func (s *Service) endable(p *Payment, action *RequiredAction) *RequiredAction {
	if action == nil {
		return nil
	}
	told := *action
	told.CanEnd = s.Declarations[p.Connector].Cancel
	return &told
}

// ended goes on as the payer chose, after the attempt that they wanted to end was declined. Where money arrived
// meanwhile, they are told that instead.
func (s *Session) ended(unapplied screen.Text) {
	why := s.Ending
	s.Ending = ""
	switch {
	case why == "" || unapplied != "" || s.UnappliedMoney == screen.TextPaidTooLate:
	case why == screen.ActionCancel:
		s.State = sessionCancelled
	default:
		s.Reason = nil // the payer knows why
	}
}

// cancelCharge has the provider end a charge whose payer wants that or can't act, and stores what became of the charge.
// It needs no lease: to end a charge twice does no harm.
func (s *Service) cancelCharge(ctx context.Context, t task) error {
	job := t.job()
	job.Tries++
	job.LookUps++
	limited, cancel := context.WithTimeout(ctx, s.ProviderTimeout)
	defer cancel()
	result, err := t.connector.(Canceller).Cancel(limited, t.charge.ProviderRequest)
	if err == nil {
		result, err = s.checkResult(ctx, t, result)
	}
	err = t.laterError("end the charge", err)
	if err == nil && result.Outcome == OutcomeUnknown && !s.Now().Before(job.SentAt.Add(JobLease)) {
		result = declineFor(screen.ReasonPayerRefused) // the provider has no such charge, and will not get one
	}
	if job.Fault != "" && result.Outcome == OutcomeDeclined && result.ReasonCode == screen.ReasonPayerRefused {
		result = Result{Outcome: OutcomeDeclined, ReasonCode: screen.ReasonProviderProblem, ProviderData: result.ProviderData}
	}
	return s.storeResult(context.WithoutCancel(ctx), t, result, err)
}
