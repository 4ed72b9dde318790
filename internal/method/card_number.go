package method

import (
	"regexp"
	"strings"

	"checkout/internal/method/value"
)

// cardNumber is the form of a card's number, also as people write it.
var cardNumber = regexp.MustCompile(`[0-9](?:[ -]?[0-9]){12,18}`)

// MaskCardNumbers returns a text in which everything is masked that may be the number of a card.
func MaskCardNumbers(text string) string {
	return cardNumber.ReplaceAllStringFunc(text, func(found string) string {
		if value.Luhn(strings.NewReplacer(" ", "", "-", "").Replace(found)) {
			return Masked
		}
		return found
	})
}
