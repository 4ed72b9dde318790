package archive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var noon = time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC)

// bucket is a bucket in memory. Of each object it has all versions, the latest first.
type bucket struct {
	objects map[string][]object
	broken  func() (before, after bool) // of Put; nil: never
}

type object struct {
	content []byte
	deleted bool
}

var errBroken = errors.New("the bucket does not respond")

func newBucket() *bucket { return &bucket{objects: map[string][]object{}} }

func (b *bucket) Put(_ context.Context, name string, content []byte) error {
	before, after := false, false
	if b.broken != nil {
		before, after = b.broken()
	}
	if before {
		return errBroken
	}
	if versions := b.objects[name]; len(versions) == 0 || versions[0].deleted {
		b.objects[name] = slices.Insert(versions, 0, object{content: slices.Clone(content)})
	}
	if after {
		return errBroken
	}
	return nil
}

func (b *bucket) List(_ context.Context, prefix string) ([]Version, error) {
	var all []Version
	for _, name := range slices.Sorted(maps.Keys(b.objects)) {
		for i, one := range b.objects[name] {
			if strings.HasPrefix(name, prefix) {
				all = append(all, Version{name, fmt.Sprint(i), one.deleted})
			}
		}
	}
	return all, nil
}

func (b *bucket) Get(_ context.Context, v Version) ([]byte, error) {
	var i int
	_, err := fmt.Sscan(v.ID, &i)
	return b.objects[v.Name][i].content, err
}

// keyOf is the key of an audit document.
func keyOf(at time.Time, what string) store.Key {
	return store.Key{Partition: store.AuditOf(at, len(what)%store.AuditShards, 1).Partition, Sort: what}
}

// document stores an audit document.
func document(t *testing.T, docs store.Store, at time.Time, what string) store.Record {
	t.Helper()
	r := store.Encode(keyOf(at, what), 0, map[string]any{"what": what, "at": at})
	r.ExpiresAt = at.Add(store.AuditTTL)
	if err := docs.Save(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func clock(now time.Time) func() time.Time { return func() time.Time { return now } }

// Records come in any order, more than once and in any batches, the function is killed before and after it has put
// objects, and later it gets again what it has not done. Each document is copied once, as it is stored.
func TestEachDocumentIsCopiedOnce(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 22))
		docs, to := memory.NewStore(), newBucket()
		var changes []Change
		want := map[string]string{}
		for i := range 40 {
			r := document(t, docs, noon.Add(time.Duration(random.IntN(3*24*3600))*time.Second), fmt.Sprint("merchant/ü ", i))
			want[r.Key.Partition+"/"+r.Key.Sort+".json"] = string(r.Doc)
			for range 1 + random.IntN(3) {
				changes = append(changes, Change{r.Key, "INSERT"})
			}
		}
		random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		to.broken = func() (bool, bool) { return random.IntN(4) == 0, random.IntN(4) == 0 }
		copier := NewCopier(docs, to, clock(noon.AddDate(0, 0, 3)))
		for len(changes) > 0 {
			batch := changes[:1+random.IntN(min(len(changes), 10))]
			failed, err := copier.Copy(t.Context(), batch)
			if (err == nil) != (len(failed) == 0) {
				t.Fatalf("failed %v, %v", failed, err)
			}
			first := slices.IndexFunc(batch, func(c Change) bool { return slices.Contains(failed, c) })
			if first < 0 {
				first = len(batch)
			}
			changes = changes[first:]
		}
		got := map[string]string{}
		for name, versions := range to.objects {
			if len(versions) != 1 {
				t.Errorf("seed %d: %s has %d versions", seed, name, len(versions))
			}
			got[name] = string(versions[0].content)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: copied %v, want %v", seed, got, want)
		}
	}
}

// What nothing of the service does fails, and holds up nothing else.
func TestWhoeverChangesADocumentIsNoticed(t *testing.T) {
	docs, to := memory.NewStore(), newBucket()
	kept, other := document(t, docs, noon, "kept"), document(t, docs, noon, "other")
	gone, old := keyOf(noon, "gone"), keyOf(noon.Add(-store.AuditTTL), "old")
	copier := NewCopier(docs, to, clock(noon))
	for _, c := range []struct {
		change Change
		want   string
	}{
		{Change{kept.Key, "MODIFY"}, "somebody has changed it"},
		{Change{gone, "REMOVE"}, "somebody has deleted it"},
		{Change{gone, "INSERT"}, "somebody has deleted it"},
		{Change{old, "REMOVE"}, ""}, // it has expired
		{Change{old, "INSERT"}, ""},
		{Change{store.Key{Partition: "order/1", Sort: "o/1"}, "INSERT"}, ""},
		{Change{store.Key{Partition: "audit/head/1", Sort: "head"}, "MODIFY"}, ""}, // no audit document
	} {
		delete(to.objects, nameOf(other.Key))
		failed, err := copier.Copy(t.Context(), []Change{c.change, {other.Key, "INSERT"}})
		if c.want == "" && (err != nil || failed != nil) {
			t.Errorf("%v: %v, %v", c.change, failed, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), nameOf(c.change.Key)+": "+c.want) ||
			!slices.Equal(failed, []Change{c.change})) {
			t.Errorf("%v: %v, %v", c.change, failed, err)
		}
		if len(to.objects) != 1 || len(to.objects[nameOf(other.Key)]) != 1 {
			t.Errorf("%v: the bucket has %v", c.change, to.objects)
		}
	}
}
