package story

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/operator"
	"checkout/internal/operator/archive"
	"checkout/internal/store"
)

// copies is a bucket in memory whose objects nobody changes.
type copies map[string][]byte

func (c copies) Put(_ context.Context, name string, content []byte) error {
	c[name] = slices.Clone(content)
	return nil
}

func (c copies) List(_ context.Context, prefix string) (all []archive.Version, err error) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if strings.HasPrefix(name, prefix) {
			all = append(all, archive.Version{Name: name})
		}
	}
	return all, nil
}

func (c copies) Get(_ context.Context, v archive.Version) ([]byte, error) { return c[v.Name], nil }

// Somebody who may write the table changes an entry, and hides it under the key that it would have. That is found by
// the locked copies, call by call. Entries of older releases, which have further members, are compared as well. Where
// there are no copies, nothing is compared, and the response says so.
func TestAChangedEntryIsFound(t *testing.T) {
	w := open(t)
	w.grants(everything(ann))
	began, docs := w.clock.Now(), w.app.Store
	all := archive.NewArchive(docs, copies{}, w.clock.Now)
	saves := func(records ...store.Record) {
		t.Helper()
		if err := docs.Save(t.Context(), w.clock.Now(), records...); err != nil {
			t.Fatal(err)
		}
	}
	act := audit.Act{ID: "one", Who: ann, Command: "merchants put", Reason: "why"}
	stored := act.Records(began, "merchant/pens", "name: a becomes b")[0]
	older := store.Record{Key: stored.Key, ExpiresAt: stored.ExpiresAt}
	older.Key.Sort = "000000000042"
	older.Doc = bytes.Replace(stored.Doc, []byte("}"), []byte(`,"number":42,"before":"0f"}`), 1)
	saves(stored, older)
	w.clock.Move(20 * 24 * time.Hour)
	if err := act.Save(t.Context(), docs, w.clock.Now(), audit.Change{What: "merchant/pens"}); err != nil {
		t.Fatal(err)
	}
	if n, err := all.Repair(t.Context()); n == 0 || err != nil {
		t.Fatalf("%d copied, %v", n, err)
	}
	for range 23 { // what is older than a week is copied in the course of a day
		w.clock.Move(time.Hour)
		if _, err := all.Repair(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.Move(20 * 24 * time.Hour) // two calls
	if got := w.verifiedAudit(began); got.Entries != 0 || len(got.Faults) > 0 || got.Copies != operator.NoCopies {
		t.Errorf("without copies: %+v", got)
	}
	w.app.Auditor.CompareAudit = all.Compare
	if got := w.verifiedAudit(began); got.Entries != 3 || len(got.Faults) > 0 || got.Copies != operator.Compared {
		t.Errorf("as it was stored: %+v", got)
	}
	act.Reason = "why not"
	forged := act.Records(began, "merchant/pens", "name: a becomes b")[0]
	stored.Delete = true
	saves(forged, stored)
	got := w.verifiedAudit(began)
	for _, want := range []string{
		forged.Key.Sort + ".json: has no copy", stored.Key.Sort + ".json: is missing in the table",
	} {
		if !slices.ContainsFunc(got.Faults, func(line string) bool { return strings.HasSuffix(line, want) }) {
			t.Errorf("not %s in %q", want, got.Faults)
		}
	}
	forged.Delete, stored.Delete, stored.Doc = true, false, forged.Doc
	saves(forged, stored)
	if got := w.verifiedAudit(began); got.Entries != 3 || len(got.Faults) != 1 ||
		!strings.HasSuffix(got.Faults[0], ": differs from its copy") {
		t.Errorf("changed: %+v", got)
	}
	for since, entries := range map[time.Duration]int{0: 3, 24 * time.Hour: 1, 41 * 24 * time.Hour: 0} {
		if got := w.verifiedAudit(began.Add(since)); got.Entries != entries {
			t.Errorf("after %s: %+v", since, got)
		}
	}
}

// verifiedAudit is what the API finds in the audit log from a time on, call by call.
func (w *World) verifiedAudit(since time.Time) (all operator.VerifiedAudit) {
	w.t.Helper()
	for {
		out := w.admin(apiCall{who: ann, method: "GET", path: "/admin/v1/audit/verify?from=" +
			since.UTC().Format("2006-01-02T15:04:05Z") + "&cursor=" + all.Cursor})
		var part operator.VerifiedAudit
		if err := json.Unmarshal(out.Body.Bytes(), &part); out.Code != 200 || err != nil {
			w.t.Fatalf("%d %s %v", out.Code, out.Body, err)
		}
		part.Entries, part.Faults = part.Entries+all.Entries, append(all.Faults, part.Faults...)
		if all = part; all.Cursor == "" {
			return all
		}
	}
}
