package form

import (
	"maps"
	"slices"
	"testing"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
)

// Each page field stores its value in a place of its own.
func TestEveryPlaceIsStored(t *testing.T) {
	var v Values
	stored := map[*string]method.Place{}
	for _, f := range method.PageFields {
		at := places[f.Place]
		if f.Place == method.InSealedCard || f.Place == method.InParameters {
			if (f.Place == method.InSealedCard) != f.Sealed || at != nil {
				t.Errorf("%s goes to %s", f.ID, f.Place)
			}
			continue
		}
		if at == nil || f.Sealed {
			t.Errorf("%s is not stored: places of form.go lacks %q, or the field is sealed", f.ID, f.Place)
			continue
		}
		if other := stored[at(&v)]; other != "" {
			t.Errorf("%s and %s are stored in the same place", other, f.Place)
		}
		stored[at(&v)] = f.Place
	}
	if len(stored) != len(places) {
		t.Errorf("%d places for %d of the page", len(places), len(stored))
	}
}

// The name on a card is asked for where somebody needs it.
func TestNameOnCard(t *testing.T) {
	all := method.Operations
	no, yes := false, true
	with := settings.MID{Name: "with", Connector: "with", Methods: []string{"card"}, Operations: all}
	without := settings.MID{
		Name: "without", Connector: "without", Methods: []string{"card", "card_brand_a", "crypto"}, Operations: all,
	}
	set := func(mid settings.MID, needs *bool) settings.MID { mid.CardName = needs; return mid }
	for name, test := range map[string]struct {
		mids            []settings.MID
		change          func(*settings.Merchant, *request.Session)
		asked, optional bool
	}{
		"nobody needs it":  {[]settings.MID{without}, nil, false, false},
		"a connector does": {[]settings.MID{with}, nil, true, false},
		"one of two does":  {[]settings.MID{without, with}, nil, true, false},
		"a MID does":       {[]settings.MID{set(without, &yes)}, nil, true, false},
		"a MID does not":   {[]settings.MID{set(with, &no)}, nil, false, false},
		"with the test key": {[]settings.MID{without}, func(_ *settings.Merchant, req *request.Session) {
			req.Test = true
		}, false, false},
		"a connector does, with the test key": {[]settings.MID{with}, func(_ *settings.Merchant, req *request.Session) {
			req.Test = true
		}, true, false},
		"a card to be saved": {[]settings.MID{without}, func(_ *settings.Merchant, req *request.Session) {
			req.ReqToken = true
		}, true, false},
		"a transfer": {[]settings.MID{without}, func(_ *settings.Merchant, req *request.Session) {
			req.Operation = method.Transfer
		}, true, false},
		"a card of a wallet's brand": {[]settings.MID{without}, func(_ *settings.Merchant, req *request.Session) {
			req.Methods = []string{"card_brand_a"}
		}, true, false},
		"no card": {[]settings.MID{with, without}, func(_ *settings.Merchant, req *request.Session) {
			req.Methods = []string{"crypto"}
		}, false, false},
		"it was sent": {[]settings.MID{with}, func(_ *settings.Merchant, req *request.Session) {
			req.Customer.Name = "Ada Lovelace"
		}, false, false},
		"the mapping requires it": {[]settings.MID{without}, func(m *settings.Merchant, _ *request.Session) {
			m.Mappings[0].RequiredFields = []string{"payer_name"}
		}, true, false},
		"the form shows it": {[]settings.MID{without}, func(m *settings.Merchant, req *request.Session) {
			m.Forms, req.FormID = []settings.Form{{ID: "f", OptionalFields: []string{"payer_name"}}}, "f"
		}, true, true},
		"a MID does, and the form shows it": {[]settings.MID{with}, func(m *settings.Merchant, req *request.Session) {
			m.Forms, req.FormID = []settings.Form{{ID: "f", OptionalFields: []string{"payer_name"}}}, "f"
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := routingtest.WithMIDs(test.mids...)
			can := settings.Declaration{Operations: all, SavedCards: true}
			m.Connectors = settings.Declarations{"without": can, settings.SandboxConnector: can}
			can.CardName = true
			m.Connectors["with"] = can
			usd, _ := money.Find("USD")
			req := &request.Session{Details: request.Details{Operation: method.Purchase}}
			req.Methods = []string{"card"}
			req.Order.Currency = "USD"
			amount, _ := money.Parse("10", usd)
			req.Order.Amount = request.Entered(amount)
			if test.change != nil {
				test.change(m, req)
			}
			if req.Methods[0] == "crypto" {
				req.Parameters = []byte(`{"crypto":{"crypto_type":"BTC"}}`)
			}
			r, err := routing.FindRoute(m, req)
			if err != nil {
				t.Fatal(err)
			}
			fields := Fields(r, req.Methods[0], req)
			i := slices.IndexFunc(fields, func(f method.PageField) bool { return f.ID == "payer_name" })
			if (i >= 0) != test.asked || i >= 0 && fields[i].Optional != test.optional {
				t.Errorf("%+v", fields)
			}
		})
	}
}

// A name as payers typed it in the shop, which the page would not take, is asked for where somebody needs one. It comes
// filled in with what of it fits, which is taken as it is.
func TestNameOfTheShopOnCard(t *testing.T) {
	for _, test := range []struct {
		sent          string
		value         string // "": the page asks for none
		unusual       bool
		typed, stored string // stored "": refused
	}{
		{"Ada Lovelace", "", false, "", "Ada Lovelace"},
		{"王伟", "王伟", true, "", "王伟"},
		{"王伟", "王伟", true, "王伟", "王伟"},
		{"王伟", "王伟", true, "Wang Wei", "Wang Wei"},
		{"王伟", "王伟", true, "Wang", ""},
		{"user123", "user", false, "", "user"},
		{"user123", "user", false, "user123", ""},
		{"Ann Lee 2", "Ann Lee", false, "", "Ann Lee"},
	} {
		asks := func(typedNames, needed bool) (*request.Session, []method.PageField) {
			mid := settings.MID{Name: "a", Methods: []string{"card"}, Operations: method.Operations, CardName: &needed}
			m := routingtest.WithMIDs(mid)
			if typedNames {
				m.Mappings[0].Compatibility = settings.Compatibility{"names": "typed"}
			}
			usd, _ := money.Find("USD")
			amount, _ := money.Parse("10", usd)
			req := &request.Session{Details: request.Details{Operation: method.Purchase}}
			req.Methods, req.Customer.Name = []string{"card"}, test.sent
			req.Order.Currency, req.Order.Amount = "USD", request.Entered(amount)
			r, err := routing.FindRoute(m, req)
			if err != nil {
				t.Fatal(err)
			}
			return req, slices.DeleteFunc(Fields(r, "card", req), func(f method.PageField) bool { return f.Sealed })
		}
		_, unneeded := asks(true, false)
		_, checked := asks(false, true)
		if len(unneeded)+len(checked) > 0 {
			t.Errorf("%q: asked for where nobody needs it: %v, where names are checked: %v", test.sent, unneeded, checked)
		}
		req, fields := asks(true, true)
		shown := screen.Field{}
		if len(fields) > 0 {
			shown = ScreenFields(fields, req)[0]
		}
		if shown.Value != test.value || shown.Unusual != test.unusual {
			t.Errorf("%q: the page fills in %q, %t", test.sent, shown.Value, shown.Unusual)
		}
		v, err := FillIn(fields, req, Request{Method: "card", Fields: map[string]string{"payer_name": test.typed}})
		if (err != nil) != (test.stored == "") || err == nil && v.Customer.Name != test.stored {
			t.Errorf("%q, typed %q: %q %v", test.sent, test.typed, v.Customer.Name, err)
		}
	}
}

// There is another way to pay by another method, card or account, but not by the same code or address once more.
func TestHasOtherWays(t *testing.T) {
	usd, _ := money.Find("USD")
	amount, _ := money.Parse("10", usd)
	const coin = `{"crypto":{"crypto_type":"BTC"}}`
	for _, test := range []struct {
		methods    []string
		parameters string
		want       bool
	}{
		{[]string{"card"}, "", true},
		{[]string{"instant_qr"}, "", false},
		{[]string{"link_email"}, "", false}, // the address is the payer's, whatever it is paid with
		{[]string{"link_email", "link_sms"}, "", true},
		{[]string{"upi_collect"}, "", true},
		{[]string{"crypto"}, coin, false}, // the shop has chosen it
		{[]string{"crypto", "link_email"}, coin, true},
	} {
		mid := settings.MID{Name: "a", Methods: test.methods, Operations: method.Operations}
		req := &request.Session{Details: request.Details{Operation: method.Purchase}}
		req.Methods, req.Order.Currency, req.Order.Amount = test.methods, "USD", request.Entered(amount)
		req.Parameters, req.Test = []byte(test.parameters), true
		r, err := routing.FindRoute(routingtest.WithMIDs(mid), req)
		if err != nil {
			t.Fatal(test.methods, err)
		}
		if got := HasOtherWays(r, req); got != test.want {
			t.Errorf("%v with %s: %t", test.methods, test.parameters, got)
		}
	}
	wallet := routing.Route{MIDs: []settings.MID{{Methods: []string{method.ApplePay}}}}
	if !HasOtherWays(wallet, &request.Session{}) {
		t.Error("a wallet has one card")
	}
}

// The page asks for a parameter unless the request, every MID of the method or the billing country makes that needless.
func TestParametersThatThePageAsksFor(t *testing.T) {
	preset := map[string]map[string]string{"local_transfer": {"type_document": "CPF"}}
	with := settings.MID{Name: "a", Methods: []string{"local_transfer", "regional_bank"}, Presets: preset}
	without := settings.MID{Name: "b", Methods: []string{"local_transfer"}}
	for _, test := range []struct {
		mids                []settings.MID
		method, country, id string
		asked, optional     bool
	}{
		{[]settings.MID{without}, "local_transfer", "BR", "type_document", true, true},
		{[]settings.MID{with, without}, "local_transfer", "BR", "type_document", true, true},
		{[]settings.MID{with}, "local_transfer", "BR", "type_document", false, false},
		{[]settings.MID{with}, "regional_bank", "AR", "document_number", true, false},
		{[]settings.MID{with}, "regional_bank", "", "document_number", true, true},
		{[]settings.MID{with}, "regional_bank", "GT", "document_number", false, false},
	} {
		req := &request.Session{Details: request.Details{Operation: method.Purchase}}
		req.BillingAddress.Country = test.country
		fields := Fields(routing.Route{MIDs: test.mids}, test.method, req)
		i := slices.IndexFunc(fields, func(f method.PageField) bool { return f.ID == test.id })
		if asked := i >= 0; asked != test.asked || asked && fields[i].Optional != test.optional {
			t.Errorf("%s of %s in %q: %v", test.id, test.method, test.country, fields)
		}
	}
}

// A country that the payer enters decides whether a parameter is needed.
func TestParametersByThePayersCountry(t *testing.T) {
	req := &request.Session{Details: request.Details{Operation: method.Purchase}}
	route := routing.Route{
		MIDs: []settings.MID{{Methods: []string{"regional_bank"}}}, Required: []string{method.PayerCountry},
	}
	for country, fails := range map[string]bool{"GT": false, "AR": true} {
		fields := map[string]string{method.PayerCountry: country}
		_, err := FillIn(Fields(route, "regional_bank", req), req, Request{Method: "regional_bank", Fields: fields})
		if (err != nil) != fails {
			t.Errorf("%s: %v", country, err)
		}
	}
}

// A custom form also orders and labels the parameters that a method asks for.
func TestCustomFormOfParameters(t *testing.T) {
	label := map[string]string{"es": "Documento del socio"}
	route := routing.Route{
		MIDs:     []settings.MID{{Name: "a", Methods: []string{"regional_bank"}}},
		Required: []string{"payer_email"},
		Form: settings.Form{
			Order: []string{"payer_email", "document_number"}, Labels: map[string]map[string]string{"document_number": label},
		},
	}
	req := &request.Session{Details: request.Details{Operation: method.Purchase}}
	fields := Method(route, "regional_bank", req, nil).Fields
	if len(fields) < 3 || fields[0].ID != "payer_email" || fields[1].ID != "document_number" || fields[2].Ordered ||
		!fields[1].Ordered || !maps.Equal(fields[1].LabelTexts, label) {
		t.Errorf("fields %+v", fields)
	}
}
