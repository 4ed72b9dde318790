package merchant

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/request/requesttest"
)

// routed returns the mapping and the MIDs of a request's route, with their methods, or the faults.
func routed(m *Merchant, req request.Session) string {
	r, err := FindRoute(m, &req)
	if err != nil {
		return strings.Join(faultTexts(err.(*request.Error).Faults), "; ")
	}
	var mids []string
	for _, mid := range r.MIDs {
		mids = append(mids, mid.Name+"("+strings.Join(mid.Methods, " ")+")")
	}
	return r.Mapping.Name + ": " + strings.Join(mids, " ")
}

// reasonsOf returns the codes of the reasons of a merchant's only MID.
func reasonsOf(m *Merchant, req request.Session) string {
	var codes []string
	for _, e := range evaluate(m, &req) {
		for _, r := range e.Reasons {
			codes = append(codes, r.Code)
			if r.Text == "" {
				codes = append(codes, "without a text")
			}
		}
	}
	return strings.Join(codes, " ")
}

// allConnectors support everything: the sandbox, a bank, and the one without a name, which most MIDs of tests have.
var allConnectors = Declarations{"": allCapabilities, "bank": allCapabilities, SandboxConnector: allCapabilities}

var allCapabilities = Declaration{
	Operations: method.Operations, Capture: true, Void: true, Refund: true, StatusQueries: true, Notices: true,
	ThreeDSecure: true, SavedCards: true, Recurring: true, AnyAmount: true,
}

// withMIDs returns a merchant with one mapping, which has these MIDs.
func withMIDs(mids ...MID) *Merchant {
	return &Merchant{Connectors: allConnectors, Mappings: []Mapping{{Name: "main", MIDs: mids}}}
}

// firstFault returns the code of the first fault of a route's error.
func firstFault(t *testing.T, err error) int {
	t.Helper()
	var e *request.Error
	if !errors.As(err, &e) || e.Code != request.CodeInvalid || len(e.Faults) == 0 {
		t.Fatalf("no faults: %v", err)
	}
	return e.Faults[0].Code
}

// orderOf returns an order with an amount.
func orderOf(amount, code string) request.Order {
	currency, _ := money.Find(code)
	return request.Order{Amount: request.ReadAmount(amount, currency), Currency: code}
}

// purchase returns a request of 10 USD with changes.
func purchase(changes ...func(*request.Session)) request.Session {
	req := request.Session{Details: request.Details{Operation: "purchase", Order: orderOf("10.00", "USD")}}
	for _, change := range changes {
		change(&req)
	}
	return req
}

// token is the card_token of a saved card.
var token = strings.Repeat("ab", 32)

const noMapping = "Protocol mapping not found."

// TestReasons has a case for every reason of a MID: a request that differs in one detail from one that the MID takes.
func TestReasons(t *testing.T) {
	limits := []Limit{{Currency: "EUR", Min: "500", Max: "501"}, {Currency: "USD", Min: "5", Max: "10.00"}}
	both := []string{"card", "crypto"}
	for _, test := range []struct {
		name   string
		mid    MID
		change func(*request.Session)
		want   string
	}{
		{"eligible", MID{}, nil, ""},
		{"disabled", MID{Disabled: true}, nil, "disabled"},
		{"its channel", MID{ChannelID: "a"}, func(r *request.Session) { r.ChannelID = "a" }, ""},
		{"another channel", MID{ChannelID: "a"}, func(r *request.Session) { r.ChannelID = "b" }, "channel_id"},
		{"a channel, the MID has none", MID{}, func(r *request.Session) { r.ChannelID = "b" }, "channel_id"},
		{"no channel named", MID{ChannelID: "a"}, nil, ""},
		{"any currency", MID{}, func(r *request.Session) { r.Order.Currency = "PLN" }, ""},
		{"its currency", MID{Currencies: []string{"EUR", "USD"}}, nil, ""},
		{"another currency", MID{Currencies: []string{"EUR"}}, nil, "currency"},
		{"debit by default", MID{}, func(r *request.Session) { r.Operation = "debit" }, "operation"},
		{"credit alone", MID{Operations: []method.Operation{"credit"}}, nil, "operation"},
		{"its operation", MID{Operations: []method.Operation{"purchase", "debit"}},
			func(r *request.Session) { r.Operation = "debit" }, ""},
		{"its method", MID{}, func(r *request.Session) { r.Methods = []string{"crypto", "card"} }, ""},
		{"another method", MID{}, func(r *request.Session) { r.Methods = []string{"crypto"} }, "method"},
		{"no methods", MID{Methods: []string{}}, nil, "no_methods"},
		{"a method that was removed", MID{Methods: []string{"cheque"}}, nil, "method_unknown"},

		{"the most", MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("10", "USD") }, ""},
		{"more", MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("10.01", "USD") }, "limit"},
		{"the least", MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("5.00", "USD") }, ""},
		{"less", MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("4.99", "USD") }, "limit"},
		{"no limit in this currency", MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("1", "PLN") }, ""},
		{"no least", MID{Limits: []Limit{{Currency: "USD", Max: "10"}}},
			func(r *request.Session) { r.Order = orderOf("0.01", "USD") }, ""},
		{"no most", MID{Limits: []Limit{{Currency: "USD", Min: "10"}}},
			func(r *request.Session) { r.Order = orderOf("99999", "USD") }, ""},
		{"a limit nobody can read", MID{Limits: []Limit{{Currency: "USD", Max: "ten"}}}, nil, "limit"},
		{"the payer enters the amount", MID{Limits: limits, Operations: method.Operations},
			func(r *request.Session) { r.Operation, r.Order = "transfer", orderOf("-1", "USD") }, ""},

		{"auth at both", MID{CaptureType: CaptureBoth}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth where nothing is set", MID{}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth at DMS", MID{CaptureType: CaptureDMS}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth at SMS", MID{CaptureType: CaptureSMS}, func(r *request.Session) { r.Auth = true }, "capture_type"},
		{"no auth at DMS", MID{CaptureType: CaptureDMS}, nil, "capture_type"},
		{"no auth at SMS", MID{CaptureType: CaptureSMS}, nil, ""},
		{"debit at DMS", MID{CaptureType: CaptureDMS, Operations: method.Operations},
			func(r *request.Session) { r.Operation = "debit" }, ""},

		{"token, card", MID{}, func(r *request.Session) { r.CardTokens = []string{token} }, ""},
		{"token, crypto", MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.CardTokens = []string{token} }, "method_card"},
		{"req_token, crypto", MID{Methods: []string{"crypto"}}, func(r *request.Session) { withAsset(r); r.ReqToken = true },
			"method_card"},
		{"recurring_init, crypto", MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.RecurringInit = true }, "method_card"},
		{"recurring_init, both", MID{Methods: both}, func(r *request.Session) { r.RecurringInit = true }, ""},
		{"auth, crypto", MID{Methods: []string{"crypto"}}, func(r *request.Session) { withAsset(r); r.Auth = true },
			"method_auth"},
		{"crypto without its asset", MID{Methods: []string{"crypto"}}, nil, "method_parameters"},
		{"crypto with its asset", MID{Methods: []string{"crypto"}}, withAsset, ""},
		{"crypto without an amount", MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.Order = orderOf("", "USD") }, ""},
		{"a card without an amount", MID{}, func(r *request.Session) { r.Order = orderOf("", "USD") }, "method_amount"},
		{"debit by crypto", MID{Methods: []string{"crypto"}, Operations: method.Operations},
			func(r *request.Session) { r.Operation = "debit" }, "method_operation"},

		{"several", MID{Disabled: true, Currencies: []string{"EUR"}, Methods: both},
			func(r *request.Session) { r.Operation, r.Methods = "credit", []string{"crypto"} },
			"disabled operation currency method method_operation"},
	} {
		mid := test.mid
		if mid.Methods == nil {
			mid.Methods = []string{"card"}
		}
		req := purchase()
		if test.change != nil {
			test.change(&req)
		}
		m := withMIDs(mid)
		if got := reasonsOf(m, req); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		_, err := FindRoute(m, &req)
		if (err == nil) != (test.want == "") {
			t.Errorf("%s: FindRoute returns %v", test.name, err)
		}
	}
}

// TestReasonsOfConnectors removes one capability from a connector, and routes a request that needs it.
func TestReasonsOfConnectors(t *testing.T) {
	card, both := MID{Methods: []string{"card"}}, MID{Methods: []string{"card", "crypto"}}
	for _, test := range []struct {
		name   string
		mid    MID
		lacks  func(*Declaration)
		change func(*request.Session)
		want   string
	}{
		{"operation", MID{Methods: []string{"card"}, Operations: method.Operations},
			func(d *Declaration) { d.Operations = []method.Operation{"purchase"} },
			func(r *request.Session) { r.Operation = "debit" }, "connector_operation"},
		{"two-step", card, func(d *Declaration) { d.Capture = false }, func(r *request.Session) { r.Auth = true },
			"connector_auth"},
		{"req_token", card, func(d *Declaration) { d.SavedCards = false }, func(r *request.Session) { r.ReqToken = true },
			"connector_saved_card"},
		{"card_token", card, func(d *Declaration) { d.SavedCards = false },
			func(r *request.Session) { r.CardTokens = []string{"token"} }, "connector_saved_card"},
		{"recurring_init", card, func(d *Declaration) { d.Recurring = false },
			func(r *request.Session) { r.RecurringInit = true }, "connector_recurring"},
		{"any amount", both, func(d *Declaration) { d.AnyAmount = false },
			func(r *request.Session) { withAsset(r); r.Order.Amount = request.Amount{} }, "connector_amount"},
		{"method", card, func(d *Declaration) { d.Methods = []string{"crypto"} }, nil, "connector_method"},
		{"another method", both, func(d *Declaration) { d.Methods = []string{"crypto"} }, withAsset, ""},
		{"nothing that is needed", card,
			func(d *Declaration) { *d = Declaration{Operations: []method.Operation{"purchase"}} }, nil, ""},
	} {
		less := allCapabilities
		test.lacks(&less)
		mid := test.mid
		mid.Connector = "bank"
		m := &Merchant{Connectors: Declarations{"bank": less}, Mappings: []Mapping{{MIDs: []MID{mid}}}}
		req := purchase()
		if test.change != nil {
			test.change(&req)
		}
		if got := reasonsOf(m, req); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		m.Connectors = allConnectors
		if got := reasonsOf(m, req); got != "" {
			t.Errorf("%s, of a connector that can: %q", test.name, got)
		}
	}
	m := withMIDs(MID{Connector: "removed", Methods: []string{"card"}})
	if got := reasonsOf(m, purchase()); got != "connector_unknown" {
		t.Errorf("a connector that was removed: %q", got)
	}
	m.Connectors = Declarations{"removed": {Operations: []method.Operation{"purchase"}}}
	req := purchase(func(r *request.Session) { r.Operation = "debit" })
	m.Mappings[0].MIDs[0].Operations = method.Operations
	if _, err := FindRoute(m, &req); firstFault(t, err) != request.FaultOperation {
		t.Errorf("an operation that no connector supports: %v", err)
	}
}

func withAsset(r *request.Session) {
	r.Parameters = json.RawMessage(`{"crypto":{"crypto_type":"BTC"}}`)
}

// TestRoutes checks the error if no MID takes the request, and the mapping that is used if several have such MIDs.
func TestRoutes(t *testing.T) {
	card := func(name, channel string, changes ...func(*MID)) MID {
		mid := MID{Name: name, ChannelID: channel, Methods: []string{"card"}}
		for _, change := range changes {
			change(&mid)
		}
		return mid
	}
	both := func(mid *MID) { mid.Methods = []string{"card", "crypto"} }
	crypto := func(mid *MID) { mid.Methods = []string{"crypto"} }
	off := func(mid *MID) { mid.Disabled = true }
	pays := func(operations ...method.Operation) func(*MID) { return func(mid *MID) { mid.Operations = operations } }
	channel := func(id string, methods ...string) func(*request.Session) {
		return func(r *request.Session) { r.ChannelID, r.Methods = id, methods }
	}
	operation := func(name method.Operation) func(*request.Session) {
		return func(r *request.Session) { r.Operation = name }
	}
	main := func(mids ...MID) []Mapping { return withMIDs(mids...).Mappings }
	x := Mapping{Name: "x", MIDs: []MID{card("a", "")}}
	xWithoutMID := Mapping{Name: "x", MIDs: []MID{card("a", "", off)}}
	y := Mapping{Name: "y", MIDs: []MID{card("b", "")}}
	z := Mapping{Name: "z", MIDs: []MID{card("c", "")}}
	disabled := func(m Mapping) Mapping { m.Disabled = true; return m }
	const unsupported = "operation: This operation is not supported."
	for _, test := range []struct {
		name     string
		mappings []Mapping
		change   func(*request.Session)
		want     string
	}{
		{"no mapping at all", nil, nil, noMapping},
		{"no MID at all", main(), nil, noMapping},
		{"all eligible MIDs", main(card("a", ""), card("b", "", off), card("c", "", both)), nil, "main: a(card) c(card)"},
		{"the first eligible mapping", []Mapping{xWithoutMID, y, z}, nil, "y: b(card)"},
		{"a disabled mapping", []Mapping{disabled(x)}, nil, "Access denied."},
		{"past a disabled mapping", []Mapping{disabled(x), y}, nil, "y: b(card)"},
		{"a disabled mapping that is not eligible", []Mapping{disabled(xWithoutMID)}, nil, noMapping},

		{"the channel's MID", main(card("a", "1"), card("b", "2")), channel("2"), "main: b(card)"},
		{"no MID has the channel", main(card("a", "1")), channel("2", "crypto"), noMapping},
		{"the channel's MID is disabled", main(card("a", "1", off), card("b", "2")), channel("1", "card"), noMapping},
		{"the channel's MID takes the method", main(card("a", "1"), card("b", "2", both)), channel("1", "card"),
			"main: a(card)"},
		{"the channel's MID takes none of them", main(card("a", "1"), card("b", "2", both)), channel("1", "crypto"),
			"methods[0]: " + choice},
		{"the channel's MID takes one of them", main(card("a", "1")), channel("1", "card", "crypto", "crypto"),
			"methods[1]: " + choice + "; methods[2]: " + choice},
		{"a disabled MID of the channel takes it", main(card("a", "1"), card("b", "1", both, off)), channel("1", "crypto"),
			"methods[0]: " + choice},
		{"two MIDs of one channel take them", main(card("a", "1"), card("b", "1", crypto)),
			func(r *request.Session) { channel("1", "card", "crypto")(r); withAsset(r) }, "main: a(card) b(crypto)"},

		{"no MID has the operation", main(card("a", "1"), card("b", "2")), operation("debit"), unsupported},
		{"one MID has it, in another currency",
			main(card("a", ""), card("b", "", pays("debit"), func(m *MID) { m.Currencies = []string{"EUR"} })),
			operation("debit"), noMapping},
		{"only a disabled MID has it", main(card("a", ""), card("b", "", pays("debit"), off)), operation("debit"),
			unsupported},
		{"the channel's MID does not have it", main(card("a", "1"), card("b", "2", pays("debit"))),
			func(r *request.Session) { r.Operation, r.ChannelID = "debit", "1" }, unsupported},
		{"debit", main(card("a", ""), card("b", "", pays("purchase", "debit"))), operation("debit"), "main: b(card)"},
		{"a crypto purchase without an amount", main(card("a", ""), card("b", "", both)),
			func(r *request.Session) { withAsset(r); r.Order = request.Order{Currency: "BTC"} }, "main: b(crypto)"},
		{"the same where none takes that", main(card("a", "")),
			func(r *request.Session) { withAsset(r); r.Order = request.Order{Currency: "BTC"} }, noMapping},
	} {
		req := purchase()
		if test.change != nil {
			test.change(&req)
		}
		if got := routed(&Merchant{Connectors: allConnectors, Mappings: test.mappings}, req); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if _, err := FindRoute(&Merchant{}, &request.Session{}); firstFault(t, err) != request.FaultNoMapping {
		t.Errorf("no mapping: %v", err)
	}
	req := purchase(operation("debit"))
	if _, err := FindRoute(withMIDs(card("a", "")), &req); firstFault(t, err) != request.FaultOperation {
		t.Errorf("operation: %v", err)
	}
}

// With the test key every payment goes to the sandbox.
func TestRouteOfTestKey(t *testing.T) {
	m := withMIDs(MID{Name: "a", Connector: "bank", Methods: []string{"card"}})
	for test, want := range map[bool]string{false: "bank", true: SandboxConnector} {
		req := purchase(func(r *request.Session) { r.Test = test })
		r, err := FindRoute(m, &req)
		if err != nil || r.MIDs[0].Connector != want {
			t.Errorf("test %v: %v %v", test, r.MIDs, err)
		}
	}
	if m.Mappings[0].MIDs[0].Connector != "bank" {
		t.Error("the merchant itself was changed")
	}
}

// TestPreRouting checks which methods are shown, and their order: those that the request names, or else those of the
// first rule that matches, or else all.
func TestPreRouting(t *testing.T) {
	rules := []PreRoute{
		{Operations: []method.Operation{"debit"}, Methods: []string{"crypto"}},
		{Currencies: []string{"EUR"}, MinAmount: "10", MaxAmount: "20", Methods: []string{"crypto"}},
		{Currencies: []string{"EUR"}, MinAmount: "100", Methods: []string{"card"}},
		{Countries: []string{"DE", "FR"}, Currencies: []string{"USD", "GBP"}, Methods: []string{"crypto", "card"}},
		{Currencies: []string{"BTC"}, Methods: []string{"crypto"}},
		{Countries: []string{"US"}, Methods: []string{"card", "crypto"}},
	}
	for _, test := range []struct {
		name, currency, amount, country, methods, want string
	}{
		{"no rule matches: the MIDs' order", "USD", "10", "", "", "card crypto"},
		{"an unknown country matches no rule of countries", "GBP", "10", "", "", "card crypto"},
		{"the rule's order", "USD", "10", "FR", "", "crypto card"},
		{"the first rule that matches", "EUR", "10.00", "US", "", "crypto"},
		{"the upper bound", "EUR", "20", "", "", "crypto"},
		{"between two rules", "EUR", "20.01", "", "", "card crypto"},
		{"only a lower bound", "EUR", "5000", "", "", "card"},
		{"the last rule", "PLN", "1", "US", "", "card crypto"},
		{"the request's own methods come first", "EUR", "10", "DE", "card", "card"},
		{"in the request's order, each once", "USD", "10", "", "crypto card crypto", "crypto card"},
		{"without an amount", "BTC", "", "", "", "crypto"},
	} {
		req := purchase(withAsset, func(r *request.Session) {
			r.Order = orderOf(test.amount, test.currency)
			r.BillingAddress.Country = test.country
			r.Methods = strings.Fields(test.methods)
		})
		m := withMIDs(MID{Name: "a", Methods: []string{"card"}}, MID{Name: "b", Methods: []string{"crypto", "card"}})
		m.Mappings[0].PreRouting = rules
		r, err := FindRoute(m, &req)
		if got := strings.Join(r.Methods(), " "); err != nil || got != test.want {
			t.Errorf("%s: %q %v, want %q", test.name, got, err, test.want)
		}
	}
	m := withMIDs(MID{Methods: []string{"card"}})
	m.Mappings[0].PreRouting = []PreRoute{{Methods: []string{"crypto"}}}
	if got := reasonsOf(m, purchase()); got != "pre_routing" {
		t.Errorf("a rule that leaves nothing: %s", got)
	}
	bounded := PreRoute{Currencies: []string{"BTC"}, MaxAmount: "1", Methods: []string{"card"}}
	req := purchase(func(r *request.Session) { r.Order = request.Order{Currency: "BTC"} })
	if bounded.matches(&req) {
		t.Error("an unknown amount matches a bound")
	}
}

// numbers returns a source of randomness that returns these numbers.
func numbers(all ...uint64) func(int) []byte {
	return func(n int) []byte {
		b := make([]byte, n)
		binary.BigEndian.PutUint64(b, all[0])
		all = all[1:]
		return b
	}
}

func TestOrder(t *testing.T) {
	mid := func(name string, weight int) MID { return MID{Name: name, Weight: weight, Methods: []string{"card"}} }
	crypto := MID{Name: "x", Weight: 100, Methods: []string{"crypto"}}
	for _, test := range []struct {
		mids   []MID
		random []uint64
		want   string
	}{
		{nil, nil, ""},
		{[]MID{mid("a", 0), mid("b", 0), crypto}, nil, "a b"},
		{[]MID{mid("a", 0), mid("b", 7)}, nil, "b a"},
		{[]MID{mid("a", 1), mid("b", 3)}, []uint64{0}, "a b"},
		{[]MID{mid("a", 1), mid("b", 3)}, []uint64{1}, "b a"},
		{[]MID{mid("a", 1), mid("b", 3)}, []uint64{3}, "b a"},
		{[]MID{mid("a", 1), mid("b", 3)}, []uint64{4}, "a b"}, // around the clock: 4 % 4
		{[]MID{mid("a", 1), crypto, mid("b", 3), mid("c", 0), mid("d", 6), mid("e", 0)}, []uint64{9, 1}, "d b a c e"},
		{[]MID{mid("a", 1), mid("b", 3), mid("d", 6)}, []uint64{2, 0}, "b a d"},
	} {
		r := Route{MIDs: test.mids}
		before := MIDNames(r.MIDs)
		if got := strings.Join(MIDNames(r.Order("card", numbers(test.random...))), " "); got != test.want {
			t.Errorf("%v %v: %s, want %s", test.mids, test.random, got, test.want)
		}
		if !reflect.DeepEqual(MIDNames(r.MIDs), before) {
			t.Errorf("the route itself was changed: %v", MIDNames(r.MIDs))
		}
	}
}

// Over all equally likely random numbers, each order of the MIDs has exactly the probability that the weights give it.
func TestOrderIsDrawnByWeight(t *testing.T) {
	weights := map[string]int{"a": 1, "b": 2, "c": 5}
	var r Route
	for _, name := range []string{"a", "b", "c"} {
		r.MIDs = append(r.MIDs, MID{Name: name, Weight: weights[name], Methods: []string{"card"}})
	}
	const first, second = 8, 3 * 6 * 7 // the sum of the weights, and a multiple of the sum of any two of them
	got := map[string]int{}
	for i := range uint64(first) {
		for j := range uint64(second) {
			got[strings.Join(MIDNames(r.Order("card", numbers(i, j))), "")]++
		}
	}
	for _, order := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
		one, two := weights[order[:1]], weights[order[1:2]]
		if want := second * one * two / (8 - one); got[order] != want {
			t.Errorf("%s: %d times, want %d", order, got[order], want)
		}
	}
}

// customer.name is checked by the rule of the mapping that the request is routed to, whatever decides the route.
func TestNameRuleOfTheRoute(t *testing.T) {
	m := testMerchant()
	m.Mappings = []Mapping{
		{Name: "two-step", MIDs: []MID{{Methods: []string{"card"}, CaptureType: CaptureDMS}}, CustomerName: request.NameOff},
		{Name: "large", MIDs: []MID{{Methods: []string{"card"}, Limits: []Limit{{Currency: "USD", Min: "1000"}}}},
			CustomerName: request.NameRequired},
		{Name: "rest", MIDs: []MID{{Methods: []string{"card"}}}},
	}
	rules := func(m *Merchant, changes ...string) request.NameRule {
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
	if got := rules(&Merchant{}); got != request.NameChecked {
		t.Errorf("without mappings: %q", got)
	}
	required := testMerchant()
	required.Mappings[0].CustomerName = request.NameRequired
	signed := requesttest.SessionWith(t, "hash", `"`+SignHash(required, "order-1234", "100.99", "USD",
		"Important gift - # 9")+`"`)
	if _, err := readFor(t, required, signed); err == nil || err.Error() != "customer.name: "+blank {
		t.Errorf("the mapping's rule is not applied: %v", err)
	}
}
