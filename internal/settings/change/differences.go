package change

import (
	"encoding/json"
	"fmt"
	"maps"

	"checkout/internal/settings"
	"checkout/internal/settings/words"
)

// differences returns a line for each place in which settings are other than before.
func differences(before, after *settings.Merchant) ([]string, error) {
	if before.ID == "" {
		return []string{"is new"}, nil
	}
	var texts [2][]byte
	for i, m := range []*settings.Merchant{before, after} {
		bare := m.WithoutSecrets()
		bare.MaskPresets()
		var err error
		if texts[i], err = json.Marshal(bare); err != nil {
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
	return append(lines, replacedSecrets(before, after)...), nil
}

// replacedSecrets returns a line for each secret that is other than before.
func replacedSecrets(before, after *settings.Merchant) (lines []string) {
	const identity, processing = settings.SecretWalletIdentity, settings.SecretWalletProcessing
	for _, secret := range []struct{ name, before, after string }{
		{"password", before.Password, after.Password},
		{"callback_secret", before.CallbackSecret, after.CallbackSecret},
		{"identity keys of wallets", before.Secret(identity), after.Secret(identity)},
		{"keys of wallets' tokens", before.Secret(processing), after.Secret(processing)},
	} {
		if secret.before != secret.after {
			lines = append(lines, secret.name+": other than before, not shown")
		}
	}
	after.EachMID(func(mapping string, mid *settings.MID) {
		known, _ := before.MID(mapping, mid.Name)
		if !maps.Equal(known.Credentials, mid.Credentials) {
			path := fmt.Sprintf("mappings[%s].mids[%s].credentials", mapping, mid.Name)
			lines = append(lines, path+": other than before, not shown")
		}
	})
	return lines
}
