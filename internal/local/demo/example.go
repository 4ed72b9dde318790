package demo

// examples are made-up values of parameters that pass the service's checks, by path. A name with a method before it is
// for that method alone, and sent although it may be optional there.
var examples = map[string]string{
	"crypto_type": "USDT", "crypto/network_type": "tron",
	"cryptoCurrency":   "BTC",
	"withdrawCurrency": "BTC", "address": "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",

	"bank_code": "DEUTDEFF", "bank_account_number": "0123456789",
	"bank_cuil/bank_cuil": "20267565393", "bank_curp/bank_curp": "BOXW310820HNERXN09",
	"bank_rfc/bank_curp": "BOXW310820HNERXN09", "bank_rfc/bank_rfc": "GODE561231GR8",
	"document_type": "ID", "document_number": "12345678", "bank": "Sample Bank", "person_type": "natural",
	"memberId":                   "member-1001",
	"personal_id_br/personal_id": "52998224725", "personal_id_cl/personal_id": "125319092",
	"personal_id_co/personal_id": "1020304050",
	"orgCode":                    "SAMPLE", "accountName": "Ada Example", "accountNumber": "0123456789",
	"bankName": "Sample Bank", "branchName": "Main Street", "branchCode": "0001",
	"paymentGatewayName": "Sample Gateway", "paymentCurrency": "EUR", "toCurrency": "USDT",
	"payee_name": "Demo Shop", "payee_country": "DE",
	"payee_identifications[].type": "IBAN", "payee_identifications[].identification": "DE89370400440532013000",
	"local_transfer/fine.value": "2.00", "local_transfer/fine.type_fine": "VALUE",

	"offline_transfer_a/clientTaxId": "20267565393", "offline_transfer_d/clientTaxId": "12345672",
	"clientname":      "Ada Example",
	"bankDetails.cbu": "2850590940090418135201", "bankDetails.alias": "mi.cuenta.sueldo",
	"bankDetails.account": "0123456789", "bankDetails.phoneNumber": "+14155552671", "bankDetails.otp": "123456",
	"pin": "1234567890123456", "upi_id": "ada@upi", "upiAddress": "ada@upi",
	"phone": "+14155552671", "mobile_bj_tg/phone": "+2290197000000",

	"product_reference_id": "coffee-1", "product_name": "Coffee beans", "product_quantity": "1",
	"product_sku": "COFFEE-1", "product_category": "food", "product_type": "physical",
	"product_url": "https://shop.example/coffee", "product_image_url": "https://shop.example/coffee.png",
	"category": "food", "buyer_registered_since": "2019-08-24T14:15:22Z", "buyer_loyalty_level": "1",
	"shipping_amount": "4.90", "tax_amount": "2.95", "product_amount": "10.65",

	"key": "123e4567-e12b-12d1-a456-426655440000", "source_account_number": "0012345", "branch_identifier": "0001",
	"ToAccountNumber": "0123456789", "ToAccountName": "Grace Example", "ToProvince": "Sample Province",
	"ToCity": "Sample City", "ToBranch": "Main Street", "ToAddress": "1 Sample Street",
	"Email": "grace@example.com", "Phone": "+14155552671",
	"paymentMethod": "BANK", "cashAccount": "0123456789", "ifscCode": "SBIN0000300",
	"payout_wd5/paymentMethod": "CPF", "payout_wd5/cashAccount": "52998224725", "taxNumber": "52998224725",
	"cashAccountType": "AHORROS", "cci": "01136600010003254221", "name": "Grace Example", "email": "grace@example.com",
	"payout_wd6/idType": "CC", "payout_wd7/idType": "DNI", "payout_wd6/identity": "1020304050",
	"payout_wd7/identity": "12345678",
}

// onPage are parameters that only a payer knows, such as a code that was just sent, so that no shop sends them.
var onPage = map[string]bool{"pin": true, "bankDetails.otp": true}

// Example returns a made-up value of a method's parameter by its path, also of one that nobody needs, "" if there is
// none.
func Example(method, path string) string {
	if value := examples[method+"/"+path]; value != "" {
		return value
	}
	return examples[path]
}
