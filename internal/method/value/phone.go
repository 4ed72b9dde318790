package value

import (
	"strings"
)

// MSISDN checks a phone number of E.164: +, a known calling code and as many digits as its numbers may have, 7 to 15 in
// all. Brackets are dropped too, and 00 in front is read as +.
func MSISDN(text string) (string, bool) {
	text = phone(text)
	digits, found := strings.CutPrefix(text, "+")
	if !found || !all(digits, 7, 15, isDigit) {
		return text, false
	}
	least, most := nationalDigits(&digits)
	return text, least > 0 && len(digits) >= least && len(digits) <= most
}

// phone returns a phone number without punctuation, with + for 00 in front.
func phone(text string) string {
	text = strings.NewReplacer("(", "", ")", "").Replace(compact(text))
	if digits, found := strings.CutPrefix(text, "00"); found {
		return "+" + digits
	}
	return text
}

// nationalDigits removes the calling code from digits and returns the least and most digits that follow it, 0 and 0 if
// there is no such code.
func nationalDigits(digits *string) (least, most int) {
	for n := 1; n <= 3; n++ { // no code is the beginning of another
		_, lengths, found := strings.Cut(callingCodes, " "+(*digits)[:n]+":")
		if !found {
			continue
		}
		*digits = (*digits)[n:]
		return int(lengths[0]-'0')*10 + int(lengths[1]-'0'), int(lengths[3]-'0')*10 + int(lengths[4]-'0')
	}
	return 0, 0
}

// BeninOrTogo checks a phone number of Benin, which has 10 digits beginning with 01 after +229 since November 2024, or
// of Togo, which has 8 after +228.
func BeninOrTogo(text string) (string, bool) {
	text = phone(text)
	if digits, found := strings.CutPrefix(text, "+229"); found {
		return text, all(digits, 10, 10, isDigit) && digits[:2] == "01"
	}
	digits, found := strings.CutPrefix(text, "+228")
	return text, found && all(digits, 8, 8, isDigit)
}

// TransferPhone checks a phone number that is the key of a local transfer: 13 digits with the country's code, with or
// without +.
func TransferPhone(text string) (string, bool) {
	text = phone(text)
	return text, all(strings.TrimPrefix(text, "+"), 13, 13, isDigit)
}
