// Package form is the form that a payer fills in for one method of a session: which fields it has, how they are checked
// and where their values are stored. The fields themselves are data of internal/method.
package form

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"checkout/internal/card"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// Fields returns what the payer has to fill in for a method: the rows whose values the merchant did not send.
func Fields(r routing.Route, name string, req *request.Session) []method.PageField {
	m, _ := method.Find(name)
	fields := fieldsOf(r, m, req)
	for i, f := range fields {
		if f.Place == method.CustomerName && !f.Optional {
			fields[i].Value, fields[i].Unusual = nameToAsk(r, req.Customer.Name)
		}
	}
	fields = slices.DeleteFunc(fields, func(f method.PageField) bool {
		return f.Value == "" && needsNoPayer(f, m, req) || isPreset(r, name, f)
	})
	for i, f := range fields {
		if len(f.NotIn) > 0 && req.BillingAddress.Country == "" {
			fields[i].Optional = true // FillIn knows the country
		}
		if f.OptionsBy != "" && !slices.ContainsFunc(fields, func(o method.PageField) bool { return o.ID == f.OptionsBy }) {
			fields[i].Input = f.OfferedFor(sentValue(f.OptionsBy, m, req))
		}
	}
	return fields
}

// HasOtherWays reports whether a payment of a session can be tried again in another way: by another method, or by the
// only one with another card, or with other parameters.
func HasOtherWays(r routing.Route, req *request.Session) bool {
	methods := r.Methods()
	return len(methods) > 1 || slices.ContainsFunc(methods, func(name string) bool {
		return method.IsWallet(name) || slices.ContainsFunc(Fields(r, name, req), func(f method.PageField) bool {
			return f.Place == method.InSealedCard || f.Place == method.InParameters
		})
	})
}

// needsNoPayer reports whether the payer has nothing to fill in for a field, because of what the merchant sent.
func needsNoPayer(f method.PageField, m method.Method, req *request.Session) bool {
	switch country := req.BillingAddress.Country; f.Place {
	case method.InSealedCard:
		return false
	case method.OrderAmount:
		return !req.Order.Amount.EnteredOnPage()
	case method.RecurringConsent:
		return !req.Consent
	case method.BillingDistrict:
		if sentValue(f.With, m, req) != "" {
			return true
		}
	case method.BillingState:
		if country != "" && !method.HasStates(country) {
			return true
		}
	case method.InParameters:
		if slices.Contains(f.NotIn, country) {
			return true
		}
	}
	return sentValue(f.ID, m, req) != ""
}

// isPreset reports whether every MID of a route that has the method has a value of a parameter.
func isPreset(r routing.Route, name string, f method.PageField) bool {
	return f.Place == method.InParameters && !slices.ContainsFunc(r.MIDs, func(mid settings.MID) bool {
		return slices.Contains(mid.Methods, name) && mid.Presets[name][f.ID] == ""
	})
}

// sentValue is the value that the merchant sent for an unsealed field of a method, "" for none.
func sentValue(id string, m method.Method, req *request.Session) string {
	f, named := method.FindPageField(id)
	if !named {
		return req.SentParameter(m.ID, id)
	}
	return *places[f.Place](&Values{Parties: req.Parties})
}

// Method is one way to pay: its fields, and the saved cards that can be chosen instead. Those without a token are left
// out.
func Method(r routing.Route, name string, req *request.Session, saved []card.Saved) screen.Method {
	row, _ := method.Find(name)
	fields := Fields(r, name, req)
	m := screen.Method{
		ID: name, Label: screen.MethodName(name), Icon: row.Icon, Group: row.Group,
		Note: row.NoteFor(req.BillingAddress.Country), Action: cmp.Or(row.Action, method.ActionSubmit),
		Fields: customFields(r.Form, fields, req), Name: r.NameOf(name),
	}
	if req.BillingAddress.Country == "" {
		m.Countries = r.CountriesOf(row)
	}
	if !row.Card {
		return m
	}
	m.Networks = r.Networks(name)
	for i, card := range saved {
		if card.Token == "" {
			continue
		}
		m.Saved = append(m.Saved, screen.Saved{
			ID: savedID(i), Mask: card.View.Mask, Expiry: card.View.Expiry(), Removable: r.Mapping.SaveCards,
			Fields: customFields(r.Form, withSavedCard(r, fields), req),
		})
	}
	return m
}

// withSavedCard returns those of the fields that are also shown with a saved card.
func withSavedCard(r routing.Route, fields []method.PageField) []method.PageField {
	needsCode := slices.ContainsFunc(r.MIDs, func(m settings.MID) bool { return m.SecurityCode })
	return slices.DeleteFunc(slices.Clone(fields), func(f method.PageField) bool {
		return f.Saved == method.NeverWithSavedCard || f.Saved == method.IfMIDRequires && !needsCode
	})
}

// ScreenFields are the fields as the page draws them.
func ScreenFields(fields []method.PageField, req *request.Session) []screen.Field {
	shown := []screen.Field{} // not nil: without fields the page gets an empty list
	for _, f := range fields {
		field := screen.Field{
			ID: f.ID, Kind: f.Kind, Label: f.Label, Hint: f.Hint, Required: !f.Optional, Sealed: f.Sealed,
			Min: f.Min, Max: f.Max, Check: f.Check, Pattern: f.Pattern, Format: f.Format, Mask: f.Mask,
			Autocomplete: f.Autocomplete, InputMode: f.InputMode, OptionsBy: f.OptionsBy, Writing: f.Writing,
			Writings: f.Writings, Value: f.Value, Unusual: f.Unusual,
		}
		for _, option := range f.Options {
			field.Options = append(field.Options, screen.Option{Value: option.Value, By: option.By})
		}
		if f.Place == method.BillingState || f.Place == method.BillingZip || f.Kind == method.FieldPhone {
			field.Country = req.BillingAddress.Country
		}
		shown = append(shown, field)
	}
	return shown
}

// Chosen returns the fields of the method that the payer chose, and the saved card to pay with, nil for a new card.
func Chosen(
	r routing.Route, pay Request, req *request.Session, saved []card.Saved,
) ([]method.PageField, *card.Saved, error) {
	fields := Fields(r, pay.Method, req)
	if pay.Saved == "" {
		return fields, nil, nil
	}
	if i := SavedIndex(saved, pay.Saved); i >= 0 && saved[i].Token != "" && method.TakesCard(pay.Method) {
		return withSavedCard(r, fields), &saved[i], nil
	}
	return nil, nil, fault.At("saved", method.TextNotChoice)
}

// SavedIndex is the index of the saved card that the page knows by an id, -1 if there is none.
func SavedIndex(saved []card.Saved, id string) int {
	for i := range saved {
		if savedID(i) == id {
			return i
		}
	}
	return -1
}

// savedID is the page's id of the session's saved card at index i.
func savedID(i int) string { return strconv.Itoa(i + 1) }

// Values is what a payment is made from: what the merchant sent, together with what the payer filled in.
type Values struct {
	request.Parties
	Parameters json.RawMessage
	Amount     string // as the payer typed it
	Consent    string // true or false, "" where the page has no such field
	Sealed     *card.Sealed
}

// places has the part of Values that stores each place. A test compares it with the table of page fields.
var places = map[method.Place]func(*Values) *string{
	method.CustomerName:     func(v *Values) *string { return &v.Customer.Name },
	method.CustomerEmail:    func(v *Values) *string { return &v.Customer.Email },
	method.BillingCountry:   func(v *Values) *string { return &v.BillingAddress.Country },
	method.BillingState:     func(v *Values) *string { return &v.BillingAddress.State },
	method.BillingCity:      func(v *Values) *string { return &v.BillingAddress.City },
	method.BillingAddress:   func(v *Values) *string { return &v.BillingAddress.Address },
	method.BillingDistrict:  func(v *Values) *string { return &v.BillingAddress.District },
	method.BillingZip:       func(v *Values) *string { return &v.BillingAddress.Zip },
	method.BillingPhone:     func(v *Values) *string { return &v.BillingAddress.Phone },
	method.OrderAmount:      func(v *Values) *string { return &v.Amount },
	method.RecurringConsent: func(v *Values) *string { return &v.Consent },
}

// FillIn checks what the payer filled in and puts each value into its place.
// Errors: CodeInvalid with the ids of the fields as paths.
func FillIn(fields []method.PageField, req *request.Session, pay Request) (Values, error) {
	v := Values{Parties: req.Parties, Parameters: req.Parameters}
	parameters := map[string]string{}
	var faults []fault.Fault
	for _, f := range fields {
		value := cmp.Or(f.Normalize(pay.Fields[f.ID]), f.Value)
		if country := pay.Fields[method.PayerCountry]; len(f.NotIn) > 0 && country != "" {
			f.Optional = slices.Contains(f.NotIn, country)
		}
		text := v.faultText(f, value, req.Order)
		switch {
		case text == "" && value != "" && !f.Offers(value, pay.Fields[f.OptionsBy]):
			faults = append(faults, fault.Of(f.ID, method.TextNotChoice))
		case text != "":
			faults = append(faults, fault.Of(f.ID, text))
		case f.Sealed:
			v.Sealed = pay.Sealed
		case value == "" || f.Place == method.BillingState && !method.HasStates(v.BillingAddress.Country):
			// left empty, or ignored for other countries (protocol.md, Addresses)
		case f.Place == method.InParameters:
			parameters[f.ID] = value
		case f.Place == method.BillingDistrict:
			a := &v.BillingAddress
			a.Address, a.District = method.JoinAddress(a.Address, value)
		default:
			*places[f.Place](&v) = value
		}
	}
	sealed := slices.IndexFunc(fields, func(f method.PageField) bool { return f.Sealed })
	switch wallet := method.IsWallet(pay.Method); {
	case wallet && !pay.Sealed.WellFormed():
		faults = append(faults, fault.Of("sealed", method.NotValid("It should be a sealed token.")))
	case wallet:
		v.Sealed = pay.Sealed
	case sealed >= 0 && !pay.Sealed.WellFormed():
		faults = append(faults, fault.Of(fields[sealed].ID, method.NotValid("It should be a sealed card.")))
	}
	if len(parameters) > 0 {
		m, _ := method.Find(pay.Method)
		var more []fault.Fault
		v.Parameters, more = request.JoinParameters(m, req, parameters)
		faults = append(faults, more...)
	}
	if len(faults) > 0 {
		return v, fault.Invalid(faults)
	}
	return v, nil
}

// faultText returns what is wrong with the value of a field, "" if nothing is. The country's field comes before that of
// the state, so the country is known here. Of sealed values nothing is checked here, of parameters only whether they
// are blank.
func (v *Values) faultText(f method.PageField, value string, order request.Order) string {
	stateless := f.Place == method.BillingState && !method.HasStates(v.BillingAddress.Country)
	switch {
	case f.Sealed, stateless, value == f.Value && (value != "" || f.Optional):
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

// NeedsDecryption reports whether a payment is made with values that its payer's browser sealed, or with a saved card.
func NeedsDecryption(name string, req *request.Session) bool {
	m, _ := method.Find(name)
	return m.Card || slices.ContainsFunc(m.PageFields(req.Operation, nil), func(f method.PageField) bool {
		return f.Sealed && req.SentParameter(m.ID, f.ID) == ""
	})
}

// Request is what the page sends to pay. Attempt is a UUID that the page makes for each click, so that a click that is
// sent twice pays once.
type Request struct {
	Attempt string            `json:"attempt"`
	Method  string            `json:"method"`
	Fields  map[string]string `json:"fields"`
	Saved   string            `json:"saved,omitempty"` // screen.Saved.ID of the chosen card, "" for a new card
	Save    bool              `json:"save,omitempty"`  // the payer wants a new card saved: see screen.Method.Save
	Sealed  *card.Sealed      `json:"sealed,omitempty"`

	Browser request.BrowserMeasures `json:"browser,omitzero"`
}
