package change_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

// plainSecrets are secrets of some uses that are stored as they are.
type plainSecrets []settings.SecretUse

func (s plainSecrets) Uses() []settings.SecretUse { return s }

func (s plainSecrets) Encrypt(_ context.Context, use settings.SecretUse, owner string, plain []byte) ([]byte, error) {
	return []byte(string(use) + owner + string(plain)), nil
}

func (s plainSecrets) Fingerprint(_ context.Context, of settings.SecretPlace, value string) ([]byte, error) {
	return fmt.Append(nil, of, value), nil
}

func (s plainSecrets) Decrypt(_ context.Context, use settings.SecretUse, owner string, sealed []byte) ([]byte, error) {
	plain, found := strings.CutPrefix(string(sealed), string(use)+owner)
	if !found || !slices.Contains(s, use) {
		return nil, errors.New("not decrypted")
	}
	return []byte(plain), nil
}

// shop is a stored merchant with the keys live and test.
type shop struct {
	*testing.T
	store     *storetest.Scripted
	merchants *change.Merchants
	now       time.Time
}

func newShop(t *testing.T) *shop {
	s := &shop{T: t, store: &storetest.Scripted{Store: memory.NewStore()}, now: noon}
	s.merchants = &change.Merchants{
		Store: s.store, Sealer: plainSecrets{}, Now: func() time.Time { return s.now },
		Random: func(n int) []byte { return make([]byte, n) },
		Act:    audit.Act{ID: "act", Who: "ann"},
	}
	s.do(s.merchants.Save(t.Context(), settings.Merchant{
		ID: "shop", Name: "Shop", LiveKey: "live", TestKey: "test", Password: "first",
		CallbackSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", Mappings: []settings.Mapping{{Name: "default"}},
	}))
	return s
}

func (s *shop) do(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// call returns the merchant of a key as a function finds it that has nothing in memory, and the requests to the store.
func (s *shop) call(key string, uses ...settings.SecretUse) (m *settings.Merchant, o fault.Owner, requests []string) {
	s.Helper()
	s.store.Requests()
	a := settings.Accounts{Store: s.store, Secrets: plainSecrets(uses), Cache: &settings.AccountCache{}}
	c, _, err := a.ByKey(s.Context(), key, s.now)
	s.do(err)
	return c.Merchant, c.Owner, s.store.Requests()
}

// finds checks that a call finds the merchant by a key, with a password and by reading those documents.
func (s *shop) finds(key, password string, requests ...string) *settings.Merchant {
	s.Helper()
	m, owner, got := s.call(key, settings.SecretPassword)
	want := fault.Owner{Merchant: "shop", Test: strings.HasPrefix(key, "test")}
	if m == nil || m.ID != "shop" || m.Password != password || owner != want {
		s.Fatalf("%s finds %+v of %v, want the password %s", key, m, owner, password)
	}
	if !slices.Equal(got, requests) {
		s.Errorf("%s takes %v, want %v", key, got, requests)
	}
	return m
}

const one = "get key"

func TestCallsReadOneDocument(t *testing.T) {
	s := newShop(t)
	s.finds("live", "first", one)
	s.finds("test", "first", one)
	if m, _, requests := s.call("nobody", settings.SecretPassword); m != nil || !slices.Equal(requests, []string{one}) {
		t.Errorf("an unknown key finds %v by %v", m, requests)
	}
	if m, _, _ := s.call("live"); m == nil || m.Password != "" {
		t.Errorf("without the secret: %+v", m)
	}
}

// What a call asks for is read beside its account, once.
func TestOthersAreReadBesideAnAccount(t *testing.T) {
	s := newShop(t)
	for _, key := range []string{"live", "nobody", strings.Repeat("x", 300)} {
		a := settings.Accounts{Store: s.store, Cache: &settings.AccountCache{}}
		s.store.Requests()
		_, read, err := a.ByKey(t.Context(), key, s.now, store.SettingsKey("shop"), store.SettingsKey("nobody"))
		s.do(err)
		if len(read) != 2 || read[0].Version != 1 || read[1].Version != 0 || len(s.store.Requests()) != 1 {
			t.Errorf("beside %s: %+v", key, read)
		}
		_, read, err = a.ByKey(t.Context(), key, s.now, store.SettingsKey("shop"))
		if s.do(err); len(read) > 0 || len(s.store.Requests()) > 0 {
			t.Errorf("beside %s, which is cached: %+v", key, read)
		}
	}
}

// Each change is there for the next call that reads: no key has a copy of what was before.
func TestChangesReachEveryKey(t *testing.T) {
	s := newShop(t)
	s.do(s.merchants.SetDisabled(t.Context(), "shop", true))
	for _, key := range []string{"live", "test"} {
		if !s.finds(key, "first", one).Disabled {
			t.Errorf("%s is not disabled", key)
		}
	}
	_, err := s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "password", To: "second"})
	s.do(err)
	s.finds("live", "second", one)
	s.finds("test", "second", one)
	_, err = s.merchants.Rotate(t.Context(),
		change.Rotation{Merchant: "shop", What: "key", To: "live-2", Overlap: time.Hour})
	s.do(err)
	s.finds("live-2", "second", one)
	s.finds("live", "second", one, "get merchant") // a replaced key reads the merchant itself
	s.do(s.merchants.SetDisabled(t.Context(), "shop", false))
	for _, key := range []string{"live-2", "test"} {
		if s.finds(key, "second", one).Disabled {
			t.Errorf("%s is disabled", key)
		}
	}
	if s.finds("live", "second", one, "get merchant").Disabled {
		t.Error("a replaced key is disabled")
	}
	s.now = s.now.Add(time.Hour)
	if m, _, _ := s.call("live", settings.SecretPassword); m != nil {
		t.Error("a replaced key is valid after its end")
	}
	_, err = s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "key", To: "live"})
	s.do(err)
	s.finds("live", "second", one) // as a present key it has no end
	s.now = s.now.Add(10 * 365 * 24 * time.Hour)
	s.finds("live", "second", one)
	if m, _, _ := s.call("live-2", settings.SecretPassword); m != nil {
		t.Error("a key that was replaced without overlap is valid")
	}
}

// earlierKey is the document of a key as an earlier release reads and writes it.
type earlierKey struct {
	fault.Owner
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"`
}

// TestChangeByAnEarlierRelease disables a merchant as the release before copies does: it saves the settings, and each
// present key whose document has an end, without that.
func TestChangeByAnEarlierRelease(t *testing.T) {
	s := newShop(t)
	get := func(key store.Key) store.Record {
		r, err := store.GetOne(t.Context(), s.store, s.now, key)
		s.do(err)
		return r
	}
	stored := get(store.SettingsKey("shop"))
	changed := []store.Record{{Key: stored.Key, Version: stored.Version,
		Doc: []byte(strings.Replace(string(stored.Doc), `"mappings"`, `"disabled":true,"mappings"`, 1))}}
	for _, name := range []string{"live", "test"} {
		var key earlierKey
		r := get(store.AccessKey(name))
		s.do(r.Decode(&key))
		if !s.now.Before(key.Until) || !r.ExpiresAt.IsZero() {
			t.Fatalf("an earlier release takes %s as replaced until %v, and it expires at %v", name, key.Until, r.ExpiresAt)
		}
		key.Until = time.Time{}
		changed = append(changed, store.Encode(r.Key, r.Version, key))
	}
	s.do(s.store.Save(t.Context(), s.now, changed...))
	for _, name := range []string{"live", "test"} {
		if !s.finds(name, "first", one, "get merchant").Disabled {
			t.Errorf("%s is not disabled", name)
		}
	}
	s.do(s.merchants.SetDisabled(t.Context(), "shop", false))
	s.finds("live", "first", one)
	s.finds("test", "first", one)
}

// No other secret is copied: a process that may decrypt more reads the merchant itself.
func TestOtherSecretsAreNotCopied(t *testing.T) {
	s := newShop(t)
	for _, name := range []string{"live", "test"} {
		r, err := store.GetOne(t.Context(), s.store, s.now, store.AccessKey(name))
		s.do(err)
		if strings.Count(string(r.Doc), `"encrypted"`) != 1 {
			t.Errorf("%s has other secrets than the password: %s", name, r.Doc)
		}
	}
	m, _, requests := s.call("live", settings.SecretUses...)
	if m.Password != "first" || m.CallbackSecret == "" || !slices.Equal(requests, []string{one, "get merchant"}) {
		t.Errorf("%+v by %v", m, requests)
	}
	a := settings.Accounts{Store: s.store, Secrets: plainSecrets{settings.SecretPassword}, Cache: &settings.AccountCache{}}
	_, _, err := a.ByKey(t.Context(), "live", s.now)
	s.do(err)
	s.store.Requests()
	m, err = a.ByID(t.Context(), "shop", s.now)
	if s.do(err); m == nil || len(s.store.Requests()) > 0 {
		t.Errorf("a merchant whose key was read is read again, or is %+v", m)
	}
}
