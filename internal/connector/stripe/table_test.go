package stripe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/money"
	"checkout/internal/reason"
)

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		amount, currency string
		want             int64
		reason           reason.Code
	}{
		{"10.99", "USD", 1099, ""},
		{"0.01", "EUR", 1, ""},
		{"500", "JPY", 500, ""},
		{"500", "XOF", 500, ""},
		{"10.45", "HUF", 1045, ""},
		{"800.45", "TWD", 80045, ""},
		{"5", "ISK", 500, ""},
		{"5", "UGX", 500, ""},
		{"1000", "MGA", 1000, ""},
		{"1000.20", "MGA", 0, reason.AmountInvalid},
		{"5.12", "KWD", 5120, ""},
		{"5.124", "KWD", 0, reason.AmountInvalid},
		{"1.010", "TND", 1010, ""},
		{"1.5", "IQD", 0, reason.CurrencyNotSupported},
		{"1.5", "CLF", 0, reason.CurrencyNotSupported},
		{"1.5", "BTC", 0, reason.CurrencyNotSupported},
		{"999999999999999.99", "USD", 99999999999999999, ""},
	} {
		currency, _ := money.Find(test.currency)
		amount, err := money.Parse(test.amount, currency)
		if err != nil {
			t.Fatal(test.amount, test.currency, err)
		}
		got, reason := units(amount)
		if got != test.want || reason != test.reason {
			t.Errorf("%s %s: %d, %s", test.amount, test.currency, got, reason)
		}
		if back := amountOf(got, strings.ToLower(test.currency)); reason == "" && back != amount {
			t.Errorf("%s %s is read as %s", test.amount, test.currency, back)
		}
	}
	usd, _ := money.Find("USD")
	for _, nothing := range []money.Amount{{}, money.Zero(usd)} {
		if _, reason := units(nothing); reason == "" {
			t.Errorf("%q can be charged", nothing)
		}
	}
	for code, n := range map[string]int64{"usd": 0, "eur": -1, "isk": 501, "xyz": 100, "": 100} {
		if got := amountOf(n, code); got != (money.Amount{}) {
			t.Errorf("%d %s is read as %s", n, code, got)
		}
	}
}

// TestCurrencies compares the table with ISO 4217: Stripe and the service agree on all others.
func TestCurrencies(t *testing.T) {
	for code, rule := range currencyRules {
		currency, found := money.Find(code)
		if same := rule.decimals == currency.Exponent && rule.ends == ""; !found || same && currency.Exponent == 2 {
			t.Errorf("%s is no currency with a rule of its own", code)
		}
	}
	for _, code := range []string{"USD", "EUR", "HUF", "TWD", "GBP"} {
		if _, special := currencyRules[code]; special {
			t.Errorf("%s is counted in hundredths", code)
		}
	}
}

// TestDeclineCodes compares the table with the decline codes that Stripe's library has.
func TestDeclineCodes(t *testing.T) {
	library, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/stripe/stripe-go/v85").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := strings.TrimSpace(string(library))
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "error.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if kind, is := specType(spec, ok); is && kind == "DeclineCode" {
			code, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if codes++; reasons[code] == "" {
				t.Errorf("%s has no reason", code)
			}
		}
		return true
	})
	if codes < 45 {
		t.Errorf("only %d codes were found in Stripe's library", codes)
	}
	known := map[reason.Code]bool{}
	for _, row := range reason.All {
		known[row.Code] = true
	}
	for code, reason := range reasons {
		if !known[reason] {
			t.Errorf("%s: the service has no reason %s", code, reason)
		}
	}
	for code, soft := range map[string]bool{
		"insufficient_funds": true, "try_again_later": true, "issuer_not_available": true, "processing_error": true,
		"stolen_card": false, "expired_card": false, "incorrect_cvc": false, "fraudulent": false, "do_not_try_again": false,
		"authentication_required": false, "generic_decline": false,
	} {
		if reasons[code].Soft() != soft {
			t.Errorf("%s: soft is %v", code, !soft)
		}
	}
}

func specType(spec *ast.ValueSpec, ok bool) (string, bool) {
	if !ok || spec.Type == nil || len(spec.Values) != 1 {
		return "", false
	}
	name, ok := spec.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}
