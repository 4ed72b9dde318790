package sandbox

import (
	"encoding/json"
	"strings"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
)

const (
	testCode      = "123456"
	maxWrongCodes = 3

	emptyAccount = "Empty account 0303"
)

// accounts are the accounts that a payer can choose from.
var accounts = []connector.FieldOption{
	{Value: "Savings account 0101"}, {Value: "Current account 0202"}, {Value: emptyAccount},
}

// fill changes the entry by what the payer filled in.
func (e *entry) fill(parameters json.RawMessage, now time.Time) {
	wrong, empty := false, false
	for _, field := range e.secondFields() {
		value := valueAt(parameters, field.ID)
		wrong = wrong || field.Kind == method.FieldCode && value != "" && value != testCode // it may be optional
		empty = empty || value == emptyAccount
	}
	switch {
	case wrong:
		if e.WrongCodes++; e.WrongCodes == maxWrongCodes {
			e.decline(wrongCode, now)
		}
	case empty:
		e.decline(insufficientFunds, now)
	default:
		e.settle(now)
	}
}

// secondFields are the fields of the method's second form.
func (e entry) secondFields() []method.PageField {
	m, _ := method.Find(e.Method)
	return m.SecondFields(e.Operation)
}

// form returns the second form as the service shows it.
func (e entry) form() (fields []connector.FormField) {
	for _, field := range e.secondFields() {
		asked := connector.FormField{ID: field.ID}
		if field.Kind == method.FieldSelect && len(field.Options) == 0 {
			asked.Options = accounts
		}
		fields = append(fields, asked)
	}
	return fields
}

// valueAt returns the text at a path of parameters, such as bankDetails.otp, "" if there is none.
func valueAt(parameters json.RawMessage, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(parameters, &members) // no object, and so no value
		parameters = members[name]
	}
	var text string
	_ = json.Unmarshal(parameters, &text)
	return text
}
