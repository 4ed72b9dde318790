package method

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The texts of a bad value (protocol.md, Errors).
const (
	TextBlank     = "This value should not be blank."
	TextNotValid  = "This value is not valid."
	TextNotChoice = "The value you selected is not a valid choice."
	TextNotURL    = "This value is not a valid URL."
)

// NotValid returns the text of a value that is not valid, followed by the rule. Clients compare the beginning, people
// read the rest.
func NotValid(rule string) string { return TextNotValid + " " + rule }

// The rules that several fields share.
const (
	RuleText   = "It should be a text without control characters."
	RuleDate   = "It should be a day, written yyyy-mm-dd."
	RuleEmail  = "It should be an e-mail address, such as name@example.com."
	RulePhone  = "It should have digits and + ( ) - only; spaces, dots and slashes are dropped."
	RuleObject = "It should be an object."
	RuleBool   = "It should be true or false."
)

// textLength returns the text of a value that is too short or too long, with the limits.
func textLength(least, most int) string {
	if least <= 1 {
		return NotValid("It should have at most " + strconv.Itoa(most) + " characters.")
	}
	if least == most {
		return NotValid("It should have " + strconv.Itoa(most) + " characters.")
	}
	return NotValid("It should have " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + " characters.")
}

// LengthFault returns what is wrong with the length of a text in characters, "" if nothing.
func LengthFault(text string, least, most int) string {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return textLength(least, most)
	}
	return ""
}

// CutAtWord returns the words of a text that fit into so many characters, or a part of the first word if that does not.
func CutAtWord(text string, most int) string {
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

// HasControl reports whether a text has control characters other than tabs and line breaks.
func HasControl(text string) bool {
	for _, c := range text {
		if unicode.IsControl(c) && c != '\t' && c != '\n' && c != '\r' {
			return true
		}
	}
	return false
}

// WithoutControl returns a text without control characters. Tabs and line breaks are spaces in it.
func WithoutControl(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case !unicode.IsControl(c):
			return c
		case unicode.IsSpace(c):
			return ' '
		}
		return -1
	}, text)
}

// only reports whether every byte of a text satisfies ok.
func only(text string, ok func(c byte) bool) bool {
	for i := range len(text) {
		if !ok(text[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
