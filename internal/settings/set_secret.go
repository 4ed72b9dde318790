package settings

import (
	"maps"
	"slices"
)

// SetSecret is a secret that settings set.
type SetSecret struct {
	Place
	Use   SecretUse
	Name  string // of a credential; of a wallet's key the id of its public half
	Value string
}

// About says what the secret is, for its fingerprint. MIDs of a merchant with the same credential have the same.
func (s SetSecret) About(merchant string) SecretPlace {
	if s.Use == SecretCredentials {
		return SecretPlace{s.Use, merchant, s.Name}
	}
	return SecretPlace{s.Use, merchant, s.Place.String()}
}

// TakeSecrets removes the secrets from the settings, and returns those that are set. Credentials that the MID's
// connector declares as no secrets stay.
func (m *Merchant) TakeSecrets() (all []SetSecret) {
	take := func(s SetSecret) {
		if s.Value != "" {
			all = append(all, s)
		}
	}
	take(SetSecret{Place{"", "", "password"}, SecretPassword, "", m.Password})
	take(SetSecret{Place{"", "", "callback_secret"}, SecretCallback, "", m.CallbackSecret})
	m.Password, m.CallbackSecret = "", ""
	m.EachMID(func(mapping string, mid *MID) {
		for _, name := range slices.Sorted(maps.Keys(mid.Credentials)) {
			if !m.Connectors.IsPlain(mid.Connector, name) {
				at := Place{mapping, mid.Name, "credentials." + name}
				take(SetSecret{at, SecretCredentials, name, mid.Credentials[name]})
			}
		}
		mid.Credentials = m.plainCredentials(mid)
	})
	m.EachKey(func(k WalletKey) { take(SetSecret{k.Place, k.Use, k.ID, k.text}) })
	m.EachWallets(func(_, _ string, w *Wallets) { w.removeKeys() })
	return all
}

// WalletKey is a private key of a wallet's settings.
type WalletKey struct {
	Place
	Use SecretUse
	ID  string // of the public half that stands beside it; "": none that can be read

	Certificate string // PEM, that stands beside it; "": none

	text string // PEM; "" if the settings do not set it
}

// EachKey calls f for every place of a private key.
func (m *Merchant) EachKey(f func(k WalletKey)) {
	m.EachWallets(func(mapping, mid string, w *Wallets) {
		for _, k := range w.keys() {
			k.Place = Place{mapping, mid, "wallets." + k.Setting}
			f(k)
		}
	})
}

// plainCredentials returns the credentials of a MID that are no secrets, nil for none.
func (m *Merchant) plainCredentials(mid *MID) map[string]string {
	plain := maps.Clone(mid.Credentials)
	maps.DeleteFunc(plain, func(name, value string) bool {
		return value == "" || !m.Connectors.IsPlain(mid.Connector, name)
	})
	if len(plain) == 0 {
		return nil
	}
	return plain
}
