package form

import (
	"encoding/json"
	"testing"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Every value that a page field takes has a place of its own in the payment.
func TestEveryPlaceIsKept(t *testing.T) {
	var v Values
	taken := map[*string]method.Place{}
	for _, f := range method.PageFields {
		at := places[f.Place]
		if f.Place == method.InSealedCard || f.Place == method.InParameters {
			if (f.Place == method.InSealedCard) != f.Sealed || at != nil {
				t.Errorf("%s goes to %s", f.ID, f.Place)
			}
			continue
		}
		if at == nil || f.Sealed {
			t.Errorf("what a payer types into %s goes nowhere: %q is kept nowhere", f.ID, f.Place)
			continue
		}
		if other := taken[at(&v)]; other != "" {
			t.Errorf("%s and %s are kept in one place", other, f.Place)
		}
		taken[at(&v)] = f.Place
	}
	if len(taken) != len(places) {
		t.Errorf("%d places are kept for %d of the page", len(places), len(taken))
	}
}

// What the payer types for a method is read by the rules of its rows, together with what the merchant sent.
func TestJoinParameters(t *testing.T) {
	page := &method.Input{Kind: method.FieldText}
	m := method.Method{ID: "trial", Sets: []method.Set{
		{Name: "a", Rows: []method.Param{
			{Name: "number", Type: "N4", Need: method.Required, Page: page},
			{Name: "agreed", Type: method.TypeBool, Need: method.Optional, Page: page},
			{Name: "kind", Type: method.TypeString, Need: method.Optional, Values: []string{"A", "B"}, Page: page},
			{Name: "bank", Type: method.TypeObject, Need: method.Optional, Rows: []method.Param{
				{Name: "branch", Type: "A3", Need: method.Required, Page: page},
				{Name: "name", Type: method.TypeString, Need: method.Optional},
			}},
		}, Rules: []method.Rule{{Name: "no number beside B", Find: func(sent map[string]any) (string, string) {
			if sent["kind"] == "B" && sent["number"] != nil {
				return "number", method.NotValid("It does not go with B.")
			}
			return "", ""
		}}}},
		{Name: "b", Operations: []method.Operation{"debit"}, Rows: []method.Param{{Name: "of_debit", Type: method.TypeString, Page: page}}},
	}}
	for _, test := range []struct {
		sent  string
		typed map[string]string
		want  string
		fault string
	}{
		{``, map[string]string{"number": "12"}, `{"trial":{"number":"12"}}`, ""},
		{`{"card":{"descriptor":"SHOP"}}`, map[string]string{"agreed": "true", "bank.branch": "abc"},
			`{"card":{"descriptor":"SHOP"},"trial":{"agreed":true,"bank":{"branch":"abc"}}}`, ""},
		{`{"trial":{"bank":{"name":"Bank"},"kind":"A"}}`, map[string]string{"bank.branch": "abc", "number": "1"},
			`{"trial":{"bank":{"branch":"abc","name":"Bank"},"kind":"A","number":"1"}}`, ""},
		{`{"trial":{"kind":"A"}}`, map[string]string{"kind": "B"}, `{"trial":{"kind":"A"}}`, ""}, // what was sent is not asked for
		{``, map[string]string{"number": "12345"}, "", "number: " + method.NotValid("It should have at most 4 digits and nothing else.")},
		{``, map[string]string{"kind": "C"}, "", "kind: " + method.TextNotChoice},
		{``, map[string]string{"bank.branch": "1"}, "", "bank.branch: " + method.NotValid("It should have 3 letters.")},
		{`{"trial":{"kind":"B"}}`, map[string]string{"number": "1"}, "", "number: " + method.NotValid("It does not go with B.")},
		{``, map[string]string{"of_debit": "x"}, `{"trial":{}}`, ""},
	} {
		req := &request.Session{Details: request.Details{Operation: "purchase"}}
		if test.sent != "" {
			req.Parameters = json.RawMessage(test.sent)
		}
		got, faults := request.JoinParameters(m, req, test.typed)
		if test.fault != "" {
			if len(faults) != 1 || faults[0].String() != test.fault {
				t.Errorf("%v: %v, want %s", test.typed, faults, test.fault)
			}
			continue
		}
		if len(faults) > 0 || string(got) != test.want {
			t.Errorf("%s and %v: %s %v, want %s", test.sent, test.typed, got, faults, test.want)
		}
	}
}

func TestSentParameter(t *testing.T) {
	sent := json.RawMessage(`{"trial":{"number":"12","bank":{"branch":"abc"},"agreed":false}}`)
	for path, want := range map[string]string{"number": "12", "bank.branch": "abc", "agreed": "false", "bank.name": "", "number.x": "", "x": ""} {
		if got := request.SentParameter(sent, "trial", path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if request.SentParameter(sent, "card", "number") != "" || request.SentParameter(nil, "trial", "number") != "" {
		t.Error("what was sent for another method, or not at all, is there")
	}
}
