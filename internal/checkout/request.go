package checkout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// languages are the values of checkout_language (core.md, Session request).
var languages = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"}

// maxReturnURL is the most characters of the four URLs that a payer may be sent to.
const maxReturnURL = 1024

// checkSession checks every field of a POST /api/v1/session and, if all are sound, its hash. The
// merchant is nil if merchant_key is unknown.
// Errors: CodeInvalid with every fault in the order of core.md's tables, CodeHash.
func checkSession(in fields, m *Merchant, now time.Time) (SessionRequest, error) {
	in = in.afresh()
	rules := readingOf(in, m, now)
	r := sessionReader{in, m, rules, now}.read()
	if err := in.err(); err != nil {
		return SessionRequest{}, withFirst(err, rules.firstErrors)
	}
	found := m != nil
	if !found {
		m = noMerchant
	}
	if !sessionHashIsGood(in, m, r) || !found {
		return SessionRequest{}, errHash()
	}
	return r, nil
}

// sessionHashIsGood also tries the formatted text of an amount that came as a JSON number (decisions.md 3).
func sessionHashIsGood(in fields, m *Merchant, r SessionRequest) bool {
	if verifyHash(r.Hash, m, signedSession(r.Order)...) {
		return true
	}
	if _, number := in.inside("order").value("amount").(json.Number); !number {
		return false
	}
	currency, _ := money.Find(r.Order.Currency)
	amount, err := money.Parse(r.Order.Amount, currency)
	r.Order.Amount = amount.String()
	return err == nil && !readsAsReturn(r.Order) && verifyHash(r.Hash, m, signedSession(r.Order)...)
}

// readingOf is how the mapping that the request would be routed to has it read. Only where the merchant's
// mappings differ in that is the request read once more, as laxly as any might take it, to find its route.
func readingOf(in fields, m *Merchant, now time.Time) reading {
	common, alike := m.commonReading()
	if alike {
		return common
	}
	req := sessionReader{in.afresh(), m, laxest, now}.read()
	route, err := findRoute(m, &req)
	if err != nil {
		return reading{}
	}
	return route.mapping.reading()
}

// sessionReader reads the session request in the order of core.md's tables, which is the order of faults.
type sessionReader struct {
	fields
	merchant *Merchant // nil if merchant_key is unknown
	rules    reading
	now      time.Time
}

func (in sessionReader) read() SessionRequest {
	var r SessionRequest
	aURL := []check{upTo(maxReturnURL), orElse(method.TextNotURL, isReturnURL)}

	in.required("merchant_key")
	r.Operation = in.required("operation", oneOf(anyOperation...))
	r.SuccessURL = in.required("success_url", aURL...)
	r.CancelURL = in.text("cancel_url", aURL...)
	r.ExpiryURL = in.text("expiry_url", aURL...)
	r.ErrorURL = in.text("error_url", aURL...)
	r.URLTarget = in.text("url_target", oneOf("_self", "_parent", "_top"))
	r.SessionExpiry = in.integer("session_expiry", 60, 1, 720)
	r.Language = in.language()
	r.ChannelID = in.text("channel_id", upTo(16))
	r.Hash = in.required("hash")
	r.Order = readOrder(in.inside("order"), r.Operation, in.rules)
	in.payer(&r)
	own := in.of(r.Operation)
	r.Methods, _ = own.methods(own.afresh()) // whose faults stand further below
	r.Parameters = readParameters(in.fields, r.Operation, r.Methods)
	r.CustomData = in.customData()
	_, unknown := own.methods(own.fields)
	r.LeftOut = append(r.LeftOut, unknown...)
	own.specific(&r)
	return r
}

// language reads checkout_language, whose fault names no path (decisions.md 4).
func (in sessionReader) language() string {
	text, ok := textOf(in.value("checkout_language"))
	if !ok || text != "" && !slices.Contains(languages, text) {
		in.add(Fault{Code: FaultInvalid, Text: "The checkout_language parameter is incorrect"})
		return ""
	}
	return text
}

// readOrder reads order. An absent one is each of its members absent.
func readOrder(in fields, operation string, rules reading) Order {
	currency, found := money.Find(in.afresh().text("currency"))
	if !found {
		currency = money.Currency{Code: "unknown", Exponent: 18} // then an amount is judged by its shape alone
	}
	var o Order
	o.Number = in.required("number", upTo(255), orderNumber(rules.anyNumber), notAReturn(in))
	switch {
	case !in.has("amount") && currency.Crypto && operation == "purchase":
		o.Amount = in.amount("amount") // absent: the payer enters it elsewhere (core.md, Amount format)
	case operation == "transfer" && in.afresh().text("amount") == payerEnters:
		o.Amount = payerEnters
	default:
		o.Amount = in.required("amount", amountIn(currency))
	}
	o.Currency = in.required("currency", orElse(method.TextNotChoice, isCurrency))
	o.Description = in.required("description", length(2, 1024))
	return o
}

// notAReturn refuses an order whose signed text could be that of a customer's return (decisions.md 3).
func notAReturn(in fields) check {
	return func(number string) string {
		o := Order{Number: number}
		o.Amount, _ = textOf(in.value("amount"))
		o.Currency, _ = textOf(in.value("currency"))
		o.Description, _ = textOf(in.value("description"))
		if readsAsReturn(o) {
			return method.NotValid("Joined with what follows it, it may not begin with the form of a payment id.")
		}
		return ""
	}
}

// payer reads customer and billing_address. With `billing: ask`, what can't be used of them is no fault:
// it is left out, and the page asks for it.
func (in sessionReader) payer(r *SessionRequest) {
	from := in
	if in.rules.askBilling {
		from.fields = in.afresh()
	}
	r.Customer = from.customer()
	r.BillingAddress = readAddress(from.inside("billing_address"))
	if !in.rules.askBilling {
		return
	}
	for _, fault := range *from.faults {
		if fault.Path == "customer.name" && in.rules.name == NameRequired {
			in.add(fault) // is not optional
			continue
		}
		r.LeftOut = append(r.LeftOut, fault.String())
	}
}

func (in sessionReader) customer() Customer {
	customer := in.inside("customer")
	var c Customer
	switch in.rules.name {
	case NameOff:
		c.Name = customer.text("name", upTo(200))
	case NameRequired:
		c.Name = customer.required("name", length(2, 200), isCustomerName)
	default:
		c.Name = customer.text("name", length(2, 200), isCustomerName)
	}
	c.Email = customer.text("email", isEmail)
	c.BirthDate = customer.text("birth_date", pastDay(in.now))
	return c
}

// noValue are the texts that shops send for an address field that they have no value for
// (decisions.md 11). NA as country is Namibia.
var noValue = []string{"NA", "N/A", "n/a", "-", "undefined", "null"}

// readAddress reads billing_address or payee_billing_address.
func readAddress(in fields) Address {
	var a Address
	a.Country = in.text("country", orElse(method.TextNotChoice, method.IsCountry))
	in = in.without(noValue)
	if method.HasStates(a.Country) {
		a.State = in.state(a.Country)
	}
	a.City = in.text("city", length(2, 40))
	a.Address = in.text("address", length(2, 32))
	a.HouseNumber = in.text("house_number", upTo(9))
	a.Zip = in.text("zip", length(2, 10))
	a.Phone = in.changed("phone", method.PlainPhone).text("phone", upTo(32), isPhone)
	a.PhoneCountryCode = in.text("phone_country_code", isCallingCode)
	a.District = in.text("district", length(2, 32))
	a.Language = in.text("language", isLanguage)
	return a
}

// state reads the state of a country that has a list of them, as its code.
func (f fields) state(country string) string {
	text := f.text("state", func(text string) string {
		if _, found := method.FindState(country, text); found {
			return ""
		}
		return cmp.Or(method.LengthFault(text, 2, 32), method.TextNotChoice)
	})
	code, _ := method.FindState(country, text)
	return code
}

// customData keeps custom_data as it was sent, without white space: the order of its names and the
// literal text of its numbers are the merchant's.
func (in sessionReader) customData() json.RawMessage {
	data := in.inside("custom_data")
	if len(data.names()) == 0 {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data.object.raw); err != nil {
		return nil // can't be: it was read as JSON
	}
	if echo := encode(Key{}, 0, flattenCustomData(compact.Bytes())); len(echo.Doc) > maxEcho {
		in.fail("custom_data", method.NotValid("It is too large to be sent in a callback."))
		return nil
	}
	return compact.Bytes()
}

// maxEcho bounds custom_data in bytes, as a stored callback holds it: names are
// repeated for all that is inside them. A Record has room for that and the rest.
const maxEcho = 256 << 10

// methods reads the ids of known methods from in, as often as they were sent, so that each stands where
// it was sent. With `methods: known`, others are left out and named as unknown, unless none is left.
func (in sessionReader) methods(from fields) (ids, unknown []string) {
	isMethod := orElse(method.TextNotChoice, func(id string) bool {
		_, ok := method.Find(id)
		return ok
	})
	list := from.list("methods")
	own := func(item string) bool {
		id, _ := textOf(list.value(item))
		return isMethod(id) == "" && in.merchant.has(id)
	}
	some := in.rules.ownMethods && slices.ContainsFunc(list.names(), own)
	for _, item := range list.names() {
		if some && !own(item) {
			unknown = append(unknown, Fault{Path: list.join(item), Text: method.TextNotChoice}.String())
			continue
		}
		if id := list.required(item, isMethod); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, unknown
}
