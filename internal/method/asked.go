package method

import (
	"cmp"
	"strings"
)

// The inputs by which the page asks for parameters. Their limits follow from the rows.
var (
	asksText     = &Input{Kind: FieldText, Autocomplete: "off"}
	asksOptional = &Input{Kind: FieldText, Autocomplete: "off", Optional: true}
	asksCUIT     = digitsIn("##-########-#")
	asksCPF      = digitsIn("###.###.###-##")
	asksCBU      = digitsIn("######## ##############")
	asksCCI      = digitsIn("### ### ############ ##")
	asksName     = &Input{Kind: FieldText, Autocomplete: "name"}
	asksEmail    = &Input{Kind: FieldEmail, Autocomplete: "email", InputMode: "email"}
	asksPhone    = &Input{Kind: FieldPhone, Format: FormatPhone, Autocomplete: "tel", InputMode: "tel"}
	asksChoice   = &Input{Kind: FieldSelect}
	mayChoose    = &Input{Kind: FieldSelect, Optional: true}
	asksPIN      = &Input{Kind: FieldCode, Sealed: true, Format: FormatDigits, Autocomplete: "off", InputMode: "numeric"}

	thenAsksCode     = &Input{Kind: FieldCode, Second: true, Autocomplete: "one-time-code", InputMode: "numeric"}
	thenAsksOptional = &Input{
		Kind: FieldCode, Second: true, Optional: true, Autocomplete: "one-time-code", InputMode: "numeric",
	}
	thenAsksAccount = &Input{Kind: FieldSelect, Second: true}
)

// digitsIn returns the input of a number that always has as many digits as a mask.
func digitsIn(mask string) *Input {
	length := strings.Count(mask, "#")
	return &Input{
		Kind: FieldText, Min: length, Max: length, Format: FormatDigits, Mask: mask,
		Autocomplete: "off", InputMode: "numeric",
	}
}

// groupIcons are the page's icons of groups. Methods with a QR code or details of an account have others.
var groupIcons = map[string]string{
	"bank": "bank", "cash": "cash", "mobile": "phone", "installments": "parts", "link": "mail", "payout": "payout",
	"crypto": "coin",
}

// payin returns a method without a card that takes payments.
func payin(m Method, rows []Param, rules ...Rule) Method {
	m.Family, m.Operations, m.Fields = FamilyJSON, []Operation{Purchase}, []OwnField{}
	m.Icon = cmp.Or(m.Icon, groupIcons[m.Group])
	switch {
	case m.Behaviour == QRCode:
		m.Icon = "qr"
	case m.Behaviour == DataShown && m.Group == "bank":
		m.Icon = "transfer"
	}
	if len(rows) > 0 {
		m.Sets = []Set{{Name: m.Label, Rows: rows, Rules: rules}}
	}
	return m
}

// payout returns a method that pays out without a card.
func payout(m Method, rows []Param, rules ...Rule) Method {
	m.Behaviour, m.Group = ExtraFields, "payout"
	m = payin(m, rows, rules...)
	m.Operations = []Operation{Credit}
	return m
}

// of returns the method of another family of connectors.
func (m Method) of(f Family) Method {
	m.Family = f
	return m
}

// in returns the method for billing countries that the specification prints, or that tell its identifiers apart.
func (m Method) in(countries ...string) Method {
	m.Countries = countries
	return m
}

// asking returns the method with page fields that its connectors need beside its parameters.
func (m Method) asking(fields ...string) Method {
	for _, field := range fields {
		m.Fields = append(m.Fields, OwnField{Field: field})
	}
	return m
}

// flat returns the method with rows that may stand directly in parameters.
func (m Method) flat() Method {
	m.Sets[0].Flat = true
	return m
}
