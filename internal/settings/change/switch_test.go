package change_test

import (
	"slices"
	"testing"

	"checkout/internal/settings"
	"checkout/internal/settings/change"
)

// A switch changes what it names and nothing else; what is so already stays.
func TestSwitch(t *testing.T) {
	s := newShop(t)
	m, err := s.merchants.Read(t.Context(), "shop")
	s.do(err)
	m.Settings.Mappings[0].MIDs = []settings.MID{{Name: "a", Connector: "bank", Methods: []string{"card"}}}
	s.merchants.Connectors = settings.Declarations{"bank": {}}
	s.do(s.merchants.Save(t.Context(), m.Settings))
	flip := func(kind, name string, closed bool) int {
		p, err := s.merchants.Switch(t.Context(),
			change.Switch{Merchant: "shop", Mapping: "default", Kind: kind, Name: name, Closed: closed})
		s.do(err)
		return len(p.Changes)
	}
	for _, one := range [][2]string{{"mid", "a"}, {"method", "card"}, {"country", "FR"}, {"country", "DE"}} {
		if first, again := flip(one[0], one[1], true), flip(one[0], one[1], true); first != 1 || again != 0 {
			t.Errorf("%v: %d changes, then %d", one, first, again)
		}
	}
	flip("country", "FR", false)
	m, err = s.merchants.Read(t.Context(), "shop")
	s.do(err)
	got := m.Settings.Mappings[0]
	if !got.MIDs[0].Disabled || !slices.Equal(got.ClosedMethods, []string{"card"}) ||
		!slices.Equal(got.ClosedCountries, []string{"DE"}) {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []change.Switch{
		{Merchant: "nobody", Mapping: "default", Kind: "mid", Name: "a"}, {Merchant: "shop", Mapping: "x", Kind: "mid"},
		{Merchant: "shop", Mapping: "default", Kind: "mid", Name: "b"}, {Merchant: "shop", Mapping: "default", Kind: "x"},
		{Merchant: "shop", Mapping: "default", Kind: "country", Name: "XX", Closed: true},
	} {
		if _, err := s.merchants.Switch(t.Context(), wrong); err == nil {
			t.Errorf("%+v is no error", wrong)
		}
	}
}
