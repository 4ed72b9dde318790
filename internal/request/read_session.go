package request

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// Languages are the values of checkout_language (core.md, Session request).
var Languages = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"}

// maxReturnURL is the most characters of the four URLs that a payer may be sent to.
const maxReturnURL = 1024

// known is what a merchant has of what a request can name. Of an unknown merchant it is nothing.
type known interface {
	HasMethod(id string) bool
	HasSchedule(id string) bool
	HasForm(id string) bool
}

// ReadSession reads the fields of a POST /api/v1/session; in collects its faults.
func ReadSession(in Reader, has known, rules Rules, now time.Time) Session {
	return SessionReader{in, has, rules, now}.Read()
}

// SessionReader reads the session request in the order of core.md's tables, which is the order of faults.
type SessionReader struct {
	Reader
	Known known
	rules Rules
	Now   time.Time
}

func (in SessionReader) Read() Session {
	var r Session
	aURL := []Check{UpTo(maxReturnURL), OrElse(method.TextNotURL, isReturnURL)}

	in.Required("merchant_key")
	r.Operation = in.Required("operation", OneOf(AnyOperation...))
	r.SuccessURL = in.Required("success_url", aURL...)
	r.CancelURL = in.Text("cancel_url", aURL...)
	r.ExpiryURL = in.Text("expiry_url", aURL...)
	r.ErrorURL = in.Text("error_url", aURL...)
	r.URLTarget = in.Text("url_target", OneOf("_self", "_parent", "_top"))
	r.SessionExpiry = in.Integer("session_expiry", 60, 1, 720)
	r.Language = in.language()
	r.ChannelID = in.Text("channel_id", UpTo(16))
	r.Hash = in.Required("hash")
	r.Order = readOrder(in.Inside("order"), r.Operation, in.rules)
	in.payer(&r)
	own := in.of(r.Operation)
	r.Methods, _ = own.Methods(own.Afresh()) // whose faults stand further below
	r.Parameters = ReadParameters(in.Reader, r.Operation, r.Methods)
	r.CustomData = in.CustomData()
	_, unknown := own.Methods(own.Reader)
	r.LeftOut = append(r.LeftOut, unknown...)
	own.specific(&r)
	return r
}

// language reads checkout_language, whose fault names no path (decisions.md 4).
func (in SessionReader) language() string {
	text, ok := textOf(in.Value("checkout_language"))
	if !ok || text != "" && !slices.Contains(Languages, text) {
		in.add(Fault{Code: FaultInvalid, Text: "The checkout_language parameter is incorrect"})
		return ""
	}
	return text
}

// readOrder reads order. An absent one is each of its members absent.
func readOrder(in Reader, operation string, rules Rules) Order {
	currency, found := money.Find(in.Afresh().Text("currency"))
	if !found {
		currency = money.Currency{Code: "unknown", Exponent: 18} // then an amount is judged by its shape alone
	}
	var o Order
	o.Number = in.Required("number", UpTo(255), OrderNumber(rules.AnyNumber), notAReturn(in))
	switch {
	case !in.Has("amount") && currency.Crypto && operation == "purchase":
		o.Amount = in.Amount("amount") // absent: the payer enters it elsewhere (core.md, Amount format)
	case operation == "transfer" && in.Afresh().Text("amount") == PayerEnters:
		o.Amount = PayerEnters
	default:
		o.Amount = in.Required("amount", AmountIn(currency))
	}
	o.Currency = in.Required("currency", OrElse(method.TextNotChoice, IsCurrency))
	o.Description = in.Required("description", Length(2, 1024))
	return o
}

// notAReturn refuses an order whose signed text could be that of a customer's return (decisions.md 3).
func notAReturn(in Reader) Check {
	return func(number string) string {
		o := Order{Number: number}
		o.Amount, _ = textOf(in.Value("amount"))
		o.Currency, _ = textOf(in.Value("currency"))
		o.Description, _ = textOf(in.Value("description"))
		if ReadsAsReturn(o) {
			return method.NotValid("Joined with what follows it, it may not begin with the form of a payment id.")
		}
		return ""
	}
}

// payer reads customer and billing_address. With `billing: ask`, what can't be used of them is no fault:
// it is left out, and the page asks for it.
func (in SessionReader) payer(r *Session) {
	from := in
	if in.rules.AskBilling {
		from.Reader = in.Afresh()
	}
	r.Customer = from.Customer()
	r.BillingAddress = readAddress(from.Inside("billing_address"))
	if !in.rules.AskBilling {
		return
	}
	for _, fault := range *from.Faults {
		if fault.Path == "customer.name" && in.rules.Name == NameRequired {
			in.add(fault) // is not optional
			continue
		}
		r.LeftOut = append(r.LeftOut, fault.String())
	}
}

// Customer reads customer, its name by the rules.
func (in SessionReader) Customer() Customer {
	customer := in.Inside("customer")
	var c Customer
	switch in.rules.Name {
	case NameOff:
		c.Name = customer.Text("name", UpTo(200))
	case NameRequired:
		c.Name = customer.Required("name", Length(2, 200), isCustomerName)
	default:
		c.Name = customer.Text("name", Length(2, 200), isCustomerName)
	}
	c.Email = customer.Text("email", isEmail)
	c.BirthDate = customer.Text("birth_date", pastDay(in.Now))
	return c
}

// noValue are the texts that shops send for an address field that they have no value for
// (decisions.md 11). NA as country is Namibia.
var noValue = []string{"NA", "N/A", "n/a", "-", "undefined", "null"}

// readAddress reads billing_address or payee_billing_address.
func readAddress(in Reader) Address {
	var a Address
	a.Country = in.Text("country", OrElse(method.TextNotChoice, method.IsCountry))
	in = in.without(noValue)
	if method.HasStates(a.Country) {
		a.State = in.state(a.Country)
	}
	a.City = in.Text("city", Length(2, 40))
	a.Address = in.Text("address", Length(2, 32))
	a.HouseNumber = in.Text("house_number", UpTo(9))
	a.Zip = in.Text("zip", Length(2, 10))
	a.Phone = in.changed("phone", method.PlainPhone).Text("phone", UpTo(32), isPhone)
	a.PhoneCountryCode = in.Text("phone_country_code", isCallingCode)
	a.District = in.Text("district", Length(2, 32))
	a.Language = in.Text("language", isLanguage)
	return a
}

// state reads the state of a country that has a list of them, as its code.
func (f Reader) state(country string) string {
	text := f.Text("state", func(text string) string {
		if _, found := method.FindState(country, text); found {
			return ""
		}
		return cmp.Or(method.LengthFault(text, 2, 32), method.TextNotChoice)
	})
	code, _ := method.FindState(country, text)
	return code
}

// Methods reads the ids of known methods from in, as often as they were sent, so that each stands where
// it was sent. With `methods: known`, others are left out and named as unknown, unless none is left.
func (in SessionReader) Methods(from Reader) (ids, unknown []string) {
	isMethod := OrElse(method.TextNotChoice, func(id string) bool {
		_, ok := method.Find(id)
		return ok
	})
	list := from.List("methods")
	own := func(item string) bool {
		id, _ := textOf(list.Value(item))
		return isMethod(id) == "" && in.Known.HasMethod(id)
	}
	some := in.rules.OwnMethods && slices.ContainsFunc(list.Names(), own)
	for _, item := range list.Names() {
		if some && !own(item) {
			unknown = append(unknown, Fault{Path: list.join(item), Text: method.TextNotChoice}.String())
			continue
		}
		if id := list.Required(item, isMethod); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, unknown
}
