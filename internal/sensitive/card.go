package sensitive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"checkout/internal/method/value"
)

// The lengths of the card numbers that payers can fill in (protocol.md, Checkout page fields). Reference numbers of
// payments often have 12 digits.
const (
	leastCard = 14
	usualCard = 16
	mostCard  = 19
)

// cardNumber is the form of a card's number in a sentence.
var cardNumber = expression(`[0-9](?:[ -]?[0-9]){12,18}`)

// issuer is a range of the first digits of card numbers, with the lengths that these numbers have.
type issuer struct {
	from, to    string
	least, most int
}

// issuers are those of ISO/IEC 7812 that the card schemes have published. A number that only looks like one of them is
// rare enough among the ids of providers: their lengths are exact, and 13 digits of old cards are those of a phone.
var issuers = []issuer{
	{"4", "4", 16, 16}, {"4", "4", 19, 19}, // Visa
	{"51", "55", 16, 16}, {"2221", "2720", 16, 16}, // Mastercard
	{"34", "34", 15, 15}, {"37", "37", 15, 15}, // American Express
	{"300", "305", 14, 16}, {"36", "36", 14, 16}, {"38", "39", 14, 16}, // Diners Club
	{"6011", "6011", 16, 19}, {"644", "659", 16, 19}, // Discover
	{"3528", "3589", 16, 19},                       // JCB
	{"62", "62", 16, 19}, {"8100", "8171", 16, 19}, // UnionPay
	{"2200", "2204", 16, 19},                           // Mir
	{"5018", "5018", 14, 19}, {"5020", "5020", 14, 19}, // Maestro
	{"5038", "5038", 14, 19}, {"5893", "5893", 14, 19}, {"6304", "6304", 14, 19}, {"6759", "6763", 14, 19},
}

// isCard reports whether digits have the form of a card's number. An account number of Mexico, CLABE, may begin as
// cards of Discover do; none of these has its 18 digits.
func isCard(digits string) bool {
	_, isAccount := value.CLABE(digits)
	return !isAccount && slices.ContainsFunc(issuers, func(i issuer) bool {
		prefix := digits[:min(len(i.from), len(digits))]
		return i.least <= len(digits) && len(digits) <= i.most && i.from <= prefix && prefix <= i.to
	}) && value.Luhn(digits)
}

// digit is an ASCII digit and where it stands in a text, maybe as one of another script.
type digit struct {
	value      byte
	begin, end int
}

// digitsAt returns the digits of a text.
func digitsAt(text string) (all []digit) {
	for i, c := range text {
		if unicode.IsDigit(c) {
			all = append(all, digit{asciiDigit(c), i, i + utf8.RuneLen(c)})
		}
	}
	return all
}

// digitsOf returns the digits of a text as ASCII.
func digitsOf(text string) string {
	var b strings.Builder
	for _, d := range digitsAt(text) {
		b.WriteByte(d.value)
	}
	return b.String()
}

// asciiDigit returns a decimal digit of any script as ASCII. Each range of them begins with a zero.
func asciiDigit(c rune) byte {
	if c <= '9' {
		return byte(c)
	}
	for _, r := range unicode.Nd.R16 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return '0' + byte((c-rune(r.Lo))%10)
		}
	}
	for _, r := range unicode.Nd.R32 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return '0' + byte((c-rune(r.Lo))%10)
		}
	}
	return '0'
}

// mostBetween is how many characters may stand between two digits of a card's number.
const mostBetween = 3

// cardsIn returns where numbers of cards stand in a text: in one piece or in groups that other characters than letters
// part, but neither inside of a word, of a longer number nor of a UUID.
func cardsIn(text string) (spans [][2]int) {
	at := digitsAt(text)
	digits := digitsOf(text)
	for begin := range at {
		if begin > 0 && at[begin-1].end == at[begin].begin || letterBefore(text, at[begin].begin) {
			continue
		}
		for end := begin + 1; end <= min(begin+mostCard, len(at)); end++ {
			last := at[end-1].end
			whole := end == len(at) || at[end].begin > last
			if whole && !letterAfter(text, last) && isCard(digits[begin:end]) {
				spans = append(spans, [2]int{at[begin].begin, last})
			}
			if end < len(at) && !parts(text[last:at[end].begin]) {
				break
			}
		}
	}
	return outsideUUIDs(text, spans)
}

// parts reports whether a text may stand between two digits of one number.
func parts(text string) bool {
	return utf8.RuneCountInString(text) <= mostBetween && !strings.ContainsFunc(text, unicode.IsLetter)
}

func letterBefore(text string, i int) bool {
	c, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(c)
}

func letterAfter(text string, i int) bool {
	c, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(c)
}
