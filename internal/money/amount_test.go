package money

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func find(t testing.TB, code string) Currency {
	t.Helper()
	currency, ok := Find(code)
	if !ok {
		t.Fatalf("no currency %q", code)
	}
	return currency
}

func parse(t testing.TB, text, code string) Amount {
	t.Helper()
	amount, err := Parse(text, find(t, code))
	if err != nil {
		t.Fatalf("Parse(%q, %s): %v", text, code, err)
	}
	return amount
}

func TestParse(t *testing.T) {
	tests := []struct{ code, text, format, minor string }{
		{"USD", "10", "10.00", "1000"},
		{"USD", "10.5", "10.50", "1050"},
		{"USD", "10.50", "10.50", "1050"},
		{"USD", "0.50", "0.50", "50"},
		{"USD", "0.01", "0.01", "1"},
		{"USD", "999999999999999.99", "999999999999999.99", "99999999999999999"},
		{"JPY", "100", "100.00", "100"},
		{"JPY", "100.0", "100.00", "100"},
		{"JPY", "100.00", "100.00", "100"},
		{"KWD", "1.5", "1.500", "1500"},
		{"KWD", "100.001", "100.001", "100001"},
		{"CLF", "0.0001", "0.0001", "1"},
		{"CLF", "100", "100.0000", "1000000"},
		{"BTC", "0.00000001", "0.00000001", "1"},
		{"BTC", "1.5", "1.50000000", "150000000"},
		{"PEPE", "1.5", "1.50000000", "150000000"},
		{"ETH", "0.000000000000000001", "0.000000000000000001", "1"},
		{"ETH", "999999999999999.999999999999999999", "999999999999999.999999999999999999",
			"999999999999999999999999999999999"},
	}
	for _, test := range tests {
		amount := parse(t, test.text, test.code)
		if got := amount.String(); got != test.format {
			t.Errorf("%s %s: String %q, want %q", test.text, test.code, got, test.format)
		}
		if got := amount.Minor(); got != test.minor {
			t.Errorf("%s %s: Minor %q, want %q", test.text, test.code, got, test.minor)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		code  string
		want  error
		texts []string
	}{
		{"USD", errNotValid, []string{
			"", "-", ".", "-.", ".5", "5.", "00.50", "01", "00", "10.505", "10.500", "1e3", "1E3", "+1", "--1", "- 1",
			" 5", "5 ", "5\n", "1,000.00", "1,5", "1 000", "1_000", "1.2.3", "0x10", "NaN", "Inf", "null", "١٢", "5\x00",
			"1000000000000000", "-5.005", strings.Repeat("9", 100), "0." + strings.Repeat("0", 100)}},
		{"USD", ErrNotPositive, []string{"0", "0.0", "0.00", "-0", "-1", "-5", "-5.00", "-0.01"}},
		{"JPY", errNotValid, []string{"100.5", "100.01", "100.000", "0.01"}},
		{"JPY", ErrNotPositive, []string{"0", "0.00", "-100"}},
		{"KWD", errNotValid, []string{"1.0000", "1.2345"}},
		{"CLF", errNotValid, []string{"1.00000"}},
		{"BTC", errNotValid, []string{"1.000000001"}},
		{"ETH", errNotValid, []string{"1.0000000000000000001"}},
	}
	for _, test := range tests {
		for _, text := range test.texts {
			if got, err := Parse(text, find(t, test.code)); !errors.Is(err, test.want) || got != (Amount{}) {
				t.Errorf("Parse(%q, %s) = %q, %v; want %v", text, test.code, got, err, test.want)
			}
		}
	}
	if _, err := Parse("10.00", Currency{}); !errors.Is(err, errNotValid) {
		t.Errorf("an amount without a currency: %v", err)
	}
}

func TestCmpAddSub(t *testing.T) {
	tests := []struct{ code, a, b, sum, difference string }{
		{"USD", "10.50", "0.50", "11.00", "10.00"},
		{"USD", "1.10", "0.95", "2.05", "0.15"},
		{"USD", "5", "5", "10.00", "0.00"},
		{"JPY", "100", "1", "101.00", "99.00"},
		{"ETH", "1", "0.000000000000000001", "1.000000000000000001", "0.999999999999999999"},
	}
	for _, test := range tests {
		a, b := parse(t, test.a, test.code), parse(t, test.b, test.code)
		if sum, err := a.Add(b); err != nil || sum.String() != test.sum {
			t.Errorf("%s + %s = %s, %v; want %s", a, b, sum, err, test.sum)
		}
		if rest, err := a.Sub(b); err != nil || rest.String() != test.difference {
			t.Errorf("%s - %s = %s, %v; want %s", a, b, rest, err, test.difference)
		}
	}
	small, large := parse(t, "1.99", "USD"), parse(t, "2.00", "USD")
	if small.Cmp(large) != -1 || large.Cmp(small) != 1 || small.Cmp(small) != 0 {
		t.Error("1.99 and 2.00 are out of order")
	}
	if _, err := small.Sub(large); !errors.Is(err, errNegative) {
		t.Errorf("1.99 - 2.00: %v", err)
	}
	most := parse(t, "999999999999999.99", "USD")
	if _, err := most.Add(parse(t, "0.01", "USD")); !errors.Is(err, errTooLarge) {
		t.Errorf("beyond the limit: %v", err)
	}
}

func TestCurrenciesDoNotMix(t *testing.T) {
	usd, eur := parse(t, "1", "USD"), parse(t, "1", "EUR")
	calls := map[string]func(){
		"Cmp": func() { usd.Cmp(eur) },
		"Add": func() { _, _ = usd.Add(eur) },
		"Sub": func() { _, _ = usd.Sub(eur) },
	}
	for name, call := range calls {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of USD and EUR did not panic", name)
				}
			}()
			call()
		}()
	}
}

func TestZero(t *testing.T) {
	none, zero := Zero(find(t, "USD")), Amount{}
	if none.String() != "0.00" || none.Minor() != "0" || !none.IsZero() || none.Sign() != 0 || none == zero {
		t.Errorf("no money: %q, minor %q", none, none.Minor())
	}
	if zero.String() != "" || zero.Minor() != "" || !zero.IsZero() || zero.Sign() != 0 {
		t.Errorf("unknown amount: %q, minor %q", zero, zero.Minor())
	}
	one := parse(t, "0.01", "USD")
	if one.IsZero() || one.Sign() != 1 || one.Currency().Code != "USD" {
		t.Errorf("one cent: zero %v, sign %d", one.IsZero(), one.Sign())
	}
}

func TestText(t *testing.T) {
	tests := []struct {
		amount Amount
		json   string
	}{
		{parse(t, "10.5", "USD"), `"10.50"`},
		{parse(t, "100", "JPY"), `"100.00"`},
		{parse(t, "1.5", "PEPE"), `"1.50000000"`},
		{Zero(find(t, "KWD")), `"0.000"`},
		{Amount{}, `""`},
	}
	for _, test := range tests {
		text, err := json.Marshal(test.amount)
		if err != nil || string(text) != test.json {
			t.Errorf("%s, %v; want %s", text, err, test.json)
		}
		got := parse(t, "1", "EUR")
		if err := json.Unmarshal(text, &got); err != nil || got.String() != test.amount.String() {
			t.Errorf("%s reads back as %q, %v", text, got, err)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != test.json {
			t.Errorf("%s is stored again as %s, %v", test.json, again, err)
		}
		if in, err := got.In(test.amount.Currency()); err != nil || in != test.amount {
			t.Errorf("%s in its currency is %q, %v", text, in, err)
		}
	}
	for _, text := range []string{
		"10.50 USD", "USD", " ", "-1.00", "1e1", "+1", "01.00", ".5", "5.", "1.0000000000000000000", "1000000000000000",
	} {
		got := parse(t, "1", "EUR")
		if err := got.UnmarshalText([]byte(text)); !errors.Is(err, errNotValid) || got.String() != "1.00" {
			t.Errorf("%q reads as %q, %v", text, got, err)
		}
	}
}

// currencies draws a currency of every exponent.
var currencies = rapid.Custom(func(t *rapid.T) Currency {
	code := rapid.SampledFrom([]string{
		"JPY", "USD", "KWD", "CLF", "USDT", "XLM", "BTC", "SOL", "DOT", "XMR", "ETH", "PEPE"}).Draw(t, "code")
	currency, ok := Find(code)
	if !ok {
		t.Fatalf("no currency %q", code)
	}
	return currency
})

// amounts draws amounts from zero to half of the limit, so that two of them can be added.
func amounts(currency Currency) *rapid.Generator[Amount] {
	return rapid.Custom(func(t *rapid.T) Amount {
		return Amount{
			currency: currency,
			whole:    rapid.Int64Range(0, pow10(maxWholeDigits)/2-1).Draw(t, "whole"),
			minor:    rapid.Int64Range(0, pow10(currency.Exponent)-1).Draw(t, "minor"),
		}
	})
}

func units(a Amount) *big.Int {
	n, ok := new(big.Int).SetString(a.Minor(), 10)
	if !ok {
		panic("not a number: " + a.Minor())
	}
	return n
}

func TestTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		currency := currencies.Draw(t, "currency")
		a := amounts(currency).Draw(t, "amount")
		got, err := Parse(a.String(), currency)
		if a.IsZero() != errors.Is(err, ErrNotPositive) || !a.IsZero() && got != a {
			t.Fatalf("%q reads back as %q, %v", a, got, err)
		}
		text, err := a.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var stored Amount
		if err := stored.UnmarshalText(text); err != nil {
			t.Fatalf("%q is stored as %q: %v", a, text, err)
		}
		if stored, err = stored.In(currency); err != nil || stored != a {
			t.Fatalf("%q is stored as %q, %v", a, stored, err)
		}
		if got, err := ParseMinor(a.Minor(), currency); err != nil || got != a {
			t.Fatalf("%s minor units read back as %q, %v", a.Minor(), got, err)
		}
	})
}

func TestParseMinorErrors(t *testing.T) {
	for _, text := range []string{"", "-1", "+1", "1.0", "01", "00", "1e3", " 1", "x", "100000000000000000"} {
		if got, err := ParseMinor(text, find(t, "USD")); !errors.Is(err, errNotValid) {
			t.Errorf("%q reads as %q, %v", text, got, err)
		}
	}
	if got, err := ParseMinor("1", Currency{}); !errors.Is(err, errNotValid) {
		t.Errorf("without a currency: %q, %v", got, err)
	}
}

// What is stored is of the document's currency or of none.
func TestInAnotherCurrency(t *testing.T) {
	var stored Amount
	if err := stored.UnmarshalText([]byte("10.50")); err != nil || stored.Currency().Code != "" {
		t.Fatalf("%q of %q, %v", stored, stored.Currency().Code, err)
	}
	for code, want := range map[string]string{"USD": "10.50", "KWD": "10.500", "BTC": "10.50000000"} {
		if got, err := stored.In(find(t, code)); err != nil || got.String() != want || got.Currency().Code != code {
			t.Errorf("%s: %q, %v", code, got, err)
		}
	}
	for what, amount := range map[string]Amount{"too many decimals": stored, "another currency": parse(t, "10", "USD")} {
		if got, err := amount.In(find(t, "JPY")); !errors.Is(err, errNotValid) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	if got, err := stored.In(Currency{}); !errors.Is(err, errNotValid) {
		t.Errorf("no currency: %q, %v", got, err)
	}
}

// Arithmetic gives the same results as with whole numbers of minor units.
func TestArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		currency := currencies.Draw(t, "currency")
		a, b := amounts(currency).Draw(t, "a"), amounts(currency).Draw(t, "b")
		if a.Cmp(b) != units(a).Cmp(units(b)) || a.Cmp(b) != -b.Cmp(a) {
			t.Fatalf("%s and %s compare as %d", a, b, a.Cmp(b))
		}
		sum, err := a.Add(b)
		if err != nil || units(sum).Cmp(new(big.Int).Add(units(a), units(b))) != 0 {
			t.Fatalf("%s + %s = %s, %v", a, b, sum, err)
		}
		if back, err := sum.Sub(b); err != nil || back != a {
			t.Fatalf("%s + %s - %s = %s, %v", a, b, b, back, err)
		}
		if _, err := a.Sub(b); errors.Is(err, errNegative) != (a.Cmp(b) < 0) {
			t.Fatalf("%s - %s: %v", a, b, err)
		}
		n := rapid.IntRange(0, 99_999).Draw(t, "n")
		product, err := a.Times(n)
		want := new(big.Int).Mul(units(a), big.NewInt(int64(n)))
		most := new(big.Int).Mul(big.NewInt(pow10(maxWholeDigits)), big.NewInt(pow10(currency.Exponent)))
		if fits := want.Cmp(most) < 0; fits != (err == nil) || fits && units(product).Cmp(want) != 0 {
			t.Fatalf("%d times %s = %s, %v", n, a, product, err)
		}
	})
}

// An amount that was read and written again is the same, and above zero.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"10.50", "100", "0.000000000000000001", "-1", ".5", "1e3", "00", "9999999999999999"} {
		f.Add(text, "USD")
		f.Add(text, "ETH")
		f.Add(text, "JPY")
	}
	f.Fuzz(func(t *testing.T, text, code string) {
		currency, found := Find(code)
		a, err := Parse(text, currency)
		if err != nil {
			if a != (Amount{}) || !errors.Is(err, errNotValid) && !errors.Is(err, ErrNotPositive) {
				t.Fatalf("Parse(%q, %q) = %q, %v", text, code, a, err)
			}
			return
		}
		if again, err := Parse(a.String(), currency); !found || a.Sign() != 1 || err != nil || again != a {
			t.Fatalf("Parse(%q, %q) = %q, again %q, %v", text, code, a, again, err)
		}
		if !strings.HasPrefix(a.String(), text) && strings.TrimRight(a.String(), "0") != strings.TrimRight(text, "0") {
			t.Fatalf("Parse(%q, %q) = %q", text, code, a)
		}
	})
}
