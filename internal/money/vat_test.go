package money

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestVAT(t *testing.T) {
	tests := []struct{ gross, code, rate, want string }{
		{"121.00", "USD", "21", "21.00"},
		{"100.00", "EUR", "19", "15.97"},
		{"100.00", "EUR", "5.5", "5.21"},
		{"10.00", "EUR", "0", "0.00"},
		{"10.00", "EUR", "100", "5.00"},
		{"0.03", "EUR", "100", "0.02"}, // 1.5 cents
		{"0.01", "EUR", "100", "0.01"}, // 0.5 cents
		{"0.01", "EUR", "99.9999", "0.00"},
		{"110", "JPY", "10", "10.00"},
		{"100", "JPY", "8", "7.00"}, // 7.407
		{"115", "BHD", "15", "15.000"},
		{"121", "ETH", "21", "21.000000000000000000"},
		{"999999999999999.999999999999999999", "ETH", "100", "500000000000000.000000000000000000"},
	}
	for _, test := range tests {
		rate, err := ParseRate(test.rate)
		if err != nil {
			t.Fatal(err)
		}
		if got := parse(t, test.gross, test.code).VAT(rate); got.String() != test.want || got.Currency().Code != test.code {
			t.Errorf("VAT in %s %s at %s%% = %s, want %s", test.gross, test.code, test.rate, got, test.want)
		}
	}
	if got := (Amount{}).VAT(Rate{parts: 210000}); got != (Amount{}) {
		t.Errorf("VAT of an unknown amount = %q", got)
	}
}

func TestParseRateErrors(t *testing.T) {
	for _, text := range []string{"", "-1", "+1", "21%", "5,5", ".5", "5.", "05", "5.12345", "100.0001", "101", "1e1",
		"9999"} {
		if rate, err := ParseRate(text); !errors.Is(err, errRate) || rate != (Rate{}) {
			t.Errorf("ParseRate(%q) = %v, %v; want ErrRate", text, rate, err)
		}
	}
}

func TestPer(t *testing.T) {
	for _, test := range []struct{ amount, code, coins, want string }{
		{"10.00", "EUR", "0.00017205", "58122.64"},
		{"10.00", "EUR", "20", "0.50"},
		{"10.00", "EUR", "3", "3.33"},
		{"0.05", "EUR", "2", "0.03"}, // 2.5 cents
		{"1000", "JPY", "0.5", "2000.00"},
		{"1", "KWD", "0.000000000000000001", ""},
		{"1", "KWD", "0", ""},
		{"1", "KWD", "-1", ""},
		{"1", "KWD", "1e9", ""},
		{"1", "KWD", "1/2", ""},
	} {
		got, err := parse(t, test.amount, test.code).Per(test.coins)
		if got.String() != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s %s per %s = %s, %v, want %s", test.amount, test.code, test.coins, got, err, test.want)
		}
	}
}

// The VAT is the whole number of minor units nearest to the exact fraction, of two the higher one.
func TestVATIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gross := amounts(currencies.Draw(t, "currency")).Draw(t, "gross")
		per10000 := rapid.Int64Range(0, 1000000).Draw(t, "rate")
		rate, err := ParseRate(fmt.Sprintf("%d.%04d", per10000/10000, per10000%10000))
		if err != nil {
			t.Fatal(err)
		}
		exact := new(big.Rat).Mul(new(big.Rat).SetInt(units(gross)), big.NewRat(per10000, 1000000+per10000))
		off := new(big.Rat).Sub(new(big.Rat).SetInt(units(gross.VAT(rate))), exact)
		if off.Cmp(big.NewRat(1, 2)) > 0 || off.Cmp(big.NewRat(-1, 2)) <= 0 {
			t.Fatalf("VAT in %s %s at %d/10000%% = %s, off by %s units",
				gross, gross.Currency().Code, per10000, gross.VAT(rate), off)
		}
	})
}
