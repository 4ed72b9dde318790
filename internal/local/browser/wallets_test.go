package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"checkout/internal/local"
	"checkout/internal/local/demo"
	"checkout/internal/settings"
)

// walletKey is the test key of a merchant whose page offers both wallets beside cards, and asks for the payer's email.
const walletKey = "wallet-test"

func walletShop(shop demo.Config) settings.Merchant {
	return settings.Merchant{
		ID: "wallets", Name: "Wallet Shop", LiveKey: "wallet-live", TestKey: walletKey, Password: shop.Password,
		CallbackSecret: shop.CallbackSecret, NotificationURL: shop.BaseURL + "/demo/callback",
		TestNotificationURL: shop.BaseURL + "/demo/callback",
		Mappings: []settings.Mapping{{
			Name: "default", ReturnParameters: true, RequiredFields: []string{"payer_email", "payer_country"},
			MIDs: []settings.MID{{Name: "sandbox", Connector: settings.SandboxConnector,
				Methods: []string{"card", "applepay", "googlepay"}}},
		}},
	}
}

func withWallets(t *testing.T) (target, *local.Server) {
	t.Helper()
	at, server := embedded(t, time.Now)
	if err := server.App.Merchants.Save(t.Context(), walletShop(server.Demo)); err != nil {
		t.Fatal(err)
	}
	at.Key = walletKey
	return at, server
}

// known is what a wallet does not tell, sent by the merchant.
var known = object{"customer": object{"email": "ada@example.org", "name": "Ada Example"},
	"billing_address": object{"country": "DE"}}

var walletStories = []story{
	{"a wallet pays at once", func(v *visit) {
		s := v.session(known)
		v.form(s)
		v.until("document.querySelector('.wallets').getBoundingClientRect().bottom < " + element("pay") +
			".getBoundingClientRect().top")
		for _, wallet := range []string{"applepay", "googlepay"} {
			v.until(element(wallet) + ".disabled === false")
		}
		v.click("applepay")
		v.until("document.querySelector('dialog[open]') && " + element("wallet_pay"))
		v.click("wallet_pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
		for _, body := range v.watch.sent() {
			if sealed := readPay(v.t, body); sealed.Sealed.Ciphertext == "" || strings.Contains(body, "paymentData") ||
				strings.Contains(body, "signature") || strings.Contains(body, `"token"`) {
				v.t.Errorf("sent %s", body)
			}
		}
	}},
	{"the outcome is the one that was picked", func(v *visit) {
		s := v.session(known)
		v.form(s)
		v.testWallet("googlepay", "02/38", "")
		v.message("Declined by processing.")
		v.until("!" + element("use_another_card"))
		v.testWallet("applepay", "01/38", "bad_signature")
		v.message("Your payment was declined.")
		v.checkPayments(s, "decline", "decline")
	}},
	{"what the wallet does not tell is asked for first", checkWalletAsks},
	{"the test wallet is used by the keyboard", checkWalletKeyboard},
}

func TestWallets(t *testing.T) {
	t.Parallel()
	at, _ := withWallets(t)
	tell(t, at, walletStories)
}

// testWallet presses a wallet's button and confirms in the test wallet.
func (v *visit) testWallet(wallet, expiry, fault string) {
	v.t.Helper()
	v.until(element(wallet) + "?.disabled === false")
	v.click(wallet)
	v.until(element("wallet_pay"))
	get[bool](v.tab, "(document.querySelector('dialog input[value=\""+expiry+"\"]').click(), true)")
	if fault != "" {
		v.choose("wallet_fault", fault)
	}
	v.click("wallet_pay")
	v.until("!document.querySelector('dialog')")
}

func checkWalletAsks(v *visit) {
	s := v.session()
	v.form(s)
	v.until(element("applepay") + "?.disabled === false")
	v.click("applepay")
	v.focused("payer_email")
	v.until("document.querySelector('.sole').innerText.includes('Apple Pay') && !" + element("pay"))
	v.checkAccess("what the wallet asks for")
	v.click("applepay")
	v.checkFault("payer_email", "Email: required")
	v.click("another_way")
	v.until(element("pay"))
	v.focused("applepay")
	v.click("googlepay")
	v.write("payer_email", "ada@example.org")
	v.choose("payer_country", "DE")
	v.click("googlepay")
	v.until(element("wallet_pay"))
	v.click("wallet_close")
	v.until("!document.querySelector('dialog')")
	v.click("another_way")
	v.until(element("pay"))
	v.click("googlepay") // which knows now what it needs
	v.until(element("wallet_pay"))
	v.click("wallet_pay")
	v.arrives("success")
}

func checkWalletKeyboard(v *visit) {
	v.form(v.session(known))
	v.until(element("applepay") + "?.disabled === false")
	get[bool](v.tab, "("+element("applepay")+".focus(), true)")
	v.do(chromedp.KeyEvent("\r"))
	v.until("document.querySelector('dialog[open]')?.contains(document.activeElement)")
	v.checkAccess("test wallet")
	v.checkWidth("test wallet")
	v.scheme("dark")
	v.checkAccess("test wallet, dark")
	v.do(chromedp.EmulateViewport(390, 844))
	v.checkWidth("test wallet on a phone")
	call(v.tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "Escape", Code: "Escape",
		WindowsVirtualKeyCode: 27})
	v.until("!document.querySelector('dialog')")
	v.focused("applepay")
	v.do(chromedp.KeyEvent("\r"))
	v.until("document.querySelector('dialog[open]')")
	for range 8 { // the focus stays in the dialog, or goes to the browser's own controls
		v.do(chromedp.KeyEvent("\t"))
		v.until("document.activeElement == document.body || document.activeElement.closest('dialog')")
	}
	v.click("wallet_close")
	v.focused("applepay")
}
