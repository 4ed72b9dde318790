package story

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/merchant"
	"checkout/internal/request"
)

// sessions plays the host that begins merchant sessions.
type sessions struct {
	asked []checkout.MerchantSession
	err   error
}

func (s *sessions) Begin(_ context.Context, r checkout.MerchantSession) (json.RawMessage, error) {
	s.asked = append(s.asked, r)
	return json.RawMessage(`{"opaque":1}`), s.err
}

// A merchant session is begun for a domain of the merchant, while the session can be paid with the wallet.
func TestMerchantSession(t *testing.T) {
	w, _ := decryptedRow.opens(t)
	host := &sessions{}
	w.app.Service.Sessions = host
	begins := func(v *visit, domain string) string {
		t.Helper()
		begun, err := w.app.Service.BeginMerchantSession(context.Background(), v.session, domain)
		var refused *request.Error
		if errors.As(err, &refused) {
			return refused.Error()
		}
		return string(begun)
	}
	payer := w.shop.visits("pen-1")
	if got := begins(payer, "Shop.example"); got != `{"opaque":1}` || len(host.asked) != 1 ||
		host.asked[0].Domain != "shop.example" || host.asked[0].Settings.IdentityKey != identity.Key {
		t.Errorf("%s, %d requests", got, len(host.asked))
	}
	for _, domain := range []string{"", "evil.example", "shop.example.evil.example", "a.shop.example"} {
		if got := begins(payer, domain); !strings.Contains(got, "domain") {
			t.Errorf("%q: %s", domain, got)
		}
	}
	withoutWallet := w.shop.visits("pen-2", with("methods", []string{"card"}))
	if got := begins(withoutWallet, "shop.example"); strings.Contains(got, "opaque") {
		t.Errorf("without the wallet: %s", got)
	}
	paid := w.shop.visits("pen-3")
	paid.paysBy(walletKinds[0], "01/38")
	if got := begins(paid, "shop.example"); strings.Contains(got, "opaque") {
		t.Errorf("once paid: %s", got)
	}
	if got := begins(&visit{session: "nobody's"}, "shop.example"); strings.Contains(got, "opaque") {
		t.Errorf("of no session: %s", got)
	}
	if len(host.asked) != 1 {
		t.Errorf("%d requests", len(host.asked))
	}
	if host.err = errors.New("status 417"); strings.Contains(begins(payer, "shop.example"), "417") {
		t.Error("the payer is told what the host says")
	}
}

// With the test key no merchant session is needed, so that none is begun.
func TestNoMerchantSessionWithTheTestKey(t *testing.T) {
	w := open(t, takingWallets, func(m *merchant.Merchant) { m.Wallets = walletSettings(t, true) })
	host := &sessions{}
	w.app.Service.Sessions = host
	payer := w.shop.visits("pen-1")
	if _, err := w.app.Service.BeginMerchantSession(context.Background(), payer.session, "shop.example"); err == nil ||
		len(host.asked) != 0 {
		t.Errorf("%v, %d requests", err, len(host.asked))
	}
}
