package method

import "slices"

// Kind is how a method behaves on the checkout page (methods.md, Checkout page behaviour).
type Kind string

// The kinds of methods.
const (
	KindCard Kind = "card" // card fields on the page
)

// Method is one way to pay. Sets hold its rows below parameters.<ID>, Fields are the page fields that
// the payer always fills in for it.
type Method struct {
	ID     string   `json:"id"`
	Label  string   `json:"label"`
	Kind   Kind     `json:"kind"`
	Fields []string `json:"fields"`
	Sets   []Set    `json:"sets,omitempty"`
}

// Set is a group of parameters under one name of methods.md.
type Set struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations,omitempty"` // that read it; empty: all
	Extra      bool     `json:"extra,omitempty"`      // its required rows are required only beside another row of the set
	Rows       []Param  `json:"rows"`
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
