package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"checkout/internal/form"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// SecondForm is what the page sends of a second form: a wait screen with fields that a provider needs after the
// charge was sent, such as a code or a choice of accounts. Step is Screen.Step. It identifies the form, so that a
// form that is sent twice is not taken for the next one.
type SecondForm struct {
	Step   string            `json:"step"`
	Fields map[string]string `json:"fields"`
}

// SubmitSecondForm stores what the payer filled in, starts the job that sends it to the provider, and returns the
// next screen. If the form was sent before or is no longer shown, it changes nothing and returns the present screen.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) SubmitSecondForm(ctx context.Context, sessionID string, submitted SecondForm) (screen.Screen, error) {
	test := false
	for range store.ConflictTries {
		now := s.Now()
		sess, err := s.session(ctx, now, sessionID)
		if err != nil {
			return screen.Screen{}, err
		}
		test = sess.Request.Test
		if !sess.awaitsForm(submitted.Step, now) {
			return s.screen(ctx, now, sess)
		}
		p, err := s.payment(ctx, now, sess.PaymentID)
		if err != nil {
			return screen.Screen{}, err
		}
		if p == nil || p.Charge() == nil || p.Action == nil || p.Action.Step != sess.Action.Step {
			return s.screen(ctx, now, sess) // the outcome is being stored
		}
		if err := fillSecondForm(p, sess, submitted); err != nil {
			return screen.Screen{}, err
		}
		sess.ActedAt = now
		job := p.Charge()
		job.Continue, job.Person, job.Cause, job.DueAt = true, false, request.ID(ctx), now.Add(newJobGrace)
		err = s.Store.Save(ctx, now, sess.record(), p.record())
		if err == nil {
			s.sendJob(ctx, p.message(job.Reference), 0)
			return s.screen(ctx, now, sess)
		}
		if !store.IsConflict(err) {
			return screen.Screen{}, fmt.Errorf("store second form: %w", err)
		}
	}
	return screen.Screen{}, s.conflicts(ctx, test, "answer", "")
}

// awaitsForm reports whether the session waits for the second form with that number.
func (s *Session) awaitsForm(step string, now time.Time) bool {
	action := s.Action
	return s.stateAt(now) == sessionProcessing && !s.isHeld() && action.hasForm() && strconv.Itoa(action.Step) == step &&
		!action.expired(now)
}

// fillSecondForm checks what the payer filled in, sets it in the payment in place of what an earlier form had, and
// removes the form from payment and session. Errors: CodeInvalid with the page's field ids as paths.
func fillSecondForm(p *Payment, sess *Session, submitted SecondForm) error {
	rows := p.Action.rows(p.Method, p.Operation)
	req := p.sessionRequest()
	var ids []string
	for _, f := range rows {
		ids = append(ids, f.ID)
	}
	req.Parameters = request.WithoutParameters(req.Parameters, p.Method, ids)
	filled, err := form.FillIn(rows, req, form.Request{Method: p.Method, Fields: submitted.Fields})
	entered, faults := p.entered(submitted)
	var refused *request.Error
	switch {
	case errors.As(err, &refused):
		return request.Invalid(append(slices.Clone(refused.Faults), faults...))
	case err != nil:
		return err
	case len(faults) > 0:
		return request.Invalid(faults)
	}
	p.Parameters, p.Entered = filled.Parameters, entered
	action := *p.Action
	action.Fields, action.Text, action.Show = nil, "", nil
	p.Action, sess.Action = &action, &action
	return nil
}

// entered returns the values of the described fields of the payment's form, with those that earlier forms asked for
// and this one does not.
func (p *Payment) entered(submitted SecondForm) (entered []EnteredValue, faults []request.Fault) {
	entered = slices.DeleteFunc(slices.Clone(p.Entered), func(a EnteredValue) bool {
		return slices.ContainsFunc(p.Action.Fields, func(f FormField) bool { return f.ID == a.ID })
	})
	for _, f := range p.Action.Fields {
		if f.Kind == "" {
			continue
		}
		value, fault := f.entered(submitted.Fields[askedPrefix+f.ID])
		switch {
		case fault != "":
			faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: askedPrefix + f.ID, Text: fault})
		case value != nil:
			entered = append(entered, *value)
		}
	}
	return entered, faults
}

// continueCharge sends what the payer filled in to the provider. It stores that before it sends, so that no form is
// sent twice.
func (s *Service) continueCharge(ctx context.Context, t task) error {
	t.job().Continue, t.continues = false, true
	err := s.saveSending(ctx, t)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	sentAt := s.Now()
	result, err := s.sendRequest(ctx, t)
	stored := context.WithoutCancel(ctx)
	defer s.countCharge(stored, t.charge.Kind, s.circuitCharge(t, sentAt, result, err)) // after the result is stored
	if errors.Is(err, ErrNotSent) {
		s.logNotReached(ctx, t, err)
		return s.reschedule(stored, t, func(p *Payment, job *Job, now time.Time) (time.Duration, *Event) {
			job.Continue, job.Released = true, true
			delay := p.Action.limitDelay(now, delayAfter(undecidedDelays, job.Tries))
			job.DueAt = now.Add(delay + jobGrace)
			return delay, nil
		})
	}
	return s.storeResult(stored, t, result, err)
}
