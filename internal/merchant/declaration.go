package merchant

import (
	"slices"

	"checkout/internal/method"
)

// Declaration says what a connector can do beside a charge in one step with the payer there. The service offers nothing
// else. It is data, so that functions which talk to no provider need not hold the connectors.
type Declaration struct {
	Operations []method.Operation `json:"operations"`        // that it charges for
	Methods    []string           `json:"methods,omitempty"` // that its providers have; none: all

	Capture       bool `json:"capture,omitempty"` // authorises, and captures later
	Void          bool `json:"void,omitempty"`
	Refund        bool `json:"refund,omitempty"`
	StatusQueries bool `json:"status_queries,omitempty"` // looks up what became of a request
	Notices       bool `json:"notices,omitempty"`        // reads what its providers report by themselves
	SecondForm    bool `json:"second_form,omitempty"`    // goes on with what payers fill in on a second form

	ThreeDSecure bool `json:"three_d_secure,omitempty"` // sends payers to 3-D Secure
	SavedCards   bool `json:"saved_cards,omitempty"`    // charges a card without its security code
	Recurring    bool `json:"recurring,omitempty"`      // charges without the payer, after a first charge with the payer
	AnyAmount    bool `json:"any_amount,omitempty"`     // lets the payer enter the amount at the provider
}

// Declarations are those of all connectors, by their names.
type Declarations map[string]Declaration

// hasMethod reports whether the connector of that name hasMethod a method. That there is no such connector is another reason.
func (d Declarations) hasMethod(connector, id string) bool {
	can, found := d[connector]
	return !found || len(can.Methods) == 0 || slices.Contains(can.Methods, id)
}
