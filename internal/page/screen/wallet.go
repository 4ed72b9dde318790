package screen

import (
	"cmp"
	"encoding/base64"
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

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

// ApplePaySheet is the part of a request of Apple Pay that only this wallet has.
type ApplePaySheet struct {
	Capabilities    []string       `json:"capabilities"`
	ApplicationData string         `json:"application_data"` // base64 of the session id, which binds the token to it
	Domains         []string       `json:"domains"`          // of the top-level pages that may open the sheet
	Recurring       *RecurringPlan `json:"recurring,omitempty"`
}

// RecurringPlan asks Apple Pay for a token that can be charged again without the payer.
type RecurringPlan struct {
	Description string `json:"description"`
	ManageURL   string `json:"manage_url"` // where the payer ends it
}

// GooglePaySheet is the part of a request of Google Pay that only this wallet has.
type GooglePaySheet struct {
	Frame             string   `json:"frame"`       // the page that loads the wallet's script, on the second origin
	Environment       string   `json:"environment"` // TEST or PRODUCTION
	AuthMethods       []string `json:"auth_methods"`
	MerchantID        string   `json:"merchant_id,omitempty"`
	MerchantName      string   `json:"merchant_name,omitempty"`
	Gateway           string   `json:"gateway,omitempty"` // with GatewayMerchantID: tokens for the provider
	GatewayMerchantID string   `json:"gateway_merchant_id,omitempty"`

	// GatewayParameters stand beside Gateway in the request, by these names.
	GatewayParameters map[string]string `json:"gateway_parameters,omitempty"`

	PublicKey      string `json:"public_key,omitempty"` // tokens for the service: an uncompressed P-256 point, base64
	BillingAddress bool   `json:"billing_address,omitempty"`
	Email          bool   `json:"email,omitempty"`
	Phone          bool   `json:"phone,omitempty"`
}

// WalletSheet is what WalletOf makes a Wallet of.
type WalletSheet struct {
	Kind      string
	Merchant  *settings.Merchant
	Settings  settings.Wallets
	Flow      settings.WalletFlow
	Request   *request.Session
	SessionID string
	Frame     string // address of the page that loads the script of Google Pay
}

// WalletOf returns what the browser needs to open a wallet. It has no key that only the service may know.
func WalletOf(s WalletSheet) *Wallet {
	w := &Wallet{Kind: s.Kind, Test: s.Request.Test}
	switch a, g := s.Settings.ApplePay, s.Settings.GooglePay; {
	case s.Kind == method.ApplePay && a != nil:
		w.Country, w.Label, w.Networks = a.Country, cmp.Or(a.ShopName, s.Merchant.Name), a.Networks
		w.ApplePay = &ApplePaySheet{
			Capabilities: a.Capabilities, Domains: append([]string{}, a.Domains...),
			ApplicationData: base64.StdEncoding.EncodeToString([]byte(s.SessionID)), Recurring: s.recurring(),
		}
	case s.Kind == method.GooglePay && g != nil:
		w.Country, w.Label, w.Networks = g.Country, cmp.Or(g.MerchantName, s.Merchant.Name), g.Networks
		w.GooglePay = &GooglePaySheet{
			Frame: s.Frame, Environment: string(g.Environment), AuthMethods: g.AuthMethods,
			MerchantID: g.MerchantIdentifier, MerchantName: g.MerchantName,
		}
		if s.Flow.Card && len(g.PublicKeys) > 0 {
			w.GooglePay.PublicKey = g.PublicKeys[0]
		} else {
			w.GooglePay.Gateway, w.GooglePay.GatewayMerchantID = g.Gateway, g.GatewayMerchantID
			w.GooglePay.GatewayParameters = g.GatewayParameters
		}
	}
	return w
}

// recurring returns the plan of a session that starts a chain, nil for any other, and where the merchant has no page
// for the payer to read about it: Apple Pay refuses a plan without one.
func (s WalletSheet) recurring() *RecurringPlan {
	manage := s.Merchant.BrandingFor(s.Request.FormID).TermsURL
	if !s.Request.RecurringInit || s.Request.Consent || manage == "" {
		return nil
	}
	return &RecurringPlan{Description: s.Request.Order.Description, ManageURL: manage}
}

// billingFields are the fields that a billing address fills in.
var billingFields = []string{
	"payer_country", "payer_state", "payer_city", "payer_address", "payer_address2", "payer_zip",
}

// AskInWallet marks the fields of a method that its wallet asks for, by the settings, and makes it ask for these alone:
// it asks for nothing that is known already or that nobody needs.
func AskInWallet(m *Method, settings settings.Wallets) {
	if m.Wallet == nil || m.Wallet.GooglePay == nil || m.Wallet.Test {
		return
	}
	g, sheet := settings.GooglePay, m.Wallet.GooglePay
	for i := range m.Fields {
		f := &m.Fields[i]
		switch {
		case f.ID == "payer_email" && g.AskEmail:
			sheet.Email, f.Told = true, true
		case f.ID == "payer_phone" && g.AskPhone:
			sheet.Phone, f.Told = true, true
		case slices.Contains(billingFields, f.ID) && g.AskBillingAddress:
			sheet.BillingAddress, f.Told = true, true
		}
	}
}
