package story

import (
	"maps"
	"slices"
	"testing"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// asksForToken returns a request for a token of the test wallet.
func asksForToken(kind string, changes map[string]any) map[string]any {
	body := map[string]any{"method": kind, "card": TestCard, "expiry": "01/38"}
	maps.Copy(body, changes)
	return body
}

// offersWallets adds both wallets to the methods of the shop's first MID.
func offersWallets(m *settings.Merchant) {
	mid := &m.Mappings[0].MIDs[0]
	mid.Methods = append(slices.Clone(mid.Methods), method.ApplePay, method.GooglePay)
}

func TestRequestsForTestTokensAreChecked(t *testing.T) {
	t.Parallel()
	w := open(t, offersWallets)
	live := w.shop.visits("order-live", with("merchant_key", w.shop.merchant.LiveKey))
	for _, row := range []struct {
		name    string
		changes map[string]any
		want    int
	}{
		{"without a session", nil, 200},
		{"no currency", map[string]any{"currency": ""}, 400},
		{"no amount", map[string]any{"amount": ""}, 400},
		{"a crypto currency", map[string]any{"currency": "BTC"}, 400},
		{"a method that is no wallet", map[string]any{"method": "card"}, 400},
		{"a card that is none", map[string]any{"card": "4111 1111"}, 400},
		{"a month 13", map[string]any{"expiry": "13/38"}, 400},
		{"a fault of the other wallet", map[string]any{"fault": "other_recipient"}, 400},
		{"no wallet has it", map[string]any{"pan_only": true}, 400},
		{"no session", map[string]any{"session": "nobody"}, 404},
		{"a session with the live key", map[string]any{"session": live.Session}, 404},
		{"no request", map[string]any{"card": 4111}, 400},
	} {
		ask := asksForToken(method.ApplePay, map[string]any{"amount": "10.00", "currency": "USD"})
		maps.Copy(ask, row.changes)
		if code, response := w.post("/sandbox/wallet", ask); code != row.want {
			t.Errorf("%s: %d %v, want %d", row.name, code, response, row.want)
		}
	}
}
