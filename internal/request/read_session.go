package request

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// known is what a merchant has of what a request can name. Of an unknown merchant it is nothing.
type known interface {
	HasMethod(id string) bool
	HasSchedule(id string) bool
	HasForm(id string) bool
}

// Draft is a session request that was read as the rules that take most have it: with these it is routed. Then Apply makes it
// what the rules of its route have it.
type Draft struct {
	Session
	checkedName string   // customer.name, if it is as core.md has it
	allMethods  []string // of the methods that were sent those that the service has

	found       *findings
	known       known
	now         time.Time
	body        Reader
	parameters  Reader   // with what stands beside it in bracket notation
	methodFound findings // of methods, which is read before its place, because parameters depend on it
}

// ReadSession reads the fields of a POST /api/v1/session, but for merchant_key, which in has read before.
func ReadSession(in Reader, has known, now time.Time) *Draft {
	d := &Draft{found: in.found, known: has, now: now, body: in}
	read(d, in, sessionFields, &d.Session)
	return d
}

// Apply makes the draft the request as a mapping's rules have it. Errors: CodeInvalid with every fault, in the order of
// core.md's tables.
func (d *Draft) Apply(rules Rules) error {
	faults, without := d.found.under(rules)
	if len(faults) > 0 {
		return Invalid(faults)
	}
	d.LeftOut = without
	if rules.Name != NameOff {
		d.Customer.Name = d.checkedName
	}
	if !rules.OwnMethods {
		d.Methods = d.allMethods
	}
	return nil
}

func (d *Draft) operation(in Reader, r *Session) {
	r.Operation = method.Operation(in.Required("operation", OneOf(method.Operations...)))
}

// language reads checkout_language, whose fault names no path (decisions.md 4).
func (d *Draft) language(in Reader, r *Session) {
	text, ok := in.value("checkout_language").plain()
	if !ok || text != "" && !slices.Contains(Languages, text) {
		in.fail("", "The checkout_language parameter is incorrect")
		return
	}
	r.Language = text
}

// way is a way to read a text, and the condition of its faults.
type way struct {
	under  condition
	checks []Check
}

// either reads a text that rules differ about. lax takes all that strict takes.
func (f Reader) either(name string, strict, lax way) (byStrict, byLax string) {
	v := f.value(name)
	text, fault := v.checked(strict.checks)
	if fault == "" {
		return text, text
	}
	f.depends(strict.under).Fail(name, fault)
	if text, fault = v.checked(lax.checks); fault != "" {
		f.depends(lax.under).Fail(name, fault)
	}
	return "", text
}

var (
	plainNumber = way{ofNumber, []Check{UpTo(255), OrderNumber(false)}}
	anyNumber   = way{ofAnyNumber, []Check{UpTo(255), OrderNumber(true)}}
	checkedName = way{ofName, []Check{Length(2, 200), isCustomerName}}
	anyName     = way{ofAnyName, []Check{UpTo(200)}}
)

// orderNumber reads order.number. An order whose signed text could be that of a customer's return is refused (decisions.md 3).
func (d *Draft) orderNumber(in Reader, o *Order) {
	if !in.Has("number") {
		in.Fail("number", method.TextBlank)
		return
	}
	plain, number := in.either("number", plainNumber, anyNumber)
	signed := Order{Number: number}
	signed.Amount.Text, _ = in.value("amount").plain()
	signed.Currency, _ = in.value("currency").plain()
	signed.Description, _ = in.value("description").plain()
	if number == "" || !ReadsAsReturn(signed) {
		o.Number = number
		return
	}
	if plain == "" {
		in = in.depends(ofAnyNumber)
	}
	in.Fail("number", method.NotValid("Joined with what follows it, it may not begin with the form of a payment id."))
}

// orderAmount reads order.amount, which depends on the currency that stands behind it.
func (d *Draft) orderAmount(in Reader, o *Order) {
	code, _ := in.value("currency").plain()
	currency, found := money.Find(code)
	if !found {
		currency = AnyCurrency
	}
	amount, _ := in.value("amount").plain()
	switch {
	case !in.Has("amount") && currency.Crypto && d.Operation == method.Purchase:
		amount = in.Amount("amount") // absent: the payer enters it elsewhere (core.md, Amount format)
	case d.Operation == method.Transfer && amount == payerEnters: // as it is
	default:
		amount = in.Required("amount", AmountIn(currency))
	}
	o.Amount = ReadAmount(amount, currency)
}

// customerName reads customer.name.
func (d *Draft) customerName(in Reader, c *Customer) {
	if !in.Has("name") {
		in.depends(ofMissingName).Fail("name", method.TextBlank)
	}
	d.checkedName, c.Name = in.either("name", checkedName, anyName)
}

func (d *Draft) birthDate(in Reader, c *Customer) {
	if in.Has("birth_date") {
		c.BirthDate = in.Text("birth_date", pastDay(d.now))
	}
}

// noValue are the texts that shops send for an address field that they have no value for
// (decisions.md 11). NA as country is Namibia.
var noValue = []string{"NA", "N/A", "n/a", "-", "undefined", "null"}

// address reads billing_address or payee_billing_address.
func (f Reader) address(name string) Reader {
	in := f.Inside(name)
	in.noValue = noValue
	return in
}

func (d *Draft) country(in Reader, a *Address) {
	in.noValue = nil
	a.Country = in.Text("country", isCountry)
}

// state reads the state of a country that has a list of them, as its code. Of others it is ignored unread.
func (d *Draft) state(in Reader, a *Address) {
	if !method.HasStates(a.Country) {
		return
	}
	text := in.Text("state", func(text string) string {
		if _, found := method.FindState(a.Country, text); found {
			return ""
		}
		return cmp.Or(method.LengthFault(text, 2, 32), method.TextNotChoice)
	})
	a.State, _ = method.FindState(a.Country, text)
}

// phone reads a phone number without what people write between its digits.
func (d *Draft) phone(in Reader, a *Address) {
	v := in.value("phone")
	if plain := method.PlainPhone(v.text); v.kind == kindText && plain != "" {
		v.text = plain
	}
	var fault string
	if a.Phone, fault = v.checked([]Check{UpTo(32), isPhone}); fault != "" {
		in.Fail("phone", fault)
	}
}

// readParameters reads parameters, for which the methods that the request names have to be known.
func (d *Draft) readParameters(in Reader, r *Session) {
	d.readMethods(in)
	d.parameters = in.withBrackets()
	r.Parameters = d.readMethodParameters()
}

// readMethods reads the ids of known methods, as often as they were sent, so that each stands where it was sent. Those that
// the merchant does not have may be left out, unless none is left.
func (d *Draft) readMethods(in Reader) {
	if !methodsField.applies(d.Operation) {
		return
	}
	in.found = &d.methodFound
	sent := in.list("methods")
	own := func(v value) bool {
		id, _ := v.plain()
		return isMethod(id) == "" && d.known.HasMethod(id)
	}
	some := slices.ContainsFunc(sent.items, own)
	for i, v := range sent.items {
		item := sent
		if some && !own(v) {
			item.depends(notOwnMethod).fail(item.itemPath(i), method.TextNotChoice)
			item.under = ofForeignMethod
		}
		if id := item.required(i, isMethod); id != "" {
			d.allMethods = append(d.allMethods, id)
		}
	}
	d.Methods = d.allMethods
	if some && slices.ContainsFunc(d.allMethods, func(id string) bool { return !d.known.HasMethod(id) }) {
		d.Methods = slices.DeleteFunc(slices.Clone(d.allMethods), func(id string) bool { return !d.known.HasMethod(id) })
	}
}

// methodFaults notes what was found when methods were read.
func (d *Draft) methodFaults(Reader, *Session) { d.found.add(d.methodFound.all...) }

// Customer reads the member customer of another request than that for a session.
func (f Reader) Customer(now time.Time) Customer {
	var c Customer
	d := Draft{now: now}
	read(&d, f.Inside("customer"), customerFields, &c)
	c.Name = d.checkedName
	return c
}
