package routing

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
)

// Apple Pay is offered until the first of the certificates that new tokens need has ended; the one before is not
// needed.
func TestWalletWithACertificateThatHasEnded(t *testing.T) {
	const identifier = "merchant.example.pens"
	day, end := 24*time.Hour, time.Date(2027, 11, 22, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		change func(a *settings.ApplePay)
		req    func(r *request.Session)
		at     time.Time
		ended  bool
	}{
		"before":   {at: end.Add(-time.Second)},
		"identity": {at: end, ended: true},
		"processing": {change: func(a *settings.ApplePay) {
			a.Processing[0].Certificate = settingstest.Processing(t, identifier, end.Add(-day)).Certificate
		}, at: end.Add(-day), ended: true},
		"test key":       {req: func(r *request.Session) { r.Test = true }, at: end},
		"merchant's own": {req: func(r *request.Session) { r.WalletToken = "{}" }, at: end},
	} {
		t.Run(name, func(t *testing.T) {
			m := withWallets(true, walletMID("a", "decrypted"))
			own, first := settingstest.Identity(t, identifier, end), settingstest.Processing(t, identifier, end)
			under := settingstest.Processing(t, identifier, end.AddDate(-1, 0, -1)) // for tokens under way
			m.Wallets.ApplePay = &settings.ApplePay{
				MerchantIdentifier: identifier, Country: "DE", ShopName: "Pens",
				IdentityCertificate: own.Certificate, IdentityKey: own.Key,
				Capabilities: []string{"supports3DS", "supportsDebit"}, Networks: []string{"visa", "masterCard"},
				Processing: []settings.ProcessingCertificate{
					{Certificate: first.Certificate, Key: first.Key}, {Certificate: under.Certificate, Key: under.Key},
				},
			}
			if test.change != nil {
				test.change(m.Wallets.ApplePay)
			}
			req := request.Session{}
			req.Operation, req.Order.Currency = method.Purchase, "USD"
			if test.req != nil {
				test.req(&req)
			}
			m.NoteEnded(test.at)
			got := NotTaken(m, req)
			if strings.Contains(got, "applepay wallet_certificate") != test.ended || strings.Contains(got, "googlepay wallet") {
				t.Errorf("not offered: %q", got)
			}
		})
	}
}
