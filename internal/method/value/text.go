package value

import (
	"strings"
	"unicode"
)

// compact returns a text in upper case without spaces, dots, hyphens and slashes.
func compact(text string) string {
	return strings.ToUpper(strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || strings.ContainsRune(".-/\u2010\u2011\u2012\u2013", c) {
			return -1
		}
		return c
	}, text))
}

// all reports whether a text has least to most bytes, each of which satisfies ok.
func all(text string, least, most int, ok func(c byte) bool) bool {
	for i := range len(text) {
		if !ok(text[i]) {
			return false
		}
	}
	return len(text) >= least && len(text) <= most
}

// oneOf returns what reports whether a byte is a letter, a digit or one of some others.
func oneOf(others string) func(c byte) bool {
	return func(c byte) bool { return isAlphanumeric(c) || strings.IndexByte(others, c) >= 0 }
}

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlphanumeric(c byte) bool { return isDigit(c) || isLetter(c) }
func isHex(c byte) bool          { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// Digits returns the check of numbers with least to most digits and no check digit.
func Digits(least, most int) func(text string) (string, bool) {
	return func(text string) (string, bool) {
		text = compact(text)
		return text, all(text, least, most, isDigit)
	}
}

// Alphanumeric returns the check of codes with least to most letters and digits.
func Alphanumeric(least, most int) func(text string) (string, bool) {
	return func(text string) (string, bool) {
		text = compact(text)
		return text, all(text, least, most, isAlphanumeric)
	}
}

// Either returns the check of values that satisfy at least one of some checks. The first of these says how the value is
// written.
func Either(checks ...func(text string) (string, bool)) func(text string) (string, bool) {
	return func(text string) (string, bool) {
		for _, check := range checks {
			if plain, ok := check(text); ok {
				return plain, true
			}
		}
		return text, false
	}
}
