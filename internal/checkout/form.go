package checkout

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// The form is what a payer fills in for one method of a session: what is asked, how it is checked and where it goes.
// Its rows are data of internal/method.

// formFields returns what the payer has to fill in for a method: the rows whose values the merchant did not send.
func formFields(r merchant.Route, name string, req *request.Session) []method.PageField {
	m, _ := method.Find(name)
	fields := slices.DeleteFunc(m.PageFields(req.Operation, r.Required), func(f method.PageField) bool { return needsNoPayer(f, m, req) })
	for i, f := range fields {
		if f.OptionsBy != "" && !slices.ContainsFunc(fields, func(o method.PageField) bool { return o.ID == f.OptionsBy }) {
			fields[i].Input = f.OfferedFor(sentValue(f.OptionsBy, m, req))
		}
	}
	return fields
}

// needsNoPayer reports whether a request leaves nothing to fill in for a field of a method.
func needsNoPayer(f method.PageField, m method.Method, req *request.Session) bool {
	switch country := req.BillingAddress.Country; f.Place {
	case method.InSealedCard:
		return false
	case method.OrderAmount:
		return !req.Order.Amount.EnteredOnPage()
	case method.RecurringConsent:
		return !req.Consent
	case method.BillingState:
		if country != "" && !method.HasStates(country) {
			return true
		}
	}
	return sentValue(f.ID, m, req) != ""
}

// sentValue is the value of an unsealed field of a method that the merchant sent, "" for none.
func sentValue(id string, m method.Method, req *request.Session) string {
	f, named := method.FindPageField(id)
	if !named {
		return request.SentParameter(req.Parameters, m.ID, id)
	}
	return *places[f.Place](&formValues{Parties: req.Parties})
}

// screenMethod is one way to pay: its fields, and the saved cards that can be chosen instead.
func screenMethod(r merchant.Route, name string, sess *Session) screen.Method {
	row, _ := method.Find(name)
	fields := formFields(r, name, &sess.Request)
	m := screen.Method{
		ID: name, Label: cmp.Or(row.Text, name), Icon: row.Icon, Group: row.Group, Note: row.Note,
		Action: cmp.Or(row.Action, method.ActionSubmit), Fields: screenFields(fields, sess),
	}
	if !row.Card {
		return m
	}
	for i, card := range sess.Saved {
		m.Saved = append(m.Saved, screen.Saved{
			ID: savedID(i), Mask: card.View.Mask, Expiry: card.View.Expiry(), Fields: screenFields(withSavedCard(r, fields), sess),
		})
	}
	return m
}

// withSavedCard returns the fields that are asked for with a saved card, too.
func withSavedCard(r merchant.Route, fields []method.PageField) []method.PageField {
	return slices.DeleteFunc(slices.Clone(fields), func(f method.PageField) bool {
		return f.Saved == method.KnownOfSavedCard ||
			f.Saved == method.IfTheMIDWants && !slices.ContainsFunc(r.MIDs, func(m merchant.MID) bool { return m.SecurityCode })
	})
}

// screenFields are the fields as the page draws them.
func screenFields(fields []method.PageField, sess *Session) []screen.Field {
	shown := []screen.Field{} // none are a list too
	for _, f := range fields {
		field := screen.Field{
			ID: f.ID, Kind: f.Kind, Label: f.Label, Hint: f.Hint, Required: !f.Optional, Sealed: f.Sealed, Min: f.Min, Max: f.Max,
			Check: f.Check, Pattern: f.Pattern, Format: f.Format, Mask: f.Mask, Autocomplete: f.Autocomplete, InputMode: f.InputMode,
			OptionsBy: f.OptionsBy,
		}
		for _, option := range f.Options {
			field.Options = append(field.Options, screen.Option(option))
		}
		if f.Place == method.BillingState {
			field.Country = sess.Request.BillingAddress.Country
		}
		shown = append(shown, field)
	}
	return shown
}

// chosenFields returns the fields of the method that the payer chose, and the saved card, nil for another one.
func chosenFields(r merchant.Route, pay PayRequest, sess *Session) ([]method.PageField, *card.Saved, error) {
	fields := formFields(r, pay.Method, &sess.Request)
	if pay.Saved == "" {
		return fields, nil, nil
	}
	for i := range sess.Saved {
		if method.TakesCard(pay.Method) && pay.Saved == savedID(i) {
			return withSavedCard(r, fields), &sess.Saved[i], nil
		}
	}
	return nil, nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "saved", Text: method.TextNotChoice}})
}

// savedID names a saved card of the session to the page.
func savedID(i int) string { return strconv.Itoa(i + 1) }

// formValues are what a payment is made of: what the merchant sent, joined with what the payer filled in.
type formValues struct {
	request.Parties
	Parameters json.RawMessage
	Amount     string // as the payer typed it
	Consent    string // true or false, where it is asked for
	Sealed     *card.Sealed
}

// places says where the value of each named place is kept. A test holds it against the table of page fields.
var places = map[method.Place]func(*formValues) *string{
	method.CustomerName:     func(v *formValues) *string { return &v.Customer.Name },
	method.CustomerEmail:    func(v *formValues) *string { return &v.Customer.Email },
	method.BillingCountry:   func(v *formValues) *string { return &v.BillingAddress.Country },
	method.BillingState:     func(v *formValues) *string { return &v.BillingAddress.State },
	method.BillingCity:      func(v *formValues) *string { return &v.BillingAddress.City },
	method.BillingAddress:   func(v *formValues) *string { return &v.BillingAddress.Address },
	method.BillingZip:       func(v *formValues) *string { return &v.BillingAddress.Zip },
	method.BillingPhone:     func(v *formValues) *string { return &v.BillingAddress.Phone },
	method.OrderAmount:      func(v *formValues) *string { return &v.Amount },
	method.RecurringConsent: func(v *formValues) *string { return &v.Consent },
}

// fillIn checks what the payer filled in and puts each value into its place.
// Errors: CodeInvalid with the ids of the fields as paths.
func fillIn(fields []method.PageField, req *request.Session, pay PayRequest) (formValues, error) {
	v := formValues{Parties: req.Parties, Parameters: req.Parameters}
	parameters := map[string]string{}
	var faults []request.Fault
	for _, f := range fields {
		value := f.Plain(pay.Fields[f.ID])
		fault := v.fault(f, value, req.Order)
		switch {
		case fault == "" && value != "" && !f.Offers(value, pay.Fields[f.OptionsBy]):
			faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: f.ID, Text: method.TextNotChoice})
		case fault != "":
			faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: f.ID, Text: fault})
		case f.Sealed:
			v.Sealed = pay.Sealed
		case value == "" || f.Place == method.BillingState && !method.HasStates(v.BillingAddress.Country):
			// left empty, or ignored for other countries (core.md, billing_address)
		case f.Place == method.InParameters:
			parameters[f.ID] = value
		default:
			*places[f.Place](&v) = value
		}
	}
	if i := slices.IndexFunc(fields, func(f method.PageField) bool { return f.Sealed }); i >= 0 && !pay.Sealed.Sound() {
		faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: fields[i].ID, Text: method.NotValid("It should be a sealed card.")})
	}
	if len(parameters) > 0 {
		m, _ := method.Find(pay.Method)
		var more []request.Fault
		v.Parameters, more = request.JoinParameters(m, req, parameters)
		faults = append(faults, more...)
	}
	if len(faults) > 0 {
		return v, request.Invalid(faults)
	}
	return v, nil
}

// fault returns what is wrong with the value of a field, "" if nothing is. The country stands before the state, so it
// is known by then. Sealed values and parameters are checked elsewhere, but for those that are missing.
func (v *formValues) fault(f method.PageField, value string, order request.Order) string {
	stateless := f.Place == method.BillingState && !method.HasStates(v.BillingAddress.Country)
	switch {
	case f.Sealed, stateless, value == "" && f.Optional:
		return ""
	case value == "":
		return method.TextBlank
	case f.Place == method.InParameters:
		return ""
	case f.Place == method.OrderAmount:
		return request.AmountIn(request.CurrencyOf(order))(value)
	}
	return f.Fault(value, v.BillingAddress.Country)
}

// sealsFields reports whether a payment is made with something that its payer sealed, or with a saved card.
func sealsFields(p *Payment) bool {
	m, _ := method.Find(p.Method)
	return m.Card || slices.ContainsFunc(m.PageFields(p.Operation, nil), func(f method.PageField) bool {
		return f.Sealed && request.SentParameter(p.Parameters, m.ID, f.ID) == ""
	})
}

// sealedParameters returns the values that a payer sealed for a payment's parameters, or why they are none, by the rules
// that the same parameters are sent by.
func sealedParameters(p *Payment, sealed map[string]string) (map[string]string, screen.ReasonCode) {
	m, _ := method.Find(p.Method)
	typed := map[string]string{}
	for _, f := range m.PageFields(p.Operation, nil) {
		if !f.Sealed || f.Place != method.InParameters || request.SentParameter(p.Parameters, m.ID, f.ID) != "" {
			continue
		}
		value := f.Plain(sealed[f.ID])
		switch {
		case value == "" && f.Optional:
		case value == "" || !f.Offers(value, ""):
			return nil, screen.ReasonValueInvalid
		default:
			typed[f.ID] = value
		}
	}
	if _, faults := request.JoinParameters(m, &request.Session{Details: p.Details, Options: p.Options}, typed); len(faults) > 0 {
		return nil, screen.ReasonValueInvalid
	}
	if len(typed) == 0 {
		return nil, ""
	}
	return typed, ""
}

// PayRequest is what the page sends to pay. Attempt is an id of the page's
// own (a UUID), so that the same click sent twice is one request.
type PayRequest struct {
	Attempt string            `json:"attempt"`
	Method  string            `json:"method"`
	Fields  map[string]string `json:"fields"`
	Saved   string            `json:"saved,omitempty"` // ScreenSaved.ID of the chosen card, "" for another one
	Sealed  *card.Sealed      `json:"sealed,omitempty"`
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
