package checkout

import (
	"bytes"
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
	r := sessionReader{in, m, nameRule(in, m, now), now}.read()
	if err := in.err(); err != nil {
		return SessionRequest{}, err
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

// nameRule is how the mapping that the request would be routed to has customer.name checked. Only where
// the merchant's mappings differ in that is the request read once more to find its route.
func nameRule(in fields, m *Merchant, now time.Time) NameRule {
	if m == nil || len(m.Mappings) == 0 {
		return NameChecked
	}
	first := m.Mappings[0].CustomerName
	if !slices.ContainsFunc(m.Mappings, func(mapping Mapping) bool { return mapping.CustomerName != first }) {
		return first
	}
	req := sessionReader{in.afresh(), m, NameOff, now}.read()
	route, err := findRoute(m, &req)
	if err != nil {
		return NameChecked
	}
	return route.mapping.CustomerName
}

// sessionReader reads the session request in the order of core.md's tables, which is the order of faults.
type sessionReader struct {
	fields
	merchant *Merchant // nil if merchant_key is unknown
	rule     NameRule
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
	r.Order = readOrder(in.inside("order"), r.Operation)
	r.Customer = in.customer()
	r.BillingAddress = readAddress(in.inside("billing_address"))
	own := in.of(r.Operation)
	r.Methods = readMethods(own.afresh()) // whose faults stand further below
	r.Parameters = readParameters(in.fields, r.Operation, r.Methods)
	r.CustomData = in.customData()
	readMethods(own.fields)
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
func readOrder(in fields, operation string) Order {
	currency, found := money.Find(in.afresh().text("currency"))
	if !found {
		currency = money.Currency{Code: "unknown", Exponent: 18} // then an amount is judged by its shape alone
	}
	var o Order
	o.Number = in.required("number", upTo(255), only(orderNumber), notAReturn(in))
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
			return method.TextNotValid + " Joined with what follows it, it may not begin with the form of a payment id."
		}
		return ""
	}
}

func (in sessionReader) customer() Customer {
	customer := in.inside("customer")
	var c Customer
	switch in.rule {
	case NameOff:
		c.Name = customer.text("name", upTo(200))
	case NameRequired:
		c.Name = customer.required("name", length(2, 200), valid(isCustomerName))
	default:
		c.Name = customer.text("name", length(2, 200), valid(isCustomerName))
	}
	c.Email = customer.text("email", valid(method.CheckEmail))
	c.BirthDate = customer.text("birth_date", pastDay(in.now))
	return c
}

// readAddress reads billing_address or payee_billing_address.
func readAddress(in fields) Address {
	var a Address
	a.Country = in.text("country", orElse(method.TextNotChoice, method.IsCountry))
	if method.HasStates(a.Country) {
		a.State = in.text("state", length(2, 32), orElse(method.TextNotChoice, func(code string) bool { return method.IsState(a.Country, code) }))
	}
	a.City = in.text("city", length(2, 40))
	a.Address = in.text("address", length(2, 32))
	a.HouseNumber = in.text("house_number", upTo(9))
	a.Zip = in.text("zip", length(2, 10))
	a.Phone = in.text("phone", upTo(32), valid(method.CheckPhone))
	a.PhoneCountryCode = in.text("phone_country_code", valid(isCallingCode))
	a.District = in.text("district", length(2, 32))
	a.Language = in.text("language", valid(isLanguageTag))
	return a
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
		in.fail("custom_data", method.TextNotValid+" It is too large to be sent in a callback.")
		return nil
	}
	return compact.Bytes()
}

// maxEcho bounds custom_data in bytes, as a stored callback holds it: names are
// repeated for all that is inside them. A Record has room for that and the rest.
const maxEcho = 256 << 10

// readMethods reads the ids of known methods, as often as they were sent, so that each stands where it was sent.
func readMethods(in fields) []string {
	isMethod := orElse(method.TextNotChoice, func(id string) bool {
		_, ok := method.Find(id)
		return ok
	})
	list := in.list("methods")
	var ids []string
	for _, item := range list.names() {
		if id := list.required(item, isMethod); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}
