package settings

import (
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings/certificate"
)

// Wallets are the settings of Apple Pay and Google Pay (protocol.md, Wallet settings). A wallet that is nil is not
// offered.
type Wallets struct {
	ApplePay  *ApplePay  `json:"applepay,omitempty"`
	GooglePay *GooglePay `json:"googlepay,omitempty"`
}

// ApplePay are the settings of Apple Pay. Keys and certificates are PEM texts. The private keys are stored apart,
// encrypted: IdentityKey for the page function, those of Processing for the connector function.
type ApplePay struct {
	Disabled            bool     `json:"disabled,omitempty"`
	MerchantIdentifier  string   `json:"merchant_identifier"`
	Country             string   `json:"country"`   // of the merchant, ISO 3166-1 alpha-2
	ShopName            string   `json:"shop_name"` // shown in the payment sheet, at most 64 characters
	IdentityCertificate string   `json:"identity_certificate"`
	IdentityKey         string   `json:"identity_key,omitempty"`
	Capabilities        []string `json:"capabilities"` // supports3DS and others of the wallet's names
	Networks            []string `json:"networks"`     // of the wallet's names: visa, masterCard
	Domains             []string `json:"domains"`      // hosts of pages that may show the wallet, registered with it

	// Processing are the certificates that tokens may be encrypted to, newest first, at most two. Without one, tokens
	// are passed on to the provider as they came.
	Processing []ProcessingCertificate `json:"processing,omitempty"`

	Ended bool `json:"-"` // a certificate that new tokens need had ended when the settings were read
}

// ProcessingCertificate is a payment processing certificate of Apple Pay with its private key (P-256).
type ProcessingCertificate struct {
	Certificate string `json:"certificate"`
	Key         string `json:"key,omitempty"`
}

// GooglePay are the settings of Google Pay.
type GooglePay struct {
	Disabled           bool              `json:"disabled,omitempty"`
	TermsAcceptedAt    time.Time         `json:"terms_accepted_at"` // without it the wallet can't be enabled
	Environment        WalletEnvironment `json:"environment"`
	AuthMethods        []string          `json:"auth_methods"`        // PAN_ONLY, CRYPTOGRAM_3DS
	Networks           []string          `json:"networks"`            // MASTERCARD, VISA, AMEX, DISCOVER, JCB
	MerchantIdentifier string            `json:"merchant_identifier"` // of the wallet; in TEST it may be empty
	MerchantName       string            `json:"merchant_name,omitempty"`
	Country            string            `json:"country,omitempty"` // where payments are processed, ISO 3166-1 alpha-2
	Gateway            string            `json:"gateway,omitempty"`
	GatewayMerchantID  string            `json:"gateway_merchant_id,omitempty"`

	// GatewayParameters are what a gateway wants beside its name in place of GatewayMerchantID, such as
	// stripe:publishableKey. Everybody can read them.
	GatewayParameters map[string]string `json:"gateway_parameters,omitempty"`

	// PrivateKeys decrypt tokens, newest first, at most two: PEM texts of P-256 keys, stored apart, encrypted for the
	// connector function. PublicKeys are their public halves: uncompressed points, base64. Without keys, tokens are
	// encrypted to the gateway and passed on to the provider as they came.
	PrivateKeys []string `json:"private_keys,omitempty"`
	PublicKeys  []string `json:"public_keys,omitempty"` // set when the settings are saved

	// Additional parameters that the payer's wallet is asked for.
	AskBillingAddress bool `json:"ask_billing_address,omitempty"`
	AskEmail          bool `json:"ask_email,omitempty"`
	AskPhone          bool `json:"ask_phone,omitempty"`

	// WithoutThreeDSecure charges cards that the wallet has not authenticated (PAN_ONLY) also where the connector can't
	// send payers to 3-D Secure: the merchant takes the risk.
	WithoutThreeDSecure bool `json:"pan_only_without_3ds,omitempty"`
}

// MaxWalletKeys is how many keys of one wallet are good at the same time: the present one and the one before.
const MaxWalletKeys = 2

// WalletEnvironment is the environment of Google Pay.
type WalletEnvironment string

// The environments of Google Pay.
const (
	WalletTest       WalletEnvironment = "TEST"
	WalletProduction WalletEnvironment = "PRODUCTION"
)

// WalletCertificate is a certificate of a merchant's wallets that ends.
type WalletCertificate struct {
	Path     string // of the setting
	NotAfter time.Time
}

// certificates returns the certificates that new tokens need, with paths from these settings on; none of a wallet that
// is not there or disabled.
func (a *ApplePay) certificates() (all []WalletCertificate) {
	if a == nil || a.Disabled {
		return nil
	}
	add := func(path, text string) {
		if read, err := certificate.Parse(text); err == nil {
			all = append(all, WalletCertificate{path, read.NotAfter})
		}
	}
	add("identity_certificate", a.IdentityCertificate)
	if len(a.Processing) > 0 { // the one after it is kept for tokens under way
		add("processing[0].certificate", a.Processing[0].Certificate)
	}
	return all
}

// WalletFlow says what is done with a wallet's token at a MID (protocol.md, Flows of wallets). The zero value is
// the virtual flow: the token is passed on to the provider as it came.
type WalletFlow struct {
	Card      bool // the token is decrypted, and its card is stored
	Decrypted bool // in the card flow, the provider gets the card instead of the token

	ProviderTokens bool // in the virtual flow, tokens are the provider's own, which can't be verified
}

// Cascades reports whether a charge may go to another MID: the provider gets a card, which every provider takes.
func (f WalletFlow) Cascades() bool { return f.Card && f.Decrypted }

// sandboxTerms is the first day of the sandbox's wallets, for which nobody has to accept a vendor's terms.
var sandboxTerms = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// The authentication methods of Google Pay.
const (
	AuthPANOnly    = "PAN_ONLY"
	AuthCryptogram = "CRYPTOGRAM_3DS"
)

// decrypts reports whether tokens of a wallet can be decrypted with the settings. The private keys need not be known.
func (w Wallets) decrypts(kind string) bool {
	switch kind {
	case method.ApplePay:
		return w.ApplePay != nil && len(w.ApplePay.Processing) > 0
	case method.GooglePay:
		return w.GooglePay != nil && len(w.GooglePay.PublicKeys) > 0
	}
	return false
}

// WalletFlow returns the flow of a wallet at a MID by its settings and what its connector declares. Payments with the
// test key are in the card flow: the sandbox's tokens are always encrypted to the sandbox's own keys.
func (d Declarations) WalletFlow(o fault.Owner, w Wallets, connector, kind string) WalletFlow {
	can := d[connector].Wallets[kind]
	if !can.CardFlow || !w.decrypts(kind) && !o.Test {
		return WalletFlow{ProviderTokens: can.ProviderTokens}
	}
	return WalletFlow{Card: true, Decrypted: can.Decrypted}
}
