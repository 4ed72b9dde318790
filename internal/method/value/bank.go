package value

import (
	"strings"
)

// IBAN checks an international account number (ISO 13616): the length that its country has in the registry, and check
// digits by which the whole, rearranged, has the remainder 1 when divided by 97.
func IBAN(text string) (string, bool) {
	text = compact(text)
	if !all(text, 5, 34, isAlphanumeric) || len(text) != ibanLength(text[:2]) {
		return text, false
	}
	digits := text[2:4]
	if !all(digits, 2, 2, isDigit) || digits < "02" || digits > "98" {
		return text, false
	}
	return text, remainder97(text[4:]+text[:4]) == 1
}

// ibanLength returns the length of a country's IBANs, 0 if it has none.
func ibanLength(country string) int {
	at := strings.Index(ibanLengths, " "+country)
	if at < 0 {
		return 0
	}
	return int(ibanLengths[at+3]-'0')*10 + int(ibanLengths[at+4]-'0')
}

// ibanLengths are the countries of the registry of SWIFT with the lengths of their IBANs.
const ibanLengths = ` AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18` +
	` DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27` +
	` JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23` +
	` PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29` +
	` VA22 VG24 XK20 YE30 `

// remainder97 returns the remainder of the number that a text is when every letter is its two digits, A being 10.
func remainder97(text string) int {
	rest := 0
	for i := range len(text) {
		if c := text[i]; isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest
}

// BIC checks the form of a business identifier code (ISO 9362): 4 letters, a country, 2 letters or digits, and
// optionally 3 of a branch. Whether there is such a country is not checked.
func BIC(text string) (string, bool) {
	text = compact(text)
	return text, (len(text) == 8 || len(text) == 11) && all(text[:6], 6, 6, isLetter) &&
		all(text[6:], 2, 5, isAlphanumeric)
}

// IFSC checks the form of a branch's code of India: 4 letters, a zero, 6 letters or digits.
func IFSC(text string) (string, bool) {
	text = compact(text)
	return text, len(text) == 11 && all(text[:4], 4, 4, isLetter) && text[4] == '0' &&
		all(text[5:], 6, 6, isAlphanumeric)
}

// BLZ checks the form of a Bankleitzahl of Germany, which begins with 1 to 8.
func BLZ(text string) (string, bool) {
	text = compact(text)
	return text, all(text, 8, 8, isDigit) && text[0] >= '1' && text[0] <= '8'
}

// CBUAlias checks the form of an alias of an account of Argentina.
func CBUAlias(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, all(text, 6, 20, oneOf(".-"))
}

// RollNumber checks the form of an account number of a building society of the United Kingdom.
func RollNumber(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, all(text, 1, 18, oneOf("/-."))
}

// UPI checks the form of a virtual payment address of India. A dot in the handle would make it an e-mail address.
func UPI(text string) (string, bool) {
	text = strings.TrimSpace(text)
	name, handle, _ := strings.Cut(text, "@")
	return text, all(name, 2, 256, oneOf("._-")) && all(handle, 2, 64, isAlphanumeric) && isLetter(handle[0])
}

// MaskedPAN checks a card number of which at most the first 6 and the last 4 digits are shown, the others as * or X.
func MaskedPAN(text string) (string, bool) {
	text = strings.ReplaceAll(compact(text), "X", "*")
	first, last := strings.IndexByte(text, '*'), strings.LastIndexByte(text, '*')
	if first < 0 || !all(text, 5, 19, func(c byte) bool { return isDigit(c) || c == '*' }) {
		return text, false
	}
	return text, first <= 6 && len(text)-1-last <= 4 && strings.Trim(text[first:last], "*") == ""
}

// UUID checks a UUID with or without hyphens.
func UUID(text string) (string, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	plain := text
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		plain = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	return text, all(plain, 32, 32, isHex)
}
