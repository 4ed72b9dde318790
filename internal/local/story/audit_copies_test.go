package story

import (
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
	"checkout/internal/store/memory"
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

// Somebody who may write the table changes an entry and computes the chain again, up to its end. The chain then holds:
// what differs is found by the locked copies alone. Where there are none, the response says so.
func TestAChainThatWasComputedAgainIsFound(t *testing.T) {
	w := open(t)
	w.grants(everything(ann))
	began := w.clock.Now()
	records := chainOfActs(t, w.app.Store, began, "why")
	bucket := copies{}
	all := archive.NewArchive(w.app.Store, bucket, w.clock.Now)
	if n, err := all.Repair(t.Context()); n != 3 || err != nil {
		t.Fatalf("%d copied, %v", n, err)
	}
	w.clock.Move(40 * 24 * time.Hour) // two calls
	if got := w.verifiedAudit(began); got.Entries != 3 || len(got.Faults) > 0 || got.Copies != operator.NoCopies {
		t.Errorf("without copies: %+v", got)
	}
	w.app.Operator.CompareAudit = all.Compare
	if got := w.verifiedAudit(began); got.Entries != 3 || len(got.Faults) > 0 || got.Copies != operator.Compared {
		t.Errorf("as it was stored: %+v", got)
	}
	forged := chainOfActs(t, memory.NewStore(), began, "why not")
	for i, r := range forged {
		r.Version = records[i].Version
		if err := w.app.Store.Save(t.Context(), w.clock.Now(), r); err != nil {
			t.Fatal(err)
		}
	}
	got := w.verifiedAudit(began)
	for _, fault := range got.Faults {
		if !strings.HasSuffix(fault, ": differs from its copy") {
			t.Errorf("the chain was not computed again: %s", fault)
		}
	}
	if len(got.Faults) != 3 || got.Entries != 3 {
		t.Errorf("changed: %+v", got)
	}
}

// chainOfActs stores three acts, the first with a reason, and returns their documents with the end of their chain.
func chainOfActs(t *testing.T, docs store.Store, at time.Time, reason string) []store.Record {
	t.Helper()
	const id = "one" // of one shard
	keys := []store.Key{store.AuditHeadKey(store.AuditShard(id))}
	for i := range 3 {
		act := audit.Act{ID: id, Who: ann, Command: "merchants put", Reason: reason}
		reason = "why"
		at := at.Add(time.Duration(i) * time.Hour)
		if err := act.Save(t.Context(), audit.Log{Store: docs, Now: at}, audit.Change{What: "merchant/pens"}); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, store.AuditKey(at, store.AuditShard(id), int64(i+1)))
	}
	records, err := docs.Get(t.Context(), at, keys...)
	if err != nil {
		t.Fatal(err)
	}
	return records
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
