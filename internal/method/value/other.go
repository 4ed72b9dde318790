package value

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// UTC checks a time of ISO 8601 in UTC, as RFC 3339 writes it.
func UTC(text string) (string, bool) {
	text = strings.TrimSpace(text)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text, false
	}
	_, offset := at.Zone()
	return text, offset == 0
}

// Base64 returns the check of a file of 1 to most bytes in standard base-64, padded or not. White space is dropped.
func Base64(most int) func(text string) (string, bool) {
	return func(text string) (string, bool) {
		text = strings.Map(func(c rune) rune {
			if unicode.IsSpace(c) {
				return -1
			}
			return c
		}, text)
		encoding := base64.StdEncoding
		if !strings.HasSuffix(text, "=") {
			encoding = base64.RawStdEncoding
		}
		if encoding.DecodedLen(len(text)) > most+2 { // the padding is at most 2 bytes
			return text, false
		}
		file, err := encoding.DecodeString(text)
		return text, err == nil && len(file) > 0 && len(file) <= most
	}
}

// NoSpaces returns the check of a text with least to most characters and no white space.
func NoSpaces(least, most int) func(text string) (string, bool) {
	return func(text string) (string, bool) {
		text = strings.TrimSpace(text)
		n := utf8.RuneCountInString(text)
		return text, n >= least && n <= most && !strings.ContainsFunc(text, unicode.IsSpace)
	}
}
