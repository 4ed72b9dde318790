package method

import "slices"

// Method is one way to pay.
type Method struct {
	ID         string      `json:"id"`
	Label      string      `json:"label"`                // for merchants, when a session request is explained
	Operations []Operation `json:"operations,omitempty"` // that it can do; empty: all
	Group      string      `json:"group"`                // of similar methods, for a page that shows them together
	Icon       string      `json:"icon"`                 // the name of its icon, for a page that has icons
	Text       string      `json:"text,omitempty"`       // key of its name in the page's texts; "": its id
	Note       string      `json:"note,omitempty"`       // key of one line of help
	Action     Action      `json:"action,omitempty"`     // "": ActionSubmit
	Card       bool        `json:"card,omitempty"`       // charges a card, which can be saved and charged again
	TwoStep    bool        `json:"two_step,omitempty"`   // can authorise now and capture later

	// PaidElsewhere means that the payer pays from a wallet elsewhere, with details that the page shows, such as an
	// address.
	PaidElsewhere bool `json:"paid_elsewhere,omitempty"`
	// AmountElsewhere means that the payer may enter the amount elsewhere too, so that order.amount may be absent
	// (core.md, Amount format).
	AmountElsewhere bool `json:"amount_elsewhere,omitempty"`

	Fields []OwnField `json:"fields"`
	Sets   []Set      `json:"sets,omitempty"` // the rows of parameters.<ID>
}

// Action is what starts a payment on the page.
type Action string

// ActionSubmit sends the form.
const ActionSubmit Action = "submit"

// OwnField is a page field that the payer always fills in for a method.
type OwnField struct {
	Field      string      `json:"field"`                // PageField.ID
	Operations []Operation `json:"operations,omitempty"` // in which it is shown; empty: all
}

// Set is a group of parameters under one name of methods.md.
type Set struct {
	Name       string      `json:"name"`
	Operations []Operation `json:"operations,omitempty"` // that read it; empty: all
	Extra      bool        `json:"extra,omitempty"`      // required rows are required only if another row is sent
	Bare       bool        `json:"bare,omitempty"`       // bracket notation may name its rows without the method
	Rows       []Param     `json:"rows"`
	Rules      []Rule      `json:"rules,omitempty"`
}

// Rule is a check of the values of a set that its rows can't express. Find returns the row that is wrong and what is
// wrong with it, "" if nothing is.
type Rule struct {
	Name string                                       `json:"name"`
	Find func(sent map[string]any) (row, text string) `json:"-"`
}

// Card is the id of card payments (decisions.md 10).
const Card = "card"

// Methods lists all methods, in the order in which the page shows them by default.
var Methods = []Method{
	{
		ID: Card, Label: "Card", Group: "card", Icon: "card", Card: true, TwoStep: true, Fields: cardFields, Sets: cardSets,
	},
	{
		ID: Crypto, Label: "Crypto account", Group: "crypto", Icon: "coin", Operations: []Operation{Purchase},
		PaidElsewhere: true, AmountElsewhere: true, Fields: []OwnField{}, Sets: cryptoSets,
	},
}

// Find returns the method with an id and whether there is one.
func Find(id string) (Method, bool) {
	i := slices.IndexFunc(Methods, func(m Method) bool { return m.ID == id })
	if i < 0 {
		return Method{}, false
	}
	return Methods[i], true
}

// For reports whether an operation reads the set.
func (s Set) For(operation Operation) bool {
	return len(s.Operations) == 0 || slices.Contains(s.Operations, operation)
}

// For reports whether the method can do an operation.
func (m Method) For(operation Operation) bool {
	return len(m.Operations) == 0 || slices.Contains(m.Operations, operation)
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

// RequiredRows returns the names of the parameters without which the method can't be used for an operation.
func (m Method) RequiredRows(operation Operation) []string {
	var names []string
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.MustBeSent() && !set.Extra && set.For(operation) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// TakesCard reports whether a method charges a card.
func TakesCard(id string) bool {
	m, _ := Find(id)
	return m.Card
}
