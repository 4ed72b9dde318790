package method

import (
	"cmp"
	"slices"
)

// Method is one way to pay.
type Method struct {
	ID         string      `json:"id"`
	Label      string      `json:"label"`                // of protocol.md, Methods, such as M1
	Name       string      `json:"name"`                 // in English, for merchants
	Behaviour  Behaviour   `json:"behaviour"`            // of the page
	Family     Family      `json:"family"`               // of the connectors that can have it
	Operations []Operation `json:"operations,omitempty"` // that it can do; empty: all
	Group      string      `json:"group"`                // of similar methods, for a page that shows them together
	Icon       string      `json:"icon"`                 // the name of its icon, for a page that has icons
	Text       string      `json:"text,omitempty"`       // key of its name in the page's texts; "": its id
	Note       string      `json:"note,omitempty"`       // key of the page's line of help; "": that of its behaviour
	Action     Action      `json:"action,omitempty"`     // "": ActionSubmit
	Card       bool        `json:"card,omitempty"`       // charges a card, which can be saved and charged again
	TwoStep    bool        `json:"two_step,omitempty"`   // can authorise now and capture later

	// BehaviourIn is the page's behaviour for billing countries where it is another one.
	BehaviourIn map[string]Behaviour `json:"behaviour_in,omitempty"`
	// Unfinished means that a part of the method is missing, so that it is in the catalogue, but not offered.
	Unfinished bool `json:"unfinished,omitempty"`

	// AmountElsewhere means that the payer may enter the amount elsewhere too, so that order.amount may be absent
	// (protocol.md, Amounts).
	AmountElsewhere bool `json:"amount_elsewhere,omitempty"`

	Market          // billing countries and currencies that the specification prints
	UsedIn []string `json:"used_in,omitempty"` // countries whose payers use it, where none are printed; empty: all

	Fields []OwnField `json:"fields"`
	Sets   []Set      `json:"sets,omitempty"` // the rows of parameters.<ID>
}

// Behaviour is what the page does when the payer has chosen a method (protocol.md, What the page does).
type Behaviour int

// The behaviours, with their numbers there.
const (
	CardForm       Behaviour = 1 + iota
	Redirect                 // the payer finishes on another page
	ConfirmInApp             // the payer confirms in an app or on a mobile device
	QRCode                   // the payer scans a QR code
	DataShown                // the payer uses the details that are shown
	ExtraFields              // the payer fills in more than a card, or a payout's payee does
	AddressShown             // the payer sends coins to an address
	LinkSent                 // the payer gets a link by e-mail or SMS
	ConfirmOnPhone           // the payer confirms on a phone of Benin or Togo
)

// Family is a kind of connectors, which speak to providers in one way (protocol.md, Requests to providers).
type Family string

// The families. Without a printed provider request, a method has that of the documented JSON messages.
const (
	FamilyJSON        Family = "json"
	FamilyCard        Family = "card"
	FamilyCollection  Family = "collection"
	FamilyMobileMoney Family = "mobile_money"
	FamilyBrand       Family = "wallet_brand"
	FamilyCash        Family = "cash_voucher"
	FamilyWalletApp   Family = "wallet_app"
	FamilyVoucher     Family = "voucher"
)

// Action is what starts a payment on the page.
type Action string

// The actions.
const (
	ActionSubmit Action = "submit" // sends the form
	ActionWallet Action = "wallet" // opens a wallet, and sends the token that it gives
)

// OwnField is a page field that the payer always fills in for a method.
type OwnField struct {
	Field      string      `json:"field"`                // PageField.ID
	Operations []Operation `json:"operations,omitempty"` // in which it is shown; empty: all
}

// Set is a group of parameters under one name of the specification.
type Set struct {
	Name       string      `json:"name"`
	Operations []Operation `json:"operations,omitempty"` // that read it; empty: all
	Extra      bool        `json:"extra,omitempty"`      // required rows are required only if another row is sent
	Bare       bool        `json:"bare,omitempty"`       // its rows may stand directly in parameters, also in brackets
	Flat       bool        `json:"flat,omitempty"`       // its rows may stand directly in parameters, and win there
	Rows       []Param     `json:"rows"`
	Rules      []Rule      `json:"rules,omitempty"`
}

// Rule is a check of the values of a set that its rows can't express. Find returns the path of the row that is wrong
// and what is wrong with it, "" if nothing is. It may also complete or drop values.
type Rule struct {
	Name string                                       `json:"name"`
	Find func(sent map[string]any) (row, text string) `json:"-"`
}

// Card is the id of card payments (protocol.md, Methods).
const Card = "card"

// behaviourNotes are the keys of what the page says before Pay about what comes after it. Of cards and wallets it says
// nothing.
var behaviourNotes = map[Behaviour]string{
	Redirect: "redirect", ConfirmInApp: "confirm", ConfirmOnPhone: "confirm", QRCode: "qr", DataShown: "details",
	AddressShown: "details", LinkSent: "link",
}

// groupNotes are those of groups whose payers need to know more than what comes after Pay.
var groupNotes = map[string]string{"cash": "cash", "installments": "installments", "payout": "payout"}

// NoteFor returns the key of the page's line of help for a billing country, "" for none.
func (m Method) NoteFor(country string) string {
	return cmp.Or(m.Note, groupNotes[m.Group], behaviourNotes[m.BehaviourFor(country)])
}

// Fits reports whether the method is for payers of a billing country, "" for any, who pay in a currency. What is only
// for some countries is collected in their currencies.
func (m Method) Fits(country, currency string) bool {
	return m.Has(country, currency)
}

// BehaviourFor returns the page's behaviour for a billing country.
func (m Method) BehaviourFor(country string) Behaviour {
	if b, ok := m.BehaviourIn[country]; ok {
		return b
	}
	return m.Behaviour
}

// Offline reports whether payers with a billing country pay with the details that they are shown, by a bank or in cash,
// so that they may need days for it.
func (m Method) Offline(country string) bool { return m.BehaviourFor(country) == DataShown }

// For reports whether an operation reads the set.
func (s Set) For(operation Operation) bool {
	return len(s.Operations) == 0 || slices.Contains(s.Operations, operation)
}

// For reports whether the method can do an operation.
func (m Method) For(operation Operation) bool {
	return len(m.Operations) == 0 || slices.Contains(m.Operations, operation)
}

// WithoutName returns the method without the name on the card among its own fields.
func (m Method) WithoutName() Method {
	m.Fields = slices.DeleteFunc(slices.Clone(m.Fields), func(o OwnField) bool { return o.Field == payerName })
	return m
}

// hasField reports whether a page field is one of the method's own fields in an operation.
func (m Method) hasField(field string, operation Operation) bool {
	return slices.ContainsFunc(m.Fields, func(o OwnField) bool {
		return o.Field == field && (len(o.Operations) == 0 || slices.Contains(o.Operations, operation))
	})
}

// Bare reports whether bracket notation may name a row without the method. With "" it reports whether that is so for
// any row.
func (m *Method) Bare(row string) bool {
	for i := range m.Sets {
		set := &m.Sets[i]
		if set.Bare && (row == "" || slices.ContainsFunc(set.Rows, func(p Param) bool { return p.Name == row })) {
			return true
		}
	}
	return false
}

// FlatRows returns the rows that may stand directly in parameters, without the method.
func (m *Method) FlatRows() []Param {
	for i := range m.Sets {
		if m.Sets[i].Flat {
			return m.Sets[i].Rows
		}
	}
	return nil
}

// HasRow reports whether a row of any of the method's sets has that name.
func (m *Method) HasRow(name string) bool {
	return slices.ContainsFunc(m.Sets, func(s Set) bool {
		return slices.ContainsFunc(s.Rows, func(p Param) bool { return p.Name == name })
	})
}

// PresetRows returns the rows that a MID's settings may preset.
func (m Method) PresetRows() (rows []Param) {
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.Preset && !slices.ContainsFunc(rows, func(p Param) bool { return p.Name == row.Name }) {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// Preset returns the row of that name that a MID's settings may have, and whether there is one.
func (m Method) Preset(name string) (Param, bool) {
	rows := m.PresetRows()
	if i := slices.IndexFunc(rows, func(p Param) bool { return p.Name == name }); i >= 0 {
		return rows[i], true
	}
	return Param{}, false
}

const payerName = "payer_name"
