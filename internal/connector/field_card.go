package connector

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// faultAsksForCard is the fault of a described field for a card's number or security code: what is typed there is not
// encrypted in the browser, and stored until the charge is decided.
const faultAsksForCard = "asks for the number or security code of a card, which only the form of a card method may"

// Both are compiled when they are used: most functions never see a described field.
var (
	cardIDs = expression(
		`^(your|payer|credit|debit|bank|payment)*card(number|num|no)$|^cc(number|num|no)$|^pan$|cvv|cvc|^csc$|securitycode`)
	cardLabels = expression(`(?i)^((your|credit|debit|bank|payment) )*card number$|\bcv[vc]2?\b`)
)

func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// CardFault returns which of the id and the label of a described field plainly asks for the number or security code of
// a card, and that it does.
func CardFault(id string, label map[string]string) (member, fault string) {
	if cardIDs().MatchString(strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(id))) {
		return "id", faultAsksForCard
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(label)), cardLabels().MatchString) {
		return "label", faultAsksForCard
	}
	return "", ""
}
