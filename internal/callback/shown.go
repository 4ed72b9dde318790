package callback

import (
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/sensitive"
)

// maxResponse is the most characters of a response that are stored.
const maxResponse = 100

// hidden are parts of the names of fields that a response may repeat and that nobody sees there.
var hidden = []string{"card", "token", "customer", "payee", "address", "email", "phone"}

// shown returns the beginning of a response for operators: printable, without numbers of cards and without what the
// callback itself has of the payer.
func (c *Callback) shown(start []byte) string {
	var secrets []string
	for _, f := range c.Fields {
		if slices.ContainsFunc(hidden, func(part string) bool { return strings.Contains(f.Name, part) }) {
			secrets = append(secrets, f.Value)
		}
	}
	text := fault.Printable(strings.ToValidUTF8(string(start), "?"), len(start))
	return fault.Printable(strings.TrimSpace(sensitive.NewFinder(secrets, nil).Mask(text)), maxResponse)
}
