package method

import "slices"

// Kind is how a method behaves on the checkout page (methods.md, Checkout page behaviour).
type Kind string

// The kinds of methods.
const (
	KindCard   Kind = "card"   // card fields on the page
	KindCrypto Kind = "crypto" // the page shows an address, to which the payer sends from elsewhere
)

// Method is one way to pay. Sets hold its rows below parameters.<ID>, Fields are the page fields that
// the payer always fills in for it.
type Method struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"`
	Kind       Kind     `json:"kind"`
	Operations []string `json:"operations,omitempty"` // that it can carry out; empty: all
	Fields     []string `json:"fields"`
	Sets       []Set    `json:"sets,omitempty"`
}

// Set is a group of parameters under one name of methods.md.
type Set struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations,omitempty"` // that read it; empty: all
	Extra      bool     `json:"extra,omitempty"`      // its required rows are required only beside another row of the set
	Rows       []Param  `json:"rows"`
	Rules      []Rule   `json:"rules,omitempty"`
}

// Rule is what rows can't say of the values that were sent for a set. Find
// answers the row that is at fault and what is wrong with it, "" if nothing is.
type Rule struct {
	Name string                                       `json:"name"`
	Find func(sent map[string]any) (row, text string) `json:"-"`
}

// Card is the id of card payments (decisions.md 10).
const Card = "card"

// Methods are all methods, in the order in which a page shows them where nothing else decides.
var Methods = []Method{
	{
		ID: Card, Label: "Card", Kind: KindCard,
		Fields: []string{"payer_card", "payer_expiryDate", "payer_cvv", "payer_name"},
		Sets:   cardSets,
	},
	{
		ID: Crypto, Label: "Crypto account", Kind: KindCrypto, Operations: []string{"purchase"},
		Fields: []string{},
		Sets:   cryptoSets,
	},
}

// Find answers the method with an id and whether there is one.
func Find(id string) (Method, bool) {
	i := slices.IndexFunc(Methods, func(m Method) bool { return m.ID == id })
	if i < 0 {
		return Method{}, false
	}
	return Methods[i], true
}

// For reports whether an operation reads the set.
func (s Set) For(operation string) bool {
	return len(s.Operations) == 0 || slices.Contains(s.Operations, operation)
}

// For reports whether the method can carry an operation out.
func (m Method) For(operation string) bool {
	return len(m.Operations) == 0 || slices.Contains(m.Operations, operation)
}

// NeedsAmount reports whether the method can't be used without order.amount:
// in a wallet elsewhere the payer enters it (core.md, Amount format).
func (m Method) NeedsAmount() bool { return m.Kind != KindCrypto }

// TwoStep reports whether the method can authorise now and capture later: what
// was sent to an address is there.
func (m Method) TwoStep() bool { return m.Kind != KindCrypto }

// RequiredRows answers the names of the parameters without which the method
// can't be used for an operation.
func (m Method) RequiredRows(operation string) []string {
	var names []string
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.Need == Required && !set.Extra && set.For(operation) {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// TakesCard reports whether a method charges a card.
func TakesCard(id string) bool {
	m, ok := Find(id)
	return ok && m.Kind == KindCard
}
