package request

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns the first characters of a text, at most most, with a space
// for each that is white space or controls, and ? for what can't be printed.
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

// ErrorText is as much of an error as is stored and logged.
func ErrorText(err error) string { return Printable(err.Error(), MaxErrorText) }

// MaxHistoryText is the most characters of one text of a history.
const MaxHistoryText = 2000
