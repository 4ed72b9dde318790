package story

import (
	"testing"

	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/wallet/testwallet"
)

// With the test key wallets need no settings: the page shows the test wallet, the token is decrypted, and the card's
// expiry decides what happens.
func TestWalletsOfTheSandbox(t *testing.T) {
	for _, kind := range walletKinds {
		for expiry, want := range map[string]string{
			"01/38": "settled", "02/38": "decline (Declined by processing.)",
			"05/39": "decline (Insufficient funds, try again later.)",
		} {
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
			told := w.shop.last("sale").fields
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
		w := open(t, takingWallets, func(m *merchant.Merchant) { m.Wallets = walletSettings(t, keys) })
		w.vendors(&provider{}, merchant.WalletSupport{CardFlow: true, Decrypted: true})
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
		code, page := w.call("GET", "/page/v1/"+payer.session, nil)
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
	if told := w.shop.last("sale").fields; told.Get("pan_type") != "fpan" {
		t.Errorf("callback %v", told)
	}
}
