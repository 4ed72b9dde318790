package payer

import (
	"context"
	"errors"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/request"
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
func (s *Page) SubmitSecondForm(ctx context.Context, sessionID string, submitted SecondForm) (screen.Screen, error) {
	sess, err := s.core.Session(ctx, s.core.Now(), sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	may := func(sess *checkout.Session, now time.Time) bool { return sess.AwaitsForm(submitted.Step, now) }
	return s.changeAttempt(ctx, sess, may, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		if t.Payment.Action.Step != t.Session.Action.Step {
			return payment.Effects{}, nil
		}
		if err := fillSecondForm(t.Payment, submitted); err != nil {
			return payment.Effects{}, err
		}
		t.Job().ContinueWith(fault.RequestID(ctx), now)
		return payment.Effects{Save: true}, nil
	})
}

// fillSecondForm checks what the payer filled in, sets it in the payment in place of what an earlier form had, and
// removes the form. Errors: CodeInvalid with the page's field ids as paths.
func fillSecondForm(p *payment.Payment, submitted SecondForm) error {
	rows := secondFormRows(p.Action, p.Method, p.Operation)
	req := p.SessionRequest()
	var ids []string
	for _, f := range rows {
		ids = append(ids, f.ID)
	}
	req.Parameters = request.WithoutParameters(req.Parameters, p.Method, ids)
	filled, err := form.FillIn(rows, req, form.Request{Method: p.Method, Fields: submitted.Fields})
	entered, faults := readEntered(p, submitted)
	var refused *fault.Error
	switch {
	case errors.As(err, &refused):
		return fault.Invalid(append(slices.Clone(refused.Faults), faults...))
	case err != nil:
		return err
	case len(faults) > 0:
		return fault.Invalid(faults)
	}
	p.Parameters, p.Entered = filled.Parameters, entered
	action := *p.Action
	action.Fields, action.Text, action.Show = nil, "", nil
	p.Action = &action
	return nil
}

// readEntered returns the values of the described fields of the payment's form, with those that earlier forms asked for
// and this one does not.
func readEntered(p *payment.Payment, submitted SecondForm) (entered []payment.EnteredValue, faults []fault.Fault) {
	entered = slices.DeleteFunc(slices.Clone(p.Entered), func(a payment.EnteredValue) bool {
		return slices.ContainsFunc(p.Action.Fields, func(f connector.FormField) bool { return f.ID == a.ID })
	})
	for _, f := range p.Action.Fields {
		if f.Kind == "" {
			continue
		}
		value, wrong := readField(f, submitted.Fields[askedPrefix+f.ID])
		switch {
		case wrong != "":
			faults = append(faults, fault.Of(askedPrefix+f.ID, wrong))
		case value != nil:
			entered = append(entered, *value)
		}
	}
	return entered, faults
}
