package request

import (
	"cmp"
	"strings"
	"time"

	"checkout/internal/method"
)

var customerFields = []field[Customer]{
	{name: "name", read: (*Draft).customerName},
	{name: "email", read: (*Draft).email},
	{name: "birth_date", read: (*Draft).birthDate},
}

// addressFields are the fields of billing_address and payee_billing_address.
var addressFields = []field[Address]{
	{name: "country", read: (*Draft).country},
	{name: "state", read: (*Draft).state},
	{name: "city", read: cut("city", 40, 40, func(a *Address) *string { return &a.City })},
	{name: "address", read: cut("address", LineLength, maxLine, func(a *Address) *string { return &a.Address })},
	{name: "house_number", read: numbered("house_number", UpTo(9), func(a *Address) *string { return &a.HouseNumber })},
	{name: "zip", read: numbered("zip", lengthBetween(2, 10), func(a *Address) *string { return &a.Zip })},
	{name: "phone", read: (*Draft).phone},
	{name: "phone_country_code", to: func(a *Address) *string { return &a.PhoneCountryCode },
		checks: []Check{isCallingCode}},
	{name: "district", read: cut("district", LineLength, maxLine, func(a *Address) *string { return &a.District })},
	{name: "language", to: func(a *Address) *string { return &a.Language }, checks: []Check{isLanguage}},
}

var payeeFields = []field[Payee]{
	{name: "name", read: (*Draft).payeeName},
	{name: "email", to: func(p *Payee) *string { return &p.Email }, checks: []Check{IsEmail}},
}

// customerName reads customer.name.
func (d *Draft) customerName(in Reader, c *Customer) {
	if !in.Has("name") {
		in.depends(ofMissingName).Fail("name", method.TextBlank)
	}
	d.checkedName, c.Name = in.either("name", checkedName, anyName)
}

func (d *Draft) email(in Reader, c *Customer) {
	c.Email = in.typed("email", IsEmail, strings.TrimSpace, IsEmail)
}

func (d *Draft) birthDate(in Reader, c *Customer) {
	if in.Has("birth_date") {
		c.BirthDate = in.Text("birth_date", pastDay(d.now))
	}
}

// noValue are texts that shops send for an address field without a value (protocol.md, Plugins as they are). In country
// they are not used, since NA is Namibia.
var noValue = []string{"NA", "N/A", "n/a", "-", "undefined", "null"}

// address reads billing_address or payee_billing_address.
func (f Reader) address(name string) Reader {
	in := f.Inside(name)
	in.noValue = noValue
	return in
}

func (d *Draft) country(in Reader, a *Address) {
	in.noValue = nil
	upper := func(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }
	a.Country = in.typed("country", isCountry, upper, isCountry)
}

// state reads the state of a country that has a list of states, as its code. For other countries it is ignored.
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

// phone reads a phone number without the characters that people write between digits.
func (d *Draft) phone(in Reader, a *Address) {
	v := in.value("phone")
	if plain := method.NormalizePhone(plainDigits(v.text)); v.kind == kindText && plain != "" {
		v.text = plain
	}
	var fault string
	if a.Phone, fault = v.checked([]Check{UpTo(32), isPhone}); fault != "" {
		in.Fail("phone", fault)
	}
}

// Customer reads the member customer of a request that is not a session request, for every merchant by protocol.md,
// Customer.
func (f Reader) Customer(now time.Time) Customer {
	var c Customer
	d, own := Draft{now: now}, f.silent()
	read(&d, own.Inside("customer"), customerFields, &c)
	c.Name = d.checkedName
	faults, _ := own.found.under(Rules{})
	for _, fault := range faults {
		f.found.add(finding{Fault: fault})
	}
	return c
}

// payeeName reads payee.name. It is optional for a payout to a saved card, which has a name of its own.
func (d *Draft) payeeName(in Reader, p *Payee) {
	name := in.Text
	if d.Operation == method.Transfer || d.Operation == method.Credit && !d.body.Has("card_token") {
		name = in.Required
	}
	p.Name = name("name", lengthBetween(2, 32), isCustomerName)
}

// payeeNames reads payee_first_name and payee_last_name of a payout to a saved card, from the body or from
// parameters.card (protocol.md, Fields of operations). If both were sent, they are the payee's name.
func (d *Draft) payeeNames(in Reader, r *Session) {
	if r.Operation != method.Credit || !in.Has("card_token") {
		return
	}
	card := d.parameters.silent().Inside(method.Card)
	card.found = in.found // faults of parameters itself were noted before
	read := func(name string) string {
		return cmp.Or(in.Text(name, UpTo(32)), card.Text(name, UpTo(32)))
	}
	first, last := read("payee_first_name"), read("payee_last_name")
	if first != "" && last != "" {
		r.Payee.Name = first + " " + last
	}
}
