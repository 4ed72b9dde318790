package merchant

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/request/requesttest"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
)

func shopOfTests() *settings.Merchant {
	m := routingtest.WithMIDs(settings.MID{Name: "mid", Methods: []string{"card"}})
	m.ID, m.LiveKey, m.Password = "shop", "11111111-2222-3333-4444-555555555555", "abc123Pass"
	return m
}

var testNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// readFor reads a session of a merchant.
func readFor(t testing.TB, m *settings.Merchant, body string) (*SessionRequest, error) {
	t.Helper()
	in := mustFields(t, body)
	in.Required("merchant_key")
	return ReadSession(in, m, fault.Owner{}, testNow)
}

func mustFields(t testing.TB, body string) request.Reader {
	t.Helper()
	in, err := request.Read([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return in
}

func TestSessionHash(t *testing.T) {
	m := shopOfTests()
	signedBy := func(m *settings.Merchant, amount string) string {
		return settings.SignHash(m, "order-1234", amount, "USD", "Important gift - # 9")
	}
	signedAs := func(amount string) string { return signedBy(m, amount) }
	for _, test := range []struct {
		name, amount, hash string
		merchant           *settings.Merchant
		want               fault.Code // CodeInternal: no error
	}{
		{"as sent", `"100.99"`, signedAs("100.99"), m, fault.CodeInternal},
		{"upper case", `"100.99"`, strings.ToUpper(signedAs("100.99")), m, fault.CodeInternal},
		{"100 is not 100.00", `"100"`, signedAs("100.00"), m, fault.CodeHash},
		{"number, literal text", `10.5`, signedAs("10.5"), m, fault.CodeInternal},
		{"number, formatted text", `10.5`, signedAs("10.50"), m, fault.CodeInternal},
		{"number, another text", `10.5`, signedAs("10.500"), m, fault.CodeHash},
		{"other amount", `"100.98"`, signedAs("100.99"), m, fault.CodeHash},
		{"unknown merchant", `"100.99"`, signedAs("100.99"), nil, fault.CodeHash},
		{"unknown merchant, the password of NoMerchant", `"100.99"`, signedBy(&settings.Merchant{Password: "none"}, "100.99"),
			nil, fault.CodeHash},
		{"merchant without a password", `"100.99"`, signedBy(&settings.Merchant{}, "100.99"), &settings.Merchant{},
			fault.CodeHash},
		{"no hash at all", `"100.99"`, "x", m, fault.CodeHash},
		{"fields come first", `"0"`, "x", nil, fault.CodeInvalid},
	} {
		body := requesttest.SessionWith(t, "order.amount", test.amount, "hash", `"`+test.hash+`"`)
		r, err := readFor(t, test.merchant, body)
		if test.want == fault.CodeInternal {
			if err != nil || r.Order.Number != "order-1234" {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err == nil || fault.CodeOf(err) != test.want || r != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.want == fault.CodeHash && err.Error() != "hash: Hash is not valid." {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A request is read by the rules of the mapping that it is routed to, also if another mapping has different ones.
func TestRulesOfTheRoute(t *testing.T) {
	m := shopOfTests()
	m.Mappings = []settings.Mapping{
		{Name: "large", MIDs: []settings.MID{{Methods: []string{"card"}, Limits: []settings.Limit{{Currency: "USD",
			Min: "1000"}}}},
			Compatibility: settings.Compatibility{"preset": "cart add-on", "billing": "ask", "methods": "known"}},
		{Name: "rest", MIDs: []settings.MID{{Methods: []string{"card"}}}},
	}
	unusual := []string{
		"order.number", `"MTc="`, "methods", `["card","mobile"]`, "billing_address.city", requesttest.Quoted(60, "x"),
	}
	for amount, mapping := range map[string]string{"999": "rest", "1000": "large"} {
		hash := settings.SignHash(m, "MTc=", amount, "USD", "Important gift - # 9")
		changes := append(unusual, "order.amount", `"`+amount+`"`, "hash", `"`+hash+`"`)
		r, err := readFor(t, m, requesttest.SessionWith(t, changes...))
		if mapping == "rest" {
			if e, ok := err.(*fault.Error); !ok || len(e.Faults) != 3 {
				t.Errorf("%s: %v", amount, err)
			}
			continue
		}
		if err != nil || r.Order.Number != "MTc=" || len(r.Methods) != 1 || len(r.LeftOut) != 1 {
			t.Errorf("%s: %v %v", amount, r, err)
			continue
		}
		if route, err := r.Route(); err != nil || route.Mapping.Name != mapping {
			t.Errorf("%s: %v %v", amount, route.Mapping, err)
		}
	}
}

// With the test key, a refusal of what the preset plugin takes names that preset. Nobody else is told.
func TestHintOfThePreset(t *testing.T) {
	m := shopOfTests()
	long := requesttest.Quoted(60, "x")
	for _, test := range []struct {
		name    string
		mapping settings.Mapping
		test    bool
		change  []string
		want    bool
	}{
		{"a long city", settings.Mapping{}, true, []string{"billing_address.city", long}, true},
		{"with the live key", settings.Mapping{}, false, []string{"billing_address.city", long}, false},
		{"a name that has to be there", settings.Mapping{CustomerName: request.NameRequired}, true,
			[]string{"customer.name", `""`}, false},
		{"what no preset takes", settings.Mapping{}, true,
			[]string{"billing_address.city", long, "cancel_url", `"here"`}, false},
		{"a wrong hash", settings.Mapping{}, true, []string{"billing_address.city", long, "hash", `"00"`}, false},
	} {
		test.mapping.Name, test.mapping.MIDs = "one", m.Mappings[0].MIDs
		m.Mappings = []settings.Mapping{test.mapping}
		hash := settings.SignHash(m, "order-1234", "100.99", "USD", "Important gift - # 9")
		in := mustFields(t, requesttest.SessionWith(t, append([]string{"hash", `"` + hash + `"`}, test.change...)...))
		in.Required("merchant_key")
		_, err := ReadSession(in, m, fault.Owner{Merchant: m.ID, Test: test.test}, testNow)
		e, refused := err.(*fault.Error)
		if !refused || (e.Hint == settings.HintOfPlugin) != test.want {
			t.Errorf("%s: %+v", test.name, err)
		}
	}
}

// A route depends on a method that the merchant does not have, unless the route's own mapping leaves that out.
func TestRouteIsOfTheMethodsThatAreRead(t *testing.T) {
	m := shopOfTests()
	m.Mappings = []settings.Mapping{
		{Name: "strict", MIDs: []settings.MID{{Name: "a", ChannelID: "1", Methods: []string{"card"}}}},
		{Name: "lenient", MIDs: []settings.MID{{Name: "b", ChannelID: "2", Methods: []string{"card"}}},
			Compatibility: settings.Compatibility{"methods": "known"}},
	}
	for channel, want := range map[string]string{"1": "methods[1]: " + requesttest.Choice, "2": ""} {
		hash := settings.SignHash(m, "order-1234", "100.99", "USD", "Important gift - # 9")
		r, err := readFor(t, m, requesttest.SessionWith(t, "channel_id", `"`+channel+`"`, "methods", `["card","crypto"]`,
			"parameters.crypto.crypto_type", `"BTC"`, "hash", `"`+hash+`"`))
		if err != nil {
			t.Fatalf("%s: %v", channel, err)
		}
		got := ""
		if _, err := r.Route(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("channel %s: %q, want %q", channel, got, want)
		}
	}
}

// customer.name is checked by the rule of the mapping that the request is routed to, whatever decides the route.
func TestNameRuleOfTheRoute(t *testing.T) {
	m := shopOfTests()
	m.Mappings = []settings.Mapping{
		{Name: "two-step", MIDs: []settings.MID{{Methods: []string{"card"}, CaptureType: settings.CaptureDMS}},
			CustomerName: request.NameOff},
		{Name: "large", MIDs: []settings.MID{{Methods: []string{"card"}, Limits: []settings.Limit{{Currency: "USD",
			Min: "1000"}}}},
			CustomerName: request.NameRequired},
		{Name: "rest", MIDs: []settings.MID{{Methods: []string{"card"}}}},
	}
	rules := func(m *settings.Merchant, changes ...string) request.NameRule {
		draft := request.ReadSession(mustFields(t, requesttest.SessionWith(t, changes...)), m, testNow)
		r := SessionRequest{Session: &draft.Session, Merchant: m}
		return r.rules().Name
	}
	for _, test := range []struct {
		changes []string
		want    request.NameRule
	}{
		{nil, request.NameChecked},
		{[]string{"auth", `"Y"`}, request.NameOff},
		{[]string{"order.amount", `"1000"`}, request.NameRequired},
		{[]string{"order.amount", `"nonsense"`}, request.NameChecked},
		{[]string{"operation", `"credit"`}, request.NameChecked},
	} {
		if got := rules(m, test.changes...); got != test.want {
			t.Errorf("%q: %q, want %q", test.changes, got, test.want)
		}
	}
	if got := rules(&settings.Merchant{}); got != request.NameChecked {
		t.Errorf("without mappings: %q", got)
	}
	required := shopOfTests()
	required.Mappings[0].CustomerName = request.NameRequired
	signed := requesttest.SessionWith(t, "hash", `"`+settings.SignHash(required, "order-1234", "100.99", "USD",
		"Important gift - # 9")+`"`)
	if _, err := readFor(t, required, signed); err == nil || err.Error() != "customer.name: "+requesttest.Blank {
		t.Errorf("the mapping's rule is not applied: %v", err)
	}
}
