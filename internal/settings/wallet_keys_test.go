package settings

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"checkout/internal/settings/settingstest"
)

// walletsWithKeys has both wallets with all of their keys.
func walletsWithKeys(t *testing.T) Wallets {
	t.Helper()
	end := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	identity := settingstest.Identity(t, "merchant.pens", end)
	first, second := settingstest.Processing(t, "merchant.pens", end), settingstest.Processing(t, "merchant.pens", end)
	return Wallets{
		ApplePay: &ApplePay{
			IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
			Processing: []ProcessingCertificate{{first.Certificate, first.Key}, {second.Certificate, second.Key}},
		},
		GooglePay: &GooglePay{PrivateKeys: []string{settingstest.Key(t), settingstest.Key(t)}},
	}
}

// The keys of each use are read back to where they were, from documents of both forms; others don't see them.
func TestKeysOfWallets(t *testing.T) {
	w := walletsWithKeys(t)
	m := Merchant{Wallets: w, Mappings: []Mapping{{Name: "main", MIDs: []MID{
		{Name: "a", Wallets: Wallets{GooglePay: w.GooglePay}}, {Name: "b"},
	}}}}
	m.fillWallets(&Merchant{}) // sets the public keys
	bare := m.Clone()
	set := bare.TakeSecrets()
	if text, err := json.Marshal(bare); err != nil || bytes.Contains(text, []byte("PRIVATE KEY")) {
		t.Fatalf("keys stay in the settings: %v", err)
	}
	if m.Wallets.ApplePay.IdentityKey == "" || len(bare.Wallets.GooglePay.PublicKeys) != 2 {
		t.Fatal("the settings themselves were changed")
	}
	known, older := map[SecretUse]map[string]string{}, map[SecretUse][]string{}
	for _, s := range set {
		if known[s.Use] == nil {
			known[s.Use] = map[string]string{}
		}
		known[s.Use][s.Name], older[s.Use] = s.Value, append(older[s.Use], s.Value)
	}
	readOlder := map[SecretUse]map[string]string{}
	for use, texts := range older {
		text, err := json.Marshal(map[string]any{"": map[string]any{"": map[string]any{"applepay": texts}}})
		if err != nil {
			t.Fatal(err)
		}
		readOlder[use] = map[string]string{}
		if err := readKeys(text, readOlder[use]); err != nil {
			t.Fatal(err)
		}
	}
	for form, known := range map[string]map[SecretUse]map[string]string{"sealed": known, "older": readOlder} {
		read := bare.Clone()
		read.EachWallets(func(_, _ string, w *Wallets) {
			for _, use := range []SecretUse{SecretWalletIdentity, SecretWalletProcessing} {
				w.setKeys(use, known[use])
			}
		})
		if !reflect.DeepEqual(read.Wallets, m.Wallets) || !reflect.DeepEqual(read.Mappings, m.Mappings) {
			t.Errorf("%s: %+v\nwant %+v", form, read.Wallets.ApplePay, m.Wallets.ApplePay)
		}
	}
	if readKeys([]byte("{"), map[string]string{}) == nil {
		t.Error("what can't be read is no error")
	}
}
