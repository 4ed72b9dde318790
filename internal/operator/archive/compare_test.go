package archive

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// Each fault is found by itself, and nothing is found where there is none.
func TestCompare(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(docs *memory.Store, to *bucket, r store.Record)
		want  string
	}{
		"nothing": {func(*memory.Store, *bucket, store.Record) {}, ""},
		"changed in the table": {func(docs *memory.Store, _ *bucket, r store.Record) {
			r.Version, r.Doc = 1, bytes.Replace(r.Doc, []byte("what"), []byte("whom"), 1)
			save(t, docs, r)
		}, "differs from its copy"},
		"deleted in the table": {func(docs *memory.Store, _ *bucket, r store.Record) {
			save(t, docs, store.Record{Key: r.Key, Delete: true})
		}, "is missing in the table"},
		"not copied": {func(_ *memory.Store, to *bucket, r store.Record) {
			delete(to.objects, nameOf(r.Key))
		}, "has no copy"},
		"deleted in the bucket": {func(_ *memory.Store, to *bucket, r store.Record) {
			to.objects[nameOf(r.Key)] = []object{{deleted: true}, {content: r.Doc}}
		}, "somebody has deleted its copy"},
		"deleted in the bucket and put again": {func(_ *memory.Store, to *bucket, r store.Record) {
			to.objects[nameOf(r.Key)] = []object{{content: r.Doc}, {deleted: true}, {content: r.Doc}}
		}, "somebody has deleted its copy"},
		"changed in both": {func(docs *memory.Store, to *bucket, r store.Record) {
			r.Version, r.Doc = 1, []byte(`{}`)
			save(t, docs, r)
			to.objects[nameOf(r.Key)] = slices.Insert(to.objects[nameOf(r.Key)], 0, object{content: r.Doc})
		}, "somebody has put another copy"},
		"put by somebody": {func(_ *memory.Store, to *bucket, r store.Record) {
			to.objects[nameOf(r.Key)+"x"] = []object{{}}
		}, "is missing in the table"},
	} {
		t.Run(name, func(t *testing.T) {
			docs, to := memory.NewStore(), newBucket()
			a := NewArchive(docs, to, clock(noon))
			var all []store.Record
			for i := range 30 {
				all = append(all, document(t, docs, noon.Add(-time.Duration(i+1)*time.Hour), fmt.Sprint("merchant/", i)))
			}
			if n, err := a.Repair(t.Context()); n != len(all) || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
			c.spoil(docs, to, all[7])
			n, faults, err := a.Compare(t.Context(), time.Time{}, time.Time{})
			if missing := strings.Count(name, "deleted in the table"); n != len(all)-missing || err != nil {
				t.Fatalf("%d documents, %v", n, err)
			}
			if c.want == "" && len(faults) > 0 || c.want != "" && (len(faults) != 1 ||
				!strings.HasPrefix(faults[0], nameOf(all[7].Key)) || !strings.HasSuffix(faults[0], ": "+c.want)) {
				t.Errorf("found %q, want %q", faults, c.want)
			}
		})
	}
}

func save(t *testing.T, docs store.Store, r store.Record) {
	t.Helper()
	if err := docs.Save(t.Context(), noon, r); err != nil {
		t.Fatal(err)
	}
}

// The function was down for a day. What it has missed is named and copied in its next hour; nothing else is put.
func TestRepair(t *testing.T) {
	docs, to, first := memory.NewStore(), newBucket(), noon.Truncate(24*time.Hour)
	a, copier := NewArchive(docs, to, clock(noon.AddDate(0, 0, 4))), NewCopier(docs, to, clock(noon))
	var missed []string
	for i := range 1500 { // several pages of some shard
		at := first.Add(time.Duration(i) * 3 * time.Minute)
		r := document(t, docs, at, fmt.Sprint("merchant/", i))
		if day := at.Sub(first) / (24 * time.Hour); day != 1 {
			if failed, err := copier.Copy(t.Context(), []Change{{r.Key, "INSERT"}}); failed != nil || err != nil {
				t.Fatal(failed, err)
			}
			continue
		}
		missed = append(missed, nameOf(r.Key)+": has no copy")
	}
	_, faults, err := a.Compare(t.Context(), noon, time.Time{})
	if err != nil || !slices.Equal(slices.Sorted(slices.Values(faults)), slices.Sorted(slices.Values(missed))) {
		t.Errorf("%d faults, not %d: %v", len(faults), len(missed), err)
	}
	if n, err := a.Repair(t.Context()); n != len(missed) || err != nil {
		t.Errorf("%d copied, not %d: %v", n, len(missed), err)
	}
	if _, faults, err := a.Compare(t.Context(), noon, time.Time{}); faults != nil || err != nil {
		t.Errorf("%q, %v", faults, err)
	}
}

// What was missed longer than a week ago is copied within a day, each document once, until it expires.
func TestRepairOfOldDays(t *testing.T) {
	docs, to := memory.NewStore(), newBucket()
	days := int(store.AuditTTL / (24 * time.Hour))
	for i := range days {
		document(t, docs, noon.AddDate(0, 0, -i), fmt.Sprint("merchant/", i))
	}
	copied := 0
	for hour := range 24 {
		a := NewArchive(docs, to, clock(noon.Add(time.Duration(hour)*time.Hour)))
		n, err := a.Repair(t.Context())
		if err != nil || n > 8+18 || hour == 0 && n < 7 {
			t.Errorf("hour %d: %d copied, %v", hour, n, err)
		}
		copied += n
	}
	if copied < days-1 || copied > days { // the oldest one expires meanwhile
		t.Errorf("%d of %d documents were copied", copied, days)
	}
	later := NewArchive(docs, to, clock(noon.AddDate(0, 0, 1)))
	if _, faults, err := later.Compare(t.Context(), time.Time{}, time.Time{}); faults != nil || err != nil {
		t.Errorf("%q, %v", faults, err)
	}
}

// What is so young that its copy may be on its way is no fault, nor is a copy whose document has expired.
func TestCompareLooksAtWhatHasSettled(t *testing.T) {
	const day = 24 * time.Hour
	docs, to := memory.NewStore(), newBucket()
	first := document(t, docs, noon, "first")
	for after, want := range map[time.Duration]int{
		4 * time.Minute: 0, 6 * time.Minute: 1, store.AuditTTL - day: 1, store.AuditTTL - time.Hour: 0, store.AuditTTL: 0,
	} {
		for since, left := range map[time.Time]int{{}: want, noon.Add(time.Hour): want, noon.Add(day): 0} {
			_, faults, err := Copies{docs, to, clock(noon.Add(after))}.Compare(t.Context(), since, time.Time{})
			if len(faults) != left || err != nil {
				t.Errorf("after %v, since %v: %q, %v", after, since, faults, err)
			}
		}
	}
	to.objects[nameOf(first.Key)] = []object{{deleted: true}, {content: first.Doc}}
	for _, after := range []time.Duration{store.AuditTTL - time.Minute, store.AuditTTL, store.AuditTTL + day} {
		_, faults, err := Copies{docs, to, clock(noon.Add(after))}.Compare(t.Context(), time.Time{}, time.Time{})
		if faults != nil || err != nil {
			t.Errorf("after %v, with a copy that was deleted: %q, %v", after, faults, err)
		}
	}
}
