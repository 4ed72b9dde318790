package table

import (
	"slices"

	"checkout/internal/request"
	"checkout/internal/settings"
)

func scheduleRows() []Row {
	return []Row{
		{Path: "id", Kind: Text, Label: "Id", Help: "Session requests name it.", Required: true, Check: request.UpTo(255)},
		{Path: "name", Kind: Text, Label: "Name"},
		{Path: "interval_length", Kind: Number, Label: "Every", Required: true, Most: 366, // dates stay writable in JSON
			Help: "How many days or months lie between two charges."},
		{Path: "interval_unit", Kind: Choice, Label: "Unit", Required: true,
			Choices: texts(settings.UnitDay, settings.UnitMonth)},
		{Path: "day_of_month", Kind: Number, Label: "Day of the month", Default: "the day of the start", Most: 31,
			Help: "With the unit month. A shorter month has its last day."},
		{Path: "payments_count", Kind: Number, Label: "Charges", Default: "no end", Most: maxNumber,
			Help: "How many charges there are in all, without the initial payment."},
		{Path: "delays", Kind: Number, Label: "Skipped first", Default: "0", Most: 100,
			Help: "How many intervals pass before the first charge."},
		{Path: "paused", Kind: Switch, Label: "Paused", Help: "Nothing is charged. Dates that pass are skipped."},
	}
}

func formRows() []Row {
	return slices.Concat([]Row{
		{Path: "id", Kind: Text, Label: "Id", Help: "A UUID. Session requests name it as form_id.", Required: true,
			Check: request.IsUUID},
		{Path: "name", Kind: Text, Label: "Name"},
		{Path: "required_fields", Kind: Choices, From: Fields, Label: "Fields", Check: isKnownField,
			Help: "The page asks for them, beside those of the mapping."},
		{Path: "optional_fields", Kind: Choices, From: Fields, Label: "Optional fields", Check: isKnownField,
			Help: "The page asks for them, and payers may leave them empty."},
		{Path: "order", Kind: Choices, From: Ordered, Label: "Order", Check: isOrderedField,
			Help: "These fields stand first. payer_card stands for all fields of a card."},
		{Path: "labels", Kind: Map, From: Fields, Label: "Labels", Keys: isLabelledField,
			Help: "By field and language. Without a label, the page's own counts. Parameters can be labelled, too."},
		{Path: "labels{}", Kind: Map, From: Languages, Label: "Label", Keys: isLanguage, Check: isLabel},
		{Path: "branding", Kind: Group, Label: "Page", Help: "Each setting goes before the merchant's."},
	}, below("branding", brandingRows()))
}

func brandingRows() []Row {
	return []Row{
		{Path: "logo", Kind: Text, Label: "Logo", Check: isLogo,
			Help: "An https address, or the name of a file that was uploaded with the page. " +
				"Drawn 40 pixels high, at most 160 wide."},
		{Path: "accent", Kind: Colour, Label: "Accent", Help: "The colour of Pay, focus and the chosen method.",
			Default: "the page's own", Check: isColour},
		{Path: "legal_name", Kind: Text, Label: "Legal name", Help: "It stands at the foot of the page.",
			Check: request.UpTo(255)},
		{Path: "terms_url", Kind: Address, Label: "Terms", Help: "Address of the shop's terms.", Check: isSecureURL},
		{Path: "privacy_url", Kind: Address, Label: "Privacy", Help: "Address of the shop's privacy policy.",
			Check: isSecureURL},
		{Path: "support", Kind: Group, Label: "Support", Help: "Where payers reach the shop."},
		{Path: "support.email", Kind: Text, Label: "E-mail", Check: request.IsEmail},
		{Path: "support.phone", Kind: Text, Label: "Phone", Check: isSupportPhone},
		{Path: "support.address", Kind: Text, Label: "Postal address", Help: "In one line.", Check: isPostalAddress},
		{Path: "image_hosts", Kind: Texts, Label: "Hosts of pictures", Check: isHost,
			Help: "Where pictures of cart items may come from."},
		{Path: "frame_origins", Kind: Texts, Label: "May be framed by", Default: "any site", Check: isOrigin,
			Help: "The origins whose pages may show the checkout in a frame."},
	}
}
