package checkout

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/money"
	"checkout/internal/request/requesttest"
	"checkout/internal/screen"
	"checkout/internal/settings"
)

// The first table of Statuses and moves has the moves of the code.
func TestProtocolHasTheMoves(t *testing.T) {
	got := map[Status][]Status{}
	for _, row := range requesttest.ProtocolRows(t, "Statuses and moves") {
		from := Status(strings.Trim(row[0], "`"))
		got[from] = nil
		for to := range strings.SplitSeq(row[1], ", ") {
			if to != "" {
				got[from] = append(got[from], Status(strings.Trim(to, "`")))
			}
		}
	}
	want := maps.Clone(moves)
	want[StatusReversal] = nil
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The table of Callback fields has every field in its order, and the hash, which is added when a callback is sent.
func TestProtocolHasTheCallbackFields(t *testing.T) {
	p := &Payment{
		ChainLink: ChainLink{Chain: "first"}, Cards: Cards{Card: &card.View{}, PayeeCard: &card.View{}},
		VAT:   &money.Amount{},
		Shown: []screen.Shown{{ID: "crypto_network"}, {ID: "crypto_address"}},
	}
	m := &settings.Merchant{Mappings: []settings.Mapping{{Name: "main", ExtendedData: true}}}
	p.Mapping = "main"
	var got, want []string
	for _, f := range callbackFields(time.Time{}, m, p, Event{}) {
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
