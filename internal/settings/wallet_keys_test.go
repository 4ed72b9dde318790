package settings

import (
	"reflect"
	"strings"
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

// The keys of each use are read back to where they were; others don't see them.
func TestKeysOfWallets(t *testing.T) {
	w := walletsWithKeys(t)
	m := Merchant{Wallets: w, Mappings: []Mapping{{Name: "main", MIDs: []MID{
		{Name: "a", Wallets: Wallets{GooglePay: w.GooglePay}}, {Name: "b"},
	}}}}
	m.fillWallets(&Merchant{}) // sets the public keys
	bare := m.WithoutSecrets()
	if m.Wallets.ApplePay.IdentityKey == "" || len(bare.Wallets.GooglePay.PublicKeys) != 2 {
		t.Fatal("the settings themselves were changed")
	}
	for _, use := range SecretUses {
		if key := bare.Secret(use); strings.Contains(key, "PRIVATE KEY") {
			t.Errorf("%s: keys stay in the settings", use)
		}
	}
	for _, use := range []SecretUse{SecretWalletIdentity, SecretWalletProcessing} {
		if err := bare.readWalletSecret(use, []byte(m.Secret(use))); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(bare.Wallets, m.Wallets) || !reflect.DeepEqual(bare.Mappings, m.Mappings) {
		t.Errorf("read back: %+v\nwant %+v", bare.Wallets.ApplePay, m.Wallets.ApplePay)
	}
	if bare.readWalletSecret(SecretWalletIdentity, []byte("{")) == nil {
		t.Error("what can't be read is no error")
	}
}
