package method

import (
	"cmp"
	"slices"
)

// PageField is one field of the checkout page (protocol.md, Checkout page fields), or a parameter that the page asks
// for.
type PageField struct {
	ID string `json:"id"`
	Input
	Place Place     `json:"place"`
	When  When      `json:"when,omitempty"`
	Saved SavedCard `json:"with_saved_card,omitempty"`
	NotIn []string  `json:"not_in,omitempty"` // billing countries in which nobody needs it
	With  string    `json:"with,omitempty"`   // the id of the field that it goes on from: both are asked for, or none

	// Value is what the page fills in: the form of the merchant's value that fits best. It is taken as it is.
	Value string `json:"-"`
	// Unusual says that the page marks Value once.
	Unusual bool `json:"-"`
}

// Input is the input of a value on the page.
type Input struct {
	Kind     FieldKind `json:"kind"`
	Sealed   bool      `json:"sealed,omitempty"`   // the value is sent in the sealed card only
	Optional bool      `json:"optional,omitempty"` // the payer may leave it empty
	Second   bool      `json:"second,omitempty"`   // shown in a second form only, if the provider needs it
	Label    string    `json:"label,omitempty"`    // key of its label in the page's texts; "": its id
	Hint     string    `json:"hint,omitempty"`     // key of a text that helps to fill it in
	Min      int       `json:"min,omitempty"`      // characters
	Max      int       `json:"max,omitempty"`      // characters
	Check    Check     `json:"check,omitempty"`
	// Pattern is a regular expression, for Go and browsers, that matches the whole of every valid value.
	Pattern string `json:"pattern,omitempty"`
	Format  Format `json:"format,omitempty"`
	// Mask groups the characters on the page: each # is one of them, other characters are put between them.
	Mask         string   `json:"mask,omitempty"`
	Autocomplete string   `json:"autocomplete,omitempty"`
	InputMode    string   `json:"inputmode,omitempty"`
	Options      []Option `json:"options,omitempty"` // to choose from
	Writing      *Writing `json:"writing,omitempty"` // nil: any text

	// Writings is in place of Writing, by the value of OptionsBy.
	Writings  map[string]Writing `json:"writings,omitempty"`
	OptionsBy string             `json:"options_by,omitempty"` // the id of the field that options and Writings depend on
}

// Option is one value to choose from. Its label in the page's texts has the field's label and the value as key.
type Option struct {
	Value string `json:"value"`
	// By are the values of the field that the options depend on, for which this one is offered; empty: all.
	By []string `json:"by,omitempty"`
}

// Format is how a typed value is changed before it is checked and stored.
type Format string

// The formats. The zero value changes nothing.
const (
	FormatDigits Format = "digits" // all other than digits is removed
	FormatUpper  Format = "upper"  // letters become upper case
	FormatPhone  Format = "phone"  // spaces, dots and slashes are removed
)

// FieldKind is the kind of a page field's value.
type FieldKind string

// The kinds of page fields.
const (
	FieldCardNumber   FieldKind = "card_number"
	FieldExpiry       FieldKind = "expiry"
	FieldSecurityCode FieldKind = "security_code"
	FieldCardName     FieldKind = "card_name"
	FieldText         FieldKind = "text"
	FieldEmail        FieldKind = "email"
	FieldCountry      FieldKind = "country"
	FieldState        FieldKind = "state"
	FieldPhone        FieldKind = "phone"
	FieldAmount       FieldKind = "amount"
	FieldConsent      FieldKind = "consent"
	FieldSelect       FieldKind = "select"
	FieldDate         FieldKind = "date" // yyyy-mm-dd
	FieldNumber       FieldKind = "number"
	FieldCode         FieldKind = "code"     // that the payer has received or reads elsewhere
	FieldCheckbox     FieldKind = "checkbox" // true or false
	FieldPassword     FieldKind = "password" // not shown while it is typed; asked for by providers only
)

// Place is the field of a session request where a page field's value belongs. The value is stored there with the
// payment, for the connector.
type Place string

// The places. A value in InParameters is stored as parameters.<method>.<id of the field>. Sealed values are stored in
// the sealed card only.
const (
	InParameters     Place = "parameters"
	InSealedCard     Place = "sealed card"
	CustomerName     Place = "customer.name"
	CustomerEmail    Place = "customer.email"
	BillingCountry   Place = "billing_address.country"
	BillingState     Place = "billing_address.state"
	BillingCity      Place = "billing_address.city"
	BillingAddress   Place = "billing_address.address"
	BillingDistrict  Place = "billing_address.district"
	BillingZip       Place = "billing_address.zip"
	BillingPhone     Place = "billing_address.phone"
	OrderAmount      Place = "order.amount"
	RecurringConsent Place = "recurring consent"
)

// When says when the page asks for a field. By the zero value it does if the method, the mapping or the form names the
// field and the merchant did not send its value.
type When string

// BySession means that the session request decides whether the page asks for a field.
const BySession When = "by the session"

// SavedCard says whether the page asks for a field when the payer uses a saved card. By the zero value it does.
type SavedCard string

// The values of SavedCard other than zero.
const (
	NeverWithSavedCard SavedCard = "never"
	IfMIDRequires      SavedCard = "if the MID wants it"
)

// The ids of page fields that are used outside of PageFields.
const (
	payerCard    = "payer_card"
	payerExpiry  = "payer_expiryDate"
	payerCode    = "payer_cvv"
	payeeCard    = "payee_card"
	payerAddress = "payer_address"
	PayerCountry = "payer_country"
	PayerState   = "payer_state"
	AmountField  = "order_amount"
)

// PageFields are all fields that are no parameters of a method, in the order of the page. The country is before the
// state, whose list depends on it.
var PageFields = []PageField{
	{
		ID: AmountField, Place: OrderAmount, When: BySession,
		Input: Input{
			Kind: FieldAmount, Min: 1, Max: 20, Check: ruleAmount,
			Autocomplete: "off", InputMode: "decimal",
		},
	},
	{
		ID: payerCard, Place: InSealedCard, Saved: NeverWithSavedCard,
		Input: Input{
			Kind: FieldCardNumber, Sealed: true, Min: 14, Max: 19, Check: ruleCardNumber, Format: FormatDigits,
			Autocomplete: "cc-number", InputMode: "numeric",
		},
	},
	{
		ID: payerExpiry, Place: InSealedCard, Saved: NeverWithSavedCard,
		Input: Input{
			Kind: FieldExpiry, Sealed: true, Min: 5, Max: 5, Check: ruleExpiry,
			Autocomplete: "cc-exp", InputMode: "numeric",
		},
	},
	{
		ID: payerCode, Place: InSealedCard, Saved: IfMIDRequires,
		Input: Input{
			Kind: FieldSecurityCode, Sealed: true, Min: 3, Max: 4, Check: ruleSecurityCode, Format: FormatDigits,
			Autocomplete: "cc-csc", InputMode: "numeric",
		},
	},
	{
		ID: payerName, Place: CustomerName, Saved: NeverWithSavedCard,
		Input: Input{Kind: FieldCardName, Min: 3, Max: 32, Check: ruleCardName, Autocomplete: "cc-name"},
	},
	{
		ID: payeeCard, Place: InSealedCard,
		Input: Input{
			Kind: FieldCardNumber, Sealed: true, Min: 14, Max: 19, Check: ruleCardNumber, Format: FormatDigits,
			Autocomplete: "off", InputMode: "numeric",
		},
	},
	{
		ID: "payer_email", Place: CustomerEmail,
		Input: Input{Kind: FieldEmail, Min: 5, Max: 254, Check: ruleEmail, Autocomplete: "email", InputMode: "email"},
	},
	{
		ID: PayerCountry, Place: BillingCountry,
		Input: Input{Kind: FieldCountry, Min: 2, Max: 2, Check: ruleCountry, Autocomplete: "country"},
	},
	{
		ID: PayerState, Place: BillingState,
		Input: Input{Kind: FieldState, Min: 2, Max: 32, Check: ruleState, Autocomplete: "address-level1"},
	},
	{
		ID: "payer_city", Place: BillingCity,
		Input: Input{Kind: FieldText, Min: 1, Max: 32, Autocomplete: "address-level2"},
	},
	{
		ID: payerAddress, Place: BillingAddress,
		Input: Input{Kind: FieldText, Min: 1, Max: maxAddress, Autocomplete: "address-line1"},
	},
	{
		ID: "payer_address2", Place: BillingDistrict, With: payerAddress,
		Input: Input{Kind: FieldText, Optional: true, Min: 1, Max: 32, Autocomplete: "address-line2"},
	},
	{
		ID: "payer_zip", Place: BillingZip,
		Input: Input{Kind: FieldText, Min: 1, Max: 32, Autocomplete: "postal-code"},
	},
	{
		ID: "payer_phone", Place: BillingPhone,
		Input: Input{
			Kind: FieldPhone, Min: 1, Max: 32, Check: rulePhone, Format: FormatPhone,
			Autocomplete: "tel", InputMode: "tel",
		},
	},
	{
		ID: "recurring_consent", Place: RecurringConsent, When: BySession,
		Input: Input{Kind: FieldConsent, Optional: true, Check: ruleAgreed, Autocomplete: "off"},
	},
}

// FindPageField returns the page field with an id and whether there is one.
func FindPageField(id string) (PageField, bool) {
	i := slices.IndexFunc(PageFields, func(f PageField) bool { return f.ID == id })
	if i < 0 {
		return PageField{}, false
	}
	return PageFields[i], true
}

// PageFields returns the fields that the page may have to show in an operation, in its order: the method's own fields,
// its parameters, then the fields with the given ids and those that a session request decides about.
func (m Method) PageFields(operation Operation, ids []string) []PageField {
	var own, others []PageField
	for _, row := range PageFields {
		id := cmp.Or(row.With, row.ID)
		switch {
		case row.Place == OrderAmount, m.hasField(id, operation):
			own = append(own, row)
		case row.When == BySession, slices.Contains(ids, id):
			others = append(others, row)
		}
	}
	parameters := slices.DeleteFunc(m.parameterFields(operation), func(f PageField) bool { return f.Second })
	return slices.Concat(own, parameters, others)
}

// maxAddress is how many characters billing_address.address has at most.
const maxAddress = 32

// JoinAddress returns the two lines of an address that a payer typed as billing_address has them: both as the address
// where they fit, else the second one as the district.
func JoinAddress(line1, line2 string) (address, district string) {
	switch joined := line1 + ", " + line2; {
	case line1 == "" || line2 == "":
		return line1 + line2, ""
	case LengthFault(joined, 1, maxAddress) == "":
		return joined, ""
	}
	return line1, line2
}

// SecondFields returns the parameters that a provider may need in a second form.
func (m Method) SecondFields(operation Operation) []PageField {
	return slices.DeleteFunc(m.parameterFields(operation), func(f PageField) bool { return !f.Second })
}

func (m Method) parameterFields(operation Operation) []PageField {
	var fields []PageField
	for _, set := range m.Sets {
		if set.For(operation) {
			fields = append(fields, pageFieldsOf(set.Rows, "")...)
		}
	}
	return fields
}

// pageFieldsOf returns the page fields of rows, and of the rows inside objects.
func pageFieldsOf(rows []Param, path string) []PageField {
	var fields []PageField
	for _, row := range rows {
		if row.Page != nil {
			fields = append(fields, PageField{ID: path + row.Name, Input: row.input(), Place: InParameters, NotIn: row.NotIn})
		}
		if row.Type == TypeObject {
			fields = append(fields, pageFieldsOf(row.Rows, path+row.Name+".")...)
		}
	}
	return fields
}
