package routing

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
)

// walletMID returns a MID of a connector with both wallets.
func walletMID(name, connector string) settings.MID {
	return settings.MID{
		Name: name, Connector: connector, Methods: []string{method.ApplePay, method.GooglePay},
		Operations: method.Operations,
	}
}

// withWallets returns a merchant with settings of both wallets, with keys or without, and connectors of all flows.
func withWallets(keys bool, mids ...settings.MID) *settings.Merchant {
	m := routingtest.WithMIDs(mids...)
	m.Wallets = settings.Wallets{
		ApplePay:  &settings.ApplePay{MerchantIdentifier: "merchant.example"},
		GooglePay: &settings.GooglePay{TermsAcceptedAt: time.Unix(1, 0), Gateway: "bank", GatewayMerchantID: "7"},
	}
	if keys {
		m.Wallets.ApplePay.Processing = []settings.ProcessingCertificate{{Certificate: "certificate"}}
		m.Wallets.GooglePay.PublicKeys = []string{"point"}
	}
	m.Connectors = settings.Declarations{settings.SandboxConnector: walletConnector(settings.WalletSupport{CardFlow: true,
		Decrypted: true})}
	for name, support := range map[string]settings.WalletSupport{
		"virtual":   {},
		"lasting":   {Capture: true, Recurring: true},
		"keeps":     {CardFlow: true},
		"decrypted": {CardFlow: true, Decrypted: true},
	} {
		m.Connectors[name] = walletConnector(support)
	}
	m.Connectors["none"] = routingtest.AllCapabilities
	return m
}

func walletConnector(support settings.WalletSupport) settings.Declaration {
	can := routingtest.AllCapabilities
	can.Wallets = map[string]settings.WalletSupport{method.ApplePay: support, method.GooglePay: support}
	return can
}

// NotTaken returns the reasons why a request can't be paid with each wallet of a merchant's first MID.
func NotTaken(m *settings.Merchant, req request.Session) string {
	var all []string
	for _, n := range Evaluate(m, &req)[0].notOffered {
		for _, r := range n.Reasons {
			all = append(all, n.Method+" "+r.Code)
		}
	}
	return strings.Join(all, ", ")
}

func TestWhyAWalletIsNotOffered(t *testing.T) {
	both := func(code string) string { return fmt.Sprintf("applepay %s, googlepay %s", code, code) }
	auth := func(r *request.Session) { r.Auth = true }
	saves := func(r *request.Session) { r.ReqToken = true }
	recurs := func(r *request.Session) { r.RecurringInit = true }
	nothing := func(*settings.Merchant) {}
	for _, test := range []struct {
		name, connector string
		keys            bool
		change          func(*settings.Merchant)
		req             func(*request.Session)
		want            string
	}{
		{"card flow", "decrypted", true, nothing, nil, ""},
		{"virtual flow", "virtual", false, nothing, nil, ""},
		{"no settings", "decrypted", true, func(m *settings.Merchant) { m.Wallets = settings.Wallets{} }, nil,
			both("wallet_settings")},
		{"settings of the MID", "decrypted", true, func(m *settings.Merchant) {
			m.Wallets, m.Mappings[0].MIDs[0].Wallets = settings.Wallets{}, m.Wallets
		}, nil, ""},
		{"disabled", "decrypted", true, func(m *settings.Merchant) {
			m.Wallets.ApplePay.Disabled, m.Wallets.GooglePay.Disabled = true, true
		}, nil, both("wallet_disabled")},
		{"terms", "decrypted", true, func(m *settings.Merchant) { m.Wallets.GooglePay.TermsAcceptedAt = time.Time{} }, nil,
			"googlepay wallet_terms"},
		{"connector without wallets", "none", true, nothing, nil, both("wallet_connector")},
		{"crypto currency", "decrypted", true, nothing, func(r *request.Session) { r.Order = orderOf("1", "BTC") },
			both("wallet_currency")},
		{"credit", "decrypted", true, nothing, func(r *request.Session) { r.Operation = "credit" },
			both("method_operation")},
		{"saved card", "decrypted", true, nothing, func(r *request.Session) { r.CardTokens = []string{"x"} },
			both("method_card")},
		{"no gateway", "virtual", false, func(m *settings.Merchant) { m.Wallets.GooglePay.Gateway = "" }, nil,
			"googlepay wallet_gateway"},
		{"auth", "virtual", false, nothing, auth, both("wallet_auth")},
		{"auth, keys but no card flow", "virtual", true, nothing, auth, both("wallet_auth")},
		{"auth, card flow but no keys", "decrypted", false, nothing, auth, both("wallet_auth")},
		{"auth at a provider that captures", "lasting", false, nothing, auth, ""},
		{"auth, token sent and card stored", "keeps", true, nothing, auth, ""},
		{"req_token", "lasting", false, nothing, saves, both("wallet_req_token")},
		{"req_token in the card flow", "keeps", true, nothing, saves, ""},
		{"recurring_init", "virtual", false, nothing, recurs, both("wallet_recurring")},
		{"recurring_init at a provider with tokens", "lasting", false, nothing, recurs, ""},
		{"recurring_init in the card flow", "decrypted", true, nothing, recurs, ""},
		{"PAN_ONLY without 3-D Secure", "decrypted", true, func(m *settings.Merchant) {
			m.Wallets.GooglePay.AuthMethods = []string{settings.AuthPANOnly}
			can := m.Connectors["decrypted"]
			can.ThreeDSecure = false
			m.Connectors["decrypted"] = can
		}, nil, "googlepay wallet_three_d_secure"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := withWallets(test.keys, walletMID("a", test.connector))
			test.change(m)
			req := purchase()
			if test.req != nil {
				test.req(&req)
			}
			if got := NotTaken(m, req); got != test.want {
				t.Errorf("%q, not %q", got, test.want)
			}
		})
	}
}

// A token is made with the settings of the first MID. In the card flow MIDs with the same settings may take it too.
func TestWhereAWalletsTokenMayGo(t *testing.T) {
	own := walletMID("own", "decrypted")
	own.Wallets.ApplePay = &settings.ApplePay{MerchantIdentifier: "merchant.other",
		Processing: []settings.ProcessingCertificate{{}}}
	for _, test := range []struct {
		keys bool
		mids []settings.MID
		want []string
	}{
		{true, []settings.MID{walletMID("a", "decrypted"), walletMID("b", "decrypted")}, []string{"a", "b"}},
		{false, []settings.MID{walletMID("a", "decrypted"), walletMID("b", "decrypted")}, []string{"a"}},
		{true, []settings.MID{walletMID("a", "decrypted"), walletMID("b", "virtual"), walletMID("c", "decrypted")},
			[]string{"a", "c"}},
		{true, []settings.MID{walletMID("a", "keeps"), walletMID("b", "keeps")}, []string{"a"}},
		{true, []settings.MID{walletMID("a", "virtual"), walletMID("b", "decrypted")}, []string{"a"}},
		{true, []settings.MID{walletMID("a", "decrypted"), own, walletMID("c", "decrypted")}, []string{"a", "c"}},
	} {
		req := purchase()
		r, err := FindRoute(withWallets(test.keys, test.mids...), &req)
		if err != nil {
			t.Fatal(err)
		}
		random := func(n int) []byte { return make([]byte, n) }
		if got := MIDNames(r.Order(method.ApplePay, random)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v, not %v", got, test.want)
		}
	}
}

// With the test key wallets need no settings, and are in the card flow. Settings that disable one do so there, too.
func TestWalletsWithTheTestKey(t *testing.T) {
	m := routingtest.WithMIDs(walletMID("a", "bank"))
	m.Connectors[settings.SandboxConnector] = walletConnector(settings.WalletSupport{CardFlow: true, Decrypted: true})
	t.Cleanup(func() { m.Connectors[settings.SandboxConnector] = routingtest.AllCapabilities })
	req := purchase(func(r *request.Session) { r.Test, r.ReqToken = true, true })
	r, err := FindRoute(m, &req)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{method.ApplePay, method.GooglePay} {
		if w, flow := r.Wallet(kind); !flow.Cascades() || w.ApplePay == nil || w.GooglePay == nil {
			t.Errorf("%s: %+v, %+v", kind, w, flow)
		}
	}
	m.Wallets.ApplePay = &settings.ApplePay{Disabled: true}
	if got := NotTaken(m, req); got != "applepay wallet_disabled" {
		t.Error(got)
	}
}

// A wallet is not asked for cards that it has not authenticated the payer for, where a MID could not charge them.
func TestUnauthenticatedCardsAreNotAskedFor(t *testing.T) {
	for _, test := range []struct {
		name   string
		secure []bool // whether the connector of each MID has 3-D Secure
		keys   bool
		risk   bool
		want   string
	}{
		{"3-D Secure", []bool{true}, true, false, "[PAN_ONLY CRYPTOGRAM_3DS]"},
		{"no 3-D Secure", []bool{false}, true, false, "[CRYPTOGRAM_3DS]"},
		{"no 3-D Secure in the virtual flow", []bool{false}, false, false, "[CRYPTOGRAM_3DS]"},
		{"no 3-D Secure at the second MID", []bool{true, false}, true, false, "[CRYPTOGRAM_3DS]"},
		{"no 3-D Secure, and the merchant takes the risk", []bool{false}, true, true, "[PAN_ONLY CRYPTOGRAM_3DS]"},
	} {
		var mids []settings.MID
		for i := range test.secure {
			mids = append(mids, walletMID(fmt.Sprint("mid-", i+1), fmt.Sprint("bank-", i+1)))
		}
		m := withWallets(test.keys, mids...)
		for i, secure := range test.secure {
			can := walletConnector(settings.WalletSupport{CardFlow: true, Decrypted: true})
			can.ThreeDSecure = secure
			m.Connectors[fmt.Sprint("bank-", i+1)] = can
		}
		m.Wallets.GooglePay.AuthMethods = []string{settings.AuthPANOnly, settings.AuthCryptogram}
		m.Wallets.GooglePay.WithoutThreeDSecure = test.risk
		req := purchase()
		route, err := FindRoute(m, &req)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		settings, _ := route.Wallet(method.GooglePay)
		if got := fmt.Sprint(settings.GooglePay.AuthMethods); got != test.want {
			t.Errorf("%s: the wallet is asked for %s", test.name, got)
		}
		if len(m.Wallets.GooglePay.AuthMethods) != 2 {
			t.Errorf("%s: the settings have changed", test.name)
		}
	}
}
