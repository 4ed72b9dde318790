package story

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/merchant/merchanttest"
	"checkout/internal/method"
	"checkout/internal/screen"
	"checkout/internal/wallet/testwallet"
)

// identityEndsIn returns settings of both wallets, with an identity certificate that ends after a while.
func (w *world) identityEndsIn(t *testing.T, d time.Duration) func(*merchant.Merchant) {
	end := w.clock.Now().Add(d)
	return func(m *merchant.Merchant) {
		takingWallets(m)
		own := merchanttest.Identity(t, testwallet.MerchantIdentifier, end)
		m.Wallets = walletSettings(t, false)
		m.Wallets.ApplePay.IdentityCertificate, m.Wallets.ApplePay.IdentityKey = own.Certificate, own.Key
	}
}

// measured counts the lines that measure certificates, and checks that they have no key.
func (w *world) measured() int {
	w.t.Helper()
	w.hasNoKey(w.log.String())
	return strings.Count(w.log.String(), `"wallet_certificates_ending":1`)
}

// Thirty days before a certificate ends, visits of the page tell operators, once an hour, and explain tells merchants.
// From its end on the wallet is not offered, and explain says why.
func TestCertificateOfAWalletEnds(t *testing.T) {
	const day = 24 * time.Hour
	w := open(t)
	w.shop.set(w.identityEndsIn(t, 31*day))
	w.vendors(&provider{}, merchant.WalletSupport{})
	explains := func() string {
		t.Helper()
		code, body := w.post("/api/v1/session/explain", w.shop.sign(w.shop.order("pen-e")))
		if code != 200 {
			t.Fatalf("explain: %d %v", code, body)
		}
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	offered := func(number string) bool {
		t.Helper()
		isW1 := func(m screen.Method) bool { return m.ID == method.ApplePay }
		return slices.ContainsFunc(w.shop.visits(number).screen().Methods, isW1)
	}
	if !offered("pen-1") || w.measured() != 0 || !strings.Contains(explains(), `"warnings":[]`) {
		t.Errorf("31 days before: measured %d times; %s", w.measured(), explains())
	}
	w.skip(day + time.Minute)
	if !offered("pen-2") || !offered("pen-3") || w.measured() != 1 {
		t.Errorf("30 days before: measured %d times", w.measured())
	}
	const ends = "A certificate ends: wallets.applepay.identity_certificate on 2030-04-04."
	if got := explains(); !strings.Contains(got, ends) ||
		strings.Contains(got, "wallet_certificate\"") {
		t.Errorf("30 days before: %s", got)
	}
	w.skip(time.Hour + time.Minute)
	if !offered("pen-4") || w.measured() != 2 {
		t.Errorf("an hour later: measured %d times", w.measured())
	}
	v := w.shop.visits("pen-5")
	w.skip(30 * day)
	if offered("pen-6") || w.measured() != 3 {
		t.Errorf("offered when it has ended; measured %d times", w.measured())
	}
	if got := v.beginsSheet("shop.example"); strings.HasPrefix(got, "200") {
		t.Errorf("a merchant session with a certificate that has ended: %s", got)
	}
	if got := explains(); !strings.Contains(got, `"code":"wallet_certificate"`) ||
		!strings.Contains(got, "A certificate has ended: wallets.applepay.identity_certificate") {
		t.Errorf("once it has ended: %s", got)
	}
	w.shop.live = false
	if !offered("pen-7") || w.measured() != 3 {
		t.Error("the test wallet needs no certificate")
	}
}
