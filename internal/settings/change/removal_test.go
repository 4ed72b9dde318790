package change_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/settings/sealed"
	"checkout/internal/settings/settingstest"
	"checkout/internal/store"
)

// restore restores a version, which may remove what is named.
func (s *shop) restore(version int64, remove ...string) error {
	s.Helper()
	s.now = s.now.Add(time.Second)
	_, err := s.merchants.Restore(s.Context(), change.Restoration{Merchant: "shop", Version: version, Remove: remove})
	return err
}

// kept returns the removed secrets that are stored, expired or not, as text.
func (s *shop) kept() (all string) {
	s.Helper()
	records, err := s.store.List(s.Context(), noon, store.RemovedSecrets("shop", 100))
	s.do(err)
	for _, r := range records {
		all += string(r.Doc)
	}
	return all
}

const aOfBank = `"connector":"bank","methods":["card"],"credentials":{"url":"https://a.example","key":`

// A MID that was removed, by itself or with its mapping, or that got another connector, comes back with its credentials
// for 30 days, unless they were replaced since.
func TestRemovedCredentialsAreRestored(t *testing.T) {
	gone, other := inMID("a", ""), inMID("a", `"connector":"other","credentials":{"token":"t"}`)
	gone = strings.Replace(gone, "{}", "null", 1)
	for name, test := range map[string]struct {
		puts []string // after version 2
		wait time.Duration
		want string // the key of a, or what restoring version 2 is refused for
	}{
		"a MID":             {[]string{gone}, 0, "k1"},
		"its mapping":       {[]string{`{"mappings":{"default":null,"new":{"mids":[]}}}`}, 0, "k1"},
		"another connector": {[]string{other}, 0, "k1"},
		"twice":             {[]string{gone, inMID("a", aOfBank+`"k2"}`), gone}, 0, "k2"},
		"on the last day":   {[]string{gone}, 30*24*time.Hour - 2*time.Second, "k1"},
		"after 30 days": {[]string{gone}, 30 * 24 * time.Hour,
			"credentials.key: This value should not be blank."},
		"another connector and now": {[]string{other, gone}, 0, "k1"},
		"replaced before it goes": {
			[]string{inMID("a", `"weight":2`), inMID("a", `"credentials":{"key":"k2"}`), gone}, 0, "k2",
		},
		"another address since": {[]string{inMID("a", `"credentials":{"url":"https://z.example"}`), gone}, 0,
			"credentials.key: This value should not be blank."},
		"the same key is replaced in another MID": {[]string{gone, inMID("b", `"credentials":{"key":"k2"}`)}, 0,
			"credentials.key: This value should not be blank."},
		"the same secret is removed from another MID": {[]string{gone, inMID("b", `"credentials":{"secret":null}`)}, 0,
			"credentials.key: This value should not be blank."},
		"replaced in the MID of the same name": {[]string{
			gone, inMID("a", aOfBank+`"k2"}`), inMID("a", `"connector":"other","credentials":{"token":"t"}`),
		}, 0, "k2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newBankShop(t)
			for _, text := range test.puts {
				s.put(text, "a", "default")
			}
			s.now = s.now.Add(test.wait)
			err := s.restore(2, "a", "new")
			if len(test.want) > 2 {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Fatalf("restored: %v", err)
				}
				return
			}
			s.do(err)
			if got, _ := s.opened("a"); got["key"] != test.want || got["url"] != "https://a.example" {
				t.Errorf("restored %v", got)
			}
			if strings.Contains(s.kept(), `"connector":"bank"`) {
				t.Error("they are still among the removed ones")
			}
		})
	}
}

// What is replaced is deleted, whoever restores what later. So is what comes back, and what was removed too long ago.
func TestReplacedCredentialsAreDeleted(t *testing.T) {
	s := newBankShop(t)
	gone := strings.Replace(inMID("a", ""), "{}", "null", 1)
	s.put(inMID("a", `"credentials":{"key":"k2"}`))
	if s.kept() != "" {
		t.Error("a replaced credential is kept")
	}
	s.put(gone, "a")
	r, err := s.store.List(t.Context(), s.now, store.RemovedSecrets("shop", 9))
	s.do(err)
	var removed sealed.Removed
	s.do(r[0].Decode(&removed))
	if len(r) != 1 || !r[0].ExpiresAt.Equal(s.now.Add(30*24*time.Hour)) || len(removed.MIDs) != 1 {
		t.Fatalf("%d documents, until %v, with %+v", len(r), r[0].ExpiresAt, removed)
	}
	s.put(inMID("a", aOfBank+`"k3"}`))
	if r, err = s.store.List(t.Context(), s.now, store.RemovedSecrets("shop", 9)); err != nil || len(r) > 0 ||
		strings.Contains(s.kept(), "encrypted") {
		t.Errorf("%v, %d documents, %s", err, len(r), s.kept())
	}
}

// Changes that remove are refused until they name what goes, with what it means.
func TestRemovalsAreNamed(t *testing.T) {
	s := newBankShop(t)
	before := s.dump()
	for text, want := range map[string]string{
		strings.Replace(inMID("a", ""), "{}", "null", 1): "mappings[default].mids[a] goes, and with it " +
			"mappings[default].mids[a].credentials.key, mappings[default].mids[a].credentials.secret. Restoring the " +
			"earlier settings within 30 days brings them back.",
		inMID("a", `"connector":"other","credentials":{"token":"t"}`): "mappings[default].mids[a] gets another connector, " +
			"other, and loses mappings[default].mids[a].credentials.key, mappings[default].mids[a].credentials.secret. " +
			"Restoring the earlier settings within 30 days brings them back.",
	} {
		for _, named := range [][]string{nil, {"b"}, {"default"}} {
			d := draft(0, text)
			d.Remove = named
			_, err := s.merchants.Publish(t.Context(), d)
			var refused *fault.Error
			if !errors.As(err, &refused) || refused.Code != fault.CodeInvalid || len(refused.Faults) != 1 {
				t.Fatalf("%s naming %v: %v", text, named, err)
			}
			if told := "remove: " + want + " To confirm, name it here: a"; err.Error() != told {
				t.Errorf("%s\nwant %s", err, told)
			}
			hint, _ := refused.Hint.(change.Removals)
			if len(hint.Removed) != 1 || hint.Removed[0].Text != want || hint.Removed[0].Name != "a" {
				t.Errorf("hint %+v", refused.Hint)
			}
		}
		checked, err := s.merchants.Check(t.Context(), draft(0, text))
		if s.do(err); len(checked.Removed) != 1 || checked.Removed[0].Text != want {
			t.Errorf("checked: %+v", checked)
		}
	}
	if s.dump() != before {
		t.Error("a refused change changed the store")
	}
	s.put(inMID("d", aOfBank+`"k4"}`))
	if err := s.restore(2); err == nil || !strings.HasSuffix(err.Error(), "name it here: d") {
		t.Errorf("restored without the name: %v", err)
	}
	if s.do(s.restore(2, "d")); !strings.Contains(s.kept(), `"mid":"d"`) {
		t.Error("what a restored version removes is not kept")
	}
}

// The list of versions says what each would bring back and remove, and shows no secret.
func TestVersionsSayWhatTheyRestore(t *testing.T) {
	s := newBankShop(t)
	s.put(strings.Replace(inMID("a", ""), "{}", "null", 1), "a")
	until := s.now.Add(30 * 24 * time.Hour)
	s.put(inMID("d", aOfBank+`"k4"}`))
	all, err := s.merchants.Versions(t.Context(), "shop")
	s.do(err)
	if v := all[1]; v.Number != 2 || len(v.Restorable) != 1 || v.Restorable[0].Place != "mappings[default].mids[a]" ||
		!v.Restorable[0].Until.Equal(until) || len(v.Removed) != 1 || v.Removed[0].Name != "d" {
		t.Errorf("version 2: %+v %+v", v.Restorable, v.Removed)
	}
	if v := all[0]; len(v.Restorable) != 0 {
		t.Errorf("version 3: %+v", v)
	}
	text, err := json.Marshal([]any{all, all[1].Restorable, all[1].Removed})
	if s.do(err); strings.Contains(string(text), "encrypted") || strings.Contains(string(text), "fingerprint") {
		t.Errorf("a sealed secret is shown: %s", text)
	}
	s.now = until
	if all, err = s.merchants.Versions(t.Context(), "shop"); err != nil || len(all[1].Restorable) != 0 {
		t.Errorf("after 30 days: %v, %+v", err, all[1].Restorable)
	}
}

// What was removed opens in its own merchant alone, even if somebody copies it to another.
func TestRemovedCredentialsStayWithTheirMerchant(t *testing.T) {
	s := newBankShop(t)
	s.do(s.merchants.Save(t.Context(), settings.Merchant{
		ID: "other", Name: "Other", LiveKey: "live-2", TestKey: "test-2", Password: "p", CallbackSecret: s.secret(),
		Mappings: []settings.Mapping{{Name: "default", MIDs: []settings.MID{{Name: "a", Connector: "bank",
			Methods: []string{"card"}, Credentials: map[string]string{"url": "https://a.example", "key": "o1"}}}}},
	}))
	s.put(strings.Replace(inMID("a", ""), "{}", "null", 1), "a")
	d := change.Draft{Merchant: "other", Settings: json.RawMessage(`{"mappings":{"default":{"mids":{"a":null}}}}`),
		Remove: []string{"a"}}
	_, err := s.merchants.Publish(t.Context(), d)
	s.do(err)
	restore := change.Restoration{Merchant: "other", Version: 2}
	if _, err := s.merchants.Restore(t.Context(), restore); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("a version of another merchant: %v", err)
	}
	of := func(merchant string) store.Record {
		records, err := s.store.List(t.Context(), s.now, store.RemovedSecrets(merchant, 9))
		s.do(err)
		return records[0]
	}
	stolen, own := of("shop"), of("other")
	own.Doc = stolen.Doc
	s.do(s.store.Save(t.Context(), s.now, own))
	restore.Version = 1
	_, err = s.merchants.Restore(t.Context(), restore)
	s.do(err)
	in := settings.Reader{Store: s.store, Secrets: plainSecrets{settings.SecretCredentials}, Now: s.now}
	m, _, err := in.Read(t.Context(), "other")
	s.do(err)
	mid, _ := m.MID("default", "a")
	if got, err := mid.OpenCredentials(t.Context()); err == nil {
		t.Errorf("another merchant opens %v", got)
	}
}

// secret is a callback secret.
func (s *shop) secret() string { return "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" }

// The keys of a MID's own wallets come back with it, too.
func TestRemovedWalletKeysAreRestored(t *testing.T) {
	s := newBankShop(t)
	identity := settingstest.Identity(t, "merchant.example", noon.AddDate(1, 0, 0))
	wallet := settings.ApplePay{
		MerchantIdentifier: "merchant.example", Country: "GB", ShopName: "Shop", Capabilities: []string{"supports3DS"},
		Networks: []string{"visa"}, Domains: []string{"shop.example"}, IdentityCertificate: identity.Certificate,
		IdentityKey: identity.Key,
	}
	text, err := json.Marshal(map[string]any{"applepay": wallet})
	s.do(err)
	s.put(inMID("a", `"wallets":`+string(text)))
	const use = settings.SecretWalletIdentity
	keys := func() []string {
		_, stored := s.keysOf(use)
		return slices.Collect(maps.Keys(stored.Keys))
	}
	if len(keys()) != 1 {
		t.Fatal("no key is stored")
	}
	lines := s.put(strings.Replace(inMID("a", ""), "{}", "null", 1), "a")
	if !slices.Contains(lines, "mappings[default].mids[a].wallets.applepay.identity_key: goes, not shown") ||
		len(keys()) != 0 {
		t.Errorf("removed: %q, %v", lines, keys())
	}
	if s.do(s.restore(3)); len(keys()) != 1 {
		t.Errorf("restored: %v", keys())
	}

	// Once the key was replaced elsewhere, it does not come back.
	s.put(strings.Replace(inMID("a", ""), "{}", "null", 1), "a")
	s.put(inMID("b", `"wallets":`+string(text)))
	other := settingstest.Identity(t, "merchant.example", noon.AddDate(1, 0, 0))
	s.do(s.merchants.PutWalletKeys(t.Context(), change.WalletKeys{
		Merchant: "shop", Mapping: "default", MID: "b", IdentityCertificate: other.Certificate, IdentityKey: other.Key,
	}))
	if err := s.restore(3); err == nil || strings.Contains(s.kept(), "keys") {
		t.Errorf("restored with a key that was replaced: %v", err)
	}
}

// The removed secrets of so many changes are stored that one write has place for all. The oldest go first.
func TestRemovedSecretsHaveALimit(t *testing.T) {
	s := newBankShop(t)
	for i := range 52 {
		name := fmt.Sprint("m", i)
		s.put(inMID(name, aOfBank+`"x`+name+`"}`))
		s.put(strings.Replace(inMID(name, ""), "{}", "null", 1), name)
	}
	records, err := s.store.List(t.Context(), s.now, store.RemovedSecrets("shop", 100))
	if s.do(err); len(records) != 50 || strings.Contains(s.kept(), `"m1"`) || !strings.Contains(s.kept(), `"m2"`) {
		t.Errorf("%d documents", len(records))
	}
}

// Credentials never come back to a MID of the same name with another connector, whose provider would get them.
func TestRemovedCredentialsStayWithTheirConnector(t *testing.T) {
	const day = 24 * time.Hour
	s := newBankShop(t)
	s.put(inMID("a", `"connector":"other","credentials":{"token":"t"}`), "a")
	s.now = s.now.Add(day)
	s.put(inMID("a", aOfBank+`"k5"}`), "a") // version 3 has the other connector
	if err := s.restore(3, "a"); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.opened("a"); !maps.Equal(got, map[string]string{"token": "t"}) {
		t.Errorf("restored %v", got)
	}
	s.do(s.restore(4, "a"))
	if got, _ := s.opened("a"); got["key"] != "k5" || got["token"] != "" {
		t.Errorf("restored %v", got)
	}
	s.now = s.now.Add(20 * day)
	s.put(strings.Replace(inMID("a", ""), "{}", "null", 1), "a")
	s.now = s.now.Add(15 * day) // those of the other connector are deleted, and those of the bank are not
	if err := s.restore(3); err == nil || !strings.Contains(err.Error(), "credentials.token: This value should not be") {
		t.Errorf("restored with the credentials of another connector: %v", err)
	}
	s.do(s.restore(4))
	if got, _ := s.opened("a"); got["key"] != "k5" {
		t.Errorf("restored %v", got)
	}
}
