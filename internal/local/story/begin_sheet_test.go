package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/settings"
)

// vendorOfSessions gives merchant sessions, and writes down what it was asked for.
type vendorOfSessions struct {
	mu      sync.Mutex
	asked   []settings.ApplePay
	domains []string
	fails   error
}

// sheetObject is the vendor's own object, which nobody but the browser may get.
const sheetObject = `{"merchantSessionIdentifier":"OPAQUE-5f1c","nonce":"a&b"}`

func (v *vendorOfSessions) Begin(_ context.Context, own settings.ApplePay, domain string) (json.RawMessage, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked, v.domains = append(v.asked, own), append(v.domains, domain)
	if v.fails != nil {
		return nil, v.fails
	}
	return json.RawMessage(sheetObject), nil
}

// beginsSheet asks for a merchant session as the page does.
func (v *Visit) beginsSheet(domain string) string {
	v.w.t.Helper()
	code, body := v.w.call("POST", v.Path("applepay"), map[string]string{"domain": domain})
	return fmt.Sprint(code, " ", strings.TrimSpace(string(body)))
}

// The page gets the vendor's object for a domain of the merchant's, with the settings of the MID that would be paid at.
// The object is neither stored nor logged.
func TestSheetBegins(t *testing.T) {
	w := open(t, takingWallets, func(m *settings.Merchant) {
		own := WalletSettings(t, false)
		own.ApplePay.ShopName, own.ApplePay.Domains = "The MID", []string{"mid.example", "shop.example"}
		m.Wallets, m.Mappings[0].MIDs[0].Wallets.ApplePay = WalletSettings(t, false), own.ApplePay
	})
	w.vendors(&provider{}, settings.WalletSupport{CardFlow: true, Decrypted: true})
	vendor := &vendorOfSessions{}
	w.app.Page.Sessions = vendor
	payer := w.shop.visits("pen-1")
	if got := payer.beginsSheet("Mid.example"); got != "200 "+sheetObject {
		t.Errorf("the page gets %s", got)
	}
	if len(vendor.asked) != 1 || vendor.domains[0] != "mid.example" ||
		vendor.asked[0].ShopName != "The MID" || vendor.asked[0].IdentityKey != identity.Key {
		t.Fatalf("asked for %d sessions", len(vendor.asked))
	}
	for _, domain := range []string{
		"", "elsewhere.example", "pay.example", "shop.example.", "https://shop.example", "shop.example.evil.example",
		"a.shop.example",
	} {
		if got := payer.beginsSheet(domain); !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "domain: ") {
			t.Errorf("%q: %s", domain, got)
		}
	}
	vendor.fails = errors.New("merchant session: the wallet's response has status 417")
	if got := payer.beginsSheet("shop.example"); !strings.HasPrefix(got, "400 ") ||
		!strings.Contains(got, "The wallet can't be opened now.") || strings.Contains(got, "417") {
		t.Errorf("the vendor fails: %s", got)
	}
	if len(vendor.asked) != 2 || !strings.Contains(w.log.String(), "status 417") {
		t.Errorf("%d sessions were asked for; the log has to say why there was none", len(vendor.asked))
	}
	payer.is("prepare")
	kept := w.log.String() + w.queue.messages()
	for _, record := range w.app.Store.Dump() {
		kept += string(record.Doc)
	}
	if strings.Contains(kept, "OPAQUE-5f1c") {
		t.Error("a merchant session is kept")
	}
	w.hasNoKey(kept)
}

// A session begins a limited number of merchant sessions, also of those that are begun at the same time.
func TestSheetIsBegunTooOften(t *testing.T) {
	w := open(t, takingWallets, func(m *settings.Merchant) { m.Wallets = WalletSettings(t, false) })
	w.vendors(&provider{}, settings.WalletSupport{})
	vendor := &vendorOfSessions{}
	w.app.Page.Sessions = vendor
	payer := w.shop.visits("pen-1")
	const limit, atOnce = 30, 5
	for i := range limit - 1 {
		if got := payer.beginsSheet("shop.example"); got[:3] != "200" || len(vendor.asked) != i+1 {
			t.Fatalf("number %d: %s", i+1, got)
		}
	}
	var waits sync.WaitGroup
	refused := make(chan string, atOnce)
	for range atOnce {
		waits.Go(func() {
			if _, err := w.app.Page.BeginMerchantSession(t.Context(), payer.Session, "shop.example"); err != nil {
				refused <- err.Error()
			}
		})
	}
	waits.Wait()
	close(refused)
	if len(vendor.asked) != limit || len(refused) != atOnce-1 {
		t.Errorf("%d sessions were asked for, %d refused", len(vendor.asked), len(refused))
	}
	for text := range refused {
		if !strings.Contains(text, "The wallet was opened too often.") {
			t.Error(text)
		}
	}
	if got := w.shop.visits("pen-2").beginsSheet("shop.example"); got[:3] != "200" {
		t.Errorf("another session: %s", got)
	}
}

// Nobody is asked where the session does not offer the wallet.
func TestSheetDoesNotBegin(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*settings.Merchant)
		asks func(map[string]any) // of the session
		then func(*World, *Visit)
	}{
		"test key":      {asks: with("merchant_key", "test-key")},
		"no settings":   {set: func(m *settings.Merchant) { m.Wallets.ApplePay = nil }},
		"disabled":      {set: func(m *settings.Merchant) { m.Wallets.ApplePay.Disabled = true }},
		"other methods": {asks: with("methods", []string{"card", "googlepay"})},
		"merchant disabled": {then: func(w *World, _ *Visit) {
			w.shop.set(disabled)
			w.skip(2 * time.Minute)
		}},
		"cancelled": {then: func(_ *World, v *Visit) { v.closes() }},
		"paid":      {then: func(_ *World, v *Visit) { v.paysBy(walletKinds[0], "01/38", forGateway) }},
		"expired":   {then: func(w *World, _ *Visit) { w.skip(24 * time.Hour) }},
	} {
		w := open(t, takingWallets, func(m *settings.Merchant) { m.Wallets = WalletSettings(t, false) })
		if test.set != nil {
			w.shop.set(test.set)
		}
		w.vendors(&provider{}, settings.WalletSupport{})
		vendor := &vendorOfSessions{}
		w.app.Page.Sessions = vendor
		v := w.shop.visits("pen-1", with("methods", nil))
		if test.asks != nil {
			v = w.shop.visits("pen-2", test.asks)
		}
		if test.then != nil {
			test.then(w, v)
		}
		got := v.beginsSheet("shop.example")
		if !strings.HasPrefix(got, "400 ") || !strings.Contains(got, "can't be opened here") || len(vendor.asked) > 0 {
			t.Errorf("%s: %d asked for, %s", name, len(vendor.asked), got)
		}
		if got := w.shop.Visit(strings.Repeat("0", 64), "").beginsSheet("shop.example"); got[:3] != "404" {
			t.Errorf("an unknown session: %s", got)
		}
	}
}
