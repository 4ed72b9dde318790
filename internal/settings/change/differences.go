package change

import (
	"encoding/json"
	"fmt"

	"checkout/internal/settings"
	"checkout/internal/settings/words"
)

// differences returns a line for each place in which settings without secrets are other than before.
func differences(before, after *settings.Merchant) ([]string, error) {
	var texts [2][]byte
	for i, m := range []*settings.Merchant{before, after} {
		shown := m.Clone()
		shown.MaskPresets()
		var err error
		if texts[i], err = json.Marshal(shown); err != nil {
			return nil, fmt.Errorf("marshal settings: %w", err)
		}
	}
	changes, err := words.Between(texts[0], texts[1])
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines, nil
}
