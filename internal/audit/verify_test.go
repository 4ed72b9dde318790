package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// chained is an audit log that somebody may tamper with.
type chained struct {
	t    tester
	docs *memory.Store
	from time.Time
	now  time.Time
	days int // that one call checks
}

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Context() context.Context
}

// newChain returns a log of n acts, some hours apart.
func newChain(t tester, n int) *chained {
	c := &chained{t: t, docs: memory.NewStore(), from: time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC), days: mostDays}
	c.now = c.from
	for i := range n {
		c.acts(i)
	}
	return c
}

func (c *chained) acts(i int) {
	c.t.Helper()
	act := Act{ID: fmt.Sprint("act-", i), Who: "ann", Command: "merchants put", Reason: "why"}
	change := Change{What: fmt.Sprint("merchant/", i), Changes: []string{"name: a becomes b"}}
	if err := act.Save(c.t.Context(), Log{c.docs, c.now}, change); err != nil {
		c.t.Fatalf("act %d: %v", i, err)
	}
	c.now = c.now.Add(3 * time.Hour)
}

// verified is what a check from a time on finds, call by call.
func (c *chained) verified(since time.Time) (all Verified) {
	c.t.Helper()
	for {
		part := check{Log: Log{c.docs, c.now}, days: c.days}
		if err := part.verify(c.t.Context(), since, all.Cursor); err != nil {
			c.t.Fatalf("verify: %v", err)
		}
		found := part.found
		all.Entries, all.Faults, all.Cursor = all.Entries+found.Entries, append(all.Faults, found.Faults...), found.Cursor
		if all.Cursor == "" {
			return all
		}
	}
}

func (c *chained) faults() []string {
	c.t.Helper()
	return c.verified(time.Time{}).Faults
}

// shard returns the documents of a shard in their order.
func (c *chained) shard(shard int) []store.Record {
	c.t.Helper()
	var all []store.Record
	for day := dayOf(c.from); !day.After(c.now); day = day.AddDate(0, 0, 1) {
		records, err := listDay(c.t.Context(), Log{c.docs, c.now}, shard, day)
		if err != nil {
			c.t.Fatalf("list: %v", err)
		}
		all = append(all, records...)
	}
	return all
}

// copies stores a document once more, at another time.
func (c *chained) copies(r store.Record, at time.Time) {
	c.t.Helper()
	var e Entry
	if err := r.Decode(&e); err != nil {
		c.t.Fatalf("decode: %v", err)
	}
	e.At = at
	c.saves(store.Encode(e.key(store.AuditShard(e.ID)), 0, e))
}

func (c *chained) removes(key store.Key) { c.saves(store.Record{Key: key, Delete: true}) }

func (c *chained) saves(r store.Record) {
	c.t.Helper()
	if err := c.docs.Save(c.t.Context(), c.now, r); err != nil {
		c.t.Fatalf("tamper: %v", err)
	}
}

// replaces writes another text in place of a document's.
func (c *chained) replaces(r store.Record, old, new string) {
	c.t.Helper()
	text := strings.Replace(string(r.Doc), old, new, 1)
	if text == string(r.Doc) {
		c.t.Fatalf("%s has no %s", r.Doc, old)
	}
	r.Doc = []byte(text)
	c.saves(r)
}

// Whatever is tampered with in a log is found, and named.
func TestVerifyFindsTampering(t *testing.T) {
	const shard = 1
	for name, test := range map[string]struct {
		tamper func(c *chained, all []store.Record)
		want   string
	}{
		"nothing": {func(*chained, []store.Record) {}, ""},
		"changed": {func(c *chained, all []store.Record) {
			c.replaces(all[4], "name: a", "name: z")
		}, "entry 5 of shard 1"},
		"the first changed": {func(c *chained, all []store.Record) {
			c.replaces(all[0], "ann", "bob")
		}, "entry 1 of shard 1"},
		"the last changed": {func(c *chained, all []store.Record) {
			c.replaces(all[len(all)-1], "ann", "bob")
		}, "was changed"},
		"missing": {func(c *chained, all []store.Record) { c.removes(all[4].Key) }, "entry 5 of shard 1"},
		"three missing": {func(c *chained, all []store.Record) {
			c.removes(all[4].Key)
			c.removes(all[5].Key)
			c.removes(all[6].Key)
		}, "entry 5 of shard 1 to entry 7"},
		"the first missing": {func(c *chained, all []store.Record) { c.removes(all[0].Key) }, "entry 1 of shard 1"},
		"the last missing":  {func(c *chained, all []store.Record) { c.removes(all[len(all)-1].Key) }, "is missing"},
		"all missing": {func(c *chained, all []store.Record) {
			for _, r := range all {
				c.removes(r.Key)
			}
		}, "is missing"},
		"hidden by its end": {func(c *chained, all []store.Record) {
			all[4].ExpiresAt = c.now.Add(-time.Hour)
			c.saves(all[4])
		}, "entry 5 of shard 1"},
		"inserted at the end": {func(c *chained, all []store.Record) {
			var e Entry
			last := all[len(all)-1]
			if err := last.Decode(&e); err != nil {
				c.t.Fatalf("decode: %v", err)
			}
			e.Number, e.Before, e.BeforeAt = e.Number+1, hashOf(last), e.At
			c.saves(store.Encode(e.key(shard), 0, e))
		}, "was inserted"},
		"inserted on another day": {func(c *chained, all []store.Record) {
			c.copies(all[4], c.from.AddDate(0, 0, -1))
		}, "is there twice"},
		"two inserted before their time": {func(c *chained, all []store.Record) {
			before := hashOf(all[3])
			for i, r := range all[4:6] {
				var e Entry
				if err := r.Decode(&e); err != nil {
					c.t.Fatalf("decode: %v", err)
				}
				e.At, e.Before = c.from.Add(time.Duration(i)*time.Minute), before
				inserted := store.Encode(e.key(shard), 0, e)
				before = hashOf(inserted)
				c.saves(inserted)
			}
		}, "entry 6 of shard 1 is there twice"},
		"inserted on a later day": {func(c *chained, all []store.Record) {
			c.copies(all[4], c.from.AddDate(0, 0, 3))
		}, "entry 5 of shard 1 of 2030-03-07"},
		"inserted after midnight": {func(c *chained, all []store.Record) {
			var e Entry
			for _, r := range all {
				if err := r.Decode(&e); err != nil {
					c.t.Fatalf("decode: %v", err)
				}
				if midnight := dayOf(e.At).AddDate(0, 0, 1); e.Number > 5 && midnight.Sub(e.At) < time.Hour {
					c.copies(all[1], midnight)
					return
				}
			}
			c.t.Fatalf("none before midnight")
		}, "some were inserted"},
		"copied elsewhere": {func(c *chained, all []store.Record) {
			c.saves(store.Record{Key: store.AuditKey(c.from, shard, 999), Doc: all[4].Doc})
		}, "was changed or inserted"},
		"no JSON": {func(c *chained, all []store.Record) { c.replaces(all[4], "{", "[") }, "was changed or inserted"},
		"the end removed": {func(c *chained, _ []store.Record) {
			c.removes(store.AuditHeadKey(shard))
		}, "the end of its shard was removed"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, 60)
			test.tamper(c, c.shard(shard))
			faults := strings.Join(c.faults(), "\n")
			c.days = 1
			if byDay := strings.Join(c.faults(), "\n"); byDay != faults {
				t.Errorf("day by day it found %q, not %q", byDay, faults)
			}
			c.days = mostDays
			if (faults == "") != (test.want == "") || !strings.Contains(faults, test.want) {
				t.Errorf("found %q, want %q", faults, test.want)
			}
			c.now = c.now.Add(500 * 24 * time.Hour)
			if faults := c.faults(); len(faults) > 0 && name != "the end removed" && name != "inserted at the end" {
				t.Errorf("when all have expired: %q", faults)
			}
		})
	}
}

// What has expired by its age is no fault, and neither is what lies before the time that a check begins at.
func TestVerifyAfterSomeTime(t *testing.T) {
	c := newChain(t, 60)
	for range 30 {
		c.now = c.now.AddDate(0, 0, 15)
		if faults := c.faults(); len(faults) > 0 {
			t.Errorf("at %v: %q", c.now, faults)
		}
	}
	c = newChain(t, 60)
	for i := range 60 {
		found := c.verified(c.from.Add(time.Duration(i) * 3 * time.Hour))
		if len(found.Faults) > 0 || found.Entries < 60-i || found.Entries > 60-i+9 {
			t.Errorf("from %d on: %+v", i, found)
		}
	}
	c.removes(c.shard(2)[1].Key)
	if found := c.verified(c.now.Add(-24 * time.Hour)); len(found.Faults) > 0 {
		t.Errorf("a fault before the time: %+v", found)
	}
}

// A log that nobody has tampered with has no fault, whatever its times, and each single change of any document has.
func TestVerifyProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := newChain(rt, 0)
		c.days = rapid.IntRange(1, 40).Draw(rt, "days")
		n := rapid.IntRange(1, 25).Draw(rt, "acts")
		for i, at := 0, c.from; i < n; i++ {
			c.now = at.Add(time.Duration(rapid.IntRange(-30, 30).Draw(rt, "clock")) * time.Minute)
			c.acts(i)
			at = at.Add(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "minutes")) * time.Minute)
		}
		c.now = c.now.Add(4 * time.Hour)
		if faults := c.faults(); len(faults) > 0 {
			rt.Fatalf("untouched: %q", faults)
		}
		var all []store.Record
		for shard := range store.AuditShards {
			all = append(all, c.shard(shard)...)
		}
		if len(all) != n {
			rt.Fatalf("%d of %d documents", len(all), n)
		}
		r := rapid.SampledFrom(all).Draw(rt, "document")
		if rapid.Bool().Draw(rt, "removed") {
			c.removes(r.Key)
		} else {
			at := rapid.IntRange(1, len(r.Doc)-2).Draw(rt, "byte")
			r.Doc = slices.Clone(r.Doc)
			r.Doc[at] ^= 1
			c.saves(r)
		}
		if faults := c.faults(); len(faults) == 0 {
			rt.Fatalf("nothing is found of %v", r.Key)
		}
	})
}

// Of many acts at once none is lost and none fails, and their chain is whole.
func TestManyActsAtOnce(t *testing.T) {
	docs, now := memory.NewStore(), time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)
	const people, each = 100, 5
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			for j := range each {
				act := Act{ID: fmt.Sprint(i, "/", j), Who: "ann"}
				if err := act.Save(t.Context(), Log{docs, now}, Change{What: "merchant/pens"}); err != nil {
					t.Errorf("act %d of person %d: %v", j, i, err)
				}
			}
		})
	}
	group.Wait()
	found, err := Verify(t.Context(), Log{docs, now}, now, "")
	if err != nil || found.Entries != people*each || len(found.Faults) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// overtaken is a store in which others act before each of the first saves of somebody.
type overtaken struct {
	store.Store
	times int
	by    func()
}

func (o *overtaken) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if o.times > 0 {
		o.times--
		o.by()
	}
	return o.Store.Save(ctx, now, records...)
}

// An act that others overtake again and again is stored in the end.
func TestActIsOvertaken(t *testing.T) {
	docs, now := memory.NewStore(), time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)
	act := Act{ID: "a", Who: "ann"}
	slow := &overtaken{docs, 200, func() {
		if err := act.Save(t.Context(), Log{docs, now}, Change{What: "merchant/pencils"}); err != nil {
			t.Error(err)
		}
	}}
	if err := act.Save(t.Context(), Log{slow, now}, Change{What: "merchant/pens"}); err != nil {
		t.Error(err)
	}
	own := store.Encode(store.SettingsKey("pens"), 7, "x")
	err := act.Save(t.Context(), Log{docs, now}, Change{What: "merchant/pens", Records: []store.Record{own}})
	if !store.ConflictOn(err, own.Key) {
		t.Errorf("a conflict of what is changed: %v", err)
	}
	found, err := Verify(t.Context(), Log{docs, now}, now, "")
	if err != nil || found.Entries != 201 || len(found.Faults) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
