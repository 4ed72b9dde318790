package checkout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable answers the first characters of a text, at most most, with a space
// for each that is white space or controls, and ? for what can't be printed.
func printable(text string, most int) string {
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

// maxErrorText is the most characters of an error of a receiver or provider.
const maxErrorText = 200

// errorText is as much of an error as is stored and logged.
func errorText(err error) string { return printable(err.Error(), maxErrorText) }

// maxHistoryText is the most characters of one text of a history.
const maxHistoryText = 2000
