package check

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/settings"
	"checkout/internal/settings/table"
	"checkout/internal/settings/table/tabletest"
	"checkout/internal/settings/words"
)

// Settings that agree with their rows pass, each change of them has words, and nothing else has.
func TestRandomSettings(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		a, b := tabletest.Random(t, "pens"), tabletest.Random(t, "pens")
		var texts [2][]byte
		for i, m := range []settings.Merchant{a, b} {
			if err := Check(m, nil, time.Now(), false); err != nil {
				t.Fatal(err)
			}
			for p := range table.All(&m) {
				seen[p.Row.Path] = seen[p.Row.Path] || !p.Value.IsZero()
			}
			m = m.Clone()
			m.TakeSecrets()
			texts[i], _ = json.Marshal(m)
		}
		changes, err := words.Between(texts[0], texts[1])
		if err != nil || (len(changes) == 0) != (string(texts[0]) == string(texts[1])) {
			t.Fatalf("%s\n%s: %v, %v", texts[0], texts[1], changes, err)
		}
		for _, c := range changes {
			if c.Label == "" || c.Text == "" || c.Path == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
	for _, path := range []string{"forms[].labels", "mappings[].mids[].limits[].max", "schedules[].day_of_month"} {
		if !seen[path] {
			t.Errorf("%s was never set", path)
		}
	}
}
