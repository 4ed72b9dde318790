package check

import (
	"fmt"
	"strings"
	"testing"
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
