package method

import (
	"slices"
)

// Methods lists all methods, in the order in which the page shows them by default.
var Methods = slices.Concat(
	cardMethods, walletMethods, cryptoMethods, bankMethods, collectionMethods, mobileMethods, laterMethods, linkMethods,
	payoutMethods, countryPayouts,
)

// Find returns the method with an id and whether there is one that can be offered.
func Find(id string) (Method, bool) {
	for i := range Methods { // without a copy of each
		if m := &Methods[i]; m.ID == id && !m.Unfinished {
			return *m, true
		}
	}
	return Method{}, false
}

// TakesCard reports whether a method charges a card.
func TakesCard(id string) bool {
	m, _ := Find(id)
	return m.Card
}

// IDs returns the ids of all methods.
func IDs() []string {
	ids := make([]string, len(Methods))
	for i, m := range Methods {
		ids[i] = m.ID
	}
	return ids
}

// AsksFor reports whether the form of any method has a parameter with an id, other than a sealed one.
func AsksFor(id string) bool {
	return slices.ContainsFunc(Methods, func(m Method) bool {
		return slices.ContainsFunc(m.Sets, func(s Set) bool {
			return slices.ContainsFunc(pageFieldsOf(s.Rows, ""),
				func(f PageField) bool { return f.ID == id && !f.Sealed && !f.Second })
		})
	})
}
