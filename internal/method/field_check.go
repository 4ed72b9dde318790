package method

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Check is the name of a rule for values that people type. The page has the same rules with the same names, and both
// are tested with the same good and bad values (testdata/checks.golden.json).
type Check string

const (
	ruleCardNumber   Check = "card_number"
	ruleExpiry       Check = "expiry"
	ruleSecurityCode Check = "security_code"
	ruleCardName     Check = "card_name"
	ruleEmail        Check = "email"
	ruleCountry      Check = "country"
	ruleState        Check = "state"
	rulePhone        Check = "phone"
	ruleAmount       Check = "amount"
	ruleAgreed       Check = "agreed"
)

// rule is the rule of a named check.
type rule struct {
	text string                  // the rule in a sentence
	good func(value string) bool // nil if the check needs more than the value; it is then done elsewhere
}

var rules = map[Check]rule{
	ruleCardNumber:   {"It should be a sealed card.", CheckCardNumber},
	ruleExpiry:       {"It should be a sealed card.", nil},
	ruleSecurityCode: {"It should be a sealed card.", CheckSecurityCode},
	ruleCardName:     {"It should have two words of letters or more, and at most 32 characters.", checkCardName},
	ruleEmail:        {RuleEmail, CheckEmail},
	ruleCountry:      {"It should be a country's alpha-2 code.", IsCountry},
	ruleState:        {"It should be a state of the country.", nil},
	rulePhone:        {RulePhone, CheckPhone},
	ruleAmount:       {"It should be a number such as 10.00.", nil},
	ruleAgreed:       {RuleBool, func(value string) bool { return value == "true" || value == "false" }},

	ruleIBAN:          {"It should be an IBAN, with its country's length and correct check digits.", nil},
	ruleBIC:           {"It should be a BIC of 8 or 11 characters, such as DEUTDEFF.", nil},
	ruleBBAN:          {"It should have 1 to 35 letters and digits.", nil},
	ruleCLABE:         {"It should be a CLABE: 18 digits with a correct check digit.", nil},
	ruleCCI:           {"It should be a CCI: 20 digits.", nil},
	ruleCBU:           {"It should be a CBU: 22 digits with correct check digits.", nil},
	ruleCBUAlias:      {"It should be an alias of 6 to 20 letters, digits, dots and hyphens.", nil},
	ruleIFSC:          {"It should be an IFSC code of 11 characters, such as SBIN0000300.", nil},
	ruleSortCode:      {"It should be a sort code: 6 digits.", nil},
	ruleAccountNumber: {"It should be an account number of 6 to 10 digits.", nil},
	ruleRollNumber:    {"It should be a roll number of 1 to 18 letters, digits, slashes, hyphens and dots.", nil},
	ruleABA:           {"It should be an ABA routing number: 9 digits with a correct check digit.", nil},
	ruleBSB:           {"It should be a BSB: 6 digits.", nil},
	ruleBLZ:           {"It should be a Bankleitzahl: 8 digits, the first not 0 or 9.", nil},
	ruleBankCode:      {"It should have 1 to 35 letters and digits.", nil},
	ruleBranch:        {"It should have 4 digits.", nil},
	ruleMaskedPAN:     {"It should be a masked card number, such as 411111******1111.", nil},
	ruleUPI:           {"It should be a UPI address, such as name@bank.", nil},
	ruleTransferKey:   {"It should be a key: a UUID, a CPF, a CNPJ, an e-mail address or a phone of 13 digits.", nil},
	ruleRandomKey:     {"It should be a UUID.", nil},
	ruleCPF:           {"It should be a CPF: 11 digits with correct check digits.", nil},
	ruleCNPJ:          {"It should be a CNPJ: 14 characters with correct check digits.", nil},
	ruleCPFOrCNPJ:     {"It should be a CPF of 11 digits or a CNPJ of 14 characters, with correct check digits.", nil},
	ruleCUIT:          {"It should be a CUIT or CUIL: 11 digits with a correct check digit.", nil},
	ruleDNIArgentina:  {"It should be a DNI: 7 or 8 digits.", nil},
	ruleDNIOrCUIT:     {"It should be a DNI of 7 or 8 digits, or a CUIT of 11 digits with a correct check digit.", nil},
	ruleCURP:          {"It should be a CURP: 18 characters with a correct check digit.", nil},
	ruleRFC:           {"It should be an RFC: 12 or 13 characters with a date.", nil},
	ruleRUT:           {"It should be a RUT or RUN with a correct check digit, such as 12.531.909-2.", nil},
	ruleCIUruguay:     {"It should be a cédula: 8 digits with a correct check digit.", nil},
	ruleCIEcuador:     {"It should be a cédula: 10 digits with a correct check digit.", nil},
	ruleCIOrRUN:       {"It should be a CI or RUN with a correct check digit.", nil},
	ruleDNIPeru:       {"It should be a DNI: 8 digits.", nil},
	ruleCEPeru:        {"It should be a CE: 9 to 12 letters and digits.", nil},
	rulePASPeru:       {"It should be a passport number: 5 to 12 letters and digits.", nil},
	ruleRUC:           {"It should be a RUC: 11 digits with a correct check digit.", nil},
	ruleCCColombia:    {"It should be a CC: 5 to 10 digits.", nil},
	ruleCEColombia:    {"It should be a CE: 6 or 7 digits.", nil},
	ruleNIT:           {"It should be a NIT with a correct check digit.", nil},
	ruleIDColombia:    {"It should be a CC or CE of 5 to 10 digits, or a NIT with a correct check digit.", nil},
	ruleMSISDN:        {"It should be a phone number with + and its country's code, such as +14155552671.", nil},
	ruleBeninTogo:     {"It should be +229 and 10 digits beginning with 01, or +228 and 8 digits.", nil},
	ruleBTC:           {"It should be a Bitcoin address.", nil},
	ruleBCH:           {"It should be a Bitcoin Cash address.", nil},
	ruleETH:           {"It should be an Ethereum address: 0x and 40 hexadecimal digits.", nil},
	ruleTRON:          {"It should be a TRON address.", nil},
	ruleSolana:        {"It should be a Solana address.", nil},
	ruleUSDT:          {"It should be an Ethereum or a TRON address.", nil},
	ruleCoinAddress:   {"It should have 1 to 128 characters without spaces.", nil},
	ruleUTC:           {"It should be a UTC time, such as 2019-08-24T14:15:22Z.", nil},
	ruleBase64:        {"It should be base-64.", nil},
	ruleCurrency:      {"It should be a currency code of ISO 4217, such as EUR.", nil},
	ruleLinkSecret:    {"It should have 3 to 25 characters without spaces.", nil},
	ruleCountryText:   {"It should be a country's alpha-2 or alpha-3 code, or its name.", nil},
}

// fault returns what is wrong with a value, "" if nothing is or if there is no such check.
func (c Check) fault(value string) string {
	if r := rules[c]; r.good != nil && !r.good(value) {
		return NotValid(r.text)
	}
	return ""
}

// Normalize returns a typed value as it is checked and stored.
func (f PageField) Normalize(value string) string {
	switch f.Format {
	case FormatDigits:
		return strings.Map(func(c rune) rune {
			if c < '0' || c > '9' {
				return -1
			}
			return c
		}, value)
	case FormatUpper:
		return strings.ToUpper(value)
	case FormatPhone:
		return NormalizePhone(value)
	}
	return value
}

// Fault returns what is wrong with a payer's value of a page field that is no parameter, "" if nothing is. A state is
// checked with its country. Every value of a sealed field is wrong, since it should be in the sealed card.
func (f PageField) Fault(value, country string) string {
	switch {
	case f.Sealed, HasControl(value), strings.TrimSpace(value) == "":
		return NotValid(f.rule())
	case f.Check == ruleState && HasStates(country):
		return faultUnless(isState(country, value), NotValid(f.rule()))
	case f.Max > 0 && LengthFault(value, f.Min, f.Max) != "", f.Check.fault(value) != "":
		return NotValid(f.rule())
	}
	return ""
}

// rule returns the rule of the field in a sentence.
func (f PageField) rule() string {
	if r, ok := rules[f.Check]; ok {
		return r.text
	}
	return fmt.Sprintf("It should have at most %d characters, and no control characters.", f.Max)
}

// Offers reports whether a value is one of the options, or there are none. The options may depend on another field,
// whose value is by.
func (i Input) Offers(value, by string) bool {
	return len(i.Options) == 0 ||
		slices.ContainsFunc(i.Options, func(o Option) bool { return o.Value == value && o.isFor(by) })
}

// OfferedFor returns the input with only the options for a value of the field that they depend on.
func (i Input) OfferedFor(by string) Input {
	var options []Option
	for _, o := range i.Options {
		if o.isFor(by) {
			options = append(options, Option{Value: o.Value})
		}
	}
	i.Options, i.OptionsBy = options, ""
	return i
}

func (o Option) isFor(by string) bool { return len(o.By) == 0 || slices.Contains(o.By, by) }

// NormalizePhone removes the spaces, dots and slashes that people write into phone numbers.
func NormalizePhone(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == '.' || c == '/' {
			return -1
		}
		return c
	}, text)
}

// CheckPhone reports whether a text is digits and + ( ) - with at least one digit.
func CheckPhone(text string) bool {
	return strings.ContainsAny(text, "0123456789") &&
		only(text, func(c byte) bool { return isDigit(c) || strings.IndexByte("+()-", c) >= 0 })
}

// checkCardName reports whether a text is two or more words of letters, diacritics, hyphens and apostrophes, each with
// at least one letter.
func checkCardName(text string) bool {
	words := strings.Fields(text)
	for _, word := range words {
		if !strings.ContainsFunc(word, unicode.IsLetter) {
			return false
		}
		for _, c := range word {
			if !unicode.IsLetter(c) && !unicode.Is(unicode.M, c) && !strings.ContainsRune("-'’", c) {
				return false
			}
		}
	}
	return len(words) >= 2
}

// CheckCardNumber reports whether a text is 14 to 19 digits with a correct Luhn check digit.
func CheckCardNumber(number string) bool {
	if len(number) < 14 || len(number) > 19 || !only(number, isDigit) {
		return false
	}
	sum := 0
	for i := range len(number) {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			digit *= 2
		}
		sum += digit/10 + digit%10
	}
	return sum%10 == 0 && strings.Trim(number, "0") != ""
}

// CheckSecurityCode reports whether a text is 3 or 4 digits.
func CheckSecurityCode(code string) bool {
	return len(code) >= 3 && len(code) <= 4 && only(code, isDigit)
}

// CheckExpiry reports whether a card with this month (1 to 12) and year (four digits) can be charged at now: it has not
// expired yet, and does not expire more than 50 years ahead.
func CheckExpiry(month, year int, now time.Time) bool {
	if month < 1 || month > 12 || year > now.Year()+50 {
		return false
	}
	return now.Before(CardEnds(month, year))
}

// CardEnds returns when a card expires: when the month of its expiry date has ended everywhere on earth.
func CardEnds(month, year int) time.Time {
	return time.Date(year, time.Month(month)+1, 1, 12, 0, 0, 0, time.UTC) // the month ends last in UTC-12
}
