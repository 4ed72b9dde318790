package method

import (
	"fmt"
	"slices"
	"testing"
)

// What rows can't say is in few functions: a new one is counted here.
func TestRulesAreCounted(t *testing.T) {
	var names []string
	for _, m := range Methods {
		for _, set := range m.Sets {
			for _, rule := range set.Rules {
				names = append(names, rule.Name)
			}
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 9 {
		t.Errorf("%d rules, not 9: %q", len(names), names)
	}
}

type values = map[string]any

func TestRules(t *testing.T) {
	item := func(kind, value string) values {
		return values{"payee_identifications": []any{values{"type": kind, "identification": value}}}
	}
	for _, test := range []struct {
		rule   func(map[string]any) (string, string)
		sent   values
		row    string
		leaves string // the values afterwards, "" if they are as they were
	}{
		{networkOfUSDT, values{"crypto_type": "USDT"}, "", "map[crypto_type:USDT network_type:eth]"},
		{networkOfUSDT, values{"crypto_type": "USDT", "network_type": "tron"}, "", ""},
		{networkOfUSDT, values{"crypto_type": "BTC"}, "", ""},

		{fineOfType, values{"fine": values{"value": "5"}}, "", "map[fine:map[type_fine:VALUE value:5]]"},
		{fineOfType, values{"fine": values{"value": "5"}, "type_fine": "PERCENT"}, "",
			"map[fine:map[type_fine:PERCENT value:5]]"},
		{fineOfType, values{"fine": values{"value": "5", "type_fine": "NONE"}}, "",
			"map[fine:map[type_fine:NONE value:0]]"},
		{fineOfType, values{"fine": values{"type_fine": "NONE"}}, "", "map[fine:map[type_fine:NONE value:0]]"},
		{fineOfType, values{"fine": values{"type_fine": "VALUE"}}, "fine", ""},

		{fileWithName, values{"NarrativeFileName": "a.pdf"}, "", "map[]"},
		{fileWithName, values{"NarrativeFileBase64": "SGVsbG8="}, "", "map[]"},
		{fileWithName, values{"NarrativeFileName": "a.pdf", "NarrativeFileBase64": "SGVsbG8="}, "", ""},

		{secretNotAlone, values{"SecurityQuestion": "Who?"}, "", ""},
		{secretNotAlone, values{"SecurityQuestion": "Who?", "SecurityQuestionAnswer": "me!"}, "", ""},
		{secretNotAlone, values{"SecurityQuestionAnswer": "me!"}, "SecurityQuestion", ""},

		{identificationOfType, item("IBAN", "GB29NWBK60161331926819"), "", ""},
		{identificationOfType, item("MASKED_PAN", "411111******1111"), "", ""},
		{identificationOfType, item("IBAN", "gb29 NWBK 6016 1331 9268 19"), "",
			"map[payee_identifications:[map[identification:GB29NWBK60161331926819 type:IBAN]]]"},
		{identificationOfType, item("IBAN", "GB29NWBK60161331926818"), "payee_identifications[0].identification", ""},
		{formBy("cashAccount", keyTypes), values{"paymentMethod": "CPF", "cashAccount": "529.982.247-25"}, "",
			"map[cashAccount:52998224725 paymentMethod:CPF]"},
		{formBy("cashAccount", keyTypes), values{"paymentMethod": "CPF", "cashAccount": "a@b.co"}, "cashAccount", ""},
		{formBy("cashAccount", keyTypes), values{"paymentMethod": "EMAIL", "cashAccount": "a@b.co"}, "", ""},
		{formBy("cashAccount", keyTypes), values{"paymentMethod": "PHONE", "cashAccount": "5511961234567"}, "", ""},
		{formBy("cashAccount", keyTypes),
			values{"paymentMethod": "EVP", "cashAccount": "123e4567e12b12d1a456426655440000"}, "", ""},
		{formBy("identity", idsOfColombia), values{"idType": "CC", "identity": "12"}, "identity", ""},
		{formBy("identity", idsOfPeru), values{"idType": "DNI", "identity": "1011741"}, "identity", ""},
		{addressOfCoin, values{"withdrawCurrency": "BTC", "address": "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"}, "address", ""},
		{addressOfCoin, values{"withdrawCurrency": "DOGE", "address": "a b"}, "address", ""},
		{debtorDocument, values{"type_document": "CNPJ", "debtor_document": "52998224725"}, "debtor_document", ""},
		{debtorDocument, values{"type_document": "CPF", "debtor_document": "52998224726"}, "debtor_document", ""},
		{debtorDocument, values{"debtor_document": "52998224725"}, "", ""}, // its row checks it
		{formBy("identity", idsOfColombia), values{"idType": "CC", "identity": "1020304050"}, "", ""},
		{formBy("identity", idsOfPeru), values{"idType": "RUC", "identity": "20512333797"}, "", ""},
		{addressOfCoin, values{"withdrawCurrency": "BTC", "address": "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"}, "", ""},
		{debtorDocument, values{"type_document": "CPF", "debtor_document": "52998224725"}, "", ""},
	} {
		before := fmt.Sprint(test.sent)
		row, text := test.rule(test.sent)
		if row != test.row || (text != "") != (row != "") {
			t.Errorf("%s: %q %q, want %q", before, row, text, test.row)
		}
		if want := test.leaves; want != "" && fmt.Sprint(test.sent) != want {
			t.Errorf("%s became %v, want %s", before, test.sent, want)
		}
	}
}

// A card number may not be stored in clear.
func TestNoCardNumberIdentifiesAPayee(t *testing.T) {
	m, _ := Find("open_banking")
	kind := m.Sets[0].Rows[2].Rows[0]
	if kind.Name != "type" || kind.Fault("PAN") == "" || kind.Fault("MASKED_PAN") != "" || len(kind.Values) != 19 {
		t.Errorf("%s takes %v", kind.Name, kind.Values)
	}
}

func TestComplete(t *testing.T) {
	m := Method{Sets: []Set{
		{Name: "a", Rows: []Param{
			{Name: "both", Type: TypeString, Preset: true, Default: "default"},
			{Name: "own", Type: TypeString, Default: "default"},
			{Name: "yes", Type: TypeBool, Default: "true"},
			{Name: "none", Type: TypeString},
			{Name: "tax", Type: TypeString, Check: "cpf", Preset: true},
		}},
		{Name: "b", Operations: []Operation{Credit}, Rows: []Param{{Name: "payout", Type: TypeString, Default: "x"}}},
	}}
	for _, test := range []struct {
		sent    values
		presets map[string]string
		want    string
	}{
		{nil, nil, "map[both:default own:default yes:true]"},
		{nil, map[string]string{"both": "preset", "own": "ignored"}, "map[both:preset own:default yes:true]"},
		{nil, map[string]string{"tax": "529.982.247-25"}, "map[both:default own:default tax:52998224725 yes:true]"},
		{values{"both": "sent", "yes": false}, map[string]string{"both": "preset"}, "map[both:sent own:default yes:false]"},
	} {
		if got := fmt.Sprint(m.Complete(Purchase, test.sent, test.presets)); got != test.want {
			t.Errorf("%v and %v: %s, want %s", test.sent, test.presets, got, test.want)
		}
	}
}

func TestBehaviourFor(t *testing.T) {
	m, _ := Find("regional_bank")
	for country, want := range map[string]Behaviour{"MX": DataShown, "CO": Redirect, "": Redirect} {
		note := map[Behaviour]string{DataShown: "details", Redirect: "redirect"}[want]
		if got := m.NoteFor(country); got != note {
			t.Errorf("%q: note %q, want %q", country, got, note)
		}
		if got := m.BehaviourFor(country); got != want {
			t.Errorf("in %q: %d, want %d", country, got, want)
		}
	}
}
