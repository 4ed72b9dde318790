package settings

import (
	"testing"

	"checkout/internal/method"
)

// Operators see no sensitive preset, and can store the settings as they see them.
func TestPresetsAreMasked(t *testing.T) {
	m := &Merchant{Mappings: []Mapping{{MIDs: []MID{{Name: "a", Presets: map[string]map[string]string{
		"local_payout": {"branch_identifier": "0001", "source_account_number": "8675309"},
	}}}}}}
	shown := m.Clone()
	shown.MaskPresets()
	got := shown.Mappings[0].MIDs[0].Presets["local_payout"]
	if got["source_account_number"] != method.Masked || got["branch_identifier"] != "0001" {
		t.Errorf("shown are %v", got)
	}
	if m.Mappings[0].MIDs[0].Presets["local_payout"]["source_account_number"] != "8675309" {
		t.Error("the settings themselves were changed")
	}
	saved := shown.Clone()
	saved.FillFrom(m)
	if got := saved.Mappings[0].MIDs[0].Presets["local_payout"]["source_account_number"]; got != "8675309" {
		t.Errorf("stored is %q", got)
	}
}
