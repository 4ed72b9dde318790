package form

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// What a payer types is checked by the rule of its field, and stored as providers get it. An error names the field.
func TestFillIn(t *testing.T) {
	good := map[string]string{"payer_email": "ada@shop.example", "payer_country": "GH", "phone": "+233241234567",
		"type_document": "CPF"}
	for _, test := range []struct{ method, id, typed, want string }{ // want is "" if it is refused
		{"mobile_money", "phone", "+233 (24) 123-4567", "+233241234567"}, {"mobile_money", "phone", "123", ""},
		{"mobile_money", "phone", "", ""}, {"mobile_money", "payer_email", "ada@shop.example", "ada@shop.example"},
		{"mobile_money", "payer_email", "ada", ""}, {"mobile_money", "payer_country", "FR", "FR"},
		{"mobile_money", "payer_country", "XX", ""}, {"local_transfer", "type_document", "CNPJ", "CNPJ"},
		{"local_transfer", "type_document", "PASSPORT", ""},
	} {
		m, _ := method.Find(test.method)
		fields := m.PageFields(method.Purchase, []string{"payer_email", "payer_country"})
		fields = slices.DeleteFunc(fields, func(f method.PageField) bool { return good[f.ID] == "" })
		typed := map[string]string{}
		for _, f := range fields {
			typed[f.ID] = good[f.ID]
		}
		typed[test.id] = test.typed
		req := &request.Session{Details: request.Details{Operation: method.Purchase}}
		v, err := FillIn(fields, req, Request{Method: test.method, Fields: typed})
		var refused *fault.Error
		if errors.As(err, &refused) && test.want == "" && len(refused.Faults) == 1 && refused.Faults[0].Path == test.id {
			continue
		}
		var parameters map[string]map[string]string
		_ = json.Unmarshal(v.Parameters, &parameters) // there are none then
		got := map[string]string{"payer_email": v.Customer.Email, "payer_country": v.BillingAddress.Country}
		maps.Copy(got, parameters[test.method])
		if err != nil || test.want == "" || got[test.id] != test.want {
			t.Errorf("%s %q becomes %v, %v", test.id, test.typed, got, err)
		}
	}
}

// Two lines of an address are stored as one where they fit, and none of their characters is lost. A line that is too
// long is refused with its place.
func TestAddressLines(t *testing.T) {
	m, _ := method.Find(method.Card)
	fields := slices.DeleteFunc(m.PageFields(method.Purchase, []string{"payer_address"}),
		func(f method.PageField) bool { return !strings.HasPrefix(f.ID, "payer_address") })
	for _, test := range []struct{ line1, line2, address, district, faulty string }{
		{"Lange Gasse 5", "", "Lange Gasse 5", "", ""},
		{"Lange Gasse 5", "Hinterhaus", "Lange Gasse 5, Hinterhaus", "", ""},
		{"Am alten Güterbahnhof 123", "Tor 4", "Am alten Güterbahnhof 123, Tor 4", "", ""}, // 32 characters
		{"Am alten Güterbahnhof 123", "Tor 40", "Am alten Güterbahnhof 123", "Tor 40", ""},
		{strings.Repeat("ß", 32), strings.Repeat("é", 32), strings.Repeat("ß", 32), strings.Repeat("é", 32), ""},
		{strings.Repeat("ß", 33), "", "", "", "payer_address"},
		{"Lange Gasse 5", strings.Repeat("x", 33), "", "", "payer_address2"},
		{"", "Hinterhaus", "", "", "payer_address"},
	} {
		typed := map[string]string{"payer_address": test.line1, "payer_address2": test.line2}
		req := &request.Session{Details: request.Details{Operation: method.Purchase}}
		v, err := FillIn(fields, req, Request{Method: method.Card, Fields: typed})
		var refused *fault.Error
		if errors.As(err, &refused) {
			if len(refused.Faults) != 1 || refused.Faults[0].Path != test.faulty {
				t.Errorf("%q, %q: %v, want a fault at %q", test.line1, test.line2, err, test.faulty)
			}
			continue
		}
		if got := v.BillingAddress; err != nil || test.faulty != "" || got.Address != test.address ||
			got.District != test.district {
			t.Errorf("%q, %q become %+v (%v), want %q and %q", test.line1, test.line2, got, err, test.address,
				test.district)
		}
	}
}

// The second line goes on from the first: it is asked for where that is, and may always be left empty.
func TestSecondAddressLine(t *testing.T) {
	m, _ := method.Find(method.Card)
	ids := func(required ...string) (all []string) {
		for _, f := range m.PageFields(method.Purchase, required) {
			if strings.HasPrefix(f.ID, "payer_address") {
				all = append(all, fmt.Sprint(f.ID, f.Optional))
			}
		}
		return all
	}
	if got := ids("payer_address"); !slices.Equal(got, []string{"payer_addressfalse", "payer_address2true"}) {
		t.Errorf("an address has %v", got)
	}
	if got := ids("payer_address2", "payer_city"); got != nil {
		t.Errorf("without an address there is %v", got)
	}
	line2, _ := method.FindPageField("payer_address2")
	req := &request.Session{}
	for _, sent := range []request.Address{{Address: "Lange Gasse 5"}, {District: "Favoriten"}} {
		if req.BillingAddress = sent; !needsNoPayer(line2, m, req) {
			t.Errorf("a second line is asked for although the merchant sent %+v", sent)
		}
	}
	if req.BillingAddress = (request.Address{}); needsNoPayer(line2, m, req) {
		t.Error("no second line is asked for")
	}
}

// Sealed parameters are checked by the same rules as those that a merchant sends.
func TestSealedParameters(t *testing.T) {
	req := &request.Session{Details: request.Details{Operation: method.Purchase}}
	for typed, want := range map[string]reason.Code{
		"1234 5678 9012 3456": "", "": reason.ValueInvalid, strings.Repeat("1", 99): reason.ValueInvalid,
	} {
		got, why := SealedParameters("voucher", req, map[string]string{"pin": typed, "unasked": "x"})
		if why != want || why == "" && (got["pin"] != "1234567890123456" || len(got) != 1) {
			t.Errorf("%q becomes %v, %s", typed, got, why)
		}
	}
}
