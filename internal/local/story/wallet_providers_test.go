package story

import (
	"maps"
	"strings"
	"testing"

	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

// opensWith starts a world whose shop takes wallets with a connector of the service's own and its simulated provider.
func opensWith(t *testing.T, family string, credentials map[string]string, keys bool) *simulated {
	t.Helper()
	s := openSimulated(t, family, credentials)
	s.trustsTestWallet()
	s.shop.set(func(m *settings.Merchant) { m.Wallets = WalletSettings(t, keys) })
	return s
}

// paysBy pays 10.00 USD with a wallet.
func (s *simulated) paysBy(order string, kind testwallet.Kind, changes ...TokenChange) *Visit {
	s.t.Helper()
	payer := s.shop.visits(order, with("methods", []string{string(kind)}))
	payer.paysBy(kind, "01/38", changes...)
	return payer
}

// gets checks that the last request to a path of the provider has some texts.
func (s *simulated) gets(path string, want ...string) {
	s.t.Helper()
	all := s.Requests()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Path != path {
			continue
		}
		for _, text := range want {
			if !strings.Contains(all[i].Body, text) {
				s.t.Errorf("%s has no %s: %s", path, text, all[i].Body)
			}
		}
		return
	}
	s.t.Errorf("the provider was sent no %s", path)
}

// A connector that takes decrypted cards gets the card and never the token. It is captured and refunded later.
func TestWalletCardThroughAnAdapter(t *testing.T) {
	for _, kind := range walletKinds {
		s := opensWith(t, "adapter", nil, true)
		payer := s.shop.visits("pen-1", with("auth", true), with("methods", []string{string(kind)}))
		payer.paysBy(kind, "01/38")
		payer.is("pending")
		s.gets("/charge", `"flow":"card"`, `"kind":"`+string(kind)+`"`, `"pan_type":"dpan"`, `"cryptogram":"`,
			`"number":"4111111111111111"`)
		for _, step := range [][2]string{{"capture 8", "200 SUCCESS settled"}, {"refund 3", "200 accepted"}} {
			if got := s.shop.does(step[0], payer.paymentID()); got != step[1] {
				t.Errorf("%s: %s", step[0], got)
			}
			s.work()
		}
	}
}

// Without a key that decrypts tokens the adapter gets them as they came.
func TestWalletTokenThroughAnAdapter(t *testing.T) {
	for _, kind := range walletKinds {
		s := opensWith(t, "adapter", nil, false)
		payer := s.paysBy("pen-1", kind, forGateway)
		payer.is("settled")
		s.gets("/charge", `"flow":"virtual"`, `"token":"{`)
		if p := payer.payment(); p.Card != nil || p.CardToken != "" {
			t.Errorf("a card is stored: %+v", p.Card)
		}
	}
}

// A connector without the card flow gets tokens even where the settings have keys.
func TestWalletTokenForAWalletBrand(t *testing.T) {
	for _, keys := range []bool{false, true} {
		s := opensWith(t, "brandcard", nil, keys)
		payer := s.paysBy("pen-1", testwallet.ApplePay)
		payer.is("settled")
		s.gets("/payments", `"payment_type":"applepay"`, `"payment_token":"{`)
		if got := s.shop.does("refund 3", payer.paymentID()); got != "200 accepted" {
			t.Errorf("refund: %s", got)
		}
	}
}

// As the gateway of Google Pay, Stripe has made a token of its own, which no wallet has signed. It is used once.
func TestWalletAtStripe(t *testing.T) {
	s := opensStripe(t)
	s.trustsTestWallet()
	s.shop.set(func(m *settings.Merchant) {
		m.Wallets = WalletSettings(t, false)
		m.Wallets.GooglePay.Gateway, m.Wallets.GooglePay.GatewayMerchantID = "stripe", ""
		m.Wallets.GooglePay.GatewayParameters = map[string]string{"stripe:publishableKey": "pk_live_1"}
	})
	payer := s.shop.visits("pen-1", with("methods", []string{"googlepay"}))
	sheet := payer.screen().Methods[0].Wallet.GooglePay
	if want := map[string]string{"stripe:publishableKey": "pk_live_1"}; sheet.Gateway != "stripe" ||
		!maps.Equal(sheet.GatewayParameters, want) {
		t.Errorf("%+v", sheet)
	}
	const token = `{"id":"tok_1MadeByTheWalletForAPayment","object":"token"}`
	payer.paysWithToken(testwallet.GooglePay, token)
	payer.is("settled")
	s.gets("/v1/payment_methods", "card[token]=tok_1MadeByTheWalletForAPayment")

	again := s.shop.visits("pen-2", with("methods", []string{"googlepay"}))
	again.paysWithToken(testwallet.GooglePay, token)
	again.is("decline (The wallet's payment token was used before.)")
	secure := s.shop.visits("pen-3", with("methods", []string{"googlepay"}))
	secure.paysWithToken(testwallet.GooglePay, `{"id":"tok_walletThreeDSecureRequired","object":"token"}`)
	secure.is("3ds")
	wrong := s.shop.visits("pen-4", with("methods", []string{"googlepay"}))
	wrong.paysWithToken(testwallet.GooglePay, s.Token(testwallet.GooglePay, wrong.Content("01/38", forGateway), ""))
	wrong.is("decline (The wallet's payment token is not valid.)")
}

// Stripe charges a chain that began with a wallet by what it stores itself.
func TestWalletRecursAtStripe(t *testing.T) {
	s := opensStripe(t)
	s.trustsTestWallet()
	s.shop.set(func(m *settings.Merchant) {
		m.Wallets = WalletSettings(t, false)
		m.Wallets.GooglePay.Gateway = "stripe"
	})
	payer := s.shop.visits("pen-1", with("methods", []string{"googlepay"}), with("recurring_init", true))
	payer.paysWithToken(testwallet.GooglePay, `{"id":"tok_1MadeByTheWalletForAPayment","object":"token"}`)
	payer.is("settled")
	told := s.shop.last("sale").Fields
	c := chain{s.shop, told.Get("recurring_init_trans_id"), told.Get("recurring_token")}
	if got := inWords(c.charge("pen-2", "4.00")); got != "200 settled" {
		t.Errorf("a later payment: %s", got)
	}
}
