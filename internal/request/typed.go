package request

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// typed reads a text that payers type in shops. Where it is valid once it is written as usual, only rules that refuse
// what payers typed refuse it.
func (f Reader) typed(name string, usual func(string) string, checks ...Check) string {
	v := f.value(name)
	text, fault := v.checked(checks)
	if fault == "" {
		return text
	}
	v.text = usual(v.text)
	if plain, still := v.checked(checks); f.under != nil && v.kind == kindText && still == "" && plain != "" {
		f.depends(ofTyped).Fail(name, fault)
		return plain
	}
	f.Fail(name, fault)
	return ""
}

// ofTyped is the condition of faults of what can be read although it is not written as usual.
func ofTyped(rules Rules) outcome { return refusedIf(!rules.AskBilling) }

// cut returns what reads a text of 2 to most characters. Of a longer one it reads what fits.
func cut(name string, most int, to func(*Address) *string) func(*Draft, Reader, *Address) {
	return func(_ *Draft, in Reader, a *Address) {
		fits := func(text string) string { return cutAtWord(text, most) }
		*to(a) = in.typed(name, fits, lengthBetween(2, most))
	}
}

// cutAtWord returns the words of a text that fit into so many characters, or a part of the first word if that does not.
func cutAtWord(text string, most int) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	letters := []rune(text)[:most+1]
	for end := most; end > 0; end-- {
		if unicode.IsSpace(letters[end]) {
			return strings.TrimRight(string(letters[:end]), " ,;")
		}
	}
	return string(letters[:most])
}

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
