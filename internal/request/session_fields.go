package request

import (
	"slices"

	"checkout/internal/method"
)

// field is a row of core.md's tables: a member of an object, where what was sent goes, and what is right for it.
type field[T any] struct {
	name       string
	operations []method.Operation // that have it; nil: all. Elsewhere it is ignored unread
	required   bool
	to         func(*T) *string                   // of a text
	checks     []Check                            // of a text; none: up to 255 characters
	read       func(d *Draft, in Reader, into *T) // of what is more than a text with checks of its own
}

var (
	onlyPurchase     = []method.Operation{method.Purchase}
	onlyCredit       = []method.Operation{method.Credit}
	purchaseOrDebit  = []method.Operation{method.Purchase, method.Debit}
	creditOrTransfer = []method.Operation{method.Credit, method.Transfer}
	notTransfer      = []method.Operation{method.Purchase, method.Debit, method.Credit}
)

// Languages are the values of checkout_language (core.md, Session request).
var Languages = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"}

// maxReturnURL is the most characters of the four URLs that a payer may be sent to.
const maxReturnURL = 1024

var aReturnURL = []Check{UpTo(maxReturnURL), OrElse(method.TextNotURL, isReturnURL)}

// sessionFields are all fields of a session request, in the order of core.md's tables, which is the order of faults: those
// of every operation, those of some operations, and the three of decisions.md 2.
var sessionFields = []field[Session]{
	{name: "merchant_key"}, // was read before, to find the merchant
	{name: "operation", read: (*Draft).operation},
	{name: "success_url", required: true, to: func(r *Session) *string { return &r.SuccessURL }, checks: aReturnURL},
	{name: "cancel_url", to: func(r *Session) *string { return &r.CancelURL }, checks: aReturnURL},
	{name: "expiry_url", to: func(r *Session) *string { return &r.ExpiryURL }, checks: aReturnURL},
	{name: "error_url", to: func(r *Session) *string { return &r.ErrorURL }, checks: aReturnURL},
	{name: "url_target", to: func(r *Session) *string { return &r.URLTarget }, checks: []Check{OneOf("_self", "_parent", "_top")}},
	{name: "session_expiry", read: func(_ *Draft, in Reader, r *Session) { r.SessionExpiry = in.Integer("session_expiry", 60, 1, 720) }},
	{name: "checkout_language", read: (*Draft).language},
	{name: "channel_id", to: func(r *Session) *string { return &r.ChannelID }, checks: []Check{UpTo(16)}},
	{name: "hash", required: true, to: func(r *Session) *string { return &r.Hash }},
	{name: "order", read: func(d *Draft, in Reader, r *Session) { read(d, in.Inside("order"), orderFields, &r.Order) }},
	{name: "customer", read: func(d *Draft, in Reader, r *Session) {
		read(d, in.depends(ofPayer).Inside("customer"), customerFields, &r.Customer)
	}},
	{name: "billing_address", read: func(d *Draft, in Reader, r *Session) {
		read(d, in.depends(ofPayer).address("billing_address"), addressFields, &r.BillingAddress)
	}},
	{name: "parameters", read: (*Draft).readParameters},
	{name: "custom_data", read: func(_ *Draft, in Reader, r *Session) { r.CustomData = in.CustomData() }},

	methodsField,
	{name: "req_token", operations: purchaseOrDebit, read: (*Draft).reqToken},
	{name: "card_token", operations: notTransfer, read: (*Draft).cardTokens},
	{name: "auth", operations: onlyPurchase, read: func(_ *Draft, in Reader, r *Session) { r.Auth = in.Flag("auth") }},
	{name: "recurring_init", operations: purchaseOrDebit, read: func(_ *Draft, in Reader, r *Session) { r.RecurringInit = in.Flag("recurring_init") }},
	{name: "schedule_id", operations: purchaseOrDebit, read: (*Draft).schedule},
	{name: "vat_calc", operations: onlyPurchase, read: func(_ *Draft, in Reader, r *Session) { r.VATCalc = in.Flag("vat_calc") }},
	{name: "payee", operations: creditOrTransfer, read: func(d *Draft, in Reader, r *Session) { read(d, in.Inside("payee"), payeeFields, &r.Payee) }},
	{name: "payee_billing_address", operations: creditOrTransfer, read: func(d *Draft, in Reader, r *Session) {
		read(d, in.address("payee_billing_address"), addressFields, &r.Payee.Address)
	}},
	{name: "payee_first_name", operations: onlyCredit, read: (*Draft).payeeNames},
	{name: "payee_last_name", operations: onlyCredit}, // is read with the one above
	{name: "crypto", read: func(_ *Draft, in Reader, r *Session) { r.Network = in.Inside("crypto").Text("network", UpTo(50)) }},
	{name: "form_id", read: (*Draft).formID},
	{name: "schedule_start_date", operations: purchaseOrDebit, read: (*Draft).scheduleStart},
	{name: "payment_schedule_amount", operations: purchaseOrDebit, read: (*Draft).scheduleAmount},
	{name: "recurring_consent_required", operations: purchaseOrDebit, read: (*Draft).consent},
}

var methodsField = field[Session]{name: "methods", operations: notTransfer, read: (*Draft).methodFaults}

var orderFields = []field[Order]{
	{name: "number", read: (*Draft).orderNumber},
	{name: "amount", read: (*Draft).orderAmount},
	{name: "currency", required: true, to: func(o *Order) *string { return &o.Currency }, checks: []Check{OrElse(method.TextNotChoice, IsCurrency)}},
	{name: "description", required: true, to: func(o *Order) *string { return &o.Description }, checks: []Check{Length(2, 1024)}},
}

var customerFields = []field[Customer]{
	{name: "name", read: (*Draft).customerName},
	{name: "email", to: func(c *Customer) *string { return &c.Email }, checks: []Check{isEmail}},
	{name: "birth_date", read: (*Draft).birthDate},
}

// addressFields are those of billing_address and payee_billing_address.
var addressFields = []field[Address]{
	{name: "country", read: (*Draft).country},
	{name: "state", read: (*Draft).state},
	{name: "city", to: func(a *Address) *string { return &a.City }, checks: []Check{Length(2, 40)}},
	{name: "address", to: func(a *Address) *string { return &a.Address }, checks: []Check{Length(2, 32)}},
	{name: "house_number", to: func(a *Address) *string { return &a.HouseNumber }, checks: []Check{UpTo(9)}},
	{name: "zip", to: func(a *Address) *string { return &a.Zip }, checks: []Check{Length(2, 10)}},
	{name: "phone", read: (*Draft).phone},
	{name: "phone_country_code", to: func(a *Address) *string { return &a.PhoneCountryCode }, checks: []Check{isCallingCode}},
	{name: "district", to: func(a *Address) *string { return &a.District }, checks: []Check{Length(2, 32)}},
	{name: "language", to: func(a *Address) *string { return &a.Language }, checks: []Check{isLanguage}},
}

var payeeFields = []field[Payee]{
	{name: "name", read: (*Draft).payeeName},
	{name: "email", to: func(p *Payee) *string { return &p.Email }, checks: []Check{isEmail}},
}

// applies reports whether an operation has the field. A bad operation, which reads as "", has all, so that
// every mistake is named at once.
func (f *field[T]) applies(operation method.Operation) bool {
	return f.operations == nil || operation == "" || slices.Contains(f.operations, operation)
}

// read reads the fields of an object into a noun.
func read[T any](d *Draft, in Reader, rows []field[T], into *T) {
	for i := range rows {
		row := &rows[i]
		switch {
		case !row.applies(d.Operation):
		case row.read != nil:
			row.read(d, in, into)
		case row.to != nil && row.required:
			*row.to(into) = in.Required(row.name, row.checks...)
		case row.to != nil:
			*row.to(into) = in.Text(row.name, row.checks...)
		}
	}
}
