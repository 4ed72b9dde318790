package sensitive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastShown is how many digits of a known number count as the number, where they stand in their order: whoever has
// them can find the others.
const leastShown = 12

// hiding are characters that stand for a digit each which is not shown.
const hiding = "xX*•●·#_?×"

// shownPart finds digits, and characters in the places of others, that may be of one number.
var shownPart = expression(`[0-9` + hiding + `](?:[ .-]{0,2}[0-9` + hiding + `]){11,18}`)

// cutIn returns where digits of a text are those of a known number without some of them, at its ends or in its middle.
func (f Finder) cutIn(text string) (spans [][2]int) {
	at, begin := digitsAt(text), 0
	shown := make([]byte, len(at))
	for i := range at {
		shown[i] = at[i].value
		if i > 0 && !isOneNumber(text[at[i-1].end:at[i].begin]) {
			begin = i
		}
		for first := max(begin, i+1-usualCard); first <= i+1-leastShown; first++ {
			if part := string(shown[first : i+1]); len(part) == leastShown && f.hasPart(part) || f.hasEnds(part) {
				spans = append(spans, [2]int{at[first].begin, at[i].end})
			}
		}
	}
	return spans
}

// hasEnds reports whether digits are a known mask's, with too few between them.
func (f Finder) hasEnds(digits string) bool {
	return len(digits) < usualCard && slices.ContainsFunc(f.ends, func(ends [2]string) bool {
		return strings.HasPrefix(digits, ends[0]) && strings.HasSuffix(digits, ends[1])
	})
}

// isOneNumber reports whether digits of one number may stand on both sides of a text.
func isOneNumber(between string) bool {
	return utf8.RuneCountInString(between) <= mostCard && !strings.ContainsFunc(between, func(c rune) bool {
		return unicode.IsLetter(c) && c != 'x' && c != 'X'
	})
}

// hasPart reports whether digits are a part of a known number. Twelve equal ones, such as zeros, are in many texts.
func (f Finder) hasPart(digits string) bool {
	return strings.Trim(digits, digits[:1]) != "" && slices.ContainsFunc(f.long, func(number string) bool {
		return isDigits(number) && leastShown < len(number) && len(number) <= mostCard && isPartOf(digits, number)
	})
}

// isPartOf reports whether digits are in a number in their order.
func isPartOf(digits, number string) bool {
	for i := 0; i < len(number) && digits != ""; i++ {
		if number[i] == digits[0] {
			digits = digits[1:]
		}
	}
	return digits == ""
}

// cutOfMasked returns where twelve digits or more of a number are of which the first and the last ones alone are known:
// from its beginning on, or with characters in the places of those that are missing.
func (f Finder) cutOfMasked(text string) (spans [][2]int) {
	if len(f.ends) == 0 {
		return nil
	}
	for _, at := range shownPart().FindAllStringIndex(text, -1) {
		begin := at[0]
		for begin < at[1] && letterBefore(text, begin) && strings.ContainsRune("xX", rune(text[begin])) {
			begin++ // of the word before
		}
		last, _ := utf8.DecodeLastRuneInString(text[:begin])
		next, _ := utf8.DecodeRuneInString(text[at[1]:])
		if !unicode.IsDigit(last) && !unicode.IsDigit(next) && f.isCut(text[begin:at[1]]) {
			spans = append(spans, [2]int{begin, at[1]})
		}
	}
	return spans
}

// isCut reports whether a part of a text has the digits of a number in their places.
func (f Finder) isCut(part string) bool {
	places := strings.Map(func(c rune) rune {
		switch {
		case strings.ContainsRune(hiding, c):
			return '*'
		case unicode.IsDigit(c):
			return c
		}
		return -1
	}, part)
	shown := len(digitsOf(places))
	return shown >= leastShown && slices.ContainsFunc(f.ends, func(ends [2]string) bool {
		if strings.HasPrefix(places, ends[0]) && shown < len(places) || shown < usualCard && places[:6] == ends[0] {
			return true
		}
		first, last := places[:len(ends[0])], places[len(places)-len(ends[1]):]
		return shown < len(places) && len(places) > leastShown && fits(first, ends[0]) && fits(last, ends[1])
	})
}

// fits reports whether the digits of some places are those of a number.
func fits(places, number string) bool {
	for i := range number {
		if places[i] != '*' && places[i] != number[i] {
			return false
		}
	}
	return strings.Trim(places, "*") != ""
}
