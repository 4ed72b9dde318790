package routing

import (
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
)

// Explanation tells what a session request would lead to: what the payer could choose, and for every MID whether it
// takes the request and why not.
type Explanation struct {
	Operation  method.Operation  `json:"operation"`
	Mapping    string            `json:"mapping"` // "" if no MID takes the request
	Methods    []ExplainedMethod `json:"methods"` // as the page would show them; none if no MID takes the request
	SavedCards []ExplainedCard   `json:"saved_cards"`
	MIDs       []ExplainedMID    `json:"mids"`        // of all mappings, in their order
	Warnings   []string          `json:"warnings"`    // of settings that soon stop working, or do not work
	LeftOut    []string          `json:"left_out"`    // fields of the request that could not be used: path and reason
	Ignored    []string          `json:"ignored"`     // members of the request that nothing reads: paths
	PreRouting *ExplainedRule    `json:"pre_routing"` // the rule that chose the methods, null if none did

	CallbackFormat string `json:"callback_format"` // of the mapping, or without one of the merchant's first: json or form

	Hint *settings.HashHint `json:"hint,omitempty"` // with a test key: what was signed
}

// ExplainedMethod is one method that the payer could choose, with the MIDs that would be tried: first those with a
// weight, in an order that is random for every attempt, then the others in this order.
type ExplainedMethod struct {
	ID     string           `json:"id"`
	Label  string           `json:"label"`
	Fields []ExplainedField `json:"fields"` // that the page would show
	MIDs   []ExplainedTry   `json:"mids"`
}

// ExplainedField is one input of the page.
type ExplainedField struct {
	ID       string           `json:"id"`
	Kind     method.FieldKind `json:"kind"`
	Required bool             `json:"required"`
}

// ExplainedTry is a MID that would be tried.
type ExplainedTry struct {
	MID    string `json:"mid"`
	Weight int    `json:"weight"` // its share of first tries; 0: tried only after all MIDs with a weight
}

// ExplainedCard is a saved card that the payer could choose.
type ExplainedCard struct {
	Mask   string `json:"mask"`   // 6 digits, 6 stars, 4 digits
	Expiry string `json:"expiry"` // MM/YYYY
}

// ExplainedMID says whether a MID takes the request, with which methods, and why not.
type ExplainedMID struct {
	Mapping   string   `json:"mapping"`
	MID       string   `json:"mid"`
	ChannelID string   `json:"channel_id"`
	Takes     bool     `json:"takes"`
	Methods   []string `json:"methods"`
	Reasons   []Reason `json:"reasons"`
	Needs     []Need   `json:"needs"` // parameters that the request lacks for its methods, also for those not named

	NotOffered []NotOffered `json:"not_offered"` // the MID's other methods

	Circuit *circuit.View `json:"circuit"` // null while its circuit breaker is closed; else other MIDs are tried first
}

// ExplainedRule is the pre-routing rule of the mapping that chose the methods.
type ExplainedRule struct {
	Rule    int      `json:"rule"` // its index, from 0
	Methods []string `json:"methods"`
}

// LeaveOut moves the methods that the page does not offer to NotOffered: they are for other payers than the request's.
func (e *ExplainedMID) LeaveOut(offered []string, req *request.Session) {
	left := e.Methods[:0]
	for _, id := range e.Methods {
		if slices.Contains(offered, id) {
			left = append(left, id)
			continue
		}
		reason := methodMarket
		if m, _ := method.Find(id); !m.Fits(req.BillingAddress.Country, req.Order.Currency) {
			reason = methodCurrency
		}
		e.NotOffered = append(e.NotOffered, NotOffered{id, []Reason{reason}})
	}
	e.Methods = left
}

// ExplainMID returns the evaluation of one MID as it is explained to merchants.
func ExplainMID(e Evaluation, req *request.Session) ExplainedMID {
	return ExplainedMID{
		Mapping:   e.Mapping.Name,
		MID:       e.MID.Name,
		ChannelID: e.MID.ChannelID,
		Takes:     len(e.Reasons) == 0,
		Methods:   append([]string{}, e.MID.Methods...),
		Reasons:   append([]Reason{}, e.Reasons...),
		Needs:     e.needs(req),

		NotOffered: append([]NotOffered{}, e.notOffered...),
	}
}

// needs returns what a request lacks for the MID's methods, also for those that it does not name. Only explanations say
// that.
func (e Evaluation) needs(req *request.Session) []Need {
	needs := []Need{}
	for _, id := range e.configured {
		m, _ := method.Find(id)
		for row := range lackingRows(m, req, e.MID.Presets[id], method.Required, method.Conditional) {
			needs = append(needs, Need{m.ID, "parameters." + m.ID + "." + row.Name, row.Need, whyNeeded(*row)})
		}
	}
	return needs
}
