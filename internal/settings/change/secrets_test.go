package change_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/settings/sealed"
	"checkout/internal/settings/settingstest"
	"checkout/internal/store"
)

// declared has a bank with two secrets and an address, which is none.
var declared = settings.Declarations{"bank": {Credentials: []settings.Credential{
	{Name: "url", Kind: settings.KindAddress, Required: true},
	{Name: "key", Kind: settings.KindText, Required: true, Secret: true},
	{Name: "secret", Kind: settings.KindText, Secret: true}, {Name: "label", Kind: settings.KindText},
}}, "other": {Credentials: []settings.Credential{
	{Name: "token", Kind: settings.KindText, Required: true, Secret: true},
}}}

// newBankShop is a shop with MIDs of the bank.
func newBankShop(t *testing.T) *shop {
	s := newShop(t)
	s.merchants.Connectors = declared
	s.put(`{"id":"shop","mappings":[{"name":"default","mids":[
		{"name":"a","connector":"bank","methods":["card"],"credentials":{"url":"https://a.example","key":"k1","secret":"s1"}},
		{"name":"b","connector":"bank","methods":["card"],"credentials":{"url":"https://a.example","key":"k1","secret":"s1"}},
		{"name":"c","connector":"bank","methods":["card"],"credentials":{"url":"https://a.example","key":"k3"}}]}]}`)
	return s
}

// put changes the shop, of which it may remove what is named, and returns the lines of what is other than before.
func (s *shop) put(text string, remove ...string) []string {
	s.Helper()
	s.now = s.now.Add(time.Second)
	d := draft(0, text)
	d.Remove = remove
	done, err := s.merchants.Publish(s.Context(), d)
	s.do(err)
	lines := make([]string, len(done.Changes))
	for i, c := range done.Changes {
		lines[i] = c.String()
	}
	return lines
}

// inMID writes a change of one MID.
func inMID(mid, members string) string {
	return `{"id":"shop","mappings":{"default":{"mids":{"` + mid + `":{` + members + `}}}}}`
}

// opened returns the credentials of a MID as a function reads them, and of how many parts they are.
func (s *shop) opened(mid string) (map[string]string, sealed.Credentials) {
	s.Helper()
	in := settings.Reader{Store: s.store, Secrets: plainSecrets{settings.SecretCredentials}, Now: s.now}
	m, records, err := in.Read(s.Context(), "shop")
	s.do(err)
	found, _ := m.MID("default", mid)
	all, err := found.OpenCredentials(s.Context())
	s.do(err)
	var stored sealed.Secret
	s.do(records[1].Decode(&stored))
	return all, stored.Credentials["default"][mid]
}

// Each change of credentials encrypts those alone that it sets to another value. Nothing is decrypted.
func TestCredentialsChangeOneByOne(t *testing.T) {
	s := newBankShop(t)
	for _, step := range []struct {
		change string
		want   map[string]string
		parts  int
		lines  string
	}{
		{inMID("a", `"weight":2`), map[string]string{"key": "k1", "secret": "s1"}, 1,
			"mappings[default].mids[a].weight: is new, 2 (default: 0: after all others)"},
		{inMID("a", `"credentials":{"secret":"s2"}`), map[string]string{"key": "k1", "secret": "s2"}, 2,
			"mappings[default].mids[a].credentials.secret: other than before, not shown"},
		{inMID("a", `"credentials":{"secret":"s2","key":"k1"}`), map[string]string{"key": "k1", "secret": "s2"}, 2, ""},
		{inMID("a", `"credentials":{"secret":null}`), map[string]string{"key": "k1"}, 1,
			"mappings[default].mids[a].credentials.secret: goes, not shown"},
		{inMID("a", `"credentials":{"secret":"s3"}`), map[string]string{"key": "k1", "secret": "s3"}, 2,
			"mappings[default].mids[a].credentials.secret: other than before, not shown"},
		{inMID("a", `"credentials":{"key":"k2","secret":"s4"}`), map[string]string{"key": "k2", "secret": "s4"}, 1,
			"mappings[default].mids[a].credentials.key: other than before, not shown\n" +
				"mappings[default].mids[a].credentials.secret: other than before, not shown"},
		{inMID("a", `"credentials":{"label":"x"}`), map[string]string{"key": "k2", "secret": "s4", "label": "x"}, 1,
			`mappings[default].mids[a].credentials.label: is new, "x"`},
		{inMID("a", `"credentials":{"label":null}`), map[string]string{"key": "k2", "secret": "s4"}, 1,
			`mappings[default].mids[a].credentials.label: goes, it was "x"`},
	} {
		if lines := strings.Join(s.put(step.change), "\n"); lines != step.lines {
			t.Errorf("%s: %s", step.change, lines)
		}
		step.want["url"] = "https://a.example"
		if got, stored := s.opened("a"); !maps.Equal(got, step.want) || len(stored.Parts) != step.parts {
			t.Errorf("%s: %v of %d parts", step.change, got, len(stored.Parts))
		}
	}
	if got, _ := s.opened("b"); got["secret"] != "s1" {
		t.Errorf("another MID has %v", got)
	}
}

// A credential that its connector needs can't be removed, and another connector has others.
func TestRequiredCredentials(t *testing.T) {
	s := newBankShop(t)
	before := s.dump()
	for change, want := range map[string]string{
		inMID("a", `"credentials":{"key":null}`): "mappings[0].mids[0].credentials.key: This value should not be blank.",
		inMID("a", `"credentials":{"url":null}`): "mappings[0].mids[0].credentials.url: This value should not be blank.",
		inMID("a", `"connector":"other"`):        "mappings[0].mids[0].credentials.token: This value should not be blank.",
	} {
		if _, err := s.merchants.Publish(t.Context(), draft(0, change)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", change, err)
		}
	}
	if s.dump() != before {
		t.Error("a refused change changed the store")
	}
	s.put(inMID("a", `"connector":"other","credentials":{"token":"t"}`), "a")
	if got, _ := s.opened("a"); !maps.Equal(got, map[string]string{"token": "t"}) {
		t.Errorf("of another connector: %v", got)
	}
}

// accounts returns the accounts of MIDs.
func (s *shop) accounts(mids ...string) (all []int) {
	s.Helper()
	for _, mid := range mids {
		_, stored := s.opened(mid)
		all = append(all, stored.Account)
	}
	return all
}

// MIDs with the same credentials, secret or not, have the same account.
func TestAccountsOfMIDs(t *testing.T) {
	s := newBankShop(t)
	for _, step := range []struct {
		change string
		want   []int
	}{
		{inMID("a", `"weight":2`), []int{1, 1, 2}},
		{inMID("b", `"credentials":{"secret":"s2"}`), []int{1, 2, 3}},
		{inMID("b", `"credentials":{"secret":"s1"}`), []int{1, 1, 2}},
		{inMID("b", `"credentials":{"url":"https://b.example"}`), []int{1, 2, 3}},
		{inMID("c", `"credentials":{"url":"https://b.example","key":"k1","secret":"s1"}`), []int{1, 2, 2}},
	} {
		s.put(step.change)
		if got := s.accounts("a", "b", "c"); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.change, got, step.want)
		}
	}
}

// olderCredentials stores the credentials of all MIDs as an earlier release has stored them.
func (s *shop) olderCredentials(account map[string]int, values string) {
	s.Helper()
	now := s.now
	records, err := s.store.Get(s.Context(), now, settings.Documents("shop", []settings.SecretUse{"credentials"})...)
	s.do(err)
	var m settings.Stored
	s.do(records[0].Decode(&m))
	older := sealed.Secret{Since: now, Credentials: sealed.ByMID{}}
	m.EachMID(func(mapping string, mid *settings.MID) {
		owner := settings.IDOfMID("shop", mapping, mid.Name)
		encrypted, _ := plainSecrets{}.Encrypt(s.Context(), "credentials", owner, []byte(values))
		older.Credentials.Add(mapping, mid.Name, sealed.Credentials{Encrypted: encrypted, Account: account[mid.Name]})
		mid.Credentials = nil
	})
	s.do(s.store.Save(s.Context(), now, store.Encode(records[0].Key, records[0].Version, m),
		store.Encode(records[1].Key, records[1].Version, older)))
}

// What an earlier release has encrypted stays readable, and what is set later counts before it.
func TestCredentialsOfAnEarlierRelease(t *testing.T) {
	s := newBankShop(t)
	s.olderCredentials(map[string]int{"a": 1, "b": 1, "c": 2}, `{"url":"https://a.example","key":"k","secret":"s"}`)
	s.do(s.merchants.SetDisabled(t.Context(), "shop", true))
	if got := s.accounts("a", "b", "c"); !slices.Equal(got, []int{1, 1, 2}) {
		t.Errorf("accounts %v", got)
	}
	all := map[string]string{"url": "https://a.example", "key": "k", "secret": "s"}
	for _, step := range []struct{ change, name, value string }{
		{inMID("a", `"weight":2`), "", ""},
		{inMID("a", `"credentials":{"secret":"s2"}`), "secret", "s2"},
		{inMID("a", `"credentials":{"url":"https://b.example"}`), "url", "https://b.example"},
		{inMID("a", `"credentials":{"secret":null}`), "secret", ""},
		{inMID("a", `"credentials":{"label":"x"}`), "label", "x"},
		{inMID("a", `"credentials":{"label":null}`), "label", ""},
	} {
		if all[step.name] = step.value; step.value == "" {
			delete(all, step.name)
		}
		s.put(step.change)
		if got, _ := s.opened("a"); !maps.Equal(got, all) {
			t.Errorf("%s: %v, want %v", step.change, got, all)
		}
	}
	if got, _ := s.opened("b"); got["secret"] != "s" || got["url"] != "https://a.example" {
		t.Errorf("another MID has %v", got)
	}
}

// A secret that is set to its present value is not stored again; one of an earlier release is, as nobody knows.
func TestTheSameSecretIsNotStored(t *testing.T) {
	s := newShop(t)
	key := store.SecretKey("password", "shop")
	version := func() int64 {
		r, err := store.GetOne(t.Context(), s.store, s.now, key)
		s.do(err)
		return r.Version
	}
	if lines := s.put(`{"id":"shop","password":"first"}`); len(lines) > 0 || version() != 1 {
		t.Errorf("%q, version %d", lines, version())
	}
	r, err := store.GetOne(t.Context(), s.store, s.now, key)
	s.do(err)
	var stored sealed.Secret
	s.do(r.Decode(&stored))
	stored.Fingerprint = nil
	s.do(s.store.Save(t.Context(), s.now, store.Encode(key, r.Version, stored)))
	for _, want := range []string{"password: other than before, not shown", ""} {
		if got := strings.Join(s.put(`{"id":"shop","password":"first"}`), "\n"); got != want || version() != 3 {
			t.Errorf("%q, version %d", got, version())
		}
	}
	if strings.Contains(s.dump(), `"copy":{"settings"`) && strings.Count(s.dump(), `"fingerprint"`) != 2 {
		t.Error("a copy in a key's document has a fingerprint")
	}
}

// A secret that is replaced stays valid for the overlap, whichever form it has.
func TestOverlapMovesTheCiphertext(t *testing.T) {
	s := newShop(t)
	_, err := s.merchants.Rotate(t.Context(),
		change.Rotation{Merchant: "shop", What: "password", To: "second", Overlap: time.Hour})
	s.do(err)
	r, err := store.GetOne(t.Context(), s.store, s.now, store.SecretKey("password", "shop"))
	s.do(err)
	var stored sealed.Secret
	s.do(r.Decode(&stored))
	if string(stored.Old) != "passwordshopfirst" || !stored.OldUntil.Equal(noon.Add(time.Hour)) {
		t.Errorf("%s until %v", stored.Old, stored.OldUntil)
	}
	s.do(s.merchants.SetDisabled(t.Context(), "shop", true))
	s.put(`{"id":"shop","password":"second"}`)
	r, err = store.GetOne(t.Context(), s.store, s.now, store.SecretKey("password", "shop"))
	s.do(err)
	if s.do(r.Decode(&stored)); string(stored.Old) != "passwordshopfirst" {
		t.Errorf("after other changes: %s", stored.Old)
	}
}

// keysOf returns the private keys of the shop's wallets as functions read them, and the document of a use.
func (s *shop) keysOf(use settings.SecretUse) (settings.Wallets, sealed.Secret) {
	s.Helper()
	in := settings.Reader{Store: s.store, Secrets: plainSecrets{use}, Now: s.now}
	m, records, err := in.Read(s.Context(), "shop")
	s.do(err)
	var stored sealed.Secret
	s.do(records[1].Decode(&stored))
	return m.Wallets, stored
}

// A key of a wallet changes by itself, and goes with its certificate. Those that an earlier release has encrypted
// together stay readable beside newer ones, until none of them is needed.
func TestKeysOfWalletsChangeOneByOne(t *testing.T) {
	const use = settings.SecretWalletProcessing
	s := newShop(t)
	end := noon.AddDate(1, 0, 0)
	certificates := []settings.ProcessingCertificate{}
	for range 3 {
		p := settingstest.Processing(t, "merchant.example", end)
		certificates = append(certificates, settings.ProcessingCertificate{Certificate: p.Certificate, Key: p.Key})
	}
	identity := settingstest.Identity(t, "merchant.example", end)
	m := settings.Merchant{ID: "shop", Name: "Shop", Mappings: []settings.Mapping{{Name: "default"}}}
	m.Wallets.ApplePay = &settings.ApplePay{
		MerchantIdentifier: "merchant.example", Country: "GB", ShopName: "Shop", Capabilities: []string{"supports3DS"},
		Networks: []string{"visa"}, Domains: []string{"shop.example"}, IdentityCertificate: identity.Certificate,
		IdentityKey: identity.Key, Processing: certificates[:1],
	}
	s.do(s.merchants.Save(t.Context(), m))
	older, err := json.Marshal(map[string]any{"": map[string]any{"": map[string]any{
		"applepay": []string{certificates[0].Key},
	}}})
	s.do(err)
	key := store.SecretKey(string(use), "shop")
	r, err := store.GetOne(t.Context(), s.store, s.now, key)
	s.do(err)
	encrypted, _ := plainSecrets{}.Encrypt(t.Context(), use, "shop", older)
	s.do(s.store.Save(t.Context(), s.now, store.Encode(key, r.Version, sealed.Secret{Encrypted: encrypted, Since: s.now})))
	for i, p := range certificates[1:] {
		s.do(s.merchants.PutWalletKeys(t.Context(), change.WalletKeys{
			Merchant: "shop", ProcessingCertificate: p.Certificate, ProcessingKey: p.Key,
		}))
		wallets, stored := s.keysOf(use)
		want := []settings.ProcessingCertificate{p, certificates[i]}
		if got := wallets.ApplePay.Processing; !slices.Equal(got, want) || len(stored.Keys) != i+1 ||
			(stored.Encrypted != nil) != (i == 0) {
			t.Errorf("after %d: %d keys are read, %d stored by themselves, older %v",
				i+1, len(got), len(stored.Keys), stored.Encrypted != nil)
		}
	}
	if lines := s.put(`{"id":"shop","wallets":{"applepay":{"shop_name":"Pens"}}}`); len(lines) != 1 {
		t.Errorf("%q", lines)
	}
	if wallets, _ := s.keysOf(settings.SecretWalletIdentity); wallets.ApplePay.IdentityKey != identity.Key {
		t.Error("the identity key is gone")
	}
	s.put(`{"id":"shop","wallets":{"applepay":null}}`)
	if _, stored := s.keysOf(use); len(stored.Keys) > 0 || stored.Encrypted != nil {
		t.Error("keys stay without their wallet")
	}
}

// noKMS fails whenever a secret would be encrypted or compared.
type noKMS struct{ *testing.T }

func (n noKMS) Encrypt(context.Context, settings.SecretUse, string, []byte) ([]byte, error) {
	n.Error("a secret is encrypted")
	return nil, nil
}

func (n noKMS) Fingerprint(context.Context, settings.SecretPlace, string) ([]byte, error) {
	n.Error("a secret is compared")
	return nil, nil
}

// A change that sets no secret needs no key.
func TestChangesWithoutSecretsNeedNoKey(t *testing.T) {
	s := newBankShop(t)
	s.merchants.Sealer = noKMS{t}
	s.put(`{"id":"shop","name":"Pens"}`)
	s.put(inMID("a", `"credentials":{"label":"x","secret":null}`))
	s.do(s.merchants.SetDisabled(t.Context(), "shop", true))
	_, err := s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "test-key"})
	s.do(err)
}
