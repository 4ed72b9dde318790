package payer

import (
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/method"
)

// Every field of an action can be drawn, or the action is refused with the member that is wrong.
func TestFieldsOfActions(t *testing.T) {
	long := strings.Repeat("a", 201)
	label := map[string]string{"en": "A", "zh-Hant": "甲"}
	text := connector.FormField{ID: "a", Kind: method.FieldText, Label: label}
	edit := func(change func(f *connector.FormField)) []connector.FormField {
		f := text
		change(&f)
		return []connector.FormField{f}
	}
	option := func(o ...connector.FieldOption) []connector.FormField {
		return edit(func(f *connector.FormField) { f.Kind, f.Options = method.FieldSelect, o })
	}
	many := make([]connector.FormField, connector.MaxFields+1)
	// Spaces tell members apart that are wrong in several ways.
	for want, fields := range map[string][]connector.FormField{
		"": {text, {ID: "b", Kind: connector.KindDigits, Label: label, Max: 255,
			Pattern: "[0-9]{1,9}"}},
		"fields":              many,
		"fields[0].id":        {{ID: "bankDetails.otp"}}, // of another method
		"fields[0].id ":       edit(func(f *connector.FormField) { f.ID = "bankDetails.otp" }),
		"fields[0].id  ":      edit(func(f *connector.FormField) { f.ID = "descriptor" }), // a parameter of card
		"fields[1].id":        {text, text},
		"fields[0].kind":      edit(func(f *connector.FormField) { f.Kind = method.FieldCardNumber }),
		"fields[0].kind ":     {{ID: "a", Label: label}},
		"fields[0].label":     edit(func(f *connector.FormField) { f.Label = nil }),
		"fields[0].label ":    edit(func(f *connector.FormField) { f.Label = map[string]string{"en": "a\u202eb"} }),
		"fields[0].label  ":   edit(func(f *connector.FormField) { f.Label = map[string]string{"<b>": "a"} }),
		"fields[0].label   ":  edit(func(f *connector.FormField) { f.Label = map[string]string{"en": long} }),
		"fields[0].max":       edit(func(f *connector.FormField) { f.Max = 256 }),
		"fields[0].pattern":   edit(func(f *connector.FormField) { f.Pattern = "(?=a)" }),
		"fields[0].pattern ":  edit(func(f *connector.FormField) { f.Pattern = long }),
		"fields[0].pattern  ": edit(func(f *connector.FormField) { f.Pattern = "((a{1,1000}){1,1000}){1,1000}" }),
		"fields[0].options":   option(),
		"fields[0].options ": edit(func(f *connector.FormField) {
			f.Options = []connector.FieldOption{{Value: "1"}}
		}),
		"fields[0].options[0].value":   option(connector.FieldOption{}),
		"fields[0].options[1].value":   option(connector.FieldOption{Value: "1"}, connector.FieldOption{Value: "1"}),
		"fields[0].options[0].label":   option(connector.FieldOption{Value: "1", Label: map[string]string{"en": " "}}),
		"fields[0].options[0].value  ": option(connector.FieldOption{Value: " 1"}),
	} {
		action := connector.RequiredAction{Kind: connector.ActionPending, Fields: fields}
		member, fault := action.FieldsFault(method.Card, method.Purchase, true)
		if member != strings.TrimSpace(want) || (fault == "") != (want == "") {
			t.Errorf("%q: %s %s", want, member, fault)
		}
	}
	action := connector.RequiredAction{Fields: []connector.FormField{text}}
	if member, _ := action.FieldsFault(method.Card, method.Purchase, false); member != "fields" {
		t.Error("a form is taken for a payment without a page")
	}
	action.URL = "https://bank.example"
	if member, _ := action.FieldsFault(method.Card, method.Purchase, true); member != "fields" {
		t.Error("a form is taken beside an address")
	}
}

// A payer whose language has no label gets the English one, or the first one.
func TestLabelsOfThePage(t *testing.T) {
	for _, test := range []struct {
		label map[string]string
		want  map[string]string
	}{
		{map[string]string{"en": "Code", "zh-Hant": "甲", "uk": "Код"}, map[string]string{
			"en": "Code", "zho": "甲", "zh": "Code", "ua": "Код", "de": "Code",
		}},
		{map[string]string{"pt-BR": "Código", "ES": "Clave"}, map[string]string{"es": "Clave", "en": "Clave"}},
		{map[string]string{"zh": "甲"}, map[string]string{"zho": "甲", "en": "甲"}},
	} {
		got := pageLabels(test.label)
		for code, want := range test.want {
			if got[code] != want {
				t.Errorf("%v in %s: %q", test.label, code, got[code])
			}
		}
	}
	if pageLabels(nil) != nil {
		t.Error("no label became one")
	}
}

// What plainly asks for the data of a card is told apart from what only sounds like it.
func TestFieldsForCards(t *testing.T) {
	for text, want := range map[[2]string]string{
		{"card_number", "A"}: "id", {"creditCardNo", "A"}: "id", {"cc-number", "A"}: "id", {"PAN", "A"}: "id",
		{"cvv", "A"}: "id", {"card_cvc2", "A"}: "id", {"security_code", "A"}: "id",
		{"a", "Card number"}: "label", {"a", "Your credit card number"}: "label", {"a", "CVV"}: "label",
		{"a", "Ihre CVC"}:      "label",
		{"company", "Company"}: "", {"identity_card_number", "Identity card number"}: "",
		{"gift_card_code", "Code of the gift card"}: "", {"expand", "Security code of the text message"}: "",
	} {
		if member, _ := connector.CardFault(text[0], map[string]string{"en": text[1]}); member != want {
			t.Errorf("%q: %q, want %q", text, member, want)
		}
	}
}

// What a payer types into a described field is checked by its kind, options, length and pattern.
func TestReadField(t *testing.T) {
	for _, test := range []struct {
		field connector.FormField
		good  string
		bad   []string
	}{
		{connector.FormField{Kind: method.FieldPassword, Pattern: "[0-9]{6}", Required: true}, "123456",
			[]string{"", "12345", "1234567", "12345x"}},
		{connector.FormField{Kind: method.FieldSelect, Options: []connector.FieldOption{{Value: "a-1"}, {Value: "a-2"}}},
			"a-2", []string{"a-3"}},
		{connector.FormField{Kind: method.FieldDate}, "1990-02-28", []string{"1990-02-30", "28.2.1990"}},
		{connector.FormField{Kind: connector.KindDigits, Max: 4}, "0012", []string{"12345"}},
		{connector.FormField{Kind: method.FieldNumber}, "2.5", []string{"2,5", "-1"}},
		{connector.FormField{Kind: method.FieldEmail}, "ada@shop.example", []string{"ada"}},
		{connector.FormField{Kind: method.FieldPhone}, "+44 20 7183", []string{"call me"}},
		{connector.FormField{Kind: method.FieldText}, "<b>",
			[]string{"a\x00b", strings.Repeat("ü", 256), "4111 1111 1111 1111"}},
		{connector.FormField{Kind: method.FieldCheckbox, Required: true}, "true", []string{"", "yes", "false"}},
	} {
		if got, fault := readField(test.field, test.good); fault != "" || got == nil {
			t.Errorf("%s %q: %v %s", test.field.Kind, test.good, got, fault)
		}
		for _, value := range test.bad {
			if _, fault := readField(test.field, value); fault == "" {
				t.Errorf("%s: %q is taken", test.field.Kind, value)
			}
		}
	}
}
