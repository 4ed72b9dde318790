package sensitive

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spelling is a text, or what parts of it stand for in an encoding.
type spelling struct {
	text  string
	clean bool // it can be read: it is no binary data
}

// mostNested is how many encodings are undone that are inside each other.
const mostNested = 3

// spellings returns a text and all that it may stand for.
func spellings(text string) []spelling {
	all := []spelling{{fold(text), true}}
	for first, nested := 0, 0; nested < mostNested; nested++ {
		last := len(all)
		for _, s := range all[first:last] {
			if s.clean {
				all = append(all, decoded(s.text)...)
			}
		}
		first = last
	}
	return all
}

// fold returns a text with its digits and letters in their plain forms: full width and others of other scripts.
func fold(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return rune(asciiDigit(c))
		}
		return c
	}, norm.NFKC.String(text))
}

// decoded returns what a text stands for in each encoding.
func decoded(text string) (all []spelling) {
	if plain := unescape(text); plain != text {
		all = append(all, spelling{fold(strings.ToValidUTF8(plain, "?")), true})
	}
	clean, binary := &parted{}, &parted{}
	add := func(data []byte, whole bool) {
		if whole && isReadable(data) {
			clean.add(fold(string(data)))
		} else {
			binary.add(string(data))
		}
	}
	decodeHex(text, add)
	decodeBase64(text, add)
	for _, number := range hexNumbers().FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseUint(number[1], 16, 64); err == nil {
			binary.add(strconv.FormatUint(n, 10))
		}
	}
	if clean.Len() > 0 {
		all = append(all, spelling{clean.String(), true})
	}
	if binary.Len() > 0 {
		all = append(all, spelling{binary.String(), false})
	}
	return all
}

// parted are texts with what can't be in one number between them.
type parted struct{ strings.Builder }

func (p *parted) add(text string) { p.WriteString(text + "\n\n\n\n") }

// escapes are characters as addresses, markup and programs write them.
var escapes = expression(
	`(?i)(?:%|\\x|0x)([0-9a-f]{2})|(?:\\u|u\+)([0-9a-f]{4})|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?`)

// unescape returns a text without escapes.
func unescape(text string) string {
	var b strings.Builder
	end := 0
	for _, at := range escapes().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[end:at[0]])
		end = at[1]
		for group, base := range []int{16, 16, 16, 10} {
			if at[2+2*group] < 0 {
				continue
			}
			n, _ := strconv.ParseUint(text[at[2+2*group]:at[3+2*group]], base, 32) // of digits alone
			if group == 0 {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
		}
	}
	return b.String() + text[end:]
}

var (
	hexWords   = expression(`[0-9A-Fa-f]{6,}|\b[0-9A-Fa-f]{2}(?:[^0-9A-Za-z]{1,3}[0-9A-Fa-f]{2}){2,}`)
	hexRuns    = expression(`[0-9a-f]{6,}`)
	hexNumbers = expression(`(?i)(?:\b|0x)0*([1-9a-f][0-9a-f]{9,15})h?\b`)
	notHex     = expression(`[^0-9A-Fa-f]`)
)

// decodeHex decodes each word in hex, and all hex digits of the text together, however they are parted.
func decodeHex(text string, add func(data []byte, whole bool)) {
	decode := func(digits string, whole bool) {
		if data, err := hex.DecodeString(digits[:len(digits)/2*2]); err == nil {
			add(data, whole)
		}
	}
	for _, word := range hexWords().FindAllString(text, -1) {
		decode(notHex().ReplaceAllString(word, ""), true)
	}
	for _, run := range hexRuns().FindAllString(lettersAndDigits(text), -1) {
		decode(run, false)
		decode(run[1:], false)
	}
}

var (
	base64Runs  = expression(`[A-Za-z0-9+/_-]{4,}`)
	base64Words = expression(`[A-Za-z0-9+]{4,}`)
	plainBase64 = strings.NewReplacer("-", "+", "_", "/")
)

// decodeBase64 decodes each word in base64, and each run of its characters from each place where it may begin.
func decodeBase64(text string, add func(data []byte, whole bool)) {
	decode := func(word string, whole bool) {
		if len(word)%4 == 1 {
			word = word[:len(word)-1]
		}
		if data, err := base64.RawStdEncoding.DecodeString(plainBase64.Replace(word)); err == nil {
			add(data, whole)
		}
	}
	for _, run := range base64Runs().FindAllString(text, -1) {
		decode(run, true)
		for skipped := 1; skipped < 4 && len(run)-skipped > 1; skipped++ {
			decode(run[skipped:], false)
		}
	}
	for _, word := range base64Words().FindAllString(text, -1) {
		decode(word, true)
	}
}

// isReadable reports whether decoded data are a text.
func isReadable(data []byte) bool {
	return utf8.Valid(data) && !strings.ContainsFunc(string(data), func(c rune) bool {
		return !unicode.IsPrint(c) && !unicode.IsSpace(c)
	})
}

// lettersAndDigits returns a text's letters, in lower case, and digits.
func lettersAndDigits(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}
