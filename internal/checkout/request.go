package checkout

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// languages are the values of checkout_language (core.md, Session request).
var languages = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"}

// maxReturnURL is the most characters of the four URLs that a payer may be sent to.
const maxReturnURL = 1024

// known is what a merchant has of what a request can name. Of an unknown merchant it is nothing.
type known interface {
	HasMethod(id string) bool
	HasSchedule(id string) bool
	HasForm(id string) bool
}

// readSessionRequest reads the fields of a POST /api/v1/session; in collects its faults.
func readSessionRequest(in fields, has known, rules reading, now time.Time) SessionRequest {
	return sessionReader{in, has, rules, now}.read()
}

// sessionReader reads the session request in the order of core.md's tables, which is the order of faults.
type sessionReader struct {
	fields
	known known
	rules reading
	now   time.Time
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
		return isMethod(id) == "" && in.known.HasMethod(id)
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
