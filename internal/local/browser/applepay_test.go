package browser

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/wallet/testwallet"
	"checkout/internal/wallet/token"
	"checkout/internal/worker"
)

// safari is put into the page before its scripts: an ApplePaySession as Safari has it. The test plays the payer at the
// sheet. window.told has what the page asked of it.
const safari = `(() => {
	const told = [];
	window.ApplePaySession = class {
		static STATUS_SUCCESS = 0;
		static STATUS_FAILURE = 1;
		static supportsVersion(n) { return n <= 14 }
		static canMakePayments() { return true }
		constructor(version, request) {
			if (!navigator.userActivation.isActive || !window.event) throw new Error('not while a click is handled');
			Object.assign(this, {version, request});
			window.sheet = this;
			window.told = told;
			told.push('made ' + version);
		}
		begin() { told.push('begin'); setTimeout(() => this.onvalidatemerchant({validationURL: 'https://evil.example/'})) }
		completeMerchantValidation(session) { told.push('session ' + JSON.stringify(session)) }
		completePayment({status}) { localStorage.completed = status; told.push('completed ' + status) }
		abort() { told.push('aborted') }
	};
	window.confirmInSheet = token => {
		window.sheet.onpaymentauthorized({payment: {token: {paymentData: JSON.parse(token)}}});
	}
})()`

// appleHost stands in for the host that begins merchant sessions.
type appleHost struct {
	mu      sync.Mutex
	domains []string
}

func (h *appleHost) Begin(_ context.Context, own settings.ApplePay, domain string) (json.RawMessage, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.domains = append(h.domains, domain)
	return json.RawMessage(`{"opaque":"` + own.ShopName + `"}`), nil
}

const liveWalletKey = "wallet-live"

// withApplePay is a service whose merchant takes Apple Pay with the live key, at the sandbox's connector, which stands
// for a provider. The test wallet's tokens are good there.
func withApplePay(t *testing.T, domain string) (target, *local.Server, *appleHost) {
	t.Helper()
	at, server := embedded(t, time.Now)
	host := &appleHost{}
	server.App.Page.Sessions = host
	server.App.Runner.Wallets = testTokens{server.App.Runner.Wallets}
	m := walletShop(server.Demo)
	identity := settingstest.Identity(t, testwallet.MerchantIdentifier, time.Now().AddDate(1, 0, 0))
	m.Wallets.ApplePay = &settings.ApplePay{
		MerchantIdentifier: testwallet.MerchantIdentifier, Country: "DE", ShopName: "The Pen Shop",
		Networks: []string{"visa"}, Capabilities: []string{"supports3DS"}, Domains: []string{domain},
		IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
		Processing: []settings.ProcessingCertificate{
			{Certificate: testwallet.ProcessingCertificate(), Key: testwallet.ProcessingKey()},
		},
	}
	if err := server.App.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	at.Key = liveWalletKey
	return at, server, host
}

// testTokens takes live payments for ones with the test key, whose tokens this test can make.
type testTokens struct{ worker.Wallets }

func (w testTokens) OpenToken(ctx context.Context, t token.Token) (token.Opened, error) {
	t.Test = true
	return w.Wallets.OpenToken(ctx, t)
}

// appleToken is what the wallet gives for a session's order of 10.00 USD.
func appleToken(t *testing.T, s session, month int) string {
	t.Helper()
	token, err := testwallet.Make(testwallet.ApplePay, testwallet.Content{
		ID: s.Session, At: time.Now(), Number: cardNumber, ExpiryMonth: month, ExpiryYear: 2038, Amount: "1000",
		Currency: "840", SessionID: s.Session,
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (v *visit) likeSafari() {
	v.t.Helper()
	v.onNew(safari)
}

// opensSheet presses the button, and waits until the wallet has its merchant session.
func (v *visit) opensSheet(s session) {
	v.t.Helper()
	v.open(named(s))
	v.until(element("applepay") + "?.disabled === false")
	v.click("applepay")
	v.until(`window.told?.join() == 'made 3,begin,session {"opaque":"The Pen Shop"}'`)
}

// named is the address of a session's page at the merchant's domain.
func named(s session) string { return strings.Replace(s.URL, "//localhost", "//checkout.localhost", 1) }

func (v *visit) confirms(token string) {
	v.t.Helper()
	get[bool](v.tab, "(confirmInSheet("+quote(token)+"), true)")
}

func TestApplePay(t *testing.T) {
	t.Parallel()
	at, _, host := withApplePay(t, "checkout.localhost")
	tell(t, at, []story{
		{"a payment", func(v *visit) {
			v.likeSafari()
			s := v.session(known)
			v.opensSheet(s)
			request := get[string](v.tab, "JSON.stringify(sheet.request)")
			for _, part := range []string{
				`"countryCode":"DE"`, `"currencyCode":"USD"`, `"amount":"10.00"`, `"applicationData":"`,
			} {
				if !strings.Contains(request, part) {
					v.t.Errorf("the request %s lacks %s", request, part)
				}
			}
			v.confirms(appleToken(v.t, s, 1))
			v.arrives("success")
			at, _, _ := strings.Cut(named(s), "?")
			v.open(at + "licences.txt") // where the storage of the page can be read again
			if got := get[string](v.tab, "localStorage.completed"); got != "0" {
				v.t.Errorf("the sheet was told %q", got)
			}
			v.checkPayments(s, "settled")
		}},
		{"a decline, a closed sheet, and a card", func(v *visit) {
			v.likeSafari()
			s := v.session(known)
			v.opensSheet(s)
			v.confirms(appleToken(v.t, s, 2))
			v.until("told.at(-1) == 'completed 1'")
			v.message("Declined by processing.")
			v.click("applepay")
			v.until("told.length == 7")
			get[bool](v.tab, "(sheet.oncancel({}), true)")
			v.card("0138")
			v.click("pay")
			v.arrives("success")
			v.checkPayments(s, "settled", "decline")
		}},
		{"what the wallet does not tell is asked for first", func(v *visit) {
			v.likeSafari()
			s := v.session()
			v.open(named(s))
			v.click("applepay")
			v.write("payer_email", "ada@example.org")
			v.choose("payer_country", "DE")
			v.click("applepay")
			v.until("window.told?.length == 3")
			v.confirms(appleToken(v.t, s, 1))
			v.arrives("success")
		}},
		{"no merchant session", func(v *visit) {
			v.likeSafari()
			s := v.session(known)
			v.open(named(s))
			v.until(element("applepay") + "?.disabled === false")
			get[bool](v.tab, "(window.fetch = () => Promise.reject(new Error('gone')), true)")
			v.click("applepay")
			v.until("window.told?.at(-1) == 'aborted'")
			v.message("nothing was charged")
		}},
		{"no other browser has the button", func(v *visit) {
			v.open(named(v.session(known)))
			v.until(element("pay"))
			if get[bool](v.tab, "!!"+element("applepay")) {
				v.t.Error("the button is there")
			}
			v.open(named(v.session(known, object{"methods": []string{"applepay"}})))
			v.until(element("no_way") + "?.innerText.includes('in another browser') && " + element("close"))
			v.checkAccess("no way to pay")
		}},
		{"a domain that is not the merchant's", func(v *visit) {
			v.likeSafari()
			v.open(v.session(known).URL)
			v.until(element("pay"))
			if get[bool](v.tab, "!!"+element("applepay")) {
				v.t.Error("the button is there")
			}
		}},
	})
	host.mu.Lock()
	defer host.mu.Unlock()
	if len(host.domains) == 0 {
		t.Error("no merchant session was begun")
	}
	for _, domain := range host.domains {
		if domain != "checkout.localhost" {
			t.Errorf("a merchant session for %q", domain)
		}
	}
}
