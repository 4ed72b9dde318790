package request

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/request/requesttest"
)

// sessionFor returns the body of a session of an operation, with changes.
func sessionFor(t testing.TB, operation string, changes ...string) string {
	t.Helper()
	return requesttest.SessionWith(t, slices.Concat([]string{"operation", `"` + operation + `"`, "payee.name", `"Al Doe"`},
		changes)...)
}

var token = strings.Repeat("ab", 32)

// TestOperationFields reads every field of the table of protocol.md, Fields of operations, with every operation.
// Operations that have the field read it and refuse a value that is not valid; others ignore it.
func TestOperationFields(t *testing.T) {
	const every = "purchase debit credit transfer"
	recurring := []string{"recurring_init", `true`}
	scheduled := append([]string{"schedule_id", `"monthly"`}, recurring...)
	tokens := []string{"card_token", `["` + token + `"]`}
	for _, row := range []struct {
		path, value string
		with        []string
		read        any // what the field is read as
		of          func(Session) any
		bad         string
		fault       string // path: text
		operations  string
	}{
		{"methods", `["card"]`, nil, []string{"card"}, func(r Session) any { return r.Methods }, `["x"]`,
			"methods[0]: " + choice, "purchase debit credit"},
		{"req_token", `true`, nil, true, func(r Session) any { return r.ReqToken }, `"maybe"`, "req_token: " + notValid,
			"purchase debit"},
		{"card_token", tokens[1], nil, []string{token}, func(r Session) any { return r.CardTokens }, `["x"]`,
			"card_token[0]: " + notValid + " It should have 64 characters.", "purchase debit credit"},
		{"auth", `true`, nil, true, func(r Session) any { return r.Auth }, `"maybe"`, "auth: " + notValid, "purchase"},
		{"recurring_init", `true`, nil, true, func(r Session) any { return r.RecurringInit }, `"maybe"`,
			"recurring_init: " + notValid, "purchase debit"},
		{"schedule_id", `"monthly"`, recurring, "monthly", func(r Session) any { return r.ScheduleID }, `"x"`,
			"schedule_id: " + choice, "purchase debit"},
		{"vat_calc", `true`, nil, true, func(r Session) any { return r.VATCalc }, `"maybe"`, "vat_calc: " + notValid,
			"purchase"},
		{"payee.name", `"Jo"`, nil, "Jo", func(r Session) any { return r.Payee.Name }, `"José"`, "payee.name: " + notValid,
			"transfer credit"},
		{"payee.email", `"a@b.co"`, nil, "a@b.co", func(r Session) any { return r.Payee.Email }, `"x"`,
			"payee.email: " + notValid, "transfer credit"},
		{"payee_billing_address.country", `"DE"`, nil, "DE", func(r Session) any { return r.Payee.Address.Country }, `"DEU"`,
			"payee_billing_address.country: " + choice, "transfer credit"},
		{"payee_first_name", `"Ann"`, slices.Concat(tokens, []string{"payee_last_name", `"Lee"`}), "Ann Lee",
			func(r Session) any { return r.Payee.Name }, `{}`, "payee_first_name: " + notValid, "credit"},
		{"payee_last_name", `"Lee"`, slices.Concat(tokens, []string{"payee_first_name", `"Ann"`}), "Ann Lee",
			func(r Session) any { return r.Payee.Name }, `{}`, "payee_last_name: " + notValid, "credit"},
		{"crypto.network", `"TRC20"`, nil, "TRC20", func(r Session) any { return r.Network }, quoted(51, "x"),
			"crypto.network: " + notValid + " It should have at most 50 characters.", every},
		{"payer_ip", `"203.0.113.9"`, nil, "203.0.113.9", func(r Session) any { return r.StatedIP }, `"203.0.113"`,
			"payer_ip: " + notValid, every},
		{"form_id", `"` + testForm + `"`, nil, testForm, func(r Session) any { return r.FormID }, `"x"`,
			"form_id: " + notValid, every},
		{"schedule_start_date", `"2026-04-01"`, scheduled, "2026-04-01", func(r Session) any { return r.ScheduleStart },
			`"x"`, "schedule_start_date: " + notValid, "purchase debit"},
		{"payment_schedule_amount", `5.5`, scheduled, "5.5", func(r Session) any { return r.ScheduleAmount.Text }, `"0"`,
			"payment_schedule_amount: " + notAbove, "purchase debit"},
		{"recurring_consent_required", `"Y"`, scheduled, true, func(r Session) any { return r.Consent }, `"x"`,
			"recurring_consent_required: " + notValid, "purchase debit"},
	} {
		for _, operation := range method.Operations {
			applies := slices.Contains(strings.Fields(row.operations), string(operation))
			r, faults := checkFaults(t, sessionFor(t, string(operation), append([]string{row.path, row.value}, row.with...)...),
				Rules{})
			if got := reflect.DeepEqual(row.of(r), row.read); got != applies || len(faults) != 0 {
				t.Errorf("%s of %s is read as %v, faults %q", row.path, operation, row.of(r), faults)
			}
			_, faults = checkFaults(t, sessionFor(t, string(operation), append([]string{row.path, row.bad}, row.with...)...),
				Rules{})
			if applies && !reflect.DeepEqual(faults, []string{row.fault}) || !applies && len(faults) != 0 {
				t.Errorf("%s %s of %s: %q", row.path, row.bad, operation, faults)
			}
		}
	}
}

// TestOperationFields has all fields of the table and no others.
func TestOperationFieldsAreTested(t *testing.T) {
	names, some := map[string]bool{}, 0
	for _, row := range sessionFields {
		if names[row.name] {
			t.Errorf("%s stands twice", row.name)
		}
		if names[row.name] = true; row.operations != nil {
			some++
		}
	}
	if some != 14 {
		t.Errorf("%d fields", some)
	}
}

func payeeRequest(payee Payee) Session {
	return Session{Details: Details{Parties: Parties{Payee: payee}}}
}

// Spellings that clients use.
func TestOperationFieldsAreReadTolerantly(t *testing.T) {
	other := strings.Repeat("c", 64)
	for _, test := range []struct {
		operation string
		changes   []string
		want      Session // its operation-specific fields
	}{
		{"purchase", []string{"auth", `"Y"`, "recurring_init", `"true"`, "req_token", `1`, "vat_calc", `"yes"`},
			Session{Options: Options{Auth: true, RecurringInit: true, ReqToken: true}, VATCalc: true}},
		{"purchase", []string{"auth", `"N"`, "recurring_init", `"false"`, "req_token", `0`, "vat_calc", `""`, "card_token",
			`[]`, "crypto", `[]`, "form_id", `null`}, Session{}},
		{"purchase", []string{"req_token", `true`, "card_token", `["` + token + `"]`}, Session{CardTokens: []string{token}}},
		{"purchase", []string{"req_token", `"nonsense"`, "card_token", `["` + token + `"]`},
			Session{CardTokens: []string{token}}},
		{"debit", []string{"card_token", `["` + token + `","` + other + `","` + token + `"]`},
			Session{CardTokens: []string{token, other}}},
		{"debit", []string{"card_token", `{"0":"` + token + `","2":"` + other + `"}`},
			Session{CardTokens: []string{token, other}}},
		{"debit", []string{"recurring_init", `true`, "schedule_id", `5`, "payment_schedule_amount", `"9.90"`,
			"recurring_consent_required", `"Y"`},
			Session{Options: Options{RecurringInit: true, ScheduleID: "5", ScheduleAmount: dollars("9.90")}, Consent: true}},
		{"purchase", []string{"schedule_id", `"gone"`, "schedule_start_date", `"x"`, "payment_schedule_amount", `"x"`,
			"recurring_consent_required", `"x"`}, Session{}},
		{"purchase", []string{"recurring_init", `true`, "recurring_consent_required", `false`, "schedule_start_date", `""`},
			Session{Options: Options{RecurringInit: true}}},
		{"purchase", []string{"crypto", `{"network":20}`}, Session{Options: Options{Network: "20"}}},
		{"transfer", []string{"payee_billing_address", `{"house_number":305,"zip":10115}`},
			payeeRequest(Payee{Name: "Al Doe", Address: Address{HouseNumber: "305", Zip: "10115"}})},
		{"transfer", []string{"payee_billing_address", `[]`}, payeeRequest(Payee{Name: "Al Doe"})},
	} {
		r, faults := checkFaults(t, sessionFor(t, test.operation, test.changes...), Rules{})
		got := Session{
			Options: r.Options, CardTokens: r.CardTokens, Consent: r.Consent, VATCalc: r.VATCalc,
			Details: payeeRequest(r.Payee).Details, FormID: r.FormID,
		}
		if !reflect.DeepEqual(got, test.want) || len(faults) != 0 {
			t.Errorf("%s %q: %+v %q", test.operation, test.changes, got, faults)
		}
	}
}

// Faults that depend on more than one field, or on the merchant.
func TestOperationFieldsTogether(t *testing.T) {
	many := make([]string, maxCardTokens+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"%064d"`, i)
	}
	scheduled := []string{"recurring_init", `true`, "schedule_id", `"monthly"`}
	for _, test := range []struct {
		operation string
		changes   []string
		want      []string
	}{
		{"purchase", []string{"card_token", `["x",null]`},
			[]string{"card_token[0]: " + notValid + " It should have 64 characters.", "card_token[1]: " + blank}},
		{"purchase", []string{"card_token", `[` + strings.Join(many[1:], ",") + `]`}, nil},
		{"purchase", []string{"card_token", `[` + strings.Join(many, ",") + `]`}, []string{"card_token: " + notValid}},
		{"credit", []string{"card_token", `[` + many[0] + `,` + many[1] + `]`},
			[]string{"card_token: " + notValid + " A credit takes one card."}},
		{"credit", []string{"card_token", `[` + many[0] + `,` + many[0] + `]`}, nil},

		{"purchase", append(scheduled, "schedule_start_date", `"2026-03-15"`), nil},
		{"purchase", append(scheduled, "schedule_start_date", `"2026-03-14"`), []string{"schedule_start_date: " + notValid}},
		{"purchase", append(scheduled, "schedule_start_date", `"2026-03-32"`), []string{"schedule_start_date: " + notValid}},
		{"debit", append(scheduled, "payment_schedule_amount", `"1.001"`), []string{"payment_schedule_amount: " + notValid}},
		{"debit", []string{"recurring_init", `true`, "schedule_start_date", `"2026-04-01"`},
			[]string{"schedule_id: " + blank}},
		{"debit", []string{"recurring_init", `true`, "payment_schedule_amount", `"1"`}, []string{"schedule_id: " + blank}},
		{"debit", []string{"recurring_init", `true`, "recurring_consent_required", `true`},
			[]string{"schedule_id: " + blank}},
		{"debit", []string{"recurring_init", `true`, "schedule_id", `{}`}, []string{"schedule_id: " + notValid}},

		{"credit", []string{"payee", ``}, []string{"payee.name: " + blank}},
		{"transfer", []string{"payee", `[]`}, []string{"payee.name: " + blank}},
		{"transfer", []string{"payee", `"Al"`}, []string{"payee: " + notValid}},
		{"transfer", []string{"payee.name", quoted(33, "x")},
			[]string{"payee.name: " + notValid + " It should have 2 to 32 characters."}},
		{"transfer", []string{"payee.email", `"x"`, "payee_billing_address.city", `"x"`},
			[]string{"payee.email: " + notValid, "payee_billing_address.city: " + notValid +
				" It should have 2 to 40 characters."}},
		{"transfer", []string{"payee", ``, "card_token", `["` + token + `"]`}, []string{"payee.name: " + blank}},
		{"credit", []string{"payee", ``, "card_token", `["` + token + `"]`}, nil},
		{"credit", []string{"card_token", `["` + token + `"]`, "parameters.card.payee_first_name", `{}`},
			[]string{"parameters.card.payee_first_name: " + notValid}},
	} {
		if _, got := checkFaults(t, sessionFor(t, test.operation, test.changes...), Rules{}); !reflect.DeepEqual(got,
			test.want) {
			t.Errorf("%s %.200q: %q, want %q", test.operation, test.changes, got, test.want)
		}
	}
	// An unknown merchant has no schedules and forms, so that keys can't be probed by guessing those.
	in := mustFields(t, sessionFor(t, "purchase", append(scheduled, "form_id", `"`+testForm+`"`)...))
	ReadSession(in, testMerchant{}, testNow)
	if got := faultTexts(faultsOf(in)); !reflect.DeepEqual(got, []string{"schedule_id: " + choice, "form_id: " + choice}) {
		t.Errorf("unknown merchant: %q", got)
	}
}

// The payee of a payout to a saved card.
func TestPayeeOfSavedCard(t *testing.T) {
	for _, test := range []struct {
		changes []string
		want    string
	}{
		{nil, "Al Doe"},
		{[]string{"payee", ``}, ""},
		{[]string{"payee_first_name", `"Ann"`, "payee_last_name", `"Lee"`}, "Ann Lee"},
		{[]string{"payee_first_name", `"José"`, "payee_last_name", `"Peña"`}, "José Peña"},
		{[]string{"payee_first_name", `"Ann"`}, "Al Doe"},
		{[]string{"payee_last_name", `"Lee"`, "payee", ``}, ""},
		{[]string{"parameters.card", `{"payee_first_name":"Ann","payee_last_name":"Lee"}`}, "Ann Lee"},
		{[]string{"parameters[card][payee_first_name]", `"Ann"`, "parameters[card][payee_last_name]", `"Lee"`}, "Ann Lee"},
		{[]string{"parameters.card", `{"payee_first_name":"Ann","payee_last_name":"Lee"}`, "payee_first_name", `"Bo"`},
			"Bo Lee"},
	} {
		r, faults := checkFaults(t, sessionFor(t, "credit", append(test.changes, "card_token", `["`+token+`"]`)...), Rules{})
		if r.Payee.Name != test.want || len(faults) != 0 {
			t.Errorf("%q: %q %q", test.changes, r.Payee.Name, faults)
		}
	}
}
