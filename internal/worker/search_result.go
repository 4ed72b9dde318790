package worker

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/sensitive"
)

// checkResult returns what a provider reports of a task as it may be stored, shown, sent and logged, whichever way it
// came: nothing of it is too long, and nothing has a secret of the payment. Errors: ActionError.
func (o report) checkResult(ctx context.Context, r connector.Result) (connector.Result, error) {
	search := newSearch(o)
	if r.Reason != "" {
		r.Reason = payment.MaskLong(search.known, r.Reason)
	}
	if code := r.Code[:min(len(r.Code), payment.MaxMasked)]; search.hasSecret(code) || sensitive.HasCard(code) {
		r.Code, search.found = "", append(search.found, "Code") // before it is cut
	}
	charge := !o.task.Payment.Requests().IsFollowUp(o.task.Reference)
	switch required := r.Outcome == connector.OutcomeActionRequired && charge; {
	case !required:
		r.RequiredAction = nil // which nobody needs
	case r.RequiredAction == nil && o.task.Payment.Status == payment.StatusPrepare:
		return connector.Result{}, &connector.ActionError{Member: "as a whole", Fault: "is missing"}
	case o.task.Payment.Status == payment.StatusPrepare && r.RequiredAction.Expired(o.core.Now()):
		return connector.Result{}, &connector.ActionError{Member: "expires_at", Fault: "is over"}
	}
	r.RequiredAction = o.untilAsked(r.RequiredAction)
	r = r.Bounded()
	if p := o.task.Payment; r.RequiredAction != nil {
		action, err := r.RequiredAction.Showable(p.Method, p.Operation, p.SessionID != "")
		if err != nil {
			return connector.Result{}, err
		}
		r.RequiredAction = &action
	}
	search.leaveOut(reflect.ValueOf(&r).Elem(), "")
	if len(search.found) > 0 {
		o.core.Log.WarnContext(ctx, "a provider repeats secret data", "payment", o.task.Payment.ID,
			"connector", o.task.Payment.Connector, "members", strings.Join(search.found, " "))
	}
	for _, name := range search.found {
		if member, ofAction := strings.CutPrefix(name, "RequiredAction."); ofAction {
			return connector.Result{}, &connector.ActionError{Member: member, Fault: connector.FaultRepeats}
		}
	}
	return r, nil
}

// untilAsked returns a required action with the end of the time that the provider was asked to give, if it names none
// for what is paid offline: nobody would know until when to pay.
func (o report) untilAsked(a *connector.RequiredAction) *connector.RequiredAction {
	m, _ := method.Find(o.task.Payment.Method)
	if a == nil || a.Kind != connector.ActionPending || !a.ExpiresAt.IsZero() ||
		!m.Offline(o.task.Payment.BillingAddress.Country) {
		return a
	}
	timed := *a
	timed.ExpiresAt = o.charge.ExpiresAt
	return &timed
}

// resultSearch leaves out of a result what has a secret. It finds every text by reflection, so that none can be
// forgotten.
type resultSearch struct {
	known sensitive.Finder
	// anyCard: the payment's card is not known, so that whatever looks like one is left out. If it is known, an id that
	// looks like the number of another card is an id.
	anyCard bool
	found   []string // names of what was left out
}

func newSearch(o report) *resultSearch {
	card := o.task.Payment.Card != nil || o.charge.Card.Number != ""
	return &resultSearch{known: o.task.Payment.Masker().Secrets(o.charge), anyCard: !card}
}

// leaveOut removes from a value each text that has a secret, and each pointer, list or map with such a text as a whole:
// a part of what the payer is shown would mislead. name is that of the value.
func (s *resultSearch) leaveOut(v reflect.Value, name string) {
	if v.Kind() == reflect.Struct && !isSearchedElsewhere(v.Type()) {
		for i := range v.NumField() {
			s.leaveOut(v.Field(i), memberName(name, v.Type().Field(i)))
		}
		return
	}
	found := s.find(v, name, false)
	if found == "" && s.anyCard && v.Kind() == reflect.String && sensitive.HasCard(v.String()) {
		found = name
	}
	if found != "" {
		s.found = append(s.found, found)
		v.SetZero()
	}
}

// find returns the name of the first text in a value that has a secret, "" if none has. ofNumbers says that the texts
// are amounts or times. Of a kind that it can't search it says that it has one.
func (s *resultSearch) find(v reflect.Value, name string, ofNumbers bool) string {
	switch kind := v.Kind(); {
	case kind == reflect.String:
		return s.findIn(v.String(), name, ofNumbers)
	case kind == reflect.Bool, isSearchedElsewhere(v.Type()), isNil(v):
		return ""
	case v.CanInt():
		return s.findIn(strconv.FormatInt(v.Int(), 10), name, true)
	case v.CanUint():
		return s.findIn(strconv.FormatUint(v.Uint(), 10), name, true)
	case kind == reflect.Pointer, kind == reflect.Interface:
		return s.find(v.Elem(), name, ofNumbers)
	case kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return s.findIn(string(v.Bytes()), name, ofNumbers)
	case kind == reflect.Slice, kind == reflect.Array:
		for i := range v.Len() {
			if found := s.find(v.Index(i), fmt.Sprintf("%s[%d]", name, i), ofNumbers); found != "" {
				return found
			}
		}
		return ""
	case kind == reflect.Map:
		for each := v.MapRange(); each.Next(); {
			if s.find(each.Key(), name, ofNumbers)+s.find(each.Value(), name, ofNumbers) != "" {
				return name
			}
		}
		return ""
	case kind == reflect.Struct:
		ofNumbers = ofNumbers || hasNumbers(v)
		if row, ok := v.Interface().(screen.Shown); ok && sensitive.HasCode(row.ID+"="+row.Value) {
			return memberName(name, v.Type().Field(0))
		}
		for i := range v.NumField() {
			if found := s.find(v.Field(i), memberName(name, v.Type().Field(i)), ofNumbers); found != "" {
				return found
			}
		}
		return ""
	}
	return name
}

// findIn returns the name of a text if that has a secret. Numbers have short ones by chance.
func (s *resultSearch) findIn(text, name string, ofNumbers bool) string {
	has := s.hasSecret
	if ofNumbers {
		has = s.known.HasLong
	}
	if text != "" && (len(text) > connector.MaxLink || has(text)) {
		return name
	}
	return ""
}

// hasSecret reports whether a text has a secret, or what its own words alone say to be a card's security code: in a
// later response nobody knows that any more.
func (s *resultSearch) hasSecret(text string) bool {
	return s.known.Has(text) || sensitive.HasCode(text)
}

// isSearchedElsewhere reports whether values of a type have no text of their own: an amount has digits and a currency
// of ours.
func isSearchedElsewhere(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[money.Amount]()
}

// hasNumbers reports whether the texts of a struct are amounts or times.
func hasNumbers(v reflect.Value) bool {
	if v.Type() == reflect.TypeFor[connector.Received]() {
		return true
	}
	if v.Type() != reflect.TypeFor[screen.Shown]() {
		return false
	}
	kind := screen.ShownType(v.FieldByName("Type").String())
	return kind == screen.ShownAmount || kind == screen.ShownDeadline
}

// isNil reports whether a value is nothing at all.
func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// memberName adds a field's name, that of its JSON if it has one, to the name of what it is in.
func memberName(in string, field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "" && field.Anonymous:
		return in
	case name == "":
		name = field.Name
	}
	if in == "" {
		return name
	}
	return in + "." + name
}
