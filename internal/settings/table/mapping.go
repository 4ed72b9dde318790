package table

import (
	"slices"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
)

func mappingRows() []Row {
	return slices.Concat(
		[]Row{
			{Path: "name", Kind: Text, Label: "Name", Required: true, Check: request.UpTo(255)},
			{Path: "disabled", Kind: Switch, Label: "Disabled", Help: "No session is made for it."},
			{Path: "closed_methods", Kind: Choices, From: Methods, Label: "Closed methods", Check: isKnownMethod,
				Help: "Nobody can pay with them for now."},
			{Path: "closed_countries", Kind: Choices, From: Countries, Label: "Closed countries", Check: isKnownCountry,
				Help: "Nobody can pay for now whose billing address is there."},
			{Path: "max_declines", Kind: Number, Section: SectionLimits, Label: "Maximum number of declines", Default: "3",
				Help: "After so many declines the session ends.", Most: maxNumber},
			{Path: "pay_limit", Kind: Number, Section: SectionLimits, Label: "Attempts a minute", Default: "5",
				Help: "How often a payer may try to pay in one session within a minute.", Most: maxNumber},
			{Path: "return_parameters", Kind: Switch, Label: "Parameters on returns",
				Help: "The shop's addresses are called with the payment, the order and a hash."},
			{Path: "hash_on_every_return", Kind: Switch, Label: "Hash on every return",
				Help: "Not on success_url alone."},
			{Path: "one_payment_per_order", Kind: Switch, Label: "One payment for each order",
				Help: "A session for an order that is paid is refused."},
			{Path: "cancel_ends_session", Kind: Switch, Label: "Cancelling ends the session", Default: "on",
				Help: "Off: a payer who goes back to cancel_url can come back and pay until the session's end."},
			{Path: "save_cards", Kind: Switch, Label: "Save cards",
				Help: "Payers may save a card, which gives the shop a card_token, and remove saved ones."},
			{Path: "extended_data", Kind: Switch, Label: "Extended data", Help: "Callbacks have more of the payment."},
			{Path: "customer_name", Kind: Choice, Label: "Name of the customer", Default: "checked if it is sent",
				Choices: texts(request.NameRequired, request.NameOff),
				Help:    "required: requests have to name the customer. off: any text is taken."},
			{Path: "required_fields", Kind: Choices, From: Fields, Label: "Fields", Check: isKnownField,
				Help: "What payers have to fill in beside what a method needs."},
			{Path: "language", Kind: Choice, From: Languages, Label: "Language", Default: "en",
				Help: "Of the page, where a session names none.", Check: isLanguage},
			{Path: "return_schemes", Kind: Texts, Label: "Schemes of apps", Default: "all but those of systems",
				Help:  "Which apps sessions may return payers to. An empty list: web pages alone.",
				Check: isAppScheme},
			{Path: "mids", Kind: Items, Label: "MIDs", Item: "MID", Key: "name",
				Help: "Accounts with providers, in the order in which they are tried."},
		},
		below("mids[]", midRows()),
		[]Row{{Path: "pre_routing", Kind: Items, Section: SectionRouting, Label: "Pre-routing", Item: "Rule",
			Help: "Which methods a session without methods of its own is shown. The first rule that fits decides."}},
		below("pre_routing[]", preRouteRows()),
		[]Row{
			{Path: "vat_rates", Kind: Map, From: Countries, Label: "VAT", Help: "Per cent by billing country.",
				Keys: isKnownCountry, Check: isRate},
			{Path: "compatibility", Kind: Group, Section: SectionPlugin, Label: "Compatibility",
				Help: "Where the mapping departs from the protocol's rules, for a kind of shop."},
		},
		below("compatibility", compatibilityRows()),
	)
}

func preRouteRows() []Row {
	return []Row{
		{Path: "operations", Kind: Choices, Choices: texts(method.Operations...), Label: "Operations", Default: "all",
			Check: isKnownOperation},
		{Path: "currencies", Kind: Choices, From: Currencies, Label: "Currencies", Default: "all", Check: isKnownCurrency},
		{Path: "countries", Kind: Choices, From: Countries, Label: "Billing countries", Default: "all",
			Check: isKnownCountry},
		{Path: "min_amount", Kind: Amount, Label: "From", Help: "The least amount, beside one currency."},
		{Path: "max_amount", Kind: Amount, Label: "Up to", Help: "The most, beside one currency."},
		{Path: "methods", Kind: Choices, From: Methods, Label: "Methods", Required: true, Check: isKnownMethod,
			Help: "In the order in which they are shown."},
	}
}

func midRows() []Row {
	return slices.Concat(
		[]Row{
			{Path: "name", Kind: Text, Label: "Name", Required: true, Check: request.UpTo(255),
				Help: "The address for the provider's notices depends on it."},
			{Path: "disabled", Kind: Switch, Label: "Closed", Help: "It takes no new payment."},
			{Path: "channel_id", Kind: Text, Label: "Channel", Help: "Sessions with this channel_id go to it alone.",
				Check: request.UpTo(16)},
			{Path: "connector", Kind: Choice, From: Connectors, Label: "Connector", Required: true,
				Help: "How its provider is talked to."},
			{Path: "credentials", Kind: Credentials, Label: "Credentials", Help: "As its connector declares them."},
			{Path: "methods", Kind: Choices, From: Methods, Label: "Methods", Required: true, Check: isKnownMethod},
			{Path: "currencies", Kind: Choices, From: Currencies, Label: "Currencies", Default: "all",
				Check: isKnownCurrency},
			{Path: "operations", Kind: Choices, Choices: texts(method.Operations...), Label: "Operations",
				Default: "purchase", Check: isKnownOperation},
			{Path: "limits", Kind: Items, Section: SectionLimits, Label: "Limits of amounts", Item: "Limit",
				Key:  "currency",
				Help: "The least and the most that one payment may be in a currency."},
			{Path: "limits[].currency", Kind: Choice, From: Currencies, Label: "Currency", Required: true,
				Check: isKnownCurrency},
			{Path: "limits[].min", Kind: Amount, Label: "Least", Default: "none"},
			{Path: "limits[].max", Kind: Amount, Label: "Most", Default: "none"},
			{Path: "capture_type", Kind: Choice, Label: "Capture", Default: string(settings.CaptureBoth),
				Choices: texts(settings.CaptureBoth, settings.CaptureSMS, settings.CaptureDMS),
				Help:    "SMS: in one step. DMS: authorised, and captured later."},
			{Path: "weight", Kind: Number, Label: "Weight", Default: "0: after all others", Most: maxNumber,
				Help: "Its share of first tries among the MIDs with a weight."},
			{Path: "security_code", Kind: Switch, Label: "Ask for the security code",
				Help: "Of a saved card, too."},
			{Path: "card_name", Kind: Switch, Label: "Needs the name on a card", Default: "as its connector declares"},
			{Path: "names", Kind: Map, From: Methods, Label: "Names of methods",
				Help: "Payers see them in place of the page's own.", Check: isMethodName},
			{Path: "networks", Kind: Choices, Choices: settings.CardNetworks, Label: "Card networks",
				Help: "The page shows their marks. Nothing is refused by them."},
			{Path: "offline_expiry", Kind: Number, Label: "Hours for vouchers and transfers", Default: "72",
				Help: "How long payers have to pay elsewhere.", Most: settings.MaxOfflineExpiry},
			{Path: "offers", Kind: Items, Label: "Where methods are offered", Item: "Method", Key: "method",
				Help: "The page offers the method to these payers, and not to those of the method's own market. " +
					"Requests may name it for any."},
			{Path: "offers[].method", Kind: Choice, From: Methods, Label: "Method", Required: true, Check: isKnownMethod},
			{Path: "offers[].countries", Kind: Choices, From: Countries, Label: "Countries", Default: "all",
				Check: isKnownCountry},
			{Path: "offers[].currencies", Kind: Choices, From: Currencies, Label: "Currencies",
				Default: "those of the countries", Check: isKnownCurrency},
			{Path: "presets", Kind: Presets, Label: "Presets",
				Help: "Values of parameters by method, which requests then need not have."},
			{Path: "wallets", Kind: Group, Section: SectionWallets, Label: "Wallets",
				Help: "They go before the merchant's, wallet by wallet."},
		},
		below("wallets", walletRows()),
	)
}

// compatibilityRows are the switches of protocol.md, Plugins as they are.
func compatibilityRows() []Row {
	return []Row{
		{Path: settings.PresetName, Kind: Choice, Label: "Kind of shop", Choices: settings.Presets(),
			Help: "It sets the switches that this kind of shop needs."},
		compatibility(settings.BillingSwitch, "ask", "Billing fields",
			"A name, e-mail or billing address that can't be used is left out, and the page asks for it if it is needed. "+
				"For shops whose customers type addresses of any length, in any script."),
		compatibility(settings.MethodsSwitch, "known", "Unknown methods",
			"Methods that the merchant does not have are left out as long as one is left. "+
				"For shops with a list of methods in their settings."),
		compatibility(settings.OrderNumberSwitch, "any", "Order numbers",
			"They may have any printable characters. For shops whose order numbers are base64 or free text."),
		compatibility(settings.UpperSwitch, "unicode", "Upper case in hashes",
			"Callbacks and returns are signed with full Unicode upper-casing. "+
				"For shops that check the hash in Python, Java, JavaScript or Dart."),
		compatibility(settings.CallbacksSwitch, "final", "Fewer callbacks",
			"There are none for 3ds, redirect, init, waiting, undefined and card_removed. "+
				"For shops that treat any success as paid."),
		compatibility(settings.DeclinesSwitch, "last", "Declines",
			"A decline is reported only when the session is over without success, and only the last one. "+
				"For shops whose orders can't go from failed to paid."),
		compatibility(settings.ErrorsSwitch, "first", "Errors",
			"The text of a single fault is the top error_message, too. For shops that show nothing but error_message."),
		compatibility(settings.NamesSwitch, "typed", "Names",
			"customer.name may be any text, unless the mapping has a rule of its own for it. For shops in any script."),
		compatibility(settings.FormatSwitch, "form", "Callbacks as forms",
			"Unless the merchant has set what they are. For shops that read nothing else."),
		compatibility(settings.AddressSwitch, "read", "Address of each session",
			"Callbacks of a session go to the address that it names. For shops that send one with each order."),
	}
}

// compatibility returns the row of a switch.
func compatibility(name, value, label, help string) Row {
	return Row{Path: name, Kind: Choice, Choices: []string{value, settings.SwitchOff}, Label: label, Help: help,
		Default: "as the kind of shop"}
}
