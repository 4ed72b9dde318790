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
	"checkout/internal/method"
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

// screenFields returns the fields of the second form of a method as the page draws them, in the connector's order.
func screenFields(a *connector.RequiredAction, req *request.Session, id string) []screen.Field {
	var shown []screen.Field
	rows := secondFormRows(a, id, req.Operation)
	for _, f := range a.Fields {
		if f.Kind != "" {
			drawn := form.ScreenFields([]method.PageField{pageField(f)}, req)
			describe(f, &drawn[0])
			shown = append(shown, drawn...)
		} else if i := slices.IndexFunc(rows, func(row method.PageField) bool { return row.ID == f.ID }); i >= 0 {
			shown = append(shown, form.ScreenFields(rows[i:i+1], req)...)
		}
	}
	return shown
}

// secondFormRows returns those fields of the second form that are parameters of a method, with the provider's options.
func secondFormRows(a *connector.RequiredAction, id string, operation method.Operation) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, row := range m.SecondFields(operation) {
		i := slices.IndexFunc(a.Fields, func(f connector.FormField) bool { return f.Kind == "" && f.ID == row.ID })
		if i < 0 {
			continue
		}
		for _, option := range a.Fields[i].Options {
			row.Options = append(row.Options, method.Option{Value: option.Value})
		}
		fields = append(fields, row)
	}
	return fields
}
