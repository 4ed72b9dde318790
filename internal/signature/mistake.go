package signature

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
)

// Mistake is what a hash was made of, or by, in the place of what the protocol says.
type Mistake struct {
	Differs string // MistakeHash, MistakeText, MistakeKey or MistakePassword; "": nothing that is known
	Text    string // a sentence for people, without any secret
}

// What may differ in a hash that is not valid.
const (
	MistakeHash     = "hash"     // the functions by which it is made
	MistakeText     = "text"     // the fields that are signed
	MistakeKey      = "key"      // the merchant_key has part in it
	MistakePassword = "password" // it is absent, or in another place
)

// Mistake returns how a hash that is not valid was made of the parts, if by one of the mistakes that shops make. It
// tells nothing to who does not have the password: nobody else can make a hash that fits, unless it is left out.
func (k Key) Mistake(hash, merchantKey string, parts []string) Mistake {
	hash = strings.ToLower(hash)
	for _, t := range k.mistakenTexts(merchantKey, parts) {
		if k.signs(hash, []byte(t.text)) {
			return Mistake{t.differs, t.saying}
		}
	}
	right := strings.Join(parts, "") + k.Password
	for _, c := range cases {
		text := []byte(c.change(right))
		if sameHash(hash, k.Digest(text)) {
			return Mistake{MistakeText, c.saying}
		}
		for _, d := range digests {
			if sameHash(hash, d.digest(text)) {
				return Mistake{MistakeHash, strings.TrimSpace("It is " + d.name + ". " + c.saying)}
			}
		}
	}
	if raw, err := hex.DecodeString(hash); err != nil || len(raw) != sha1.Size {
		return Mistake{MistakeHash, "It should have 40 hexadecimal digits, those of SHA-1."}
	}
	return Mistake{}
}

// cases are what shops do where the text should be in upper case.
var cases = []struct {
	saying string
	change func(string) string
}{
	{"", UpperFull},
	{"", strings.ToUpper},
	{"", func(text string) string { return string(UpperASCII([]byte(text))) }},
	{"The text is not in upper case.", func(text string) string { return text }},
	{"The text is in lower case.", strings.ToLower},
}

// digests are what shops use for sha1_hex(md5_hex(text)), which itself is wrong where sha256 is set.
var digests = []struct {
	name   string
	digest func(text []byte) string
}{
	{"sha1_hex(md5_hex(text))", Key{}.Digest},
	{"sha1_hex(sha256_hex(text))", Key{SHA256: true}.Digest},
	{"md5_hex(text), without SHA-1", md5Hex},
	{"sha1_hex(text), without MD5", sha1Hex},
	{"sha256_hex(text)", sha256Hex},
	{"md5_hex(sha1_hex(text))", func(text []byte) string { return md5Hex([]byte(sha1Hex(text))) }},
	{"sha256_hex(md5_hex(text))", func(text []byte) string { return sha256Hex([]byte(md5Hex(text))) }},
	{"sha1_hex over the 16 bytes of MD5, not over their 32 hexadecimal digits",
		func(text []byte) string { sum := md5.Sum(text); return sha1Hex(sum[:]) }},
	{"sha1_hex over the digits of MD5 in upper case", func(text []byte) string {
		return sha1Hex([]byte(strings.ToUpper(md5Hex(text))))
	}},
}

func md5Hex(text []byte) string {
	sum := md5.Sum(text)
	return hex.EncodeToString(sum[:])
}

func sha1Hex(text []byte) string {
	sum := sha1.Sum(text)
	return hex.EncodeToString(sum[:])
}

func sha256Hex(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// mistakenText is a text that a shop may have signed.
type mistakenText struct{ differs, saying, text string }

// mistakenTexts returns texts in which one thing is wrong.
func (k Key) mistakenTexts(merchantKey string, parts []string) []mistakenText {
	joined := strings.Join(parts, "")
	all := []mistakenText{
		{MistakePassword, "The password is not in the text.", joined},
		{MistakePassword, "The password is before the fields.", k.Password + joined},
		{MistakeKey, "The merchant_key is in the place of the password.", joined + merchantKey},
		{MistakeKey, "The merchant_key is in the text, too.", merchantKey + joined + k.Password},
		{MistakeKey, "The merchant_key is in the text, too.", joined + merchantKey + k.Password},
		{MistakeKey, "The merchant_key is in the text, too.", joined + k.Password + merchantKey},
	}
	fields := func(saying string, parts []string) {
		all = append(all, mistakenText{MistakeText, saying, strings.Join(parts, "") + k.Password})
	}
	for i, part := range parts {
		fields(fmt.Sprintf("%q is not in the text.", part), slices.Delete(slices.Clone(parts), i, i+1))
		for _, other := range otherForms(part) {
			changed := slices.Clone(parts)
			changed[i] = other
			fields(fmt.Sprintf("It has %q for %q.", other, part), changed)
		}
	}
	for _, mark := range strings.Split("|,:,;,-,_,+,&,., ,\n,/,#", ",") {
		text := strings.Join(append(slices.Clone(parts), k.Password), mark)
		all = append(all, mistakenText{MistakeText, fmt.Sprintf("The fields are joined with %q.", mark), text})
	}
	for _, order := range orders(parts) {
		fields("The fields are in another order: "+quotedList(order)+".", order)
	}
	return all
}

// otherForms returns how else a shop may write a field: an amount, or a text before or after it was encoded.
func otherForms(part string) []string {
	forms := []string{html.EscapeString(part), html.UnescapeString(part), url.QueryEscape(part), url.PathEscape(part),
		strings.TrimSpace(part), strings.ReplaceAll(part, "/", `\/`), strings.Join(strings.Fields(part), "")}
	if plain, err := url.QueryUnescape(part); err == nil {
		forms = append(forms, plain)
	}
	if whole, decimals, _ := strings.Cut(part, "."); whole != "" && strings.Trim(whole+decimals, "0123456789") == "" {
		short := strings.TrimRight(decimals, "0")
		forms = append(forms, whole, strings.TrimSuffix(whole+"."+short, "."))
		for n := 1; n <= 3; n++ {
			padded := decimals + strings.Repeat("0", max(n-len(decimals), 0))
			forms = append(forms, whole+"."+padded, whole+","+padded, strings.TrimLeft(whole+padded, "0"))
		}
	}
	return slices.DeleteFunc(forms, func(form string) bool { return form == part || form == "" })
}

// orders returns the parts in every other order.
func orders(parts []string) (all [][]string) {
	var place func(done, left []string)
	place = func(done, left []string) {
		if len(left) == 0 && !slices.Equal(done, parts) {
			all = append(all, done)
		}
		for i := range left {
			place(append(slices.Clone(done), left[i]), slices.Delete(slices.Clone(left), i, i+1))
		}
	}
	place(nil, parts)
	return all
}

func quotedList(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	return strings.Join(quoted, ", ")
}
