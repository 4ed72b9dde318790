// Package sensitive finds the numbers of cards and other secrets in texts of others, however they are written: with
// digits parted or of another script, in hex, in base64, or as in addresses and markup.
package sensitive

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"checkout/internal/method"
	"checkout/internal/method/value"
)

// longSecret is the length from which a secret is found inside of other words and numbers, too. Shorter ones would be
// there by chance.
const longSecret = 8

// leastSecret is the length of the shortest secret that is looked for.
const leastSecret = 3

// Finder finds the secrets of one payment in texts. The zero value knows none.
type Finder struct {
	values []string         // as they are
	long   []string         // their letters and digits
	short  []*regexp.Regexp // each has what is before and after the secret as its groups
	ends   [][2]string      // first six and last four digits of card numbers
}

// NewFinder makes a Finder of secrets, and of card numbers of which only a mask is known: 6 digits, stars, 4 digits.
// Empty ones are ignored.
func NewFinder(secrets, masks []string) Finder {
	f := Finder{}
	for _, secret := range secrets {
		plain := lettersAndDigits(fold(secret))
		switch n := utf8.RuneCountInString(plain); {
		case n < leastSecret:
			continue
		case n < longSecret:
			f.short = append(f.short, shortForms(secret))
		default:
			f.long = append(f.long, plain)
		}
		f.values = append(f.values, secret)
	}
	// The longest first, because one value may be a part of another.
	slices.SortFunc(f.values, func(a, b string) int { return len(b) - len(a) })
	for _, mask := range masks {
		if digits := digitsOf(mask); len(digits) == 10 {
			f.ends = append(f.ends, [2]string{digits[:6], digits[6:]})
		}
	}
	return f
}

// shortForms finds a short secret between other characters than letters and digits, also with its digits parted.
func shortForms(secret string) *regexp.Regexp {
	form := regexp.QuoteMeta(secret)
	if digits := digitsOf(secret); digits == secret {
		form += "|" + strings.Join(strings.Split(digits, ""), `[^0-9A-Za-z]{1,3}`)
	}
	return regexp.MustCompile(`(^|[^0-9A-Za-z])(?:` + form + `)($|[^0-9A-Za-z])`)
}

// Has reports whether a text has one of the secrets.
func (f Finder) Has(text string) bool {
	return f.knows() && slices.ContainsFunc(spellings(text), f.has)
}

func (f Finder) has(s spelling) bool {
	return f.hasLong(s) || s.clean && slices.ContainsFunc(f.short, func(r *regexp.Regexp) bool {
		return r.MatchString(withoutUUIDs(s.text))
	})
}

// HasLong is Has for amounts and times, which have short numbers of their own.
func (f Finder) HasLong(text string) bool {
	return f.knows() && slices.ContainsFunc(spellings(text), f.hasLong)
}

func (f Finder) knows() bool { return len(f.values)+len(f.ends) > 0 }

func (f Finder) hasLong(s spelling) bool {
	words, digits := lettersAndDigits(s.text), digitsOf(s.text)
	return slices.ContainsFunc(f.long, func(secret string) bool {
		return strings.Contains(words, secret) || isDigits(secret) && strings.Contains(digits, secret)
	}) || len(digits) >= leastShown && (len(f.masked(digits))+len(f.cutIn(s.text)) > 0 ||
		s.clean && len(f.cutOfMasked(s.text)) > 0)
}

// masked returns where a number is in digits whose mask is known.
func (f Finder) masked(digits string) (found [][2]int) {
	for _, ends := range f.ends {
		for begin := range len(digits) {
			if !strings.HasPrefix(digits[begin:], ends[0]) {
				continue
			}
			for end := begin + leastCard; end <= min(begin+mostCard, len(digits)); end++ {
				if number := digits[begin:end]; strings.HasSuffix(number, ends[1]) && value.Luhn(number) {
					found = append(found, [2]int{begin, end})
					break
				}
			}
		}
	}
	return found
}

// HasCard reports whether a text has what must be taken for the number of a card, of whomever.
func HasCard(text string) bool {
	return slices.ContainsFunc(spellings(text), func(s spelling) bool { return s.clean && len(cardsIn(s.text)) > 0 })
}

// Mask returns a text for people in which the secrets, all numbers of cards and what stands as a security code are
// masked. A word in which they are encoded is masked as a whole, and so is the text if they are spread over it.
func (f Finder) Mask(text string) string {
	text = f.maskInPlace(text)
	text = words().ReplaceAllStringFunc(text, func(word string) string {
		if f.mayShow(word) {
			return word
		}
		return method.Masked
	})
	if f.mayShow(text) {
		return text
	}
	return method.Masked
}

// mayShow reports whether a text for people has nothing that is to be masked, however it is written.
func (f Finder) mayShow(text string) bool {
	return !slices.ContainsFunc(spellings(text), func(s spelling) bool {
		return f.has(s) || s.clean && (len(cardsIn(s.text)) > 0 || len(codesIn(s.text)) > 0)
	})
}

var words = expression(`\S+`)

// maskInPlace masks what stands in a text as it is, or with its digits parted.
func (f Finder) maskInPlace(text string) string {
	text = strings.ToValidUTF8(text, "?")
	for _, secret := range f.values {
		if utf8.RuneCountInString(secret) >= longSecret {
			text = strings.ReplaceAll(text, secret, method.Masked)
		}
	}
	for _, short := range f.short {
		for range 2 { // two of them may share the character between them
			text = betweenUUIDs(text, func(part string) string {
				return short.ReplaceAllString(part, "${1}"+method.Masked+"${2}")
			})
		}
	}
	text = maskSpans(text, f.numbersIn(text))
	text = maskSpans(text, append(f.cutIn(text), f.cutOfMasked(text)...))
	text = maskSpans(text, codesIn(text))
	text = maskSpans(text, cardsIn(text))
	return betweenUUIDs(text, func(part string) string {
		return cardNumber().ReplaceAllStringFunc(part, func(found string) string {
			if value.Luhn(digitsOf(found)) {
				return method.Masked
			}
			return found
		})
	})
}

// numbersIn returns where the secret numbers are in a text.
func (f Finder) numbersIn(text string) (spans [][2]int) {
	at := digitsAt(text)
	digits := digitsOf(text)
	found := f.masked(digits)
	for _, secret := range f.long {
		if begin := strings.Index(digits, secret); begin >= 0 && isDigits(secret) {
			found = append(found, [2]int{begin, begin + len(secret)})
		}
	}
	for _, one := range found {
		begin, end := at[one[0]].begin, at[one[1]-1].end
		if end-begin <= 4*(one[1]-one[0]) { // else the whole text is masked
			spans = append(spans, [2]int{begin, end})
		}
	}
	return spans
}

// maskSpans masks parts of a text, which may overlap.
func maskSpans(text string, spans [][2]int) string {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	end := 0
	for _, span := range spans {
		if span[0] >= end {
			b.WriteString(text[end:span[0]] + method.Masked)
		}
		end = max(end, span[1])
	}
	return b.String() + text[end:]
}

func isDigits(text string) bool { return text == digitsOf(text) }
