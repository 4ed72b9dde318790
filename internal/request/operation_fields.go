package request

import (
	"cmp"
	"fmt"
	"slices"

	"checkout/internal/method"
	"checkout/internal/money"
)

// AnyOperation is every operation.
var AnyOperation = []string{"purchase", "debit", "credit", "transfer"}

// OperationFields says which operations have a field: core.md's table Operation-specific fields, then
// the three of decisions.md 2. Elsewhere the field is ignored unread.
var OperationFields = []struct {
	Name       string
	Operations []string
}{
	{"methods", []string{"purchase", "debit", "credit"}},
	{"req_token", []string{"purchase", "debit"}}, // and not beside card_token
	{"card_token", []string{"purchase", "debit", "credit"}},
	{"payee_first_name", []string{"credit"}}, // with card_token
	{"payee_last_name", []string{"credit"}},  // with card_token
	{"auth", []string{"purchase"}},
	{"recurring_init", []string{"purchase", "debit"}},
	{"schedule_id", []string{"purchase", "debit"}}, // with recurring_init
	{"vat_calc", []string{"purchase"}},
	{"payee", []string{"transfer", "credit"}},
	{"payee_billing_address", []string{"transfer", "credit"}},
	{"crypto", AnyOperation},
	{"form_id", AnyOperation},
	{"schedule_start_date", []string{"purchase", "debit"}},        // with recurring_init
	{"payment_schedule_amount", []string{"purchase", "debit"}},    // with recurring_init
	{"recurring_consent_required", []string{"purchase", "debit"}}, // with recurring_init
}

// applies reports whether an operation has a field. A bad operation, which reads as "", has all, so that
// every mistake is named at once.
func applies(name, operation string) bool {
	for _, row := range OperationFields {
		if row.Name == name {
			return operation == "" || slices.Contains(row.Operations, operation)
		}
	}
	return true
}

// of answers a reader of the same request without the members that an operation does not have.
func (in SessionReader) of(operation string) SessionReader {
	own := newObject()
	for _, name := range in.Names() {
		if applies(name, operation) {
			own.add(name, in.object.Values[name])
		}
	}
	in.object = own
	return in
}

// specific reads the fields that belong to some operations, in the order of operationFields.
func (in SessionReader) specific(r *Session) {
	if !in.Has("card_token") {
		r.ReqToken = in.Flag("req_token")
	}
	r.CardTokens = in.cardTokens(r.Operation)
	r.Auth = in.Flag("auth")
	r.RecurringInit = in.Flag("recurring_init")
	if r.RecurringInit {
		r.ScheduleID = in.Text("schedule_id", OrElse(method.TextNotChoice, func(id string) bool { return in.Known.HasSchedule(id) }))
	}
	r.VATCalc = in.Flag("vat_calc")
	r.Payee = in.payee(r.Operation)
	r.Network = in.Inside("crypto").Text("network", UpTo(50))
	r.FormID = in.Text("form_id", IsUUID, OrElse(method.TextNotChoice, func(id string) bool { return in.Known.HasForm(id) }))
	if r.RecurringInit {
		in.schedule(r)
	}
}

// MaxCardTokens is how many saved cards a session may offer: what a store reads at once.
const MaxCardTokens = 100

// cardTokens reads card_token, each token once.
func (in SessionReader) cardTokens(operation string) []string {
	list := in.List("card_token")
	var tokens []string
	for _, item := range list.Names() {
		if token := list.Required(item, Length(64, 64)); token != "" && !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	switch {
	case len(tokens) > MaxCardTokens:
		in.Fail("card_token", method.NotValid(fmt.Sprintf("It should have at most %d cards.", MaxCardTokens)))
	case operation == "credit" && len(tokens) > 1:
		in.Fail("card_token", method.NotValid("A credit takes one card."))
	}
	return tokens
}

// payee reads payee and payee_billing_address. A payout to a saved card has a name of its own to fall
// back on, so it alone needs none.
func (in SessionReader) payee(operation string) Payee {
	payee := in.Inside("payee")
	saved := operation == "credit" && in.Has("card_token")
	name := payee.Text
	if operation == "transfer" || operation == "credit" && !saved {
		name = payee.Required
	}
	p := Payee{
		Name:    name("name", Length(2, 32), isCustomerName),
		Email:   payee.Text("email", isEmail),
		Address: readAddress(in.Inside("payee_billing_address")),
	}
	if saved {
		p.Name = cmp.Or(in.payeeNames(), p.Name)
	}
	return p
}

// payeeNames reads payee_first_name and payee_last_name, which stand in the body or in parameters.card
// (core.md, card_token). It answers "" unless both were sent.
func (in SessionReader) payeeNames() string {
	card := in.Afresh().parameters().Inside(method.Card)
	card.Faults = in.Faults // parameters themselves were read before
	read := func(name string) string {
		return cmp.Or(in.Text(name, UpTo(32)), card.Text(name, UpTo(32)))
	}
	first, last := read("payee_first_name"), read("payee_last_name")
	if first == "" || last == "" {
		return ""
	}
	return first + " " + last
}

// schedule reads the fields of decisions.md 2, each of which needs a schedule_id.
func (in SessionReader) schedule(r *Session) {
	r.ScheduleStart = in.Text("schedule_start_date", notPastDay(in.Now))
	if currency, found := money.Find(r.Order.Currency); found {
		r.ScheduleAmount = in.Amount("payment_schedule_amount", AmountIn(currency))
	}
	r.Consent = in.Flag("recurring_consent_required")
	if !in.Has("schedule_id") && (in.Has("schedule_start_date") || in.Has("payment_schedule_amount") || r.Consent) {
		in.Fail("schedule_id", method.TextBlank)
	}
}
