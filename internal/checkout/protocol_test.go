package checkout

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
)

// The table of Callback fields has every field in its order, and the hash, which is added when a callback is sent.
func TestProtocolHasTheCallbackFields(t *testing.T) {
	p := &payment.Payment{
		ChainLink: payment.ChainLink{Chain: "first"}, Cards: payment.Cards{Card: &card.View{}, PayeeCard: &card.View{}},
		VAT:          &money.Amount{},
		Instructions: payment.Instructions{Shown: []screen.Shown{{ID: "crypto_network"}, {ID: "crypto_address"}}},
	}
	m := &settings.Merchant{Mappings: []settings.Mapping{{Name: "main", ExtendedData: true}}}
	p.Mapping = "main"
	var got, want []string
	for _, f := range callbackFields(time.Time{}, m, p, payment.Event{}) {
		want = append(want, f.Name)
	}
	for _, row := range requesttest.ProtocolRows(t, "Callback fields") {
		if name := strings.Trim(row[0], "`"); name != "hash" && name != "custom_data" {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
