package settings

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
