package change

import (
	"encoding/json"
	"fmt"

	"checkout/internal/settings"
	"checkout/internal/settings/words"
)

// differences returns what is other in settings without secrets than before.
func differences(before, after *settings.Merchant) ([]words.Change, error) {
	var texts [2][]byte
	for i, m := range []*settings.Merchant{before, after} {
		shown := m.Clone()
		shown.MaskPresets()
		var err error
		if texts[i], err = json.Marshal(shown); err != nil {
			return nil, fmt.Errorf("marshal settings: %w", err)
		}
	}
	return words.Between(texts[0], texts[1])
}

// linesOf returns changes as lines.
func linesOf(changes []words.Change) (lines []string) {
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines
}

// isNew is the change of a merchant that was not there before.
var isNew = words.Change{Text: "is new"}

// ofSecret is the change of a secret, of which nothing is shown.
func ofSecret(at settings.Place, text string) words.Change {
	return words.Change{Path: at.String(), Label: words.Label(at.String()), Text: text}
}
