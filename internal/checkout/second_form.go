package checkout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"checkout/internal/form"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// A provider may need more of the payer once it has begun: a code that it has sent, or one of the payer's accounts. Such
// a second form is shown on a wait screen. What the payer fills in is stored with the payment, and the connector
// continues the charge with it, at most once for every answer.

// AnswerRequest is what the page sends of a second form. Step is Screen.Step, so that an answer that comes again is no
// answer to the next question.
type SecondForm struct {
	Step   string            `json:"step"`
	Fields map[string]string `json:"fields"`
}

// Answer takes what the payer filled in on a second form, has the provider told and returns the next screen. What comes
// again, or for a form that is not shown any more, changes nothing: the screen says how things stand.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) SubmitSecondForm(ctx context.Context, sessionID string, a SecondForm) (screen.Screen, error) {
	for range store.ConflictTries {
		now := s.Now()
		sess, err := s.session(ctx, now, sessionID)
		if err != nil {
			return screen.Screen{}, err
		}
		if !sess.awaitsForm(a.Step, now) {
			return s.screen(ctx, now, sess)
		}
		p, err := s.payment(ctx, now, sess.PaymentID)
		if err != nil {
			return screen.Screen{}, err
		}
		if p == nil || p.Charge() == nil || p.Action == nil || p.Action.Step != sess.Action.Step {
			return s.screen(ctx, now, sess) // it is being decided
		}
		if err := fillSecondForm(p, sess, a); err != nil {
			return screen.Screen{}, err
		}
		job := p.Charge()
		job.Continue, job.Cause, job.DueAt = true, request.ID(ctx), now.Add(newJobGrace)
		err = s.Store.Save(ctx, now, sess.record(), p.record())
		if err == nil {
			s.sendJob(ctx, p.message(job.Reference), 0)
			return s.screen(ctx, now, sess)
		}
		if !store.IsConflict(err) {
			return screen.Screen{}, fmt.Errorf("store answer: %w", err)
		}
	}
	return screen.Screen{}, s.conflicts(ctx, "answer", "")
}

// asks reports whether the session waits for a second form of that number.
func (s *Session) awaitsForm(step string, now time.Time) bool {
	return s.stateAt(now) == SessionProcessing && s.Action.hasForm() && strconv.Itoa(s.Action.Step) == step && !s.Action.expired(now)
}

// answer checks what the payer filled in and stores it with the payment. The form is not shown any more.
func fillSecondForm(p *Payment, sess *Session, a SecondForm) error {
	filled, err := form.FillIn(p.Action.formFields(p.Method, p.Operation), p.sessionRequest(), form.Request{Method: p.Method, Fields: a.Fields})
	if err != nil {
		return err
	}
	p.Parameters = filled.Parameters
	answered := *p.Action
	answered.Fields, answered.Text, answered.Show = nil, "", nil
	p.Action, sess.Action = &answered, &answered
	return nil
}

// continueCharge has the connector go on with what the payer filled in. Before that it is stored that this was done, so
// that no answer is sent twice.
func (s *Service) continueCharge(ctx context.Context, t task) error {
	t.job().Continue, t.continues = false, true
	err := s.saveSending(ctx, t)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	result, err := s.sendRequest(ctx, t)
	stored := context.WithoutCancel(ctx)
	if errors.Is(err, ErrNotSent) {
		s.Log.WarnContext(ctx, "provider not reached", "payment", t.payment.ID, "connector", t.payment.Connector, "error", request.ErrorText(err))
		return s.reschedule(stored, t, func(_ *Payment, job *Job) *Event {
			job.Continue, job.Released = true, true
			return nil
		})
	}
	return s.storeResult(stored, t, result, err)
}
