package method

import "checkout/internal/method/value"

// rule is the rule of a named check.
type rule struct {
	text   string // the rule in a sentence
	source string // the standard or document that has it
	// read returns a value as providers get it and whether it is good; nil if that needs more than the value, so that
	// it is checked elsewhere.
	read func(value string) (plain string, good bool)
}

// rules are the checks of single values. Some parameters depend on another one, which names their check.
var rules = map[Check]rule{
	ruleCardNumber:   {"It should be a sealed card.", "ISO/IEC 7812-1", asIs(CheckCardNumber)},
	ruleExpiry:       {"It should be a sealed card.", "protocol.md, Checkout page fields", nil},
	ruleSecurityCode: {"It should be a sealed card.", "protocol.md, Checkout page fields", asIs(CheckSecurityCode)},
	ruleCardName: {
		"It should have two words of letters or more, and at most 32 characters.",
		"protocol.md, Checkout page fields", asIs(checkCardName),
	},
	ruleEmail:   {RuleEmail, "RFC 5321", asIs(CheckEmail)},
	ruleCountry: {"It should be a country's alpha-2 code.", "ISO 3166-1", asIs(IsCountry)},
	ruleState:   {"It should be a state of the country.", "ISO 3166-2", nil},
	rulePhone:   {RulePhone, "protocol.md, Checkout page fields", asIs(CheckPhone)},
	ruleAmount:  {"It should be a number such as 10.00.", "protocol.md, Amounts", nil},
	ruleAgreed: {
		RuleBool, "protocol.md, Requests",
		asIs(func(value string) bool { return value == "true" || value == "false" }),
	},

	ruleIBAN: {
		"It should be an IBAN, with its country's length and correct check digits.",
		"ISO 13616, SWIFT IBAN registry", value.IBAN,
	},
	ruleBIC: {
		"It should be a BIC of 8 or 11 characters, such as DEUTDEFF.",
		"ISO 9362", checkBIC,
	},
	ruleBBAN: {
		"It should have 1 to 35 letters and digits.",
		"infra/methods.json, M21", value.Alphanumeric(1, 35),
	},
	ruleCLABE: {
		"It should be a CLABE: 18 digits with a correct check digit.",
		"Banco de México, CLABE", value.CLABE,
	},
	ruleCCI: {
		"It should be a CCI: 20 digits.",
		"infra/methods.json, WD7", value.Digits(20, 20),
	},
	ruleCBU: {
		"It should be a CBU: 22 digits with correct check digits.",
		"BCRA, Clave Bancaria Uniforme", value.CBU,
	},
	ruleCBUAlias: {
		"It should be an alias of 6 to 20 letters, digits, dots and hyphens.",
		"BCRA, alias CBU", value.CBUAlias,
	},
	ruleIFSC: {
		"It should be an IFSC code of 11 characters, such as SBIN0000300.",
		"Reserve Bank of India; protocol.md, Parameters", value.IFSC,
	},
	ruleSortCode: {
		"It should be a sort code: 6 digits.",
		"Pay.UK", value.Digits(6, 6),
	},
	ruleAccountNumber: {
		"It should be an account number of 6 to 17 digits.",
		"Pay.UK: 6 to 10 digits; Nacha: up to 17", value.Digits(6, 17),
	},
	ruleRollNumber: {
		"It should be a roll number of 1 to 18 letters, digits, slashes, hyphens and dots.",
		"Pay.UK: 18", value.RollNumber,
	},
	ruleABA: {
		"It should be an ABA routing number: 9 digits with a correct check digit.",
		"American Bankers Association", value.ABA,
	},
	ruleBSB: {
		"It should be a BSB: 6 digits.",
		"AusPayNet", value.Digits(6, 6),
	},
	ruleBLZ: {
		"It should be a Bankleitzahl: 8 digits, the first not 0 or 9.",
		"Deutsche Bundesbank", value.BLZ,
	},
	ruleBankCode: {
		"It should have 1 to 35 letters and digits.",
		"infra/methods.json, M21", value.Alphanumeric(1, 35),
	},
	ruleBranch: {
		"It should have 4 digits.",
		"infra/methods.json, M23", value.Digits(4, 4),
	},
	ruleMaskedPAN: {
		"It should be a masked card number, such as 411111******1111.",
		"PCI DSS 3.4: first 6 and last 4", value.MaskedPAN,
	},
	ruleUPI: {
		"It should be a UPI address, such as name@bank.",
		"NPCI, UPI procedural guidelines", value.UPI,
	},
	ruleTransferKey: {
		"It should be a key: a UUID, a CPF, a CNPJ, an e-mail address or a phone of 13 digits.",
		"infra/methods.json, M24; protocol.md, Parameters", value.Either(
			value.UUID, value.CPF, value.CNPJ, checkKeyEmail, value.TransferPhone),
	},
	ruleRandomKey: {
		"It should be a UUID.",
		"RFC 9562; protocol.md, Parameters", value.UUID,
	},
	ruleTransferPhone: {
		"It should be a phone number of 13 digits with its country's code, such as 5511961234567.",
		"infra/methods.json, M24", value.TransferPhone,
	},
	ruleCPF: {
		"It should be a CPF: 11 digits with correct check digits.",
		"Receita Federal, CPF", value.CPF,
	},
	ruleCNPJ: {
		"It should be a CNPJ: 14 characters with correct check digits.",
		"Receita Federal, Nota Técnica 49/2024", value.CNPJ,
	},
	ruleCPFOrCNPJ: {
		"It should be a CPF of 11 digits or a CNPJ of 14 characters, with correct check digits.",
		"infra/methods.json, M23", value.Either(value.CPF, value.CNPJ),
	},
	ruleCUIT: {
		"It should be a CUIT or CUIL: 11 digits with a correct check digit.",
		"ARCA, CUIT", value.CUIT,
	},
	ruleDNIArgentina: {
		"It should be a DNI: 7 or 8 digits.",
		"RENAPER, DNI", value.Digits(7, 8),
	},
	ruleDNIOrCUIT: {
		"It should be a DNI of 7 or 8 digits, or a CUIT of 11 digits with a correct check digit.",
		"protocol.md, Requests to providers", value.Either(value.Digits(7, 8), value.CUIT),
	},
	ruleCURP: {
		"It should be a CURP: 18 characters with a correct check digit.",
		"RENAPO, CURP", value.CURP,
	},
	ruleRFC: {
		"It should be an RFC: 12 or 13 characters with a date.",
		"SAT, RFC", value.RFC,
	},
	ruleRUT: {
		"It should be a RUT or RUN with a correct check digit, such as 12.531.909-2.",
		"Registro Civil, RUN", value.RUT,
	},
	ruleCIUruguay: {
		"It should be a cédula: 8 digits with a correct check digit.",
		"DNIC, cédula", value.CIUruguay,
	},
	ruleCIEcuador: {
		"It should be a cédula: 10 digits with a correct check digit.",
		"Registro Civil, cédula", value.CIEcuador,
	},
	ruleCIOrRUN: {
		"It should be a CI or RUN with a correct check digit.",
		"protocol.md, Requests to providers", value.Either(value.CIUruguay, value.CIEcuador, value.RUT),
	},
	ruleDNIPeru: {
		"It should be a DNI: 8 digits.",
		"RENIEC, DNI", value.Digits(8, 8),
	},
	ruleCEPeru: {
		"It should be a CE: 9 to 12 letters and digits.",
		"Migraciones, CE", value.Alphanumeric(9, 12),
	},
	rulePASPeru: {
		"It should be a passport number: 5 to 12 letters and digits.",
		"SUNAT, type of document 7", value.Alphanumeric(5, 12),
	},
	ruleRUC: {
		"It should be a RUC: 11 digits with a correct check digit.",
		"SUNAT, RUC", value.RUC,
	},
	ruleCCColombia: {
		"It should be a CC: 5 to 10 digits.",
		"Registraduría, CC", value.Digits(5, 10),
	},
	ruleCEColombia: {
		"It should be a CE: 6 or 7 digits.",
		"Migración, CE", value.Digits(6, 7),
	},
	ruleNIT: {
		"It should be a NIT with a correct check digit.",
		"DIAN, NIT", value.NIT,
	},
	ruleIDColombia: {
		"It should be a CC or CE of 5 to 10 digits, or a NIT with a correct check digit.",
		"protocol.md, What the page does", value.Either(value.Digits(5, 10), value.NIT),
	},
	ruleMSISDN: {
		"It should be a phone number with + and its country's code, such as +14155552671.",
		"E.164, libphonenumber", value.MSISDN,
	},
	ruleBeninTogo: {
		"It should be +229 and 10 digits beginning with 01, or +228 and 8 digits.",
		"protocol.md, What the page does, ARCEP", value.BeninOrTogo,
	},
	ruleBTC: {
		"It should be a Bitcoin address.",
		"BIP 13, 173 and 350", value.BTC,
	},
	ruleBCH: {
		"It should be a Bitcoin Cash address.",
		"CashAddr", value.BCH,
	},
	ruleETH: {
		"It should be an Ethereum address: 0x and 40 hexadecimal digits.",
		"EIP-55", value.ETH,
	},
	ruleTRON: {
		"It should be a TRON address.",
		"TRON, base58check", value.TRON,
	},
	ruleSolana: {
		"It should be a Solana address.",
		"Solana, base58", value.Solana,
	},
	ruleUSDT: {
		"It should be an Ethereum or a TRON address.",
		"infra/methods.json, M1", value.Either(value.ETH, value.TRON),
	},
	ruleCoinAddress: {
		"It should have 1 to 128 characters without spaces.",
		"infra/methods.json, M16", value.CoinAddress,
	},
	ruleUTC: {
		"It should be a UTC time, such as 2019-08-24T14:15:22Z.",
		"RFC 3339; infra/methods.json, M19", value.UTC,
	},
	ruleBase64: {
		"It should be base-64 of at most 64 KiB.",
		"RFC 4648; protocol.md, Parameters", value.Base64(maxFile),
	},
	ruleCurrency: {
		"It should be a currency code of ISO 4217, such as EUR, or of a known crypto asset, such as USDT.",
		"ISO 4217; crypto.go of internal/money", checkCurrency,
	},
	ruleLinkSecret: {
		"It should have 3 to 25 characters without spaces.",
		"infra/methods.json, M18", value.NoSpaces(3, 25),
	},
	ruleCountryText: {
		"It should be a country's alpha-2 or alpha-3 code, or its name.",
		"ISO 3166-1; protocol.md, Parameters", checkCountryText,
	},
}
