package money

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write testdata instead of comparing with it")

func TestFind(t *testing.T) {
	tests := []struct {
		code string
		want Currency
	}{
		{"USD", Currency{"USD", "840", 2, false}},
		{"ALL", Currency{"ALL", "008", 2, false}},
		{"JPY", Currency{"JPY", "392", 0, false}},
		{"UGX", Currency{"UGX", "800", 0, false}},
		{"KWD", Currency{"KWD", "414", 3, false}},
		{"CLF", Currency{"CLF", "990", 4, false}},
		{"UYW", Currency{"UYW", "927", 4, false}},
		{"XAD", Currency{"XAD", "396", 2, false}},
		{"XCG", Currency{"XCG", "532", 2, false}},
		{"BTC", Currency{"BTC", "", 8, true}},
		{"ETH", Currency{"ETH", "", 18, true}},
		{"USDT", Currency{"USDT", "", 6, true}},
		{"PEPE", Currency{"PEPE", "", 8, true}},
		{"A1B2C3", Currency{"A1B2C3", "", 8, true}},
	}
	for _, test := range tests {
		if got, ok := Find(test.code); !ok || got != test.want {
			t.Errorf("Find(%q) = %+v, %v; want %+v", test.code, got, ok, test.want)
		}
		if got, ok := FindNumeric(test.want.Numeric); ok == test.want.Crypto || ok && got != test.want {
			t.Errorf("FindNumeric(%q) = %+v, %v; want %+v", test.want.Numeric, got, ok, test.want)
		}
	}
	for number, code := range map[string]string{"8": "ALL", "008": "ALL", "36": "AUD", "0": "", "999": "", "85": ""} {
		if got, ok := FindNumeric(number); got.Code != code || ok != (code != "") {
			t.Errorf("FindNumeric(%q) = %+v, %v; want %s", number, got, ok, code)
		}
	}
}

func TestFindNothing(t *testing.T) {
	codes := []string{
		"", "U", "US", "ZZZ", "usd", "Usd", "btc", "usdt", " USD", "USD ", "840",
		"1INCH", "USDT-T", "USD\x00", "ÄÄ", "PEPÉ", "ABCDEFG",
		"XAG", "XAU", "XPD", "XPT", "XBA", "XBB", "XBC", "XBD", "XDR", "XSU", "XUA", "XTS", "XXX",
		"ANG", "BGN", "CUC", "HRK", "SLL", "ZWL",
	}
	for _, code := range codes {
		if got, ok := Find(code); ok || got != (Currency{}) {
			t.Errorf("Find(%q) = %+v, %v; want no currency", code, got, ok)
		}
	}
}

// TestExponentsAreISO checks currencies that have other decimals in CLDR than in ISO 4217.
func TestExponentsAreISO(t *testing.T) {
	want := map[int][]string{
		2: {"AFN", "ALL", "AMD", "COP", "GYD", "IDR", "IRR", "KPW", "LAK", "LBP", "MGA", "MMK", "MRU", "MUR",
			"PKR", "RSD", "SLE", "SOS", "SYP", "TZS", "UZS", "VED", "VES", "XCG", "YER", "ZWG"},
		3: {"IQD"},
		4: {"UYW"},
	}
	for exponent, codes := range want {
		for _, code := range codes {
			if got, ok := Find(code); !ok || got.Exponent != exponent {
				t.Errorf("%s: found %v, exponent %d, want %d", code, ok, got.Exponent, exponent)
			}
		}
	}
}

func TestTables(t *testing.T) {
	owner := map[string]string{}
	for code, row := range fiat {
		if len(code) != 3 || len(row.numeric) != 3 || row.exponent < 0 || row.exponent > 4 {
			t.Errorf("fiat %s: %+v", code, row)
		}
		if other, taken := owner[row.numeric]; taken {
			t.Errorf("%s and %s both have numeric code %s", code, other, row.numeric)
		}
		owner[row.numeric] = code
	}
	for code, exponent := range crypto {
		if _, taken := fiat[code]; taken {
			t.Errorf("%s is crypto and ISO 4217", code)
		}
		if len(code) < 3 || len(code) > 6 || exponent < 1 || exponent > 18 {
			t.Errorf("crypto %s: exponent %d", code, exponent)
		}
	}
}

// TestGolden compares the whole table with a JSON file, so that every change of it is seen in review.
func TestGolden(t *testing.T) {
	codes := slices.Concat(slices.Sorted(maps.Keys(fiat)), slices.Sorted(maps.Keys(crypto)))
	var export bytes.Buffer
	for i, code := range codes {
		currency, ok := Find(code)
		if !ok {
			t.Fatalf("%s is in a table but not found", code)
		}
		line, err := json.Marshal(currency)
		if err != nil {
			t.Fatal(err)
		}
		export.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		export.Write(line)
	}
	export.WriteString("\n]\n")

	const file = "testdata/currencies.json"
	if *update {
		if err := os.WriteFile(file, export.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(export.Bytes(), want) {
		t.Errorf("the currencies differ from %s; if that is meant, run this test with -update", file)
	}
}
