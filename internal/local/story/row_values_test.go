package story

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/method"
)

// written is a value of a request, and what the provider gets.
type written struct{ value, plain any }

// good returns values that a row takes: of each form one, and one as people may write it.
func (r sentRow) good(t *testing.T) (all []written) {
	switch {
	case r.Check != "":
		values := valuesOf(t, r.Check)
		all = []written{{values.Good[0], values.Good[0]}}
		for _, text := range slices.Sorted(maps.Keys(values.Written))[:min(1, len(values.Written))] {
			all = append(all, written{text, values.Written[text]})
		}
		return all
	case len(r.Values) > 0:
		last := r.Values[len(r.Values)-1]
		return []written{{last, last}}
	}
	same := func(text string) []written { return []written{{text, text}} }
	switch r.Type {
	case method.TypeObject, method.TypeList: // their rows are sent
		return nil
	case method.TypeBool:
		return []written{{"Yes", true}, {0, false}}
	case method.TypeString:
		return append(same(" Straße 7, İzmir <b>"), written{json.Number("10.50"), "10.50"})
	case method.TypeNumber, "N13", "N10.N2":
		return append(same("007"), written{json.Number("4.50"), "4.50"})
	case "NN":
		return same("99")
	case "A3":
		return same("usd")
	case method.TypeDate:
		return same("2024-02-29")
	case method.TypeCountry:
		return same("FR")
	case method.TypeCountry3:
		return same("076")
	case method.TypeCountryOrN3:
		return same("840")
	case method.TypeURL:
		return same("https://müller.example/Stühle?a=b&c=%20#d")
	}
	return append(same(r.longest()), written{7, "7"})
}

// longest returns the longest value of a type code with a length, AN or N.
func (r sentRow) longest() string {
	letters := strings.TrimRight(r.Type, "0123456789")
	length, err := strconv.Atoi(r.Type[len(letters):])
	if err != nil {
		length = 2048
	}
	return strings.Repeat(map[string]string{"AN": "ж", "N": "9"}[letters], length)
}

// wrong are texts that a row of a type refuses.
var wrong = map[string]string{
	method.TypeBool: "maybe", method.TypeString: strings.Repeat("ж", 256), method.TypeNumber: "1,5", "N13": "1e3",
	"N10.N2": "1.234", "NN": "1", "A3": "EURO", method.TypeDate: "2023-02-29", method.TypeCountry: "XX",
	method.TypeCountry3: "FR", method.TypeCountryOrN3: "999", method.TypeURL: "javascript:alert(1)",
}

// bad returns values that a row refuses.
func (r sentRow) bad(t *testing.T) []any {
	switch {
	case r.Short != "": // a text stands for a row in it
		return nil
	case r.Type == method.TypeObject:
		return []any{[]any{"x"}}
	case r.Type == method.TypeList:
		return []any{map[string]any{"a": "b"}}
	case r.Check != "":
		return []any{true, valuesOf(t, r.Check).Bad[0]}
	case len(r.Values) > 0:
		return []any{[]any{"x"}, "other"}
	}
	return []any{map[string]any{"a": "b"}, cmp.Or(wrong[r.Type], r.longest()+"9")}
}
