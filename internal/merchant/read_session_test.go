package merchant

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/request"
	"checkout/internal/request/requesttest"
)

func testMerchant() *Merchant {
	m := withMIDs(MID{Name: "mid", Methods: []string{"card"}})
	m.ID, m.LiveKey, m.Password = "shop", "11111111-2222-3333-4444-555555555555", "abc123Pass"
	return m
}

var testNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// readFor reads a session of a merchant.
func readFor(t testing.TB, m *Merchant, body string) (*SessionRequest, error) {
	t.Helper()
	in := mustFields(t, body)
	in.Required("merchant_key")
	return ReadSession(in, m, request.Owner{}, testNow)
}

func mustFields(t testing.TB, body string) request.Reader {
	t.Helper()
	in, err := request.Read([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return in
}

func quoted(n int, s string) string { return `"` + strings.Repeat(s, n) + `"` }

const (
	blank    = "This value should not be blank."
	notValid = "This value is not valid."
	choice   = "The value you selected is not a valid choice."
	badURL   = "This value is not a valid URL."
	notAbove = "This value should be greater than 0."
)

func TestSessionHash(t *testing.T) {
	m := testMerchant()
	signedBy := func(m *Merchant, amount string) string {
		return SignHash(m, "order-1234", amount, "USD", "Important gift - # 9")
	}
	signedAs := func(amount string) string { return signedBy(m, amount) }
	for _, test := range []struct {
		name, amount, hash string
		merchant           *Merchant
		want               request.Code // CodeInternal: no error
	}{
		{"as sent", `"100.99"`, signedAs("100.99"), m, request.CodeInternal},
		{"upper case", `"100.99"`, strings.ToUpper(signedAs("100.99")), m, request.CodeInternal},
		{"100 is not 100.00", `"100"`, signedAs("100.00"), m, request.CodeHash},
		{"number, literal text", `10.5`, signedAs("10.5"), m, request.CodeInternal},
		{"number, formatted text", `10.5`, signedAs("10.50"), m, request.CodeInternal},
		{"number, another text", `10.5`, signedAs("10.500"), m, request.CodeHash},
		{"other amount", `"100.98"`, signedAs("100.99"), m, request.CodeHash},
		{"unknown merchant", `"100.99"`, signedAs("100.99"), nil, request.CodeHash},
		{"unknown merchant, the password of NoMerchant", `"100.99"`, signedBy(&Merchant{Password: "none"}, "100.99"),
			nil, request.CodeHash},
		{"merchant without a password", `"100.99"`, signedBy(&Merchant{}, "100.99"), &Merchant{}, request.CodeHash},
		{"no hash at all", `"100.99"`, "x", m, request.CodeHash},
		{"fields come first", `"0"`, "x", nil, request.CodeInvalid},
	} {
		body := requesttest.SessionWith(t, "order.amount", test.amount, "hash", `"`+test.hash+`"`)
		r, err := readFor(t, test.merchant, body)
		if test.want == request.CodeInternal {
			if err != nil || r.Order.Number != "order-1234" {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err == nil || request.ErrorCode(err) != test.want || r != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.want == request.CodeHash && err.Error() != "hash: Hash is not valid." {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// faultTexts returns faults as texts.
func faultTexts(faults []request.Fault) []string {
	var texts []string
	for _, f := range faults {
		texts = append(texts, f.String())
	}
	return texts
}
