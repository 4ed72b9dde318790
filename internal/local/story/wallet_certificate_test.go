package story

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/wallet/testwallet"
)

// identityEndsIn returns settings of both wallets, with an identity certificate that ends after a while.
func (w *World) identityEndsIn(t *testing.T, d time.Duration) func(*settings.Merchant) {
	end := w.clock.Now().Add(d)
	return func(m *settings.Merchant) {
		takingWallets(m)
		own := settingstest.Identity(t, testwallet.MerchantIdentifier, end)
		m.Wallets = WalletSettings(t, false)
		m.Wallets.GooglePay.Environment, m.Wallets.GooglePay.MerchantIdentifier = settings.WalletProduction, "BCR2DN4T"
		m.Wallets.ApplePay.IdentityCertificate, m.Wallets.ApplePay.IdentityKey = own.Certificate, own.Key
	}
}

// measured counts the lines that measure certificates, and checks that they have no key.
func (w *World) measured() int {
	w.t.Helper()
	w.hasNoKey(w.log.String())
	return strings.Count(w.log.String(), `"wallet_certificates_ending":1`)
}

// warnings returns the warnings that explain has for an order.
func (s *Shop) warnings() []string { return s.explains(s.Sign(s.Order("pen-e"))).Warnings }

// Thirty days before a certificate ends, visits of the page tell operators, once an hour, and explain tells merchants.
// From its end on the wallet is not offered, and explain says why.
func TestCertificateOfAWalletEnds(t *testing.T) {
	const day = 24 * time.Hour
	w := open(t)
	w.shop.set(w.identityEndsIn(t, 31*day))
	w.vendors(&provider{}, settings.WalletSupport{})
	offered := func(number string) bool {
		t.Helper()
		isW1 := func(m screen.Method) bool { return m.ID == method.ApplePay }
		return slices.ContainsFunc(w.shop.visits(number).screen().Methods, isW1)
	}
	if !offered("pen-1") || w.measured() != 0 || len(w.shop.warnings()) != 0 {
		t.Errorf("31 days before: measured %d times; %q", w.measured(), w.shop.warnings())
	}
	w.skip(day + time.Minute)
	if !offered("pen-2") || !offered("pen-3") || w.measured() != 1 {
		t.Errorf("30 days before: measured %d times", w.measured())
	}
	const ends = "A certificate ends: wallets.applepay.identity_certificate on 2030-04-04."
	if got := w.shop.warnings(); !slices.Equal(got, []string{ends}) {
		t.Errorf("30 days before: %q", got)
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
	e := w.shop.explains(w.shop.Sign(w.shop.Order("pen-e")))
	if reason := e.MIDs[0].NotOffered[0].Reasons[0].Code; reason != "wallet_certificate" || len(e.Warnings) != 1 ||
		!strings.HasPrefix(e.Warnings[0], "A certificate has ended: wallets.applepay.identity_certificate") {
		t.Errorf("once it has ended: %s, %q", reason, e.Warnings)
	}
	w.shop.live = false
	if !offered("pen-7") || w.measured() != 3 {
		t.Error("the test wallet needs no certificate")
	}
}
