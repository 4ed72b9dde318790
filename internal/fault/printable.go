package fault

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns the first most characters of a text, with a space for white space and control characters, and ? for
// characters that can't be printed.
func Printable(text string, most int) string {
	var b strings.Builder
	for _, c := range text {
		if most--; most < 0 {
			break
		}
		switch {
		case unicode.IsSpace(c), unicode.IsControl(c):
			c = ' '
		case c == utf8.RuneError, !unicode.IsPrint(c):
			c = '?'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// MaxErrorText is the most characters of an error of a receiver or provider.
const MaxErrorText = 200

// ErrorText returns the part of an error's text that is stored and logged.
func ErrorText(err error) string { return Printable(err.Error(), MaxErrorText) }

// MaxHistoryText is the most characters of one text of a history.
const MaxHistoryText = 2000
