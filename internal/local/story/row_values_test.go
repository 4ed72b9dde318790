package story

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/method"
)

// written is a value of a request, and what the provider gets.
type written struct{ value, plain any }

// good returns values that a row takes.
func (r sentRow) good(t *testing.T) (all []written) {
	same := func(texts ...string) {
		for _, text := range texts {
			all = append(all, written{text, text})
		}
	}
	if r.Check != "" {
		values := valuesOf(t, r.Check)
		same(values.Good...)
		for text, plain := range values.Written {
			all = append(all, written{text, plain})
		}
		return all
	}
	if len(r.Values) > 0 {
		same(r.Values...)
		return all
	}
	switch r.Type {
	case method.TypeObject, method.TypeList: // their rows are sent
	case method.TypeBool:
		for _, value := range []any{true, "true", "Yes", 1} {
			all = append(all, written{value, true})
		}
		all = append(all, written{"N", false}, written{0, false}, written{false, false})
	case method.TypeString:
		same("a", " Straße 7, İzmir ", "O'Neil & Søns <b>", strings.Repeat("ж", 255))
		all = append(all, written{7, "7"}, written{json.Number("10.50"), "10.50"})
	case method.TypeNumber, "N13":
		same("0", "007", "1234567890.123", "1234567890123", "0.1234567")
		all = append(all, written{json.Number("4.50"), "4.50"}, written{12, "12"})
	case "N10.N2":
		same("0", "1234567890.12", "1234567890", "1.5")
		all = append(all, written{json.Number("4.50"), "4.50"})
	case "NN":
		same("00", "99")
	case "A3":
		same("EUR", "usd")
	case method.TypeDate:
		same("2024-02-29", "1900-01-01")
	case method.TypeCountry:
		same("FR", "BR")
	case method.TypeCountry3:
		same("FRA", "076", "840")
	case method.TypeCountryOrN3:
		same("FR", "076", "840")
	case method.TypeURL:
		same("https://shop.example/pen?a=b&c=%20#d", "HTTP://SHOP.EXAMPLE:8080", "https://müller.example/Stühle")
	default:
		same(r.longest())
		if strings.HasPrefix(r.Type, "AN") {
			same("a", "é")
			all = append(all, written{7, "7"})
		} else {
			all = append(all, written{7, "7"})
			same("0")
		}
	}
	return all
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

// bad returns values that a row refuses.
func (r sentRow) bad(t *testing.T) (all []any) {
	switch {
	case r.Short != "": // a text stands for a row in it
		return nil
	case r.Type == method.TypeObject:
		return []any{[]any{"x"}, "x", true}
	case r.Type == method.TypeList:
		return []any{map[string]any{"a": "b"}, "x", true}
	}
	all = []any{[]any{"x"}, map[string]any{"a": "b"}, "a\x00"}
	if r.Type != method.TypeBool {
		all = append(all, true)
	}
	text := func(texts ...string) {
		for _, one := range texts {
			all = append(all, one)
		}
	}
	if r.Check != "" {
		text(valuesOf(t, r.Check).Bad...)
		return all
	}
	if len(r.Values) > 0 {
		text("other", r.Values[0]+"x")
		return all
	}
	switch r.Type {
	case method.TypeBool:
		all = append(all, "maybe", 2)
	case method.TypeString:
		text(strings.Repeat("ж", 256))
	case method.TypeNumber, "N13":
		all = append(all, "12345678901234", "1,5", "-1", "1e3", "a", json.Number("1e3"), -1)
	case "N10.N2":
		all = append(all, "12345678901", "1.234", "-1", json.Number("1.234"))
	case "NN":
		all = append(all, "1", "001", 12)
	case "A3":
		text("EU", "EURO", "EU1")
	case method.TypeDate:
		text("2023-02-29", "01.02.2023", "2023-2-9")
	case method.TypeCountry:
		text("XX", "FRA", "France")
	case method.TypeCountry3:
		all = append(all, "XXX", "FR", "999", 840)
	case method.TypeCountryOrN3:
		all = append(all, "XX", "FRA", "999", 840)
	case method.TypeURL:
		text("javascript:alert(1)", "pen", "//shop.example")
	default:
		text(r.longest() + "9")
		if !strings.HasPrefix(r.Type, "AN") {
			all = append(all, "1a", "-1", "1.5", -1)
		}
	}
	return all
}
