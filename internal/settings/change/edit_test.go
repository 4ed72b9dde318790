package change_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/certificate"
	"checkout/internal/settings/change"
	"checkout/internal/settings/settingstest"
	"checkout/internal/settings/words"
	"checkout/internal/store"
)

// paths returns where something was changed.
func paths(changes []words.Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Path)
	}
	return strings.Join(all, " ")
}

// read returns the shop as an editor gets it.
func (s *shop) read() change.Editable {
	s.Helper()
	e, err := s.merchants.Read(s.Context(), "shop")
	s.do(err)
	return e
}

func draft(version int64, text string) change.Draft {
	return change.Draft{Merchant: "shop", Version: version, Settings: json.RawMessage(text)}
}

func TestEditorsReadNoSecret(t *testing.T) {
	s := newBankShop(t)
	s.now = s.now.Add(time.Hour)
	_, err := s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "password", Overlap: time.Hour})
	s.do(err)
	_, err = s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "test-key", Overlap: 2 * time.Hour})
	s.do(err)
	e := s.read()
	text, err := json.Marshal(e)
	s.do(err)
	for _, secret := range []string{`"k1"`, `"s1"`, `"first"`, "whsec_"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is shown: %s", secret, text)
		}
	}
	if got := e.Secrets["password"]; !got.Since.Equal(s.now) || !got.OldUntil.Equal(s.now.Add(time.Hour)) ||
		len(got.Fingerprint) != 8 {
		t.Errorf("password: %+v", got)
	}
	key := e.Secrets["mappings[default].mids[a].credentials.key"]
	if len(key.Fingerprint) != 8 || !key.Since.Equal(s.now.Add(-time.Hour)) {
		t.Errorf("key: %+v", key)
	}
	if _, has := e.Secrets["mappings[default].mids[c].credentials.secret"]; has || len(e.Secrets) != 9 {
		t.Errorf("secrets at %v", e.Secrets)
	}
	live, test := e.Secrets["live_key"], e.Secrets["test_key"]
	if !live.Since.Equal(s.now.Add(-time.Hour-time.Second)) || !live.OldUntil.IsZero() || !test.Since.Equal(s.now) ||
		!test.OldUntil.Equal(s.now.Add(2*time.Hour)) {
		t.Errorf("keys: %+v %+v", live, test)
	}
	if e.Settings.Mappings[0].MIDs[0].Credentials["url"] != "https://a.example" {
		t.Errorf("settings %s", text)
	}
	if _, err := s.merchants.Read(t.Context(), "none"); fault.CodeOf(err) != fault.CodeNotFound {
		t.Error(err)
	}
}

// An editor sees of a wallet's key what its certificate says.
func TestEditorsReadCertificates(t *testing.T) {
	s := newShop(t)
	end := s.now.AddDate(1, 0, 0)
	identity := settingstest.Identity(t, "merchant.shop", end)
	m := other()
	m.Wallets.ApplePay = &settings.ApplePay{
		MerchantIdentifier: "merchant.shop", Country: "GB", ShopName: "Other", IdentityCertificate: identity.Certificate,
		IdentityKey: identity.Key, Capabilities: []string{"supports3DS"}, Networks: []string{"visa"},
		Domains: []string{"other.example"},
	}
	s.do(s.merchants.Save(t.Context(), m))
	e, err := s.merchants.Read(t.Context(), "other")
	s.do(err)
	got := e.Secrets["wallets.applepay.identity_key"].Certificate
	want := certificate.View{Subject: "Merchant", Issuer: "Merchant", Serial: "1", MerchantIdentifier: "merchant.shop",
		Until: end}
	if got == nil || *got != want || e.Secrets["password"].Certificate != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A check stores nothing, and its faults are a result.
func TestChecks(t *testing.T) {
	s := newBankShop(t)
	before, version := s.dump(), s.read().Version
	for _, test := range []struct{ text, changes, faults string }{
		{`{"name":"Pens"}`, "name", ""},
		{`{"name":"Shop"}`, "", ""},
		{`{"password":"second","rate_limit":-1}`, "rate_limit password", "rate_limit"},
		{inMID("a", `"credentials":{"key":null},"weight":-1`),
			"mappings[default].mids[a].weight mappings[default].mids[a].credentials.key",
			"mappings[0].mids[0].credentials.key mappings[0].mids[0].weight"},
		{`{"live_key":"test"}`, "live_key", "test_key"},
		{`{"nmae":"x"}`, "", "nmae"}, {`{"mappings":{"none":null}}`, "", "mappings[none]"}, {`[]`, "", "settings"},
		{`{"password":null}`, "", "password"}, {`{"id":"other"}`, "id", "id"},
	} {
		got, err := s.merchants.Check(t.Context(), draft(version, test.text))
		s.do(err)
		var faults []string
		for _, f := range got.Faults {
			faults = append(faults, f.Path)
		}
		if paths(got.Changes) != test.changes || strings.Join(faults, " ") != test.faults {
			t.Errorf("%s: changes %q, faults %v", test.text, paths(got.Changes), got.Faults)
		}
	}
	if s.dump() != before {
		t.Error("a check has stored something")
	}
}

// Of two editors who have read the same version one publishes. The other is told what was changed meanwhile.
func TestPublishOfAnOlderVersion(t *testing.T) {
	s := newBankShop(t)
	version := s.read().Version
	s.merchants.Act.By, s.merchants.Act.Reason = "Ann", "a new name"
	published, err := s.merchants.Publish(t.Context(), draft(version, `{"name":"Pens"}`))
	s.do(err)
	if published.Version != version+1 || paths(published.Changes) != "name" || s.read().Version != version+1 {
		t.Errorf("%+v", published)
	}
	s.put(`{"id":"shop","rate_limit":5,"password":"second"}`)
	before := s.dump()
	for _, try := range []func() error{
		func() error {
			_, err := s.merchants.Publish(t.Context(), draft(version, `{"name":"Cups"}`))
			return err
		},
		func() error { _, err := s.merchants.Check(t.Context(), draft(version, `{"name":"Cups"}`)); return err },
	} {
		err := try()
		var e *fault.Error
		if !errors.As(err, &e) || e.Code != fault.CodeConflict {
			t.Fatal(err)
		}
		if got := e.Hint.(change.Conflict); got.Version != version+2 || paths(got.Changes) != "name rate_limit" {
			t.Errorf("%+v", got)
		}
	}
	if s.dump() != before {
		t.Error("a conflict has stored something")
	}
	versions, err := s.merchants.Versions(t.Context(), "shop")
	s.do(err)
	if v := versions[1]; v.Number != version || v.Who != "ann" || v.By != "Ann" || v.Reason != "a new name" ||
		paths(v.Changes) != "name" {
		t.Errorf("%+v", v)
	}
}

// All settings at once: what they do not have goes, but for secrets and keys.
func TestPublishOfAllSettings(t *testing.T) {
	s := newBankShop(t)
	s.put(inMID("a", `"credentials":{"label":"x"}`))
	e := s.read()
	m := e.Settings.Clone()
	m.Name, m.LiveKey = "Pens", ""
	m.Mappings[0].MIDs = m.Mappings[0].MIDs[:1]
	delete(m.Mappings[0].MIDs[0].Credentials, "label")
	text, err := json.Marshal(m)
	s.do(err)
	d := draft(e.Version, string(text))
	d.Whole, d.Remove = true, []string{"b", "c"}
	published, err := s.merchants.Publish(t.Context(), d)
	s.do(err)
	want := "mappings[default].mids[a].credentials mappings[default].mids[b] mappings[default].mids[c] name " +
		"mappings[default].mids[b].credentials.key mappings[default].mids[b].credentials.secret " +
		"mappings[default].mids[c].credentials.key"
	if got := paths(published.Changes); strings.ReplaceAll(got, ".label", "") != want {
		t.Errorf("%q", got)
	}
	if got, _ := s.opened("a"); len(got) != 3 || got["key"] != "k1" {
		t.Errorf("credentials %v", got)
	}
}

// A person who may change test payments alone changes nothing else.
func TestPublishForTests(t *testing.T) {
	s := newBankShop(t)
	for text, want := range map[string]fault.Code{
		`{"test_notification_url":"https://shop.example/test"}`: fault.CodeInternal, `{}`: fault.CodeInternal,
		`{"notification_url":"https://shop.example"}`:                       fault.CodeDenied,
		`{"test_notification_url":"https://shop.example/2","password":"x"}`: fault.CodeDenied,
		inMID("a", `"credentials":{"secret":"x"}`):                          fault.CodeDenied,
	} {
		d := draft(0, text)
		d.TestOnly = true
		if _, err := s.merchants.Publish(t.Context(), d); err != nil && fault.CodeOf(err) != want ||
			(err == nil) != (want == fault.CodeInternal) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A version is restored to the byte, but for keys and secrets.
func TestRestoresExactly(t *testing.T) {
	s := newBankShop(t)
	settingsNow := func() string {
		r, err := store.GetOne(t.Context(), s.store, s.now, store.SettingsKey("shop"))
		s.do(err)
		return string(r.Doc)
	}
	before, version := settingsNow(), s.read().Version
	s.put(`{"id":"shop","name":"Pens","mappings":{"default":{"mids":{"c":null},"max_declines":7}}}`, "c")
	s.put(inMID("a", `"credentials":{"url":"https://b.example","key":"k9"}`))
	_, err := s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "key", To: "live-2"})
	s.do(err)
	s.now = s.now.Add(30 * 24 * time.Hour)
	_, err = s.merchants.Restore(t.Context(), change.Restoration{Merchant: "shop", Version: version})
	if err == nil || !strings.Contains(err.Error(), "mids[2].credentials.key") {
		t.Errorf("the credentials of a MID that went: %v", err)
	}
	s.put(`{"id":"shop","mappings":{"default":{"mids":{"c":{"connector":"bank","methods":["card"],
		"credentials":{"url":"https://c.example","key":"k3"}}}}}}`)
	_, err = s.merchants.Restore(t.Context(), change.Restoration{Merchant: "shop", Version: version})
	s.do(err)
	if got := strings.Replace(settingsNow(), `"live-2"`, `"live"`, 1); got != before {
		t.Errorf("%s\nwant\n%s", got, before)
	}
	if got, _ := s.opened("a"); got["key"] != "k9" {
		t.Errorf("a secret was restored: %v", got)
	}
}

// What is stored beside a change is stored with it, and nothing without a change.
func TestBesideAChange(t *testing.T) {
	s := newShop(t)
	key := store.SavedCardKey("beside")
	var results []change.Published
	s.merchants.Beside = func(p change.Published) []store.Record {
		results = append(results, p)
		return []store.Record{store.Encode(key, 0, p)}
	}
	s.merchants.Final = func(err error) bool { return store.ConflictOn(err, key) }
	for i, name := range []string{"Shop", "Pens", "Cups"} {
		_, err := s.merchants.Publish(t.Context(), draft(0, `{"name":"`+name+`"}`))
		if (err != nil) != (i == 2) || len(results) != i {
			t.Errorf("%s: %v, %v", name, err, results)
		}
	}
	if s.read().Settings.Name != "Pens" || results[0].Version != 2 || paths(results[0].Changes) != "name" {
		t.Errorf("%v", results)
	}
}
