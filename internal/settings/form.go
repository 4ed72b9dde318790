package settings

import (
	"maps"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
)

// Form is a custom payment form (protocol.md, Fields of operations): what the page asks for beside what a method needs,
// and how the page looks.
type Form struct {
	ID             string   `json:"id"` // UUID
	Name           string   `json:"name"`
	RequiredFields []string `json:"required_fields,omitempty"` // page field ids, beside those that the mapping requires
	OptionalFields []string `json:"optional_fields,omitempty"` // page field ids that the payer may leave empty
	// Order has ids of page fields and parameters in the order in which they are shown, before all others but the amount.
	// A card's fields stay together: payer_card stands for its box.
	Order []string `json:"order,omitempty"`
	// Labels replace those of the page, by field or parameter and language. A language without one has the page's.
	Labels   map[string]map[string]string `json:"labels,omitempty"`
	Branding Branding                     `json:"branding,omitzero"` // each member goes before the merchant's
}

const maxLabel = 64

var (
	isLabelledField = request.OrElse(method.TextNotChoice,
		func(id string) bool { return isKnownField(id) == "" || method.AsksFor(id) })
	isOrderedField = request.OrElse(method.TextNotChoice, func(id string) bool {
		f, _ := method.FindPageField(id)
		return f.Kind == method.FieldCardNumber || isLabelledField(id) == ""
	})
	isLabel = request.Valid("It should have at most 64 characters, all of them printable.",
		func(text string) bool { return fault.Printable(text, maxLabel) == text })
)

func (c settings) form(f Form) {
	c.at("id").required(f.ID, request.IsUUID)
	c.each("required_fields", f.RequiredFields, isKnownField)
	c.each("optional_fields", f.OptionalFields, isKnownField)
	for i, id := range f.OptionalFields {
		c.at("optional_fields", i).failIf(slices.Contains(f.RequiredFields, id), textTwice)
	}
	c.each("order", f.Order, isOrderedField)
	state := slices.Index(f.Order, method.PayerState)
	c.at("order").failIf(state >= 0 && !slices.Contains(f.Order[:state], method.PayerCountry),
		method.NotValid("The country has to stand before its state."))
	for _, id := range slices.Sorted(maps.Keys(f.Labels)) {
		at := c.at("labels").at(id)
		at.required(id, isLabelledField)
		for _, language := range slices.Sorted(maps.Keys(f.Labels[id])) {
			at.at(language).required(language, request.OneOf(request.Languages...))
			at.at(language).required(f.Labels[id][language], isLabel)
		}
	}
	c.at("branding").branding(f.Branding)
}
