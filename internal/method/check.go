package method

import (
	"strings"

	"checkout/internal/method/value"
	"checkout/internal/money"
)

// Check is the name of a rule for values that people type. The page has some of the rules with the same names, and both
// are tested with the same good and bad values (testdata/checks.golden.json).
type Check string

// Checks of the page's own fields.
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

// Checks of bank accounts and banks.
const (
	ruleIBAN          Check = "iban"
	ruleBIC           Check = "bic"
	ruleBBAN          Check = "bban"
	ruleCLABE         Check = "clabe"
	ruleCCI           Check = "cci"
	ruleCBU           Check = "cbu"
	ruleCBUAlias      Check = "cbu_alias"
	ruleIFSC          Check = "ifsc"
	ruleSortCode      Check = "sort_code"
	ruleAccountNumber Check = "account_number"
	ruleRollNumber    Check = "roll_number"
	ruleABA           Check = "aba"
	ruleBSB           Check = "bsb"
	ruleBLZ           Check = "blz"
	ruleBankCode      Check = "bank_code" // NCC, CTN, BRANCH_CODE, VIRTUAL_ACCOUNT_ID
	ruleBranch        Check = "branch"    // 4 digits, Brazil
	ruleMaskedPAN     Check = "masked_pan"
	ruleUPI           Check = "upi"
	ruleTransferKey   Check = "transfer_key"   // M24
	ruleRandomKey     Check = "random_key"     // WD5 EVP
	ruleTransferPhone Check = "transfer_phone" // 13 digits, with or without +
)

// Checks of numbers of people and companies.
const (
	ruleCPF          Check = "cpf"
	ruleCNPJ         Check = "cnpj"
	ruleCPFOrCNPJ    Check = "cpf_or_cnpj"
	ruleCUIT         Check = "cuit"
	ruleDNIArgentina Check = "dni_ar"
	ruleDNIOrCUIT    Check = "dni_or_cuit"
	ruleCURP         Check = "curp"
	ruleRFC          Check = "rfc"
	ruleRUT          Check = "rut" // RUN has the same form
	ruleCIUruguay    Check = "ci_uy"
	ruleCIEcuador    Check = "ci_ec"
	ruleCIOrRUN      Check = "ci_or_run"
	ruleDNIPeru      Check = "dni_pe"
	ruleCEPeru       Check = "ce_pe"
	rulePASPeru      Check = "pas_pe"
	ruleRUC          Check = "ruc"
	ruleCCColombia   Check = "cc_co"
	ruleCEColombia   Check = "ce_co"
	ruleNIT          Check = "nit"
	ruleIDColombia   Check = "id_co" // CC, CE or NIT
)

// Checks of phone numbers.
const (
	ruleMSISDN    Check = "msisdn"
	ruleBeninTogo Check = "benin_togo"
)

// Checks of crypto addresses.
const (
	ruleBTC         Check = "btc"
	ruleBCH         Check = "bch"
	ruleETH         Check = "eth"
	ruleTRON        Check = "tron"
	ruleSolana      Check = "solana"
	ruleUSDT        Check = "usdt" // on eth or tron
	ruleCoinAddress Check = "coin_address"
)

// Checks of other values.
const (
	ruleUTC         Check = "utc"
	ruleBase64      Check = "base64"
	ruleCurrency    Check = "currency"
	ruleLinkSecret  Check = "link_secret"  // M18 SecurityQuestionAnswer
	ruleCountryText Check = "country_text" // C5, M21 payee_country
)

// asIs returns the check of values that providers get as they are.
func asIs(good func(value string) bool) func(string) (string, bool) {
	return func(value string) (string, bool) { return value, good(value) }
}

// checkBIC checks a BIC with a country, or Kosovo, which has no code of ISO 3166-1.
func checkBIC(text string) (string, bool) {
	bic, ok := value.BIC(text)
	return bic, ok && (IsCountry(bic[4:6]) || bic[4:6] == "XK")
}

// checkKeyEmail checks an e-mail address that is the key of a local transfer.
func checkKeyEmail(text string) (string, bool) {
	text = strings.TrimSpace(text)
	return text, LengthFault(text, 1, 180) == "" && CheckEmail(text)
}

// checkCurrency checks an alphabetic code of a currency or a listed crypto asset. Any other word of the form of a code
// would reach a provider that does not know it.
func checkCurrency(text string) (string, bool) {
	code := strings.ToUpper(strings.TrimSpace(text))
	return code, money.IsListed(code)
}

// checkCountryText checks a country in any writing: only a text of two or three letters has to be a code.
func checkCountryText(text string) (string, bool) {
	text = strings.TrimSpace(text)
	code := strings.ToUpper(text)
	switch {
	case len(text) == 2 && only(text, isLetter):
		return code, IsCountry(code)
	case len(text) == 3 && only(text, isLetter):
		return code, isCountry3(code)
	}
	return text, text != ""
}
