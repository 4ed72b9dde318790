package check

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
)

func TestCompatibilityIsChecked(t *testing.T) {
	m := settings.Merchant{ID: "shop", Mappings: []settings.Mapping{{Name: "main"}}}
	m.Mappings[0].Compatibility = settings.Compatibility{
		"biling": "ask", "billing": "aks", "preset": "shop", "upper": "unicode", "errors": "off",
	}
	var got []string
	for _, text := range requesttest.TextsOf(Check(m, nil, time.Now(), false).(*fault.Error).Faults) {
		if strings.Contains(text, "compatibility") {
			got = append(got, text)
		}
	}
	const at = "mappings[0].compatibility."
	want := []string{at + "biling: " + requesttest.Choice, at + "billing: " + requesttest.Choice,
		at + "preset: " + requesttest.Choice}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
