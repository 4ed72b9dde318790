package connector

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// faultAsksForCard is the fault of a described field for a card's number or security code: what is typed there is not
// encrypted in the browser, and stored until the charge is decided.
const faultAsksForCard = "asks for the number or security code of a card, which only the form of a card method may"

var (
	cardIDs = regexp.MustCompile(
		`^(your|payer|credit|debit|bank|payment)*card(number|num|no)$|^cc(number|num|no)$|^pan$|cvv|cvc|^csc$|securitycode`)
	cardLabels = regexp.MustCompile(`(?i)^((your|credit|debit|bank|payment) )*card number$|\bcv[vc]2?\b`)
)

// CardFault returns which of the id and the label of a described field plainly asks for the number or security code of
// a card, and that it does.
func CardFault(id string, label map[string]string) (member, fault string) {
	if cardIDs.MatchString(strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(id))) {
		return "id", faultAsksForCard
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(label)), cardLabels.MatchString) {
		return "label", faultAsksForCard
	}
	return "", ""
}
