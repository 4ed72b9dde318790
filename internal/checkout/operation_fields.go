package checkout

import (
	"cmp"
	"fmt"
	"slices"

	"checkout/internal/method"
	"checkout/internal/money"
)

var anyOperation = []string{"purchase", "debit", "credit", "transfer"}

// operationFields says which operations have a field: core.md's table Operation-specific fields, then
// the three of decisions.md 2. Elsewhere the field is ignored unread.
var operationFields = []struct {
	name       string
	operations []string
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
	{"crypto", anyOperation},
	{"form_id", anyOperation},
	{"schedule_start_date", []string{"purchase", "debit"}},        // with recurring_init
	{"payment_schedule_amount", []string{"purchase", "debit"}},    // with recurring_init
	{"recurring_consent_required", []string{"purchase", "debit"}}, // with recurring_init
}

// applies reports whether an operation has a field. A bad operation, which reads as "", has all, so that
// every mistake is named at once.
func applies(name, operation string) bool {
	for _, row := range operationFields {
		if row.name == name {
			return operation == "" || slices.Contains(row.operations, operation)
		}
	}
	return true
}

// of answers a reader of the same request without the members that an operation does not have.
func (in sessionReader) of(operation string) sessionReader {
	own := newObject()
	for _, name := range in.names() {
		if applies(name, operation) {
			own.add(name, in.object.values[name])
		}
	}
	in.object = own
	return in
}

// specific reads the fields that belong to some operations, in the order of operationFields.
func (in sessionReader) specific(r *SessionRequest) {
	if !in.has("card_token") {
		r.ReqToken = in.flag("req_token")
	}
	r.CardTokens = in.cardTokens(r.Operation)
	r.Auth = in.flag("auth")
	r.RecurringInit = in.flag("recurring_init")
	if r.RecurringInit {
		r.ScheduleID = in.text("schedule_id", orElse(method.TextNotChoice, func(id string) bool { return in.known.HasSchedule(id) }))
	}
	r.VATCalc = in.flag("vat_calc")
	r.Payee = in.payee(r.Operation)
	r.Network = in.inside("crypto").text("network", upTo(50))
	r.FormID = in.text("form_id", isUUID, orElse(method.TextNotChoice, func(id string) bool { return in.known.HasForm(id) }))
	if r.RecurringInit {
		in.schedule(r)
	}
}

// maxCardTokens is how many saved cards a session may offer: what a store reads at once.
const maxCardTokens = 100

// cardTokens reads card_token, each token once.
func (in sessionReader) cardTokens(operation string) []string {
	list := in.list("card_token")
	var tokens []string
	for _, item := range list.names() {
		if token := list.required(item, length(64, 64)); token != "" && !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	switch {
	case len(tokens) > maxCardTokens:
		in.fail("card_token", method.NotValid(fmt.Sprintf("It should have at most %d cards.", maxCardTokens)))
	case operation == "credit" && len(tokens) > 1:
		in.fail("card_token", method.NotValid("A credit takes one card."))
	}
	return tokens
}

// payee reads payee and payee_billing_address. A payout to a saved card has a name of its own to fall
// back on, so it alone needs none.
func (in sessionReader) payee(operation string) Payee {
	payee := in.inside("payee")
	saved := operation == "credit" && in.has("card_token")
	name := payee.text
	if operation == "transfer" || operation == "credit" && !saved {
		name = payee.required
	}
	p := Payee{
		Name:    name("name", length(2, 32), isCustomerName),
		Email:   payee.text("email", isEmail),
		Address: readAddress(in.inside("payee_billing_address")),
	}
	if saved {
		p.Name = cmp.Or(in.payeeNames(), p.Name)
	}
	return p
}

// payeeNames reads payee_first_name and payee_last_name, which stand in the body or in parameters.card
// (core.md, card_token). It answers "" unless both were sent.
func (in sessionReader) payeeNames() string {
	card := in.afresh().parameters().inside(method.Card)
	card.faults = in.faults // parameters themselves were read before
	read := func(name string) string {
		return cmp.Or(in.text(name, upTo(32)), card.text(name, upTo(32)))
	}
	first, last := read("payee_first_name"), read("payee_last_name")
	if first == "" || last == "" {
		return ""
	}
	return first + " " + last
}

// schedule reads the fields of decisions.md 2, each of which needs a schedule_id.
func (in sessionReader) schedule(r *SessionRequest) {
	r.ScheduleStart = in.text("schedule_start_date", notPastDay(in.now))
	if currency, found := money.Find(r.Order.Currency); found {
		r.ScheduleAmount = in.amount("payment_schedule_amount", amountIn(currency))
	}
	r.Consent = in.flag("recurring_consent_required")
	if !in.has("schedule_id") && (in.has("schedule_start_date") || in.has("payment_schedule_amount") || r.Consent) {
		in.fail("schedule_id", method.TextBlank)
	}
}
