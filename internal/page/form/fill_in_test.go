package form

import (
	"encoding/json"
	"errors"
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
