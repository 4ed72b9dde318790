package settings

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/method"
)

func TestPresetsAreChecked(t *testing.T) {
	for presets, want := range map[string]string{
		`{}`: "",
		`{"local_transfer":{"branch_identifier":"0001"}}`:  "",
		`{"local_transfer":{"branch_identifier":"12345"}}`: "presets.local_transfer.branch_identifier",
		`{"local_transfer":{"debtor_name":""}}`:            "presets.local_transfer.debtor_name",
		`{"local_transfer":{"fine":"1"}}`:                  "presets.local_transfer.fine",
		`{"local_payout":{"branch_identifier":"0001"}}`:    "presets.local_payout",

		`{"local_transfer":{"source_account_number":"******"}}`: "presets.local_transfer.source_account_number",
	} {
		text := strings.Replace(validMerchant, `"methods": ["card", "crypto"],`,
			`"methods": ["card", "local_transfer"], "presets": `+presets+`,`, 1)
		got := merchantFaults(t, text)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 ||
			!strings.HasPrefix(got[0], "mappings[0].mids[0]."+want+": ")) {
			t.Errorf("%s: %s, want %s", presets, fmt.Sprint(got), want)
		}
	}
}

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
