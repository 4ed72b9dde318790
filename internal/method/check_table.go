package method

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
	ruleTransferKey   Check = "transfer_key" // M24
	ruleRandomKey     Check = "random_key"   // WD5 EVP
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
