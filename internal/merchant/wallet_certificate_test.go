package merchant

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/merchant/merchanttest"
	"checkout/internal/method"
	"checkout/internal/request"
)

// W1 is offered until the first of the certificates that new tokens need has ended; the one before is not needed.
func TestWalletWithACertificateThatHasEnded(t *testing.T) {
	day, end := 24*time.Hour, checkedAt.AddDate(1, 0, 0)
	for name, test := range map[string]struct {
		change func(a *ApplePay)
		req    func(r *request.Session)
		at     time.Time
		ended  bool
	}{
		"before":   {at: end.Add(-time.Second)},
		"identity": {at: end, ended: true},
		"processing": {change: func(a *ApplePay) {
			a.Processing[0].Certificate = merchanttest.Processing(t, merchantIdentifier, end.Add(-day)).Certificate
		}, at: end.Add(-day), ended: true},
		"test key":       {req: func(r *request.Session) { r.Test = true }, at: end},
		"merchant's own": {req: func(r *request.Session) { r.WalletToken = "{}" }, at: end},
	} {
		t.Run(name, func(t *testing.T) {
			m := withWallets(true, walletMID("a", "decrypted"))
			m.Wallets.ApplePay = goodWallets(t).ApplePay
			if test.change != nil {
				test.change(m.Wallets.ApplePay)
			}
			req := request.Session{}
			req.Operation, req.Order.Currency = method.Purchase, "USD"
			if test.req != nil {
				test.req(&req)
			}
			m.noteEnded(test.at)
			got := notOffered(m, req)
			if strings.Contains(got, "applepay wallet_certificate") != test.ended || strings.Contains(got, "googlepay wallet") {
				t.Errorf("not offered: %q", got)
			}
		})
	}
}
