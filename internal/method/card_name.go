package method

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// checkCardName reports whether a text is two or more words of letters, diacritics, hyphens, apostrophes and dots (of
// initials and titles), each with at least one letter.
func checkCardName(text string) bool {
	words := strings.Fields(text)
	return len(words) >= 2 && !slices.ContainsFunc(words, func(word string) bool {
		return !strings.ContainsFunc(word, unicode.IsLetter) || strings.ContainsFunc(word, isNotOnCard)
	})
}

// isNotOnCard reports whether a character may not be in a word of the name on a card.
func isNotOnCard(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune("-'’.", c)
}

// IsOnCard reports whether the page takes a name as the name on a card.
func IsOnCard(name string) bool {
	f, _ := FindPageField(payerName)
	return f.Fault(name, "") == ""
}

// plainMarks are the apostrophes and hyphens that the page replaces, too (fields/check.ts).
var plainMarks = strings.NewReplacer("‘", "'", "’", "'", "ʼ", "'", "´", "'", "`", "'",
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-")

// FitOnCard returns what of a name can be on a card: its letters, as many words as fit. whole means that this is all of
// the name, perhaps in one word.
func FitOnCard(name string) (fitting string, whole bool) {
	f, _ := FindPageField(payerName)
	name = plainMarks.Replace(norm.NFC.String(strings.Join(strings.Fields(name), " ")))
	letters := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsDigit(c):
			return -1
		case isNotOnCard(c):
			return ' '
		}
		return c
	}, name)
	words := slices.DeleteFunc(strings.Fields(letters), func(word string) bool {
		return !strings.ContainsFunc(word, unicode.IsLetter)
	})
	fitting = CutAtWord(strings.Join(words, " "), f.Max)
	return fitting, fitting == name
}
