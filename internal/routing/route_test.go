package routing

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/request/requesttest"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
)

// routed returns the mapping and the MIDs of a request's route, with their methods, or the faults.
func routed(m *settings.Merchant, req request.Session) string {
	r, err := FindRoute(m, &req)
	if err != nil {
		return strings.Join(requesttest.TextsOf(err.(*fault.Error).Faults), "; ")
	}
	var mids []string
	for _, mid := range r.MIDs {
		mids = append(mids, mid.Name+"("+strings.Join(mid.Methods, " ")+")")
	}
	if explained := explainedRoute(m, &req); !reflect.DeepEqual(explained, r.MIDs) {
		return fmt.Sprintf("%v, and explained as %v", r.MIDs, explained)
	}
	return r.Mapping.Name + ": " + strings.Join(mids, " ")
}

// explainedRoute returns the MIDs that no evaluation has a reason against.
func explainedRoute(m *settings.Merchant, req *request.Session) (mids []settings.MID) {
	for _, e := range Evaluate(m, req) {
		if len(e.Reasons) == 0 {
			mids = append(mids, e.MID)
		}
	}
	return mids
}

// reasonsOf returns the codes of the reasons of a merchant's only MID.
func reasonsOf(m *settings.Merchant, req request.Session) string {
	var codes []string
	for _, e := range Evaluate(m, &req) {
		for _, r := range e.Reasons {
			codes = append(codes, r.Code)
			if r.Text == "" {
				codes = append(codes, "without a text")
			}
		}
	}
	return strings.Join(codes, " ")
}

// firstFault returns the code of the first fault of a route's error.
func firstFault(t *testing.T, err error) int {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Code != fault.CodeInvalid || len(e.Faults) == 0 {
		t.Fatalf("no faults: %v", err)
	}
	return e.Faults[0].Number
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
	limits := []settings.Limit{{Currency: "EUR", Min: "500", Max: "501"}, {Currency: "USD", Min: "5", Max: "10.00"}}
	both := []string{"card", "crypto"}
	for _, test := range []struct {
		name   string
		mid    settings.MID
		change func(*request.Session)
		want   string
	}{
		{"eligible", settings.MID{}, nil, ""},
		{"disabled", settings.MID{Disabled: true}, nil, "disabled"},
		{"its channel", settings.MID{ChannelID: "a"}, func(r *request.Session) { r.ChannelID = "a" }, ""},
		{"another channel", settings.MID{ChannelID: "a"}, func(r *request.Session) { r.ChannelID = "b" }, "channel_id"},
		{"a channel, the MID has none", settings.MID{}, func(r *request.Session) { r.ChannelID = "b" }, "channel_id"},
		{"no channel named", settings.MID{ChannelID: "a"}, nil, ""},
		{"any currency", settings.MID{}, func(r *request.Session) { r.Order.Currency = "PLN" }, ""},
		{"its currency", settings.MID{Currencies: []string{"EUR", "USD"}}, nil, ""},
		{"another currency", settings.MID{Currencies: []string{"EUR"}}, nil, "currency"},
		{"debit by default", settings.MID{}, func(r *request.Session) { r.Operation = "debit" }, "operation"},
		{"credit alone", settings.MID{Operations: []method.Operation{"credit"}}, nil, "operation"},
		{"its operation", settings.MID{Operations: []method.Operation{"purchase", "debit"}},
			func(r *request.Session) { r.Operation = "debit" }, ""},
		{"its method", settings.MID{}, func(r *request.Session) { r.Methods = []string{"crypto", "card"} }, ""},
		{"another method", settings.MID{}, func(r *request.Session) { r.Methods = []string{"crypto"} }, "method"},
		{"no methods", settings.MID{Methods: []string{}}, nil, "no_methods"},
		{"a method that was removed", settings.MID{Methods: []string{"cheque"}}, nil, "method_unknown"},

		{"the most", settings.MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("10", "USD") }, ""},
		{"more", settings.MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("10.01", "USD") }, "limit"},
		{"the least", settings.MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("5.00", "USD") }, ""},
		{"less", settings.MID{Limits: limits}, func(r *request.Session) { r.Order = orderOf("4.99", "USD") }, "limit"},
		{"no limit in this currency", settings.MID{Limits: limits}, func(r *request.Session) {
			r.Order = orderOf("1",
				"PLN")
		}, ""},
		{"no least", settings.MID{Limits: []settings.Limit{{Currency: "USD", Max: "10"}}},
			func(r *request.Session) { r.Order = orderOf("0.01", "USD") }, ""},
		{"no most", settings.MID{Limits: []settings.Limit{{Currency: "USD", Min: "10"}}},
			func(r *request.Session) { r.Order = orderOf("99999", "USD") }, ""},
		{"a limit nobody can read", settings.MID{Limits: []settings.Limit{{Currency: "USD", Max: "ten"}}}, nil, "limit"},
		{"the payer enters the amount", settings.MID{Limits: limits, Operations: method.Operations},
			func(r *request.Session) { r.Operation, r.Order = "transfer", orderOf("-1", "USD") }, ""},

		{"auth at both", settings.MID{CaptureType: settings.CaptureBoth}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth where nothing is set", settings.MID{}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth at DMS", settings.MID{CaptureType: settings.CaptureDMS}, func(r *request.Session) { r.Auth = true }, ""},
		{"auth at SMS", settings.MID{CaptureType: settings.CaptureSMS}, func(r *request.Session) { r.Auth = true },
			"capture_type"},
		{"no auth at DMS", settings.MID{CaptureType: settings.CaptureDMS}, nil, "capture_type"},
		{"no auth at SMS", settings.MID{CaptureType: settings.CaptureSMS}, nil, ""},
		{"debit at DMS", settings.MID{CaptureType: settings.CaptureDMS, Operations: method.Operations},
			func(r *request.Session) { r.Operation = "debit" }, ""},

		{"token, card", settings.MID{}, func(r *request.Session) { r.CardTokens = []string{token} }, ""},
		{"token, crypto", settings.MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.CardTokens = []string{token} }, "method_card"},
		{"req_token, crypto", settings.MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.ReqToken = true },
			"method_card"},
		{"recurring_init, crypto", settings.MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.RecurringInit = true }, "method_card"},
		{"recurring_init, both", settings.MID{Methods: both}, func(r *request.Session) { r.RecurringInit = true }, ""},
		{"auth, crypto", settings.MID{Methods: []string{"crypto"}}, func(r *request.Session) { withAsset(r); r.Auth = true },
			"method_auth"},
		{"crypto without its asset", settings.MID{Methods: []string{"crypto"}}, nil, "method_parameters"},
		{"crypto with its asset", settings.MID{Methods: []string{"crypto"}}, withAsset, ""},
		{"crypto without an amount", settings.MID{Methods: []string{"crypto"}},
			func(r *request.Session) { withAsset(r); r.Order = orderOf("", "USD") }, ""},
		{"a card without an amount", settings.MID{}, func(r *request.Session) { r.Order = orderOf("", "USD") },
			"method_amount"},
		{"debit by crypto", settings.MID{Methods: []string{"crypto"}, Operations: method.Operations},
			func(r *request.Session) { r.Operation = "debit" }, "method_operation"},

		{"several", settings.MID{Disabled: true, Currencies: []string{"EUR"}, Methods: both},
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
		m := routingtest.WithMIDs(mid)
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
	card, both := settings.MID{Methods: []string{"card"}}, settings.MID{Methods: []string{"card", "crypto"}}
	for _, test := range []struct {
		name   string
		mid    settings.MID
		lacks  func(*settings.Declaration)
		change func(*request.Session)
		want   string
	}{
		{"operation", settings.MID{Methods: []string{"card"}, Operations: method.Operations},
			func(d *settings.Declaration) { d.Operations = []method.Operation{"purchase"} },
			func(r *request.Session) { r.Operation = "debit" }, "connector_operation"},
		{"two-step", card, func(d *settings.Declaration) { d.Capture = false }, func(r *request.Session) { r.Auth = true },
			"connector_auth"},
		{"req_token", card, func(d *settings.Declaration) { d.SavedCards = false },
			func(r *request.Session) { r.ReqToken = true },
			"connector_saved_card"},
		{"card_token", card, func(d *settings.Declaration) { d.SavedCards = false },
			func(r *request.Session) { r.CardTokens = []string{"token"} }, "connector_saved_card"},
		{"recurring_init", card, func(d *settings.Declaration) { d.Recurring = false },
			func(r *request.Session) { r.RecurringInit = true }, "connector_recurring"},
		{"any amount", both, func(d *settings.Declaration) { d.AnyAmount = false },
			func(r *request.Session) { withAsset(r); r.Order.Amount = request.Amount{} }, "connector_amount"},
		{"method", card, func(d *settings.Declaration) { d.Methods = []string{"crypto"} }, nil, "connector_method"},
		{"another method", both, func(d *settings.Declaration) { d.Methods = []string{"crypto"} }, withAsset, ""},
		{"nothing that is needed", card,
			func(d *settings.Declaration) { *d = settings.Declaration{Operations: []method.Operation{"purchase"}} }, nil, ""},
	} {
		less := routingtest.AllCapabilities
		test.lacks(&less)
		mid := test.mid
		mid.Connector = "bank"
		m := &settings.Merchant{Connectors: settings.Declarations{"bank": less},
			Mappings: []settings.Mapping{{MIDs: []settings.MID{mid}}}}
		req := purchase()
		if test.change != nil {
			test.change(&req)
		}
		if got := reasonsOf(m, req); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		m.Connectors = routingtest.AllConnectors
		if got := reasonsOf(m, req); got != "" {
			t.Errorf("%s, of a connector that can: %q", test.name, got)
		}
	}
	m := routingtest.WithMIDs(settings.MID{Connector: "removed", Methods: []string{"card"}})
	if got := reasonsOf(m, purchase()); got != "connector_unknown" {
		t.Errorf("a connector that was removed: %q", got)
	}
	m.Connectors = settings.Declarations{"removed": {Operations: []method.Operation{"purchase"}}}
	req := purchase(func(r *request.Session) { r.Operation = "debit" })
	m.Mappings[0].MIDs[0].Operations = method.Operations
	if _, err := FindRoute(m, &req); firstFault(t, err) != fault.NumberOperation {
		t.Errorf("an operation that no connector supports: %v", err)
	}
}

func withAsset(r *request.Session) {
	r.Parameters = json.RawMessage(`{"crypto":{"crypto_type":"BTC"}}`)
}

// TestRoutes checks the error if no MID takes the request, and the mapping that is used if several have such MIDs.
func TestRoutes(t *testing.T) {
	card := func(name, channel string, changes ...func(*settings.MID)) settings.MID {
		mid := settings.MID{Name: name, ChannelID: channel, Methods: []string{"card"}}
		for _, change := range changes {
			change(&mid)
		}
		return mid
	}
	both := func(mid *settings.MID) { mid.Methods = []string{"card", "crypto"} }
	crypto := func(mid *settings.MID) { mid.Methods = []string{"crypto"} }
	off := func(mid *settings.MID) { mid.Disabled = true }
	pays := func(operations ...method.Operation) func(*settings.MID) {
		return func(mid *settings.MID) { mid.Operations = operations }
	}
	channel := func(id string, methods ...string) func(*request.Session) {
		return func(r *request.Session) { r.ChannelID, r.Methods = id, methods }
	}
	operation := func(name method.Operation) func(*request.Session) {
		return func(r *request.Session) { r.Operation = name }
	}
	main := func(mids ...settings.MID) []settings.Mapping { return routingtest.WithMIDs(mids...).Mappings }
	x := settings.Mapping{Name: "x", MIDs: []settings.MID{card("a", "")}}
	xWithoutMID := settings.Mapping{Name: "x", MIDs: []settings.MID{card("a", "", off)}}
	y := settings.Mapping{Name: "y", MIDs: []settings.MID{card("b", "")}}
	z := settings.Mapping{Name: "z", MIDs: []settings.MID{card("c", "")}}
	disabled := func(m settings.Mapping) settings.Mapping { m.Disabled = true; return m }
	closedTo := func(country string, m settings.Mapping) settings.Mapping {
		m.ClosedCountries = []string{country}
		return m
	}
	without := func(id string, mids ...settings.MID) []settings.Mapping {
		return []settings.Mapping{{Name: "main", MIDs: mids, ClosedMethods: []string{id}}}
	}
	germany := func(r *request.Session) { r.BillingAddress.Country = "DE" }
	const unsupported = "operation: This operation is not supported."
	for _, test := range []struct {
		name     string
		mappings []settings.Mapping
		change   func(*request.Session)
		want     string
	}{
		{"no mapping at all", nil, nil, noMapping},
		{"no MID at all", main(), nil, noMapping},
		{"all eligible MIDs", main(card("a", ""), card("b", "", off), card("c", "", both)), nil, "main: a(card) c(card)"},
		{"the first eligible mapping", []settings.Mapping{xWithoutMID, y, z}, nil, "y: b(card)"},
		{"a disabled mapping", []settings.Mapping{disabled(x)}, nil, "Access denied."},
		{"past a disabled mapping", []settings.Mapping{disabled(x), y}, nil, "y: b(card)"},
		{"a closed country", []settings.Mapping{closedTo("DE", x)}, germany, noMapping},
		{"another country is closed", []settings.Mapping{closedTo("FR", x)}, germany, "x: a(card)"},
		{"past a mapping that is closed to a country", []settings.Mapping{closedTo("DE", x), y}, germany, "y: b(card)"},
		{"a closed country, and none is known", []settings.Mapping{closedTo("DE", x)}, nil, "x: a(card)"},
		{"a closed method", without("card", card("a", ""), card("b", "", both)), withAsset, "main: b(crypto)"},
		{"the only method is closed", without("card", card("a", "")), nil, noMapping},
		{"a disabled mapping that is not eligible", []settings.Mapping{disabled(xWithoutMID)}, nil, noMapping},

		{"the channel's MID", main(card("a", "1"), card("b", "2")), channel("2"), "main: b(card)"},
		{"no MID has the channel", main(card("a", "1")), channel("2", "crypto"), noMapping},
		{"the channel's MID is disabled", main(card("a", "1", off), card("b", "2")), channel("1", "card"), noMapping},
		{"the channel's MID takes the method", main(card("a", "1"), card("b", "2", both)), channel("1", "card"),
			"main: a(card)"},
		{"the channel's MID takes none of them", main(card("a", "1"), card("b", "2", both)), channel("1", "crypto"),
			"methods[0]: " + requesttest.Choice},
		{"the channel's MID takes one of them", main(card("a", "1")), channel("1", "card", "crypto", "crypto"),
			"methods[1]: " + requesttest.Choice + "; methods[2]: " + requesttest.Choice},
		{"a disabled MID of the channel takes it", main(card("a", "1"), card("b", "1", both, off)), channel("1", "crypto"),
			"methods[0]: " + requesttest.Choice},
		{"two MIDs of one channel take them", main(card("a", "1"), card("b", "1", crypto)),
			func(r *request.Session) { channel("1", "card", "crypto")(r); withAsset(r) }, "main: a(card) b(crypto)"},

		{"no MID has the operation", main(card("a", "1"), card("b", "2")), operation("debit"), unsupported},
		{"one MID has it, in another currency",
			main(card("a", ""), card("b", "", pays("debit"), func(m *settings.MID) { m.Currencies = []string{"EUR"} })),
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
		if got := routed(&settings.Merchant{Connectors: routingtest.AllConnectors, Mappings: test.mappings},
			req); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if _, err := FindRoute(&settings.Merchant{}, &request.Session{}); firstFault(t, err) != fault.NumberNoMapping {
		t.Errorf("no mapping: %v", err)
	}
	req := purchase(operation("debit"))
	if _, err := FindRoute(routingtest.WithMIDs(card("a", "")), &req); firstFault(t, err) != fault.NumberOperation {
		t.Errorf("operation: %v", err)
	}
}

// With the test key every payment goes to the sandbox.
func TestRouteOfTestKey(t *testing.T) {
	m := routingtest.WithMIDs(settings.MID{Name: "a", Connector: "bank", Methods: []string{"card"}})
	for test, want := range map[bool]string{false: "bank", true: settings.SandboxConnector} {
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
	rules := []settings.PreRoute{
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
		m := routingtest.WithMIDs(settings.MID{Name: "a", Methods: []string{"card"}},
			settings.MID{Name: "b", Methods: []string{"crypto", "card"}})
		m.Mappings[0].PreRouting = rules
		r, err := FindRoute(m, &req)
		if got := strings.Join(r.Methods(), " "); err != nil || got != test.want {
			t.Errorf("%s: %q %v, want %q", test.name, got, err, test.want)
		}
	}
	for _, test := range []struct{ name, currency, country, methods, want string }{
		{"in the currency of its country", "MXN", "", "", "cash_mx card"},
		{"in another currency", "EUR", "", "", "card"},
		{"for the payer's country", "MXN", "MX", "", "cash_mx card"},
		{"for another country", "MXN", "DE", "", "card"},
		{"named, in another currency", "EUR", "", "cash_mx card", "card"},
		{"named alone", "EUR", "", "cash_mx", "cash_mx"},
		{"named with others like it", "EUR", "", "mobile_bj_tg cash_mx", "mobile_bj_tg cash_mx"},
		{"in the currency of both its countries", "XOF", "TG", "", "card mobile_bj_tg"},
	} {
		req := purchase(func(r *request.Session) {
			r.Order = orderOf("10", test.currency)
			r.BillingAddress.Country = test.country
			r.Methods = strings.Fields(test.methods)
		})
		m := routingtest.WithMIDs(settings.MID{Methods: []string{"cash_mx", "card", "mobile_bj_tg"}})
		r, err := FindRoute(m, &req)
		if got := strings.Join(r.Methods(), " "); err != nil || got != test.want {
			t.Errorf("%s: %q %v, want %q", test.name, got, err, test.want)
		}
	}
	m := routingtest.WithMIDs(settings.MID{Methods: []string{"card"}})
	m.Mappings[0].PreRouting = []settings.PreRoute{{Methods: []string{"crypto"}}}
	if got := reasonsOf(m, purchase()); got != "pre_routing" {
		t.Errorf("a rule that leaves nothing: %s", got)
	}
	bounded := settings.PreRoute{Currencies: []string{"BTC"}, MaxAmount: "1", Methods: []string{"card"}}
	req := purchase(func(r *request.Session) { r.Order = request.Order{Currency: "BTC"} })
	if bounded.Matches(&req) {
		t.Error("an unknown amount matches a bound")
	}
}

// TestMarkets checks to whom the page offers what is used in some countries: by the catalogue, or by a MID's offers.
func TestMarkets(t *testing.T) {
	upi, slip := []string{"upi_collect", "card"}, []string{"regional_bank", "card"}
	at := func(methods []string, offers ...settings.Offer) settings.MID {
		return settings.MID{Methods: methods, Offers: offers}
	}
	offer := func(id string, market method.Market) settings.Offer {
		return settings.Offer{Method: id, Market: market}
	}
	emirates := offer("upi_collect", method.Market{Countries: []string{"AE"}})
	dollars := offer("upi_collect", method.Market{Countries: []string{"IN"}, Currencies: []string{"USD"}})
	everywhere := offer("upi_collect", method.Market{})
	for _, test := range []struct {
		name, currency, country, methods, want string
		mids                                   []settings.MID
	}{
		{"in its country", "INR", "IN", "", "upi_collect card", []settings.MID{at(upi)}},
		{"the country is not known", "INR", "", "", "upi_collect[IN] card", []settings.MID{at(upi)}},
		{"another currency", "EUR", "", "", "card", []settings.MID{at(upi)}},
		{"another currency in its country", "EUR", "IN", "", "card", []settings.MID{at(upi)}},
		{"another country", "INR", "US", "", "card", []settings.MID{at(upi)}},
		{"named for another country", "EUR", "US", "upi_collect card", "upi_collect card", []settings.MID{at(upi)}},
		{"named, the country is not known", "EUR", "", "upi_collect", "upi_collect", []settings.MID{at(upi)}},
		{"the only one", "EUR", "US", "", "upi_collect", []settings.MID{at(upi[:1])}},
		{"countries with the currency", "MXN", "", "", "regional_bank[MX] card", []settings.MID{at(slip)}},
		{"several of them", "USD", "", "", "regional_bank[AR BO CR EC NI PA PE SV UY] card", []settings.MID{at(slip)}},

		{"offered elsewhere", "AED", "AE", "", "upi_collect card", []settings.MID{at(upi, emirates)}},
		{"not in its own country then", "INR", "IN", "", "card", []settings.MID{at(upi, emirates)}},
		{"offered in other currencies", "USD", "", "", "upi_collect[IN] card", []settings.MID{at(upi, dollars)}},
		{"to nobody else", "USD", "US", "", "card", []settings.MID{at(upi, dollars)}},
		{"offered everywhere", "EUR", "US", "", "upi_collect card", []settings.MID{at(upi, everywhere)}},
		{"everywhere, unknown country", "EUR", "", "", "upi_collect card", []settings.MID{at(upi, everywhere)}},
		{"by one of two MIDs", "AED", "AE", "", "upi_collect card", []settings.MID{at(upi), at(upi, emirates)}},
		{"another MID is without the method", "AED", "AE", "", "card", []settings.MID{at(upi), at(upi[1:], emirates)}},
	} {
		req := purchase(func(r *request.Session) {
			r.Order = orderOf("10", test.currency)
			r.BillingAddress.Country = test.country
			r.Methods = strings.Fields(test.methods)
		})
		r, err := FindRoute(routingtest.WithMIDs(test.mids...), &req)
		var got []string
		for _, id := range r.Methods() {
			m, _ := method.Find(id)
			if countries := r.CountriesOf(m); test.country == "" && countries != nil {
				id += fmt.Sprint(countries)
			}
			got = append(got, id)
		}
		if got := strings.Join(got, " "); err != nil || got != test.want {
			t.Errorf("%s: %q %v, want %q", test.name, got, err, test.want)
		}
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
	mid := func(name string, weight int) settings.MID {
		return settings.MID{Name: name, Weight: weight, Methods: []string{"card"}}
	}
	crypto := settings.MID{Name: "x", Weight: 100, Methods: []string{"crypto"}}
	for _, test := range []struct {
		mids   []settings.MID
		random []uint64
		want   string
	}{
		{nil, nil, ""},
		{[]settings.MID{mid("a", 0), mid("b", 0), crypto}, nil, "a b"},
		{[]settings.MID{mid("a", 0), mid("b", 7)}, nil, "b a"},
		{[]settings.MID{mid("a", 1), mid("b", 3)}, []uint64{0}, "a b"},
		{[]settings.MID{mid("a", 1), mid("b", 3)}, []uint64{1}, "b a"},
		{[]settings.MID{mid("a", 1), mid("b", 3)}, []uint64{3}, "b a"},
		{[]settings.MID{mid("a", 1), mid("b", 3)}, []uint64{4}, "a b"}, // around the clock: 4 % 4
		{[]settings.MID{mid("a", 1), crypto, mid("b", 3), mid("c", 0), mid("d", 6), mid("e", 0)}, []uint64{9, 1},
			"d b a c e"},
		{[]settings.MID{mid("a", 1), mid("b", 3), mid("d", 6)}, []uint64{2, 0}, "b a d"},
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
		r.MIDs = append(r.MIDs, settings.MID{Name: name, Weight: weights[name], Methods: []string{"card"}})
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

// First has the MIDs that Order begins with over all equally likely random numbers, each as often as its weight says.
func TestFirst(t *testing.T) {
	mid := func(name string, weight int, methods ...string) settings.MID {
		return settings.MID{Name: name, Weight: weight, Methods: methods}
	}
	for _, test := range []struct {
		mids []settings.MID
		want map[string]int // of 8 orders
	}{
		{nil, map[string]int{}},
		{[]settings.MID{mid("x", 8, "crypto")}, map[string]int{}},
		{[]settings.MID{mid("x", 8, "crypto"), mid("a", 0, "card"), mid("b", 0, "card")}, map[string]int{"a": 8}},
		{[]settings.MID{mid("a", 0, "card"), mid("b", 3, "card")}, map[string]int{"b": 8}},
		{[]settings.MID{mid("a", 6, "card"), mid("b", 0, "card"), mid("c", 2, "card")}, map[string]int{"a": 6, "c": 2}},
	} {
		r, got := Route{MIDs: test.mids}, map[string]int{}
		for i := range uint64(8) {
			if order := r.Order("card", numbers(i, 0)); len(order) > 0 {
				got[order[0].Name]++
			}
		}
		sum := 0
		for _, try := range r.First("card") {
			sum += max(try.Weight, 1)
		}
		first := map[string]int{}
		for _, try := range r.First("card") {
			first[try.MID] = 8 * max(try.Weight, 1) / sum
		}
		if !reflect.DeepEqual(got, test.want) || !reflect.DeepEqual(first, test.want) {
			t.Errorf("%v: drawn %v, first %v, want %v", test.mids, got, first, test.want)
		}
	}
}
