package screen

// Wallet is what the browser needs to open a wallet. Amount and currency are those of the order.
type Wallet struct {
	Kind     string   `json:"kind"`     // applepay or googlepay
	Country  string   `json:"country"`  // of the merchant, ISO 3166-1 alpha-2
	Label    string   `json:"label"`    // the merchant's name in the payment sheet
	Networks []string `json:"networks"` // of the wallet's names

	// Test means that no wallet is opened: the page shows the sandbox's test wallet.
	Test bool `json:"test,omitempty"`

	ApplePay  *ApplePaySheet  `json:"applepay,omitempty"`
	GooglePay *GooglePaySheet `json:"googlepay,omitempty"`
}

// ApplePaySheet is the part of a request of W1 that only this wallet has.
type ApplePaySheet struct {
	Capabilities    []string       `json:"capabilities"`
	ApplicationData string         `json:"application_data"` // base64 of the session id, which binds the token to it
	Domains         []string       `json:"domains"`          // of the top-level pages that may open the sheet
	Recurring       *RecurringPlan `json:"recurring,omitempty"`
}

// RecurringPlan asks W1 for a token that can be charged again without the payer.
type RecurringPlan struct {
	Description string `json:"description"`
	ManageURL   string `json:"manage_url"` // where the payer ends it
}

// GooglePaySheet is the part of a request of W2 that only this wallet has.
type GooglePaySheet struct {
	Frame             string   `json:"frame"`       // the page that loads the wallet's script, on the second origin
	Environment       string   `json:"environment"` // TEST or PRODUCTION
	AuthMethods       []string `json:"auth_methods"`
	MerchantID        string   `json:"merchant_id,omitempty"`
	MerchantName      string   `json:"merchant_name,omitempty"`
	Gateway           string   `json:"gateway,omitempty"` // with GatewayMerchantID: tokens for the provider
	GatewayMerchantID string   `json:"gateway_merchant_id,omitempty"`
	PublicKey         string   `json:"public_key,omitempty"` // tokens for the service: an uncompressed P-256 point, base64
	BillingAddress    bool     `json:"billing_address,omitempty"`
	Email             bool     `json:"email,omitempty"`
	Phone             bool     `json:"phone,omitempty"`
}
