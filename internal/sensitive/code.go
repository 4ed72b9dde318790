package sensitive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"checkout/internal/method"
)

// cardCodes are the words for a card's security code that mean nothing else: those of the card schemes, also with their
// letters parted, and those of the page's languages.
const cardCodes = `c` + in + `v` + in + `[vcnd][12]?|c` + in + `a` + in + `v2|csc|` +
	`security` + in + `(?:code|number|value|digits?)|` +
	`card` + in + `(?:code|(?:verification|validation|identification|authentication)` + in +
	`(?:code|value|number|data|digits?))|` +
	`sicherheitscode|sicherheitsnummer|prüf(?:nummer|ziffer|code|zahl)|` +
	`c[oó]digo` + in + `de` + in + `(?:seguridad|verificaci[oó]n|seguran[cç]a)|` +
	`code` + in + `de` + in + `(?:s[ée]curit[ée]|v[ée]rification)|cryptogramme(?:` + in + `visuel)?|` +
	`sikkerhetskoden?|код(?:ом|а|у)?` + in + `(?:безопасности|безпеки|проверки|перевірки)|` +
	`қауіпсіздік` + in + `коды[нң]?|təhlükəsizlik` + in + `kodu(?:nu)?|رمز` + in + `ال(?:أمان|تحقق)|安全[码碼]|校验码|校驗碼`

// otherCodes are words that mean other things, too, such as an id or a code that a bank sends.
const otherCodes = `c` + in + `i` + in + `d2?|(?:verification|validation)` + in + `(?:code|value|number|digits?)|` +
	`验证码|驗證碼`

const (
	in = `[\s._-]?` // may part a word

	// beside is what stands between a word and its code: no letters but some words, and no more than markup has
	beside = `(?:[^\p{L}\p{N}]{0,12}(?:code|value|numbers?|num|no|nr|data|digits?|field|text|type|string|integer|int|` +
		`quot|apos|nbsp|[lg]t|is|was|are|of|the|an?|your|this|card|equals?|eq|entered|received|given|got|sent|provided|` +
		`supplied|used|not|wrong|invalid|incorrect|bad|mismatch|failed|declined|refused|rejected|` +
		`ist|war|lautet|es|est|er|falsch|incorrect[eo]|feil|неверный|不正确)){0,4}[^\p{L}\p{N}]{0,12}`

	codeDigits = `\p{Nd}(?:[^\p{L}\p{N}]{1,3}\p{Nd}){2,3}|\p{Nd}{3,4}`
)

var (
	cardCodeAfter = expression(`(?i)((?:card` + in + `)?(?:` + cardCodes + `))` + beside +
		`(` + codeDigits + `|` + hiddenCode + `)`)
	codeAfter = expression(`(?i)(` + cardCodes + `|` + otherCodes + `)` + beside +
		`(` + codeDigits + `|` + hiddenCode + `)`)
	codeBefore = expression(`(?i)(` + codeDigits + `)[\s"'()\[\]<>]{1,3}` +
		`((?:(?:is|was|as|for|not|an?|the|your|their|valid|wrong|invalid|card)[\s"'()\[\]<>]{1,3}){0,4})(` +
		cardCodes + `|` + otherCodes + `)`)
	// otherNumber is what says before a number that it is none of a card.
	otherNumber = expression(`(?i)(?:error|err|code|status|http|line|reason|result|response|rc|amount|total|` +
		`no|nr|number|in|since|year|until|after|(?-i:[A-Z]{3})|#)[\s:.=#("']{0,3}$`)
	numberBefore = expression(`\p{Nd}[.,:/-]?$`)
	restOfNumber = expression(`^(?:[.,]\p{Nd}{2}(?:\P{Nd}|$)|-\p{Nd}{2}-\p{Nd}{2})`)
)

// hiddenCode stands for method.Masked while codes are looked for: it has as many bytes, and separates.
const hiddenCode = `masked`

// codesIn returns where three or four digits stand beside a word for a card's security code. What nobody knows as a
// secret, such as in a response long after the charge, is found that way alone.
func codesIn(text string) (spans [][2]int) {
	text = strings.ReplaceAll(text, method.Masked, hiddenCode)
	isBefore := map[int]bool{}
	for _, at := range codeAfter().FindAllStringSubmatchIndex(text, -1) {
		isBefore[at[2]] = true
		if isWholeWord(text, at[2], at[3]) && isCode(text, at[4], at[5]) {
			spans = append(spans, [2]int{at[4], at[5]})
		}
	}
	for _, at := range codeBefore().FindAllStringSubmatchIndex(text, -1) {
		another := isBefore[at[6]] && at[4] == at[5] // the word is about the digits after it
		if !another && isWholeWord(text, at[6], at[7]) && isCode(text, at[2], at[3]) && !isOther(text[:at[2]]) {
			spans = append(spans, [2]int{at[2], at[3]})
		}
	}
	return spans
}

// isCode reports whether digits are neither masked nor the beginning of a longer number, an amount or a date.
func isCode(text string, begin, end int) bool {
	next, _ := utf8.DecodeRuneInString(text[end:])
	return text[begin:end] != hiddenCode && !unicode.IsDigit(next) && !restOfNumber().MatchString(text[end:])
}

// isOther reports whether what stands before a number says that it is no code, or is its beginning.
func isOther(before string) bool {
	return otherNumber().MatchString(before) || numberBefore().MatchString(before)
}

// shortWords are parts of other words, such as of accident.
var shortWords = []string{"cid", "cid2", "csc"}

// isWholeWord reports whether a word may be one for a security code where it stands.
func isWholeWord(text string, begin, end int) bool {
	return beginsWord(text, begin) || !slices.Contains(shortWords, strings.ToLower(text[begin:end]))
}

// beginsWord reports whether a word begins at a place of a text, also one as in cardCid.
func beginsWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	first, _ := utf8.DecodeRuneInString(text[i:])
	return !unicode.IsDigit(before) &&
		(!unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(first))
}

// HasCode reports whether a text for machines, such as an id or a link, has a card's security code beside a word that
// means nothing else.
func HasCode(text string) bool {
	text = strings.ReplaceAll(text, method.Masked, hiddenCode)
	return slices.ContainsFunc(spellings(text), func(s spelling) bool {
		return s.clean && slices.ContainsFunc(cardCodeAfter().FindAllStringSubmatchIndex(s.text, -1), func(at []int) bool {
			return beginsWord(s.text, at[2]) && !letterAfter(s.text, at[5]) && isCode(s.text, at[4], at[5])
		})
	})
}
