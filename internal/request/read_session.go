package request

import (
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
)

var (
	onlyPurchase     = []method.Operation{method.Purchase}
	onlyCredit       = []method.Operation{method.Credit}
	purchaseOrDebit  = []method.Operation{method.Purchase, method.Debit}
	creditOrTransfer = []method.Operation{method.Credit, method.Transfer}
)

// Languages are the values of checkout_language (protocol.md, Session request).
var Languages = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"}

// sessionFields are all fields of a session request, in the order of the tables of protocol.md, Session request, which
// is the order of faults: those of every operation and those of some operations.
var sessionFields = []field[Session]{
	{name: "merchant_key"}, // read before, to find the merchant
	{name: "operation", read: (*Draft).operation},
	returnURL("success_url", true, func(r *Session) *string { return &r.SuccessURL }),
	returnURL("cancel_url", false, func(r *Session) *string { return &r.CancelURL }),
	returnURL("expiry_url", false, func(r *Session) *string { return &r.ExpiryURL }),
	returnURL("error_url", false, func(r *Session) *string { return &r.ErrorURL }),
	{name: "url_target", to: func(r *Session) *string { return &r.URLTarget },
		checks: []Check{OneOf("_self", "_parent", "_top")}},
	{name: "session_expiry", read: func(_ *Draft, in Reader, r *Session) {
		r.SessionExpiry = in.integer("session_expiry", 60, 1, int(MaxSession/time.Minute))
	}},
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
	{name: "notification_url", read: (*Draft).notificationURL},
	{name: "callback_url"},        // read with notification_url
	{name: "server_callback_url"}, // read with notification_url

	methodsField,
	{name: "req_token", operations: purchaseOrDebit, read: (*Draft).reqToken},
	{name: "card_token", operations: notTransfer, read: (*Draft).cardTokens},
	{name: "auth", operations: onlyPurchase, read: func(_ *Draft, in Reader, r *Session) { r.Auth = in.Flag("auth") }},
	{name: "recurring_init", operations: purchaseOrDebit,
		read: func(_ *Draft, in Reader, r *Session) { r.RecurringInit = in.Flag("recurring_init") }},
	{name: "schedule_id", operations: purchaseOrDebit, read: (*Draft).schedule},
	{name: "vat_calc", operations: onlyPurchase, read: func(_ *Draft, in Reader, r *Session) {
		r.VATCalc = in.Flag("vat_calc")
	}},
	{name: "payee", operations: creditOrTransfer, read: func(d *Draft, in Reader, r *Session) {
		read(d, in.Inside("payee"), payeeFields, &r.Payee)
	}},
	{name: "payee_billing_address", operations: creditOrTransfer, read: func(d *Draft, in Reader, r *Session) {
		read(d, in.address("payee_billing_address"), addressFields, &r.Payee.Address)
	}},
	{name: "payee_first_name", operations: onlyCredit, read: (*Draft).payeeNames},
	{name: "payee_last_name", operations: onlyCredit}, // read with payee_first_name
	{name: "crypto", read: func(_ *Draft, in Reader, r *Session) {
		r.Network = in.Inside("crypto").Text("network", UpTo(50))
	}},
	{name: "payer_ip", to: func(r *Session) *string { return &r.StatedIP }, checks: []Check{isIP}},
	{name: "form_id", read: (*Draft).formID},
	{name: "schedule_start_date", operations: purchaseOrDebit, read: (*Draft).scheduleStart},
	{name: "payment_schedule_amount", operations: purchaseOrDebit, read: (*Draft).scheduleAmount},
	{name: "recurring_consent_required", operations: purchaseOrDebit, read: (*Draft).consent},
}

var orderFields = []field[Order]{
	{name: "number", read: (*Draft).orderNumber},
	{name: "amount", read: (*Draft).orderAmount},
	{name: "currency", required: true, to: func(o *Order) *string { return &o.Currency },
		checks: []Check{OrElse(method.TextNotChoice, IsCurrency)}},
	{name: "description", required: true, to: func(o *Order) *string { return &o.Description },
		checks: []Check{lengthBetween(2, 1024)}},
}

// ReadSession reads the fields of a POST /api/v1/session, except merchant_key, which was read before.
func ReadSession(in Reader, has known, now time.Time) *Draft {
	d := &Draft{found: in.found, known: has, now: now, body: in}
	read(d, in, sessionFields, &d.Session)
	return d
}

// ErrForEverybody returns CodeInvalid with the faults that are the same for all merchants, in the order of the tables
// of protocol.md, Session request, nil if there are none.
func (d *Draft) ErrForEverybody() error { return d.body.Err() }

// Apply changes the draft to the request that a mapping's rules accept. Errors: CodeInvalid with every fault, in the
// order of the tables of protocol.md, Session request.
func (d *Draft) Apply(rules Rules) error {
	faults, without := d.found.under(rules)
	if len(faults) > 0 {
		return fault.Invalid(faults)
	}
	d.LeftOut = without
	if rules.Name != NameOff {
		d.Customer.Name = d.checkedName
	}
	if !rules.OwnMethods {
		d.Methods = d.allMethods
	}
	if !rules.OwnAddress {
		d.NotificationURL = ""
	}
	d.readsAddress = rules.OwnAddress
	return nil
}

// Accepts reports whether rules accept the request.
func (d *Draft) Accepts(rules Rules) bool {
	faults, _ := d.found.under(rules)
	return len(faults) == 0
}

// addressNames are the names by which shops send the address for callbacks. The first that is there counts.
var addressNames = []string{"notification_url", "callback_url", "server_callback_url"}

// notificationURL reads the address for the session's callbacks, by the check of the merchant's own.
func (d *Draft) notificationURL(in Reader, r *Session) {
	i := slices.IndexFunc(addressNames, in.Has)
	if i >= 0 {
		r.NotificationURL = in.depends(ofAddress).Text(addressNames[i], UpTo(1024), IsReceiver)
	}
}

func (d *Draft) operation(in Reader, r *Session) {
	r.Operation = method.Operation(in.Required("operation", OneOf(method.Operations...)))
}

// language reads checkout_language, whose fault has no path (protocol.md, Errors).
func (d *Draft) language(in Reader, r *Session) {
	text, ok := in.value("checkout_language").plain()
	if !ok || text != "" && !slices.Contains(Languages, text) {
		in.fail("", "The checkout_language parameter is incorrect")
		return
	}
	r.Language = text
}

// orderNumber reads order.number. It is not valid if the signed text of the session could be that of a customer's
// return (protocol.md, Hashes).
func (d *Draft) orderNumber(in Reader, o *Order) {
	sent := func(name string) string {
		text, _ := in.value(name).plain()
		return text
	}
	d.Sent = Order{sent("number"), Amount{Text: sent("amount")}, sent("currency"), sent("description")}
	d.AmountIsNumber = in.IsNumber("amount")
	switch {
	case !in.Has("number"):
		in.Fail("number", method.TextBlank)
	case ReadsAsReturn(d.Sent):
		in.Fail("number", method.NotValid("Joined with what follows it, it may not begin with the form of a payment id."))
	default:
		_, o.Number = in.either("number", plainNumber, anyNumber)
	}
}

// orderAmount reads order.amount, which depends on the currency, a later field.
func (d *Draft) orderAmount(in Reader, o *Order) {
	code, _ := in.value("currency").plain()
	currency, found := money.Find(code)
	if !found {
		currency = anyCurrency
	}
	amount, _ := in.value("amount").plain()
	switch {
	case !in.Has("amount") && currency.Crypto && d.Operation == method.Purchase:
		amount = in.Amount("amount") // absent: the payer enters it elsewhere (protocol.md, Amounts)
	case d.Operation == method.Transfer && amount == payerEnters: // as it is
	default:
		amount = in.Required("amount", AmountIn(currency))
	}
	o.Amount = ReadAmount(amount, currency)
}
