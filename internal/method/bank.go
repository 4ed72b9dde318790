package method

import (
	"fmt"
	"slices"
)

var bankMethods = []Method{
	payin(Method{ID: "bank_debit", Label: "M2", Name: "Bank debit", Behaviour: DataShown, Group: "bank"}, []Param{
		{Name: "bank_code", Type: TypeString, Need: Required, Check: ruleBIC},
		{Name: "bank_account_number", Type: TypeString, Need: Required, Sensitive: true},
	}),
	payin(Method{
		ID: "bank_cuil", Label: "M3", Name: "Bank payment with CUIL", Behaviour: Redirect, Group: "bank",
	}, []Param{
		{Name: "bank_cuil", Type: TypeString, Need: Optional, Page: asksCUIT, Check: ruleCUIT, Sensitive: true},
	}).used("AR"),
	payin(Method{
		ID: "bank_curp", Label: "M4", Name: "Bank payment with CURP", Behaviour: DataShown, Group: "bank",
	}, []Param{
		{Name: "bank_curp", Type: TypeString, Need: Optional, Page: asksText, Check: ruleCURP, Sensitive: true},
	}).used("MX"),
	payin(Method{
		ID: "bank_rfc", Label: "M5", Name: "Bank payment with CURP and RFC", Behaviour: DataShown, Group: "bank",
	}, []Param{
		{Name: "bank_curp", Type: TypeString, Need: Optional, Page: asksText, Check: ruleCURP, Sensitive: true},
		{Name: "bank_rfc", Type: TypeString, Need: Optional, Page: asksText, Check: ruleRFC, Sensitive: true},
	}).used("MX"),
	payin(Method{
		ID: "document_bank", Label: "M6", Name: "Bank payment with an ID document", Behaviour: Redirect, Group: "bank",
	}, documentRows),
	payin(Method{
		ID: "document_cash", Label: "M6", Name: "Cash payment with an ID document", Behaviour: Redirect, Group: "cash",
	}, documentRows),
	regionalBank,
	payin(Method{ID: "member", Label: "M9", Name: "Member account", Behaviour: Redirect, Group: "bank"}, []Param{
		{Name: "memberId", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksText,
			Sensitive: true},
	}),
	payin(Method{
		ID: "personal_id_br", Label: "M10", Name: "Bank payment in Brazil", Behaviour: Redirect, Group: "bank",
	}, personalID("BR", ruleCPF, asksCPF)).in("BR"),
	payin(Method{
		ID: "personal_id_cl", Label: "M10", Name: "Bank payment in Chile", Behaviour: Redirect, Group: "bank",
	}, personalID("CL", ruleRUT, asksText)).in("CL"),
	payin(Method{
		ID: "personal_id_co", Label: "M10", Name: "Bank payment in Colombia", Behaviour: Redirect, Group: "bank",
	}, personalID("CO", ruleIDColombia, asksText)).in("CO"),
	payin(Method{
		ID: "bank_account", Label: "M13", Name: "Online bank", Behaviour: Redirect, Group: "bank",
	}, accountRows),
	payin(Method{
		ID: "bank_transfer", Label: "M13", Name: "Bank transfer", Behaviour: Redirect, Group: "bank",
	}, slices.Concat(accountRows, branchRows)),
	payin(Method{
		ID: "trading_account", Label: "M15", Name: "Trading account", Behaviour: Redirect, Group: "bank",
	}, []Param{
		{Name: "paymentGatewayName", Type: TypeString, Need: Required},
		{Name: "paymentCurrency", Type: TypeString, Need: Required},
		{Name: "tradingAccountLogin", Type: TypeString, Need: Optional, Sensitive: true},
	}),
	payin(Method{
		ID: "exchange", Label: "M17", Name: "Payment in another currency", Behaviour: Redirect, Group: "bank",
	}, []Param{
		{Name: "toCurrency", Type: TypeString, Need: Required, Check: ruleCurrency},
	}),
	payin(Method{ID: "open_banking", Label: "M21", Name: "Open banking", Behaviour: Redirect, Group: "bank"}, []Param{
		{Name: "payee_name", Type: TypeString, Need: Required},
		{Name: "payee_country", Type: TypeString, Need: Required, Check: ruleCountryText},
		{Name: "payee_identifications", Type: TypeList, Need: Required, Rows: []Param{
			{Name: "type", Type: TypeString, Need: Required, Values: identifications},
			{Name: "identification", Type: TypeString, Need: Required, Sensitive: true},
		}},
	}, Rule{Name: "an identification of its type", Find: identificationOfType}),
	payin(Method{
		ID: "local_transfer", Label: "M23", Name: "Local transfer", Behaviour: QRCode, Group: "bank",
	}, []Param{
		{Name: "fine", Type: TypeObject, Short: "value", EmptyWith: "type_fine=NONE", Top: true, Need: Required,
			Rows: []Param{
				{Name: "value", Type: TypeNumber, Need: Optional},
				{Name: "type_fine", Type: TypeString, Need: Optional, Values: fineTypes},
			}},
		{Name: "type_fine", Type: TypeString, Top: true, Need: Optional, Values: fineTypes},
		{Name: "branch_identifier", Type: "N4", Need: Optional, Preset: true, Check: ruleBranch},
		{Name: "source_account_number", Type: TypeString, Need: Optional, Preset: true, Sensitive: true},
		{Name: "type_document", Type: TypeString, Need: Optional, Values: []string{"CPF", "CNPJ"}, Preset: true,
			Page: mayChoose},
		{Name: "debtor_document", Type: TypeString, Need: Optional, Preset: true, Check: ruleCPFOrCNPJ, Sensitive: true},
		{Name: "debtor_name", Type: "AN25", Need: Optional, Preset: true},
	}, Rule{Name: "a fine with its type, of 0 and not to be sent when NONE", Find: fineOfType},
		Rule{Name: "the debtor's document of its type", Find: debtorDocument}).flat().used("BR"),
}

// regionalBank shows details instead of a redirect where the billing country is Mexico (protocol.md, Parameters).
var regionalBank = func() Method {
	m := payin(Method{
		ID: "regional_bank", Label: "M7", Name: "Regional bank", Behaviour: Redirect, Group: "bank",
	}, []Param{
		{Name: "document_number", Type: TypeString, Need: Conditional, NeededBy: byCountry, NotIn: undocumented,
			Page: asksText, Sensitive: true},
		{Name: "document_type", Type: TypeString, Need: Conditional, NeededBy: byCountry, NotIn: undocumented,
			Page: asksText},
		// Of the page (protocol.md, What the page does).
		{Name: "bank", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksOptional},
		{Name: "person_type", Type: TypeString, Need: Conditional, NeededBy: byCountry,
			Values: []string{"natural", "legal"}, Page: mayChoose},
	})
	m.BehaviourIn = map[string]Behaviour{"MX": DataShown}
	return m.used(latinAmerica...)
}()

var byCountry = []string{"country"}

// undocumented are the countries in which M7 needs no document: Guatemala, Panama and Costa Rica.
var undocumented = []string{"GT", "PA", "CR"}

var documentRows = []Param{
	{Name: "document_number", Type: TypeString, Need: Conditional, NeededBy: byConnector, Page: asksText,
		Sensitive: true},
}

func personalID(country string, check Check, page *Input) []Param {
	return []Param{
		{Name: "personal_id", Type: TypeString, Need: Conditional, NeededBy: []string{"country " + country}, Page: page,
			Check: check, Sensitive: true},
	}
}

var accountRows = []Param{
	{Name: "orgCode", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksText},
	{Name: "accountName", Type: "AN64", Need: Conditional, NeededBy: byCountry, Page: asksName},
	{Name: "accountNumber", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksText,
		Sensitive: true},
}

// branchRows are the bank fields of the page that are no rows of M13 (protocol.md, What the page does).
var branchRows = []Param{
	{Name: "bankName", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksText},
	{Name: "branchName", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksText},
	{Name: "branchCode", Type: TypeString, Need: Conditional, NeededBy: byCountry, Page: asksText},
}

// identifications are the types of M21 without PAN: a card number may not be stored in clear (protocol.md, Parameters).
var identifications = []string{
	"SORT_CODE", "ACCOUNT_NUMBER", "IBAN", "BBAN", "BIC", "MASKED_PAN", "MSISDN", "BSB", "NCC", "ABA", "ABA_WIRE",
	"ABA_ACH", "ROLL_NUMBER", "BLZ", "IFS", "CLABE", "CTN", "BRANCH_CODE", "VIRTUAL_ACCOUNT_ID",
}

// identificationChecks are the checks of identifications whose type has a form.
var identificationChecks = map[string]Check{
	"SORT_CODE": ruleSortCode, "ACCOUNT_NUMBER": ruleAccountNumber, "IBAN": ruleIBAN, "BBAN": ruleBBAN, "BIC": ruleBIC,
	"MASKED_PAN": ruleMaskedPAN, "MSISDN": ruleMSISDN, "BSB": ruleBSB, "NCC": ruleBankCode, "ABA": ruleABA,
	"ABA_WIRE": ruleABA, "ABA_ACH": ruleABA, "ROLL_NUMBER": ruleRollNumber, "BLZ": ruleBLZ, "IFS": ruleIFSC,
	"CLABE": ruleCLABE, "CTN": ruleBankCode, "BRANCH_CODE": ruleBankCode, "VIRTUAL_ACCOUNT_ID": ruleBankCode,
}

func identificationOfType(sent map[string]any) (row, text string) {
	items, _ := sent["payee_identifications"].([]any)
	for i, item := range items {
		members, _ := item.(map[string]any)
		kind, _ := members["type"].(string)
		if _, fault := formOf(members, "identification", identificationChecks[kind]); fault != "" {
			return fmt.Sprintf("payee_identifications[%d].identification", i), fault
		}
	}
	return "", ""
}

var fineTypes = []string{"VALUE", "PERCENT", "NONE"}

// fineOfType puts type_fine into the fine, VALUE if there is none. A fine of type NONE is 0.
func fineOfType(sent map[string]any) (row, text string) {
	fine, ok := sent["fine"].(map[string]any)
	beside := sent["type_fine"]
	delete(sent, "type_fine")
	if !ok {
		return "", ""
	}
	if fine["type_fine"] == nil {
		fine["type_fine"] = beside
	}
	if fine["type_fine"] == nil {
		fine["type_fine"] = "VALUE"
	}
	if fine["type_fine"] == "NONE" {
		fine["value"] = "0"
	}
	if fine["value"] == nil {
		return "fine", TextBlank
	}
	return "", ""
}

// documentChecks are the checks of the documents of Brazil by their types.
var documentChecks = map[string]Check{"CPF": ruleCPF, "CNPJ": ruleCNPJ}

func debtorDocument(sent map[string]any) (row, text string) {
	kind, _ := sent["type_document"].(string)
	check, typed := documentChecks[kind]
	if !typed {
		return "", ""
	}
	return formOf(sent, "debtor_document", check)
}
