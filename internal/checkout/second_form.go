package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// A provider may need more of the payer once it has begun: a code that it has sent, or one of the payer's accounts. Such
// a second form is shown on a wait screen. What the payer fills in is stored with the payment, and the connector
// continues the charge with it, at most once for every answer.

// StepField is a parameter of the method that the payer is asked for in a second form, with the provider's options if
// there are any to choose from.
type StepField struct {
	ID      string          `json:"id"` // of a row that the page asks for in a second form
	Options []screen.Option `json:"options,omitempty"`
}

// AnswerRequest is what the page sends of a second form. Step is Screen.Step, so that an answer that comes again is no
// answer to the next question.
type AnswerRequest struct {
	Step   string            `json:"step"`
	Fields map[string]string `json:"fields"`
}

// Continuer is a connector whose provider may need a second form.
type Continuer interface {
	// Continue goes on with a charge that waits for what the payer filled in, which is among its parameters.
	Continue(ctx context.Context, charge Charge) (Result, error)
}

// Answer takes what the payer filled in on a second form, has the provider told and returns the next screen. What comes
// again, or for a form that is not shown any more, changes nothing: the screen says how things stand.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) Answer(ctx context.Context, sessionID string, a AnswerRequest) (screen.Screen, error) {
	for range store.ConflictTries {
		now := s.Now()
		sess, err := s.session(ctx, now, sessionID)
		if err != nil {
			return screen.Screen{}, err
		}
		if !sess.asks(a.Step, now) {
			return s.screen(ctx, now, sess)
		}
		p, err := s.payment(ctx, now, sess.PaymentID)
		if err != nil {
			return screen.Screen{}, err
		}
		if p == nil || p.Charge() == nil || p.Next == nil || p.Next.Step != sess.Next.Step {
			return s.screen(ctx, now, sess) // it is being decided
		}
		if err := answer(p, sess, a); err != nil {
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
func (s *Session) asks(step string, now time.Time) bool {
	return s.StateAt(now) == SessionProcessing && s.Next.asks() && strconv.Itoa(s.Next.Step) == step && !s.Next.over(now)
}

// answer checks what the payer filled in and stores it with the payment. The form is not shown any more.
func answer(p *Payment, sess *Session, a AnswerRequest) error {
	req := &request.Session{Details: p.Details, Options: p.Options}
	filled, err := fillIn(secondFields(p.Method, p.Operation, p.Next.Fields), req, PayRequest{Method: p.Method, Fields: a.Fields})
	if err != nil {
		return err
	}
	p.Parameters = filled.Parameters
	answered := *p.Next
	answered.Fields, answered.Text, answered.Show = nil, "", nil
	p.Next, sess.Next = &answered, &answered
	return nil
}

// secondFields are the rows of a method that a provider needs now, with its own options.
func secondFields(id string, operation method.Operation, wanted []StepField) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, f := range m.SecondFields(operation) {
		i := slices.IndexFunc(wanted, func(w StepField) bool { return w.ID == f.ID })
		if i < 0 {
			continue
		}
		for _, option := range wanted[i].Options {
			f.Options = append(f.Options, method.Option(option))
		}
		fields = append(fields, f)
	}
	return fields
}

// continueCharge has the connector go on with what the payer filled in. Before that it is stored that this was done, so
// that no answer is sent twice.
func (s *Service) continueCharge(ctx context.Context, t task) error {
	if _, ok := t.connector.(Continuer); !ok {
		s.Log.ErrorContext(ctx, "a connector has asked for a second form that it can't take", "payment", t.payment.ID, "connector", t.payment.Connector)
		return s.lookUp(ctx, t)
	}
	t.job().Continue, t.continues = false, true
	err := s.saveSending(ctx, t)
	if store.IsConflict(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	result, err := s.request(ctx, t)
	stored := context.WithoutCancel(ctx)
	if errors.Is(err, ErrNotSent) {
		s.Log.WarnContext(ctx, "provider not reached", "payment", t.payment.ID, "connector", t.payment.Connector, "error", request.ErrorText(err))
		return s.saveLater(stored, t, func(_ *Payment, job *Job) *Event {
			job.Continue, job.Answered = true, true
			return nil
		})
	}
	return s.storeResult(stored, t, result, err)
}

// chargeOrContinue begins a charge, or goes on with it: continueCharge knows that the connector can.
func (t task) chargeOrContinue(ctx context.Context) (Result, error) {
	if t.continues {
		return t.connector.(Continuer).Continue(ctx, t.charge)
	}
	return t.connector.Charge(ctx, t.charge)
}

// asks reports whether a step has a second form.
func (n *RequiredAction) asks() bool { return n != nil && len(n.Fields) > 0 }

// answered reports whether the payer has filled in the second form that the payment asked for.
func (p *Payment) answered() bool { return p.Next != nil && p.Next.Step > 0 && !p.Next.asks() }

// asksAgain shows the payer another second form, or the same once more.
func asksAgain(t task, next *RequiredAction) effects {
	again := *next
	again.Step = t.payment.Next.Step + 1
	t.payment.Next = &again
	if t.session != nil {
		t.session.Next = &again
	}
	return effects{save: true, session: true}
}
