package request

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// unescape returns the content of a JSON text with escapes. Half a surrogate pair is U+FFFD, as in encoding/json.
func unescape(text string) (plain string, ok bool) {
	var b strings.Builder
	b.Grow(len(text))
	for {
		before, behind, found := strings.Cut(text, `\`)
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		c, size := escaped(behind)
		if size == 0 {
			return "", false
		}
		b.WriteRune(c)
		text = behind[size:]
	}
}

// escaped returns the character of an escape, without its backslash, and the number of its bytes, 0 if it is no escape.
func escaped(text string) (c rune, size int) {
	if text == "" {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, text[0]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 1
	}
	c, ok := utf16Unit(text)
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(c):
		return c, 5
	}
	if second, found := strings.CutPrefix(text[5:], `\`); found {
		low, _ := utf16Unit(second)
		if pair := utf16.DecodeRune(c, low); pair != unicode.ReplacementChar {
			return pair, 11
		}
	}
	return unicode.ReplacementChar, 5
}

// utf16Unit returns the value of an escape of u and four hex digits.
func utf16Unit(text string) (unit rune, ok bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:5], 16, 16)
	return rune(n), err == nil
}
