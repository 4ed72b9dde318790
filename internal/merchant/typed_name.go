package merchant

import (
	"slices"
	"strings"
	"unicode"

	"checkout/internal/method"
	"checkout/internal/sensitive"
)

// noNames are texts that shops send where they know no name.
var noNames = []string{"-", "na", "n/a", "null", "undefined", "none", "unknown", "guest"}

// typedName returns a name as it was typed in a shop, so that it may go to a provider: without characters that nobody
// sees. It is "" for a text that is no name, or has the number of a card.
func typedName(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, method.WithoutControl(text))
	words := strings.Fields(text)
	text = strings.Join(words, " ")
	repeated := len(slices.Compact(words)) == 1 // as first and last name
	if repeated && slices.Contains(noNames, strings.ToLower(words[0])) || !strings.ContainsFunc(text, unicode.IsLetter) ||
		sensitive.HasCard(text) {
		return ""
	}
	return text
}
