package story

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

// With the test key wallets need no settings: the page shows the test wallet, the token is decrypted, and the card's
// expiry decides what happens.
func TestWalletsOfTheSandbox(t *testing.T) {
	for _, kind := range walletKinds {
		for expiry, want := range map[string]string{"01/38": "settled", "02/38": "decline (Declined by processing.)"} {
			w := open(t, takingWallets)
			payer := w.shop.visits("pen-1", with("methods", []string{string(kind)}))
			sheet := payer.screen().Methods[0]
			if sheet.Action != method.ActionWallet || sheet.Wallet == nil || !sheet.Wallet.Test || len(sheet.Fields) != 0 {
				t.Fatalf("%+v", sheet)
			}
			payer.paysBy(kind, expiry)
			payer.is(want)
			p := payer.payment()
			if p.Card == nil || p.Card.Mask != "411111******1111" || p.Card.PANType != card.PANOfDevice {
				t.Errorf("stored card %+v", p.Card)
			}
			_, status := w.shop.status("order_id", "pen-1")
			if status["digital_wallet"] != string(kind) || status["pan_type"] != "dpan" {
				t.Errorf("status %v", status)
			}
			told := w.shop.last("sale").Fields
			if told.Get("digital_wallet") != string(kind) || told.Get("pan_type") != "dpan" ||
				told.Get("card") != "411111******1111" {
				t.Errorf("callback %v", told)
			}
			w.sealedAre(0)
		}
	}
}

// The browser gets what it needs to open the wallet, and no key.
func TestWhatTheBrowserGetsOfAWallet(t *testing.T) {
	for _, keys := range []bool{true, false} {
		w := open(t, takingWallets, func(m *settings.Merchant) { m.Wallets = WalletSettings(t, keys) })
		w.vendors(&provider{}, settings.WalletSupport{CardFlow: true, Decrypted: true})
		payer := w.shop.visits("pen-1", with("methods", []string{"applepay", "googlepay"}))
		apple, google := payer.screen().Methods[0].Wallet, payer.screen().Methods[1].Wallet
		if apple.Test || apple.Label != "The Pen Shop" || apple.Country != "DE" || len(apple.ApplePay.Domains) != 1 ||
			apple.ApplePay.ApplicationData == "" {
			t.Errorf("%+v", apple)
		}
		if sheet := google.GooglePay; (sheet.PublicKey != "") != keys || (sheet.Gateway != "") == keys ||
			(sheet.GatewayMerchantID != "") == keys || sheet.Environment != "TEST" {
			t.Errorf("%+v", sheet)
		}
		code, page := w.call("GET", payer.Path(""), nil)
		if code != 200 {
			t.Fatal(code)
		}
		w.hasNoKey(string(page))
	}
}

// 3-D Secure comes first where the wallet has not authenticated the payer.
func TestPANOnly(t *testing.T) {
	w := open(t, takingWallets)
	payer := w.shop.visits("pen-1")
	payer.paysBy(testwallet.GooglePay, "01/38", panOnly)
	payer.is("3ds")
	payer.comesBack(payer.presses("confirm"))
	w.work()
	payer.is("settled")
	if told := w.shop.last("sale").Fields; told.Get("pan_type") != "fpan" {
		t.Errorf("callback %v", told)
	}
}

// walletRow is a row of the table of flows: whether the settings have keys, what the connector declares, and the flow.
type walletRow struct {
	name            string
	keys            bool
	support         settings.WalletSupport
	card, decrypted bool
}

// walletRows are all flows (protocol.md, Flows of wallets).
var walletRows = []walletRow{
	{name: "no keys", support: settings.WalletSupport{CardFlow: true, Decrypted: true}},
	{name: "no card flow", keys: true},
	{name: "decrypted", keys: true, support: settings.WalletSupport{CardFlow: true, Decrypted: true},
		card: true, decrypted: true},
	{name: "token and card", keys: true, support: settings.WalletSupport{CardFlow: true}, card: true},
}

// opens starts a world with a bank of that row.
func (r walletRow) opens(t *testing.T, changes ...func(*settings.Merchant)) (*World, *provider) {
	w := open(t, append([]func(*settings.Merchant){takingWallets,
		func(m *settings.Merchant) { m.Wallets = WalletSettings(t, r.keys) }}, changes...)...)
	bank := &provider{}
	w.vendors(bank, r.support)
	return w, bank
}

// changes are those of a token that is made as the row's page has it made.
func (r walletRow) changes() []TokenChange {
	if r.card {
		return nil
	}
	return []TokenChange{forGateway}
}

// token makes a token as the page of that row gets it.
func (r walletRow) token(payer *Visit, kind testwallet.Kind) string {
	payer.w.t.Helper()
	return payer.w.Token(kind, payer.Content("01/38", r.changes()...), "")
}

// sameJSON reports whether two texts are the same JSON.
func sameJSON(t *testing.T, one, other string) bool {
	t.Helper()
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(one), &a), json.Unmarshal([]byte(other), &b)); err != nil {
		t.Error(err)
	}
	return reflect.DeepEqual(a, b)
}

// In each flow the provider gets what it takes, and the service stores what it may.
func TestFlowsOfWallets(t *testing.T) {
	for _, row := range walletRows {
		for _, kind := range walletKinds {
			t.Run(row.name+" "+string(kind), func(t *testing.T) {
				w, bank := row.opens(t)
				payer := w.shop.visits("pen-1")
				token := row.token(payer, kind)
				payer.paysWithToken(kind, token)
				payer.is("settled")
				if len(bank.charges) != 1 {
					t.Fatalf("%d charges", len(bank.charges))
				}
				c := bank.charges[0]
				if c.Wallet == nil || c.Wallet.Kind != string(kind) || c.Wallet.CardFlow != row.card ||
					c.Wallet.Unauthenticated || c.Method != string(kind) {
					t.Errorf("the provider gets the wallet %+v by %s", c.Wallet, c.Method)
				}
				if got := c.Wallet.Token; row.decrypted && got != "" || !row.decrypted && !sameJSON(t, got, token) {
					t.Errorf("the provider gets the token %q", got)
				}
				if row.card != (c.Card.Number == TestCard && c.Card.Cryptogram != "" && c.Card.PANType == card.PANOfDevice) ||
					!row.card && c.Card.Number != "" {
					t.Errorf("the provider gets a card ending in %.4s, of type %s", c.Card.Number, c.Card.PANType)
				}
				p := payer.payment()
				if (p.Card != nil) != row.card {
					t.Errorf("the payment has the card %+v", p.Card)
				}
				told := w.shop.last("sale").Fields
				if told.Get("digital_wallet") != string(kind) || told.Has("pan_type") != row.card {
					t.Errorf("callback %v", told)
				}
				w.sealedAre(0)
			})
		}
	}
}
