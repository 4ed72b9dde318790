package request

import (
	"strings"
	"unicode"

	"checkout/internal/method"
)

// typed reads a text that payers type in shops. What breaks its check but is written as usual by another function, and
// then passes another check, is refused only by rules that refuse what payers typed.
func (f Reader) typed(name string, check Check, usual func(string) string, then Check) string {
	v := f.value(name)
	text, fault := v.checked([]Check{check})
	if fault == "" {
		return text
	}
	v.text = usual(method.WithoutControl(v.text))
	if plain, still := v.checked([]Check{then}); f.under != nil && v.kind == kindText && still == "" && plain != "" {
		f.depends(ofTyped).Fail(name, fault)
		return plain
	}
	f.Fail(name, fault)
	return ""
}

// maxLine is how many characters of a typed address line are stored. Providers may get fewer: see Address.Cut.
const maxLine = 255

// cut returns what reads a text of 2 to most characters, of a longer one as many as are stored.
func cut(name string, most, stored int, to func(*Address) *string) func(*Draft, Reader, *Address) {
	return func(_ *Draft, in Reader, a *Address) {
		fits := func(text string) string { return method.CutAtWord(text, stored) }
		*to(a) = in.typed(name, lengthBetween(2, most), fits, lengthBetween(2, stored))
	}
}

// Cut returns the address with at most so many characters in each of its lines, cut at a word.
func (a Address) Cut(most int) Address {
	a.Address, a.District = method.CutAtWord(a.Address, most), method.CutAtWord(a.District, most)
	return a
}

// LineLength is how many characters a line of an address has in requests by protocol.md, Addresses, and in callbacks.
const LineLength = 32

// numbered returns what reads a text whose digits may be of any script.
func numbered(name string, check Check, to func(*Address) *string) func(*Draft, Reader, *Address) {
	return func(_ *Draft, in Reader, a *Address) { *to(a) = plainDigits(in.Text(name, check)) }
}

// plainDigits returns a text with the digits 0 to 9 in place of those of other scripts.
func plainDigits(text string) string {
	return strings.Map(func(c rune) rune {
		if c <= unicode.MaxASCII || !unicode.IsDigit(c) {
			return c
		}
		first := c // each script has ten in a row, and some rows follow another
		for unicode.IsDigit(first - 1) {
			first--
		}
		return '0' + (c-first)%10
	}, text)
}
