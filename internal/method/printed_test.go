package method

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// printed are the rows of the sets as the specification prints them: need, type and names. A type that is not printed
// is string. What stands there in words is a type code of the same meaning, and a text that is a date or a country's
// code has the type of that. Rows that come from another place of the specification have a line of their own below +.
var printed = map[string]string{
	"C1": "yes NN bnrg_installm_def bnrg_installm_months bnrg_installm_plan=03,05,07",
	"C2": `yes string document_type=cpf document_number social_name
		yes country fiscal_country`,
	"C3": "optional AN20 descriptor",
	"C4": `optional string customer_phone customer_telnocc shipping_street1 shipping_city shipping_state
		optional N9 shipping_postcode
		optional country3 shipping_country`,
	"C5": `optional string payer_identity_type payer_identity_id payer_identity_country payer_nationality
		optional string payer_country_of_birth payee_first_name payer_last_name payee_middle_name payee_address payee_city
		optional string payee_state payee_country payee_zip payee_phone payee_identity_type payee_identity_id
		optional string payee_identity_country payee_nationality payee_country_of_birth
		optional date payer_identity_exp_date payee_birth_date payee_identity_exp_date`,
	"C6": `optional object shipping cart marketPlace cart.items[].recipient
		optional list cart.items cart.payments marketPlace.sellers
		: shipping.
		conditional AN100 street1 street2
		optional AN100 houseNumber1 houseNumber2 warehouse
		conditional AN80 city
		conditional AN50 state
		conditional AN16 postcode
		conditional country country
		conditional AN30 method
		conditional N13 cost
		conditional AN160 comment
		optional AN10 expectedDate
		optional AN255 logisticsProvider trackingNumber returnTrackingNumber normalized validationStatus
		optional AN21 preference
		optional AN middleName
		optional AN60 companyName
		optional AN25 phone workPhone mobile
		optional AN128 email
		optional AN8 type=return,shipment
		: cart.items[].
		conditional AN255 name merchantItemId type
		conditional N5 quantity
		optional AN255 sku originalPrice giftMessage shippingMethod shippingInstructions shippingTrackingNumber sellerId
		conditional A3 currency
		conditional AN2048 description
		optional N8 commodityCode
		optional AN50 commodityDescription
		conditional N13 price totalAmount taxAmount totalTaxAmount discount
		conditional AN6 tax
		conditional AN2 taxCategory
		conditional N10.N2 shipping
		optional AN5 quantityUnit=M,CM,KG,G,COUNT
		optional url productUrl imageUrl
		optional N10.N2 totalDiscountAmount
		optional AN30 productCode partNumber vatReferenceNumber
		optional N3 itemNumber
		optional AN10 deliveryDate
		: cart.items[].recipient.
		optional AN5 salutation
		optional AN48 firstName lastName
		optional AN50 middleName state
		optional AN100 apartment street address
		optional AN80 city
		optional AN16 postcode
		optional countryOrN3 country
		optional N25 phone
		optional AN128 email
		: cart.payments[].
		optional AN255 name type=GIFTCARD,PROMOTION status=pending,authorized,captured brand
		optional N10.N2 amount
		optional A3 currency
		optional bool primary
		: cart.
		+ optional string totalAmount
		: marketPlace.sellers[].
		optional AN255 id
		optional N13 amount`,

	"M1": `yes string crypto_type
		optional string network_type=eth,tron accountId
		optional bool bech32/false`,
	"M2": "yes string bank_code bank_account_number",
	"M3": "optional string bank_cuil?",
	"M4": "optional string bank_curp?",
	"M5": "optional string bank_curp? bank_rfc?",
	"M6": "conditional string document_number?",
	"M7": `conditional string document_number? document_type?
		+ conditional string bank? person_type?=natural,legal`,
	"M8": `conditional AN64 product_reference_id
		conditional AN255 product_name
		conditional N4 product_quantity
		conditional string product_sku product_category product_url product_image_url product_type`,
	"M9":  "conditional string memberId?",
	"M10": "conditional string personal_id?",
	"M11": "yes string upi_id?",
	"M12": "yes string upiAddress?",
	"M13": `conditional string orgCode? accountNumber?
		conditional AN64 accountName?`,
	"M13 with branch": `conditional string orgCode? accountNumber?
		conditional AN64 accountName?
		+ conditional string bankName? branchName? branchCode?`,
	"M14": "yes string cryptoCurrency",
	"M15": `yes string paymentGatewayName paymentCurrency
		optional string tradingAccountLogin`,
	"M16": `yes string withdrawCurrency address
		optional string tradingAccountLogin`,
	"M17": "yes string toCurrency",
	"M18": "optional string SecurityQuestion SecurityQuestionAnswer",
	"M19": `yes string category buyer_registered_since
		yes number buyer_loyalty_level/0`,
	"M20": `yes number shipping_amount tax_amount product_amount
		yes string product_reference_id product_type product_sku`,
	"M21": `yes string payee_name payee_country
		yes list payee_identifications
		: payee_identifications[].
		yes string type=SORT_CODE,ACCOUNT_NUMBER,IBAN,BBAN,BIC,MASKED_PAN,MSISDN,BSB,NCC,ABA,ABA_WIRE,` +
		`ABA_ACH,ROLL_NUMBER,BLZ,IFS,CLABE,CTN,BRANCH_CODE,VIRTUAL_ACCOUNT_ID
		yes string identification`,
	"M22": `optional string AccountProviderCode NarrativeFileName ProviderReferenceText
		optional base64 NarrativeFileBase64`,
	"M23": `yes object fine
		optional number fine.value
		optional string fine.type_fine=VALUE,PERCENT,NONE type_fine=VALUE,PERCENT,NONE source_account_number^ debtor_document^
		optional string type_document?^=CPF,CNPJ
		optional N4 branch_identifier^
		optional AN25 debtor_name^`,
	"M24": `yes AN180 key
		yes string source_account_number^
		yes N4 branch_identifier^`,
	"M25": `conditional string ToAccountNumber? ToAccountName? ToProvince? ToCity? ToBranch? ToAddress? Email? Phone?`,

	"WD1": `yes AN6 paymentMethod?
		yes AN32 cashAccount?
		yes AN16 ifscCode?`,
	"WD2": `yes AN6 paymentMethod?
		yes AN32 cashAccount?
		optional string name? accountNo?`,
	"WD3": `yes AN6 paymentMethod?
		yes AN32 cashAccount?`,
	"WD4": `yes AN6 paymentMethod?
		yes AN32 cashAccount?`,
	"WD5": `yes AN6 paymentMethod?=CPF,CNPJ,PHONE,EMAIL,EVP
		yes AN36 cashAccount?
		yes string taxNumber?`, // 36 for an EVP key with hyphens
	"WD6": `yes AN6 paymentMethod?
		yes AN32 cashAccount?
		yes string cashAccountType?=CORRIENTE,AHORROS idType?=CC,CE identity?`,
	"WD7": `yes AN6 paymentMethod?
		yes AN32 cashAccount?
		yes AN20 cci?
		yes string cashAccountType?=CORRIENTE,AHORROS name? email? phone? idType?=DNI,CE,PAS,RUC identity?`,

	"COL2": "yes string clientTaxId?",
	"COL3": "yes string clientname?",
	"COL4": "yes string clientname?",
	"COL5": "yes string clientTaxId?",
	"COL8": `optional object bankDetails
		yes string bankDetails.cbu? bankDetails.alias?
		+ conditional string bankDetails.account? bankDetails.otp?`,
	"COL9": `optional object bankDetails
		yes string bankDetails.phoneNumber? bankDetails.otp?`,
	"MOBILE":    "+ conditional string phone?",
	"WALLETAPP": "+ conditional string phone?",
	"BJTG":      "+ conditional string phone?",
	"VOUCHER":   "+ conditional N25 pin?",
}

// inRules are the rules of sets, beside their rows.
var inRules = map[string]int{"M1": 1, "M16": 1, "M18": 1, "M21": 1, "M22": 1, "M23": 2, "WD5": 1, "WD6": 1, "WD7": 1}

var writtenTypes = map[string]string{"country3": TypeCountry3, "countryOrN3": TypeCountryOrN3, "bool": TypeBool}

// printedRows returns the rows of a text of printed, each as "path: type need", with "ask", "preset", its default and
// values where it has them.
func printedRows(text string) (rows []string) {
	under := ""
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "+"))
		if words[0] == ":" {
			under = words[1]
			continue
		}
		code := words[1]
		if name, other := writtenTypes[code]; other {
			code = name
		}
		for _, word := range words[2:] {
			name, values, _ := strings.Cut(word, "=")
			name, preset := strings.CutSuffix(name, "^")
			name, ask := strings.CutSuffix(name, "?")
			name, fallback, _ := strings.Cut(name, "/")
			rows = append(rows, fmt.Sprintf("%s%s: %s %s ask %v preset %v default %q values %s",
				under, name, code, words[0], ask, preset, fallback, values))
		}
	}
	slices.Sort(rows)
	return rows
}

// The sets are those that the specification prints, row by row. A set of a method that it does not have needs no line
// here.
func TestSetsAreAsPrinted(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods {
		for _, set := range m.Sets {
			name := set.Name
			if m.ID == "bank_transfer" {
				name += " with branch"
			}
			seen[name] = true
			var rows []string
			for _, row := range catalogueRows(set.Name, set.Rows, "") {
				rows = append(rows, fmt.Sprintf("%s: %s %s ask %v preset %v default %q values %s",
					row.Path, row.Type, row.Need, row.Ask, row.Preset, row.Default, strings.Join(row.Values, ",")))
			}
			slices.Sort(rows)
			want := printedRows(printed[name])
			for _, row := range rows {
				if !slices.Contains(want, row) {
					t.Errorf("%s of %s has a row that is not printed: %s", name, m.ID, row)
				}
			}
			for _, row := range want {
				if !slices.Contains(rows, row) {
					t.Errorf("%s of %s lacks %s", name, m.ID, row)
				}
			}
			if len(set.Rules) != inRules[set.Name] || len(rows) != len(want) {
				t.Errorf("%s of %s has %d rules and %d rows, not %d and %d",
					name, m.ID, len(set.Rules), len(rows), inRules[set.Name], len(want))
			}
		}
	}
	for name := range printed {
		if !seen[name] {
			t.Errorf("no method has the set %s", name)
		}
	}
}
