package method

import "strings"

// payoutMethods pay out without a card.
var payoutMethods = []Method{
	payout(Method{ID: "crypto_payout", Label: "M16", Name: "Crypto payout", Note: "payout_known", Icon: "coin"}, []Param{
		{Name: "withdrawCurrency", Type: TypeString, Need: Required},
		{Name: "address", Type: TypeString, Need: Required, Sensitive: true},
		{Name: "tradingAccountLogin", Type: TypeString, Need: Optional, Sensitive: true},
	}, Rule{Name: "an address of its coin", Find: addressOfCoin}),
	payout(Method{ID: "local_payout", Label: "M24", Name: "Local transfer payout", Note: "payout_known"}, []Param{
		{Name: "key", Type: "AN180", Need: Required, Check: ruleTransferKey, Sensitive: true},
		{Name: "source_account_number", Type: TypeString, Need: Required, Preset: true, Sensitive: true},
		{Name: "branch_identifier", Type: "N4", Need: Required, Preset: true, Check: ruleBranch},
	}).flat().used("BR"),
	payout(Method{ID: "withdrawal", Label: "M25", Name: "Withdrawal"}, []Param{
		{Name: "ToAccountNumber", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional,
			Sensitive: true},
		{Name: "ToAccountName", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional},
		{Name: "ToProvince", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional},
		{Name: "ToCity", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional},
		{Name: "ToBranch", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional},
		{Name: "ToAddress", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional},
		{Name: "Email", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional, Check: ruleEmail,
			Sensitive: true},
		{Name: "Phone", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksOptional, Check: rulePhone,
			Sensitive: true},
	}).flat(),
}

var byConnector = []string{"connector"}

// countryPayouts are the country withdrawal sets. The page asks for what the request does not have.
var countryPayouts = []Method{
	payout(Method{ID: "payout_wd1", Label: "WD1", Name: "Bank payout with IFSC code"}, []Param{
		wdChannel, wdAccount,
		{Name: "ifscCode", Type: "AN16", Need: Required, Page: asksText, Check: ruleIFSC},
	}).used("IN"),
	payout(Method{ID: "payout_wd2", Label: "WD2", Name: "Bank payout with an account name"}, []Param{
		wdChannel, wdAccount,
		{Name: "name", Type: TypeString, Need: Optional, Page: mayName},
		{Name: "accountNo", Type: TypeString, Need: Optional, Page: asksOptional, Sensitive: true},
	}),
	payout(Method{ID: "payout_wd3", Label: "WD3", Name: "Bank payout, first"}, []Param{wdChannel, wdAccount}),
	payout(Method{ID: "payout_wd4", Label: "WD4", Name: "Bank payout, second"}, []Param{wdChannel, wdAccount}),
	payout(Method{ID: "payout_wd5", Label: "WD5", Name: "Payout to a key"}, []Param{
		{Name: "paymentMethod", Type: "AN6", Need: Required, Page: asksChoice,
			Values: []string{"CPF", "CNPJ", "PHONE", "EMAIL", "EVP"}},
		{Name: "cashAccount", Type: "AN36", Need: Required, Page: asksText, By: &keyTypes, Sensitive: true},
		{Name: "taxNumber", Type: TypeString, Need: Required, Page: asksText, Check: ruleCPFOrCNPJ, Sensitive: true},
	}, Rule{Name: "an account of the form that paymentMethod names", Find: formBy("cashAccount", keyTypes)}).used("BR"),
	payout(Method{ID: "payout_wd6", Label: "WD6", Name: "Bank payout with CC or CE"}, []Param{
		wdChannel, wdAccount, wdAccountType,
		{Name: "idType", Type: TypeString, Need: Required, Page: asksChoice, Values: []string{"CC", "CE"}},
		wdIdentity(&idsOfColombia),
	}, Rule{Name: "an identity of the form that idType names", Find: formBy("identity", idsOfColombia)}).used("CO"),
	payout(Method{ID: "payout_wd7", Label: "WD7", Name: "Bank payout with CCI"}, []Param{
		wdChannel, wdAccount, wdAccountType,
		{Name: "cci", Type: "AN20", Need: Required, Page: asksCCI, Check: ruleCCI, Sensitive: true},
		{Name: "name", Type: TypeString, Need: Required, Page: asksName},
		{Name: "email", Type: TypeString, Need: Required, Page: asksEmail, Check: ruleEmail, Sensitive: true},
		{Name: "phone", Type: TypeString, Need: Required, Page: asksPhone, Check: rulePhone, Sensitive: true},
		{Name: "idType", Type: TypeString, Need: Required, Page: asksChoice, Values: []string{"DNI", "CE", "PAS", "RUC"}},
		wdIdentity(&idsOfPeru),
	}, Rule{Name: "an identity of the form that idType names", Find: formBy("identity", idsOfPeru)}).used("PE"),
}

// The rows that several countries have.
var (
	wdChannel = Param{Name: "paymentMethod", Type: "AN6", Need: Required, Page: asksText}
	wdAccount = Param{Name: "cashAccount", Type: "AN32", Need: Required, Page: asksText, Sensitive: true}

	wdAccountType = Param{
		Name: "cashAccountType", Type: TypeString, Need: Required, Page: asksChoice,
		Values: []string{"CORRIENTE", "AHORROS"},
	}

	mayName = &Input{Kind: FieldText, Autocomplete: "name", Optional: true}
)

func wdIdentity(by *CheckBy) Param {
	return Param{Name: "identity", Type: TypeString, Need: Required, Page: asksText, By: by, Sensitive: true}
}

// coinChecks are the checks of addresses by their coin. Other coins have no common form.
var coinChecks = map[string]Check{"BTC": ruleBTC, "BCH": ruleBCH, "ETH": ruleETH, "USDT": ruleUSDT, "SOL": ruleSolana}

func addressOfCoin(sent map[string]any) (row, text string) {
	coin, _ := sent["withdrawCurrency"].(string)
	check := coinChecks[strings.ToUpper(coin)]
	if check == "" {
		check = ruleCoinAddress
	}
	return formOf(sent, "address", check)
}

// The checks of accounts by their kinds, and of documents by their types.
var (
	keyTypes = CheckBy{"paymentMethod", map[string]Check{
		"CPF": ruleCPF, "CNPJ": ruleCNPJ, "PHONE": ruleTransferPhone, "EMAIL": ruleEmail, "EVP": ruleRandomKey,
	}}
	idsOfColombia = CheckBy{"idType", map[string]Check{"CC": ruleCCColombia, "CE": ruleCEColombia}}
	idsOfPeru     = CheckBy{"idType", map[string]Check{
		"DNI": ruleDNIPeru, "CE": ruleCEPeru, "PAS": rulePASPeru, "RUC": ruleRUC,
	}}
)

// formBy finds what is wrong with the form of a row that another one decides about.
func formBy(row string, by CheckBy) func(sent map[string]any) (row, text string) {
	return func(sent map[string]any) (string, string) {
		kind, _ := sent[by.Row].(string)
		return formOf(sent, row, by.Checks[kind])
	}
}

// formOf returns what is wrong with the form of a value, "" and "" if nothing is or if it was not sent. A good value
// becomes what providers get.
func formOf(sent map[string]any, name string, check Check) (row, text string) {
	value, _ := sent[name].(string)
	if value == "" {
		return "", ""
	}
	if fault := check.fault(value); fault != "" {
		return name, fault
	}
	sent[name] = check.plain(value)
	return "", ""
}
