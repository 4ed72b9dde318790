package settings

import (
	"slices"
	"time"

	"checkout/internal/fault"
)

// EachWallets calls f with the merchant's wallets and with those of every MID.
func (m *Merchant) EachWallets(f func(mapping, mid string, w *Wallets)) {
	f("", "", &m.Wallets)
	m.EachMID(func(mapping string, mid *MID) { f(mapping, mid.Name, &mid.Wallets) })
}

// WalletsOf returns the settings of a MID: its own, wallet by wallet, else the merchant's.
func (m *Merchant) WalletsOf(mid *MID) Wallets {
	w := m.Wallets
	if mid.Wallets.ApplePay != nil {
		w.ApplePay = mid.Wallets.ApplePay
	}
	if mid.Wallets.GooglePay != nil {
		w.GooglePay = mid.Wallets.GooglePay
	}
	return w
}

// WalletCertificates returns the certificates of wallets that are enabled, by when they end.
func (m *Merchant) WalletCertificates() []WalletCertificate {
	var all []WalletCertificate
	m.EachWallets(func(mapping, mid string, w *Wallets) {
		for _, c := range w.ApplePay.certificates() {
			all = append(all, WalletCertificate{walletPath(mapping, mid, "applepay."+c.Path), c.NotAfter})
		}
	})
	slices.SortStableFunc(all, func(a, b WalletCertificate) int { return a.NotAfter.Compare(b.NotAfter) })
	return all
}

// walletPath returns the path of a setting of wallets: the merchant's, or that of a MID.
func walletPath(mapping, mid, setting string) string {
	if mid == "" {
		return "wallets." + setting
	}
	return "mapping " + mapping + ", MID " + mid + ": wallets." + setting
}

// NoteEnded notes which wallets have a certificate that has ended, so that parsing certificates happens only where
// settings are read. It is up to a minute late, since settings are cached.
func (m *Merchant) NoteEnded(now time.Time) {
	m.EachWallets(func(_, _ string, w *Wallets) {
		if a := w.ApplePay; a != nil {
			a.Ended = slices.ContainsFunc(a.certificates(), func(c WalletCertificate) bool { return !now.Before(c.NotAfter) })
		}
	})
}

// warnTime is how long before a certificate ends its merchant is warned.
const warnTime = 30 * 24 * time.Hour

// Warnings returns which certificates of wallets end soon, or have ended, one sentence for each.
func (m *Merchant) Warnings(now time.Time) []string {
	warnings := []string{}
	for _, c := range m.WalletCertificates() {
		on := c.Path + " on " + c.NotAfter.UTC().Format(time.DateOnly) + "."
		switch {
		case !now.Before(c.NotAfter):
			warnings = append(warnings, "A certificate has ended: "+on)
		case !now.Add(warnTime).Before(c.NotAfter):
			warnings = append(warnings, "A certificate ends: "+on)
		}
	}
	return warnings
}

// LiveWarnings returns which settings fail live payments, one sentence for each: tokens that Google Pay makes in its
// TEST environment are those of test cards.
func (m *Merchant) LiveWarnings() (warnings []string) {
	m.EachWallets(func(mapping, mid string, w *Wallets) {
		if g := w.GooglePay; g != nil && !g.Disabled && g.Environment == WalletTest {
			path := walletPath(mapping, mid, "googlepay.environment")
			warnings = append(warnings, path+" is TEST: a live provider declines payments with it.")
		}
	})
	return warnings
}

// WalletDomains returns the hosts that Apple Pay may be shown on, those of MIDs too.
func (m *Merchant) WalletDomains() []string {
	var all []string
	m.EachWallets(func(_, _ string, w *Wallets) {
		if w.ApplePay != nil {
			all = append(all, w.ApplePay.Domains...)
		}
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// WalletsFor returns the settings of a MID for payments of an owner. With the test key they are those of the sandbox
// where the merchant has none.
func (m *Merchant) WalletsFor(o fault.Owner, mid *MID) Wallets {
	w := m.WalletsOf(mid)
	if !o.Test {
		return w
	}
	if w.ApplePay == nil {
		w.ApplePay = &ApplePay{
			MerchantIdentifier: "merchant.sandbox", Country: "GB", ShopName: m.Name,
			Capabilities: []string{"supports3DS"}, Networks: []string{"visa", "masterCard", "amex", "discover"},
		}
	}
	if w.GooglePay == nil {
		w.GooglePay = &GooglePay{
			TermsAcceptedAt: sandboxTerms, Environment: WalletTest, MerchantName: m.Name, Country: "GB",
			AuthMethods: []string{AuthPANOnly, AuthCryptogram}, Networks: []string{"VISA", "MASTERCARD", "AMEX", "DISCOVER"},
		}
	}
	return w
}

// fillWallets copies from stored settings the certificate and the public keys whose private keys stay as they are.
func (m *Merchant) fillWallets(stored *Merchant) {
	known := map[[2]string]Wallets{}
	stored.EachWallets(func(mapping, mid string, w *Wallets) { known[[2]string{mapping, mid}] = *w })
	m.EachWallets(func(mapping, mid string, w *Wallets) {
		w.fillFrom(known[[2]string{mapping, mid}])
	})
}
