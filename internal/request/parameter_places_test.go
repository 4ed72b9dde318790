package request

import (
	"testing"

	"checkout/internal/method"
)

// The rows of M23 to M25 may stand directly in parameters, where they win, the fine also at the top level.
func TestFlatParameters(t *testing.T) {
	const named = `"methods":["local_transfer"]`
	for _, test := range []struct{ operation, body, want, fault string }{
		{"purchase", `{` + named + `,"parameters":{"fine":"5","debtor_name":"Ana"}}`,
			`{"local_transfer":{"debtor_name":"Ana","fine":{"type_fine":"VALUE","value":"5"}}}`, ""},
		{"purchase", `{"fine":2,` + named + `,"type_fine":"PERCENT"}`,
			`{"local_transfer":{"fine":{"type_fine":"PERCENT","value":"2"}}}`, ""},
		{"purchase", `{` + named + `,"parameters":{"fine":{"type_fine":"NONE"}}}`,
			`{"local_transfer":{"fine":{"type_fine":"NONE","value":"0"}}}`, ""},
		{"purchase", `{"parameters":{"fine":"5","local_transfer":{"fine":"4"}}}`,
			`{"local_transfer":{"fine":{"type_fine":"VALUE","value":"5"}}}`, ""},
		{"purchase", `{"methods":["card"],"parameters":{"fine":"5"}}`, ``, ""},
		{"purchase", `{` + named + `}`, ``, "parameters.local_transfer.fine: " + blank},
		{"credit", `{"parameters":{"branch_identifier":"12345"}}`, ``, "parameters.local_payout.branch_identifier: " +
			notValid + " It should have 4 digits."},
		{"credit", `{"methods":["withdrawal"],"parameters":{"Email":"a@b.co"}}`,
			`{"withdrawal":{"Email":"a@b.co"}}`, ""},
		{"credit", `{"parameters":{"withdrawal":{"ToCity":"X"}}}`, `{"withdrawal":{"ToCity":"X"}}`, ""},
	} {
		got, faults := readTestParameters(t, test.body, test.operation)
		if test.fault != "" {
			if len(faults) != 1 || faults[0] != test.fault {
				t.Errorf("%s: %q, want %q", test.body, faults, test.fault)
			}
			continue
		}
		if got != test.want || len(faults) > 0 {
			t.Errorf("%s: %s %q, want %s", test.body, got, faults, test.want)
		}
	}
}

// The objects of C6 are read inside card and directly in parameters.
func TestObjectsOfCardsDirectlyInParameters(t *testing.T) {
	for body, want := range map[string]string{
		`{"parameters":{"shipping":{"city":"Paris"}}}`: `{"card":{"shipping":{"city":"Paris"}}}`,
		`{"parameters":{"shipping":{"city":"Paris"},"card":{"shipping":{"city":"Rome","state":"X"}}}}`: `{"card":` +
			`{"shipping":{"city":"Rome","state":"X"}}}`,
		`{"parameters":{"cart":{"items":[{"name":"Pen"}]},"card":{"descriptor":"A"}}}`: `{"card":` +
			`{"cart":{"items":[{"name":"Pen"}]},"descriptor":"A"}}`,
	} {
		if got, faults := readTestParameters(t, body, "purchase"); got != want || len(faults) > 0 {
			t.Errorf("%s: %s %q, want %s", body, got, faults, want)
		}
	}
	if _, faults := readTestParameters(t, `{"parameters":{"shipping":"x"}}`, "purchase"); len(faults) != 1 {
		t.Errorf("a text: %q", faults)
	}
}

// A merchant need not send what it has preset, nor what has a default.
func TestPresetAndDefaultAreNotMissing(t *testing.T) {
	in := mustFields(t, `{"methods":["local_payout","deferred_a"],"parameters":{"local_payout":{"key":"a@b.co"},`+
		`"deferred_a":{"category":"x","buyer_registered_since":"2019-08-24T14:15:22Z"}}}`)
	d := Draft{known: testMerchant{methods: []string{"local_payout", "deferred_a"}}, found: in.found}
	for operation, want := range map[string]string{
		"credit": "parameters.local_payout.source_account_number: " + blank, "purchase": "",
	} {
		d.Operation = method.Operation(operation)
		in.found.all = nil
		d.readParameters(in, &d.Session)
		got := faultTexts(faultsOf(in))
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("%s: %q, want %q", operation, got, want)
		}
	}
}
