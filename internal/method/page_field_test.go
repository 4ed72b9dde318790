package method

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPageFieldFault(t *testing.T) {
	for _, test := range []struct {
		id, value, country string
		want               bool
	}{
		{"payer_name", "John Doe", "", true},
		{"payer_name", "Anne-Marie O’Neil", "", true},
		{"payer_name", "José d'Ávila Ñoño", "", true},
		{"payer_name", "Jose\u0301 Pe\u0301rez", "", true},
		{"payer_name", "John", "", false},
		{"payer_name", "John 2", "", false},
		{"payer_name", "J0hn Doe", "", false},
		{"payer_name", "John A. Doe", "", true},
		{"payer_name", "John -", "", false},
		{"payer_name", "4111111111111111 4111111111111111", "", false},
		{"payer_name", "A " + strings.Repeat("b", 30), "", true},
		{"payer_name", "A " + strings.Repeat("b", 31), "", false},
		{"payer_email", "a@b.co", "", true},
		{"payer_email", "a@b", "", false},
		{"payer_country", "FR", "", true},
		{"payer_country", "fr", "", false},
		{"payer_country", "FRA", "", false},
		{"payer_state", "CA", "US", true},
		{"payer_state", "California", "US", false},
		{"payer_state", "Bayern", "DE", true},
		{"payer_state", "B", "DE", false},
		{"payer_state", strings.Repeat("x", 33), "DE", false},
		{"payer_city", "Ås", "NO", true},
		{"payer_city", strings.Repeat("é", 32), "", true},
		{"payer_city", strings.Repeat("é", 33), "", false},
		{"payer_city", "   ", "", false},
		{"payer_city", "Par\x00is", "", false},
		{"payer_address", "1, rue de la Paix", "", true},
		{"payer_address", strings.Repeat("x", 33), "", false},
		{"payer_zip", "SW1A 1AA", "", true},
		{"payer_zip", "1", "", true},
		{"payer_phone", "+1(555)123-4567", "", true},
		{"payer_phone", "+1 555 123", "", false},
		{"payer_phone", "call me", "", false},
		{"payer_phone", "+", "", false},
		{"payer_card", "4111111111111111", "", false}, // it is sealed
		{"payer_cvv", "123", "", false},
		{"recurring_consent", "true", "", true},
		{"recurring_consent", "yes", "", false},
	} {
		f, _ := FindPageField(test.id)
		if got := f.Fault(test.value, test.country) == ""; got != test.want {
			t.Errorf("%s %q %s: %v", test.id, test.value, test.country, got)
		}
	}
}

func TestPageFields(t *testing.T) {
	for _, test := range []struct {
		method    string
		operation Operation
		required  []string
		want      string
	}{
		{Card, "purchase", []string{"payer_email", "payer_card"},
			"payer_card payer_expiryDate payer_cvv payer_name payer_email"},
		{Card, "debit", nil, "payer_card payer_expiryDate payer_cvv payer_name"},
		{Card, "credit", nil, "payer_card payer_expiryDate"},
		{Card, "credit", []string{"payer_name", "payer_shoe_size"}, "payer_card payer_expiryDate payer_name"},
		{Card, "transfer", nil, "payer_card payer_expiryDate payer_cvv payer_name payee_card"},
		{Crypto, "purchase", nil, ""},
		{Crypto, "purchase", []string{"payer_email"}, "payer_email"},
		{"mobile_money", "purchase", nil, "payer_email phone"},
		{"mobile_bj_tg", "purchase", nil, "payer_email phone"},
	} {
		m, _ := Find(test.method)
		var ids []string
		for _, f := range m.PageFields(test.operation, test.required) {
			if f.When != BySession {
				ids = append(ids, f.ID)
			}
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s of %s: %s, want %s", test.operation, test.method, got, test.want)
		}
	}
}

// A method's parameters follow its own fields, and precede all other fields.
func TestParametersOnThePage(t *testing.T) {
	m := Method{ID: "trial", Fields: []OwnField{{Field: payerName}}, Sets: []Set{
		{Name: "a", Rows: []Param{
			{Name: "number", Type: TypeString, Need: Required, Page: &Input{Kind: FieldText, Max: 20}},
			{Name: "kind", Type: TypeString, Need: Required},
			{Name: "bank", Type: TypeObject, Need: Optional, Rows: []Param{
				{Name: "branch", Type: "N4", Need: Conditional, Page: &Input{Kind: FieldText, Optional: true}},
			}},
		}},
		{Name: "b", Operations: []Operation{Debit}, Rows: []Param{
			{Name: "of_debit", Type: TypeString, Need: Conditional, Page: &Input{Kind: FieldText}},
		}},
	}}
	var got []string
	for _, f := range m.PageFields("purchase", []string{"payer_city"}) {
		got = append(got, f.ID+" in "+string(f.Place))
	}
	want := "order_amount in order.amount, payer_name in customer.name, number in parameters, " +
		"bank.branch in parameters, payer_city in billing_address.city, recurring_consent in recurring consent"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("the page has %s, want %s", text, want)
	}
	if rows := requiredRows(m, "purchase"); len(rows) != 1 || rows[0] != "kind" {
		t.Errorf("the method requires %v, want kind: the page asks for number", rows)
	}
}

// A method's fields are known, and no two fields of a form have the same id.
func TestFieldsOfMethods(t *testing.T) {
	var known []string
	for _, f := range PageFields {
		known = append(known, f.ID)
	}
	for _, m := range Methods {
		for _, own := range m.Fields {
			if !slices.Contains(known, own.Field) {
				t.Errorf("%s has the unknown field %s", m.ID, own.Field)
			}
		}
		for _, operation := range []Operation{Purchase, Debit, Credit, Transfer} {
			var ids []string
			for _, f := range m.PageFields(operation, known) {
				if slices.Contains(ids, f.ID) {
					t.Errorf("%s has two fields with the id %s", m.ID, f.ID)
				}
				ids = append(ids, f.ID)
			}
		}
	}
}

// goodCardNumbers have 14 to 19 digits.
var goodCardNumbers = []string{
	"4111111111111111", "4601541833776519", "378282246310005", "30569309025904", "6304000000000000000",
}

func TestCheckCardNumber(t *testing.T) {
	for _, good := range goodCardNumbers {
		if !CheckCardNumber(good) {
			t.Errorf("%s is rejected", good)
		}
	}
	for _, bad := range []string{
		"", "4111111111111112", "4111 1111 1111 1111", "0000000000000000", "4222222222222", "41111111111111110000",
		"411111111111111a", "٤١١١١١١١١١١١١١١١",
	} {
		if CheckCardNumber(bad) {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestCheckExpiry(t *testing.T) {
	now := time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC)
	for _, test := range []struct {
		month, year int
		want        bool
	}{
		{1, 2026, true},
		{12, 2025, false},
		{1, 2038, true},
		{0, 2030, false},
		{13, 2030, false},
		{1, 26, false},
		{1, 2077, false},
		{12, 2026, true},
	} {
		if got := CheckExpiry(test.month, test.year, now); got != test.want {
			t.Errorf("%d/%d: %v", test.month, test.year, got)
		}
	}
	if !CheckExpiry(1, 2026, now.Add(12*time.Hour)) || CheckExpiry(1, 2026, now.Add(12*time.Hour+time.Minute)) {
		t.Error("a card has not expired until its month has ended everywhere")
	}
}

func TestCheckSecurityCode(t *testing.T) {
	for code, want := range map[string]bool{
		"123": true, "1234": true, "12": false, "12345": false, "12a": false, "": false,
	} {
		if CheckSecurityCode(code) != want {
			t.Errorf("%q: not %v", code, want)
		}
	}
}

func TestCheckPhone(t *testing.T) {
	for phone, want := range map[string]bool{
		"+1(555)123-45": true, "5": true, "": false, "()": false, "+1 555": false, "1x": false, "१२": false,
	} {
		if CheckPhone(phone) != want {
			t.Errorf("%q: not %v", phone, want)
		}
	}
}

// A mask groups a number of one length: the number that is typed with its separators is the one that is checked and
// sent, and the separators do not count.
func TestMasks(t *testing.T) {
	masked := 0
	for _, m := range Methods {
		for _, f := range slices.Concat(m.PageFields(Purchase, nil), m.PageFields(Credit, nil)) {
			if f.Mask == "" {
				continue
			}
			masked++
			length, value := strings.Count(f.Mask, "#"), checkValues[f.Check].Good[0]
			if f.Min != length || f.Max != length || len(value) != length || f.Format != FormatDigits {
				t.Errorf("%s of %s: %d characters in the mask %q, %+v", f.ID, m.ID, length, f.Mask, f.Input)
				continue
			}
			typed, rest := "", value
			for _, c := range f.Mask {
				if c == '#' {
					typed, rest = typed+rest[:1], rest[1:]
				} else {
					typed += string(c)
				}
			}
			if f.Normalize(typed) != value || f.Check.fault(value) != "" {
				t.Errorf("%s of %s: %q becomes %q, fault %q", f.ID, m.ID, typed, f.Normalize(typed), f.Check.fault(value))
			}
		}
	}
	if masked < 4 {
		t.Errorf("%d masks", masked)
	}
}
