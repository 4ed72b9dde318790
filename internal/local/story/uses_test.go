package story

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/operator/uses"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// uses returns what an operator sees of the uses of the shop's keys and secrets.
func (w *World) uses() (found uses.Uses) {
	w.t.Helper()
	w.grants(grant.Grant{Who: "ann", Role: grant.Admin, Mode: grant.Both, Merchants: []string{w.shop.merchant.ID}})
	out := w.admin(apiCall{who: "ann", method: "GET", path: "/admin/v1/uses/" + w.shop.merchant.ID})
	if err := json.Unmarshal(out.Body.Bytes(), &found); err != nil || out.Code != 200 {
		w.t.Fatalf("uses: %d %s", out.Code, out.Body)
	}
	return found
}

// overlaps are the overlaps in words: "password: old 2 10:00, new 1 10:01".
func (w *World) overlaps() string {
	w.t.Helper()
	var all []string
	counted := func(c uses.Counted) string {
		if c.Count == 0 {
			return "0"
		}
		return fmt.Sprint(c.Count, " ", c.Last.Format("15:04"))
	}
	for _, o := range w.uses().Overlaps {
		all = append(all, fmt.Sprintf("%s: old %s, new %s", o.Secret, counted(o.Old), counted(o.New)))
	}
	return strings.Join(all, "; ")
}

// While an overlap runs, an operator sees how often the old and the new one were used, by every call of the API and
// a minute late at most. Nothing is counted that was refused, and nothing once the overlap has ended.
func TestUsesDuringAnOverlap(t *testing.T) {
	w := open(t, operations)
	w.shop.visits("pen-1").pays("01/38")
	_, paid := w.shop.status("order_id", "pen-1")
	id := paid["payment_id"].(string)
	if got := w.overlaps(); got != "" {
		t.Errorf("before: %s", got)
	}
	old := w.shop.rotates("password", time.Hour)
	w.skip(time.Minute) // until every function knows
	for _, step := range []struct {
		name string
		do   func() string
		want string
	}{
		{"the old one", func() string { return old.statusOf(id) }, "password: old 1 10:01, new 0"},
		{"the new one", func() string { return w.shop.refunds(id, "1.00") }, "password: old 1 10:01, new 1 10:01"},
		{"the old one, in another function", func() string { return old.refunds(id, "1.00") },
			"password: old 2 10:01, new 1 10:01"},
		{"with a wrong hash", func() string {
			other := w.shop.AsItIs()
			other.merchant.Password = "wrong"
			if got := other.statusOf(id); !strings.HasPrefix(got, "401") {
				return got
			}
			return "200 "
		}, "password: old 2 10:01, new 1 10:01"},
		{"again within a minute", func() string { return old.statusOf(id) }, "password: old 2 10:01, new 1 10:01"},
		{"a minute later", func() string { w.skip(time.Minute); return old.statusOf(id) },
			"password: old 4 10:02, new 1 10:01"},
		{"a session", func() string { old.visits("pen-2"); return "200 " }, "password: old 5 10:02, new 1 10:01"},
	} {
		if got := step.do(); !strings.HasPrefix(got, "200 ") {
			t.Errorf("%s: %s", step.name, got)
		}
		if got := w.overlaps(); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	oldKey := w.shop.rotates("test-key", 10*time.Minute)
	w.skip(time.Minute)
	for _, s := range []*Shop{oldKey, w.shop, w.shop} {
		if got := s.statusOf(id); got != "200 settled" {
			t.Errorf("with either key: %s", got)
		}
		w.skip(time.Minute)
	}
	const both = "password: old 5 10:02, new 4 10:05; test_key: old 1 10:03, new 2 10:05"
	if got := w.overlaps(); got != both {
		t.Errorf("with either key: %s, want %s", got, both)
	}
	w.skip(time.Hour)
	if got := w.shop.statusOf(id) + w.overlaps(); got != "200 settled" {
		t.Errorf("after the overlaps: %s", got)
	}
}

// A call is served although nobody can store that it was counted. Without an overlap, nothing is written.
func TestUsesNeverFailACall(t *testing.T) {
	w := open(t, operations)
	w.shop.visits("pen-1").pays("01/38")
	_, paid := w.shop.status("order_id", "pen-1")
	id := paid["payment_id"].(string)
	w.shop.rotates("password", 0)
	w.skip(time.Minute)
	before := w.store.saves
	if got := w.shop.statusOf(id); got != "200 settled" || w.store.saves != before {
		t.Errorf("without an overlap: %s and %d saves", got, w.store.saves-before)
	}
	w.shop.rotates("password", time.Hour)
	w.skip(time.Minute)
	for _, fault := range []string{"before", "after"} {
		w.store.next(fault)
		if got := w.shop.statusOf(id); got != "200 settled" {
			t.Errorf("a save that fails %s it is made: %s", fault, got)
		}
		w.skip(time.Minute)
	}
	if got := w.shop.statusOf(id) + ", " + w.overlaps(); got != "200 settled, password: old 0, new 2 10:03" {
		t.Errorf("once a save has got no response: %s", got)
	}
	w.skip(time.Minute)
	if got := w.shop.statusOf(id) + ", " + w.overlaps(); got != "200 settled, password: old 0, new 4 10:05" {
		t.Errorf("a minute later: %s", got)
	}
}

// What an operator sees of a last use is by the place of the secret in the settings of now: what the merchant's own
// wallet has is that of all MIDs without one.
func TestLastUses(t *testing.T) {
	w := open(t)
	w.shop.visits("pen-1").pays("01/38")
	w.shop.told("sale success settled")
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	const day = "2030-03-04"
	want := map[string]string{"test_key": day, "password": day, "callback_secret": day}
	if got := w.uses().Used; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	m := &settings.Merchant{ID: "other", Mappings: []settings.Mapping{{Name: "default"}}}
	apple := func() *settings.ApplePay {
		return &settings.ApplePay{IdentityKey: "k", Processing: make([]settings.ProcessingCertificate, 2)}
	}
	m.Wallets.ApplePay = apple()
	own := settings.MID{Name: "own", Wallets: settings.Wallets{ApplePay: apple()}}
	m.Mappings[0].MIDs = []settings.MID{{Name: "a"}, {Name: "b"}, own}
	records := []store.Record{store.Encode(store.SettingsKey("other"), 0, m)}
	for place, day := range map[string]string{
		"a].wallets.applepay.identity_key": "2030-03-01", "b].wallets.applepay.identity_key": "2030-03-02",
		"own].wallets.applepay.identity_key": "2030-03-03", "own].wallets.applepay.processing": "2030-03-04",
	} {
		key := store.UsedKey("other", "mappings[default].mids["+place)
		records = append(records, store.Encode(key, 0, map[string]string{"day": day}))
	}
	if err := w.app.Store.Save(t.Context(), w.clock.Now(), records...); err != nil {
		t.Fatal(err)
	}
	found, err := uses.Of(t.Context(), w.app.Core, "other")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, place := range slices.Sorted(maps.Keys(found.Used)) {
		got = append(got, strings.TrimPrefix(place, "mappings[default].")+" "+found.Used[place][8:])
	}
	places := []string{
		"mids[a].wallets.applepay.identity_key 01", "mids[b].wallets.applepay.identity_key 02",
		"mids[own].wallets.applepay.identity_key 03", "mids[own].wallets.applepay.processing 04",
		"mids[own].wallets.applepay.processing[0].key 04", "mids[own].wallets.applepay.processing[1].key 04",
		"wallets.applepay.identity_key 02",
	}
	if !slices.Equal(got, places) {
		t.Errorf("%q, want %q", got, places)
	}
}
