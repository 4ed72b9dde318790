package table

import (
	"checkout/internal/request"
	"checkout/internal/settings"
)

// Names of the wallets' own (their public documentation of payment requests).
var (
	applePayCapabilities = []string{"supports3DS", "supportsCredit", "supportsDebit", "supportsEMV"}
	applePayNetworks     = []string{
		"amex", "bancomat", "bancontact", "bankAxept", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos",
		"electron", "elo", "girocard", "interac", "jcb", "mada", "maestro", "masterCard", "mir", "privateLabel", "visa",
		"vPay",
	}
	googlePayNetworks = []string{"MASTERCARD", "VISA", "AMEX", "DISCOVER", "JCB"}
)

func walletRows() []Row {
	return []Row{
		{Path: "applepay", Kind: Group, Label: "Apple Pay"},
		{Path: "applepay.disabled", Kind: Switch, Label: "Off"},
		{Path: "applepay.merchant_identifier", Kind: Text, Label: "Merchant identifier", Required: true,
			Help: "As registered with Apple, such as merchant.example.shop.", Check: request.UpTo(255)},
		{Path: "applepay.country", Kind: Choice, From: Countries, Label: "Country", Help: "Of the merchant.", Required: true,
			Check: isKnownCountry},
		{Path: "applepay.shop_name", Kind: Text, Label: "Name of the shop", Help: "It stands in the payment sheet.",
			Required: true, Check: request.UpTo(64)},
		{Path: "applepay.identity_certificate", Kind: File, Label: "Identity certificate",
			Help: "Merchant Identity Certificate, with an RSA key."},
		{Path: "applepay.identity_key", Kind: File, Label: "Key of the identity certificate", Secret: true},
		{Path: "applepay.capabilities", Kind: Choices, Choices: applePayCapabilities, Label: "Capabilities", Required: true,
			Help: "supports3DS has to be there."},
		{Path: "applepay.networks", Kind: Choices, Choices: applePayNetworks, Label: "Card networks", Required: true},
		{Path: "applepay.domains", Kind: Texts, Label: "Domains", Required: true, Check: isHostName,
			Help: "Hosts of pages that may show the wallet, registered with Apple."},
		{Path: "applepay.processing", Kind: Items, Label: "Payment processing certificates", Item: "Certificate",
			Help: "The newest first, at most two. Without one, tokens go to the provider as they came."},
		{Path: "applepay.processing[].certificate", Kind: File, Label: "Certificate", Help: "With a P-256 key."},
		{Path: "applepay.processing[].key", Kind: File, Label: "Key", Secret: true},

		{Path: "googlepay", Kind: Group, Label: "Google Pay"},
		{Path: "googlepay.disabled", Kind: Switch, Label: "Off"},
		{Path: "googlepay.terms_accepted_at", Kind: Time, Label: "Terms accepted",
			Help: "When the merchant accepted the wallet's acceptable use policy and terms. Without it the wallet stays off."},
		{Path: "googlepay.environment", Kind: Choice, Label: "Environment", Required: true,
			Choices: texts(settings.WalletTest, settings.WalletProduction)},
		{Path: "googlepay.auth_methods", Kind: Choices, Choices: []string{settings.AuthPANOnly, settings.AuthCryptogram},
			Label: "Authentication", Required: true},
		{Path: "googlepay.networks", Kind: Choices, Choices: googlePayNetworks, Label: "Card networks", Required: true},
		{Path: "googlepay.merchant_identifier", Kind: Text, Label: "Merchant identifier",
			Help: "Of the wallet. In TEST it may be empty.", Check: request.UpTo(255)},
		{Path: "googlepay.merchant_name", Kind: Text, Label: "Name of the shop", Check: request.UpTo(255)},
		{Path: "googlepay.country", Kind: Choice, From: Countries, Label: "Country", Help: "Where payments are processed.",
			Check: isKnownCountry},
		{Path: "googlepay.gateway", Kind: Text, Label: "Gateway", Help: "Where tokens go without keys of one's own.",
			Check: request.UpTo(255)},
		{Path: "googlepay.gateway_merchant_id", Kind: Text, Label: "Merchant at the gateway", Check: request.UpTo(255)},
		{Path: "googlepay.gateway_parameters", Kind: Map, Label: "Parameters of the gateway",
			Help: "In place of the merchant at the gateway, such as stripe:publishableKey. Everybody can read them.",
			Keys: isParameter, Check: isPublicParameter},
		{Path: "googlepay.private_keys", Kind: Texts, Label: "Keys", Secret: true,
			Help: "P-256, the newest first, at most two. Without keys, tokens go to the gateway."},
		{Path: "googlepay.public_keys", Kind: Texts, Label: "Public keys", Set: true,
			Help: "To be registered with Google."},
		{Path: "googlepay.ask_billing_address", Kind: Switch, Label: "Ask for the billing address"},
		{Path: "googlepay.ask_email", Kind: Switch, Label: "Ask for the e-mail address"},
		{Path: "googlepay.ask_phone", Kind: Switch, Label: "Ask for the phone number"},
		{Path: "googlepay.pan_only_without_3ds", Kind: Switch, Label: "PAN_ONLY without 3-D Secure",
			Help: "Charges cards that nobody authenticated also where the connector has no 3-D Secure, at the merchant's risk."},
	}
}
