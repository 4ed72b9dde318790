package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/store"
)

func absent(s *suite) {
	s.absent(noon, key("a"))
	s.same(s.get(noon))
	s.save(noon) // nothing to save is no error
	s.same(s.list(noon, store.Query{Partition: "order/0123", Limit: 10}))
}

func addAndGet(s *suite) {
	plain := s.saveOne(noon, document("plain", `{"a":1}`))
	s.stored(noon, plain)
	full := document("full", `{"b":[2,"3"]}`)
	full.ExpiresAt, full.DueAt, full.DueKind = noon.Add(time.Hour), noon.Add(time.Minute), store.DueCallback
	s.stored(noon, s.saveOne(noon, full))
	if plain.Version != 1 {
		s.Errorf("the first version is %d, want 1", plain.Version)
	}
	s.stored(noon, plain)
	other := store.Record{Key: store.Key{Partition: "order/4567", Sort: "plain"}, Doc: []byte(`{"c":3}`)}
	s.stored(noon, s.saveOne(noon, other))
	s.stored(noon, plain)
}

func replace(s *suite) {
	r := document("a", `{"n":0}`)
	r.ExpiresAt, r.DueAt, r.DueKind = noon.Add(time.Hour), noon, store.DuePayment
	for n := range 5 {
		r.Doc = fmt.Appendf(nil, `{"n":%d}`, n)
		r = s.saveOne(noon, r)
		s.stored(noon, r)
	}
	r.ExpiresAt, r.DueAt, r.DueKind = time.Time{}, time.Time{}, ""
	r = s.saveOne(noon, r)
	s.stored(noon.Add(2*time.Hour), r)
	if r.Version != 6 {
		s.Errorf("version %d after six saves", r.Version)
	}
}

func conflicts(s *suite) {
	first := s.saveOne(noon, document("a", `{"n":1}`))
	s.refused(noon, []store.Key{key("a")}, document("a", `{"n":2}`))
	s.stored(noon, first)
	second := s.saveOne(noon, first)
	s.refused(noon, []store.Key{key("a")}, first)
	future := second
	future.Version = 3
	s.refused(noon, []store.Key{key("a")}, future)
	s.stored(noon, second)
	missing := document("b", `{}`)
	missing.Version = 1
	s.refused(noon, []store.Key{key("b")}, missing)
	s.absent(noon, key("b"))
}

func allOrNone(s *suite) {
	both := s.save(noon, document("a", `1`), document("b", `2`))
	a, b := both[0], both[1]
	s.same(s.get(noon, a.Key, b.Key), a, b)

	s.refused(noon, []store.Key{key("a")}, document("a", `3`), document("c", `3`))
	s.refused(noon, []store.Key{key("b")}, document("c", `3`), document("b", `3`), a)
	stale := b
	stale.Version = 7
	s.refused(noon, []store.Key{key("b"), key("a")}, document("d", `3`), stale, document("c", `3`), document("a", `3`))
	s.same(s.get(noon, key("a"), key("b"), key("c"), key("d")),
		a, b, store.Record{Key: key("c")}, store.Record{Key: key("d")})

	a.Doc = []byte(`4`)
	mixed := s.save(noon, document("c", `4`), a, b)
	s.same(s.get(noon, key("c"), key("a"), key("b")), mixed...)

	var hundred []store.Record
	for i := range 100 {
		hundred = append(hundred, store.Record{
			Key: store.Key{Partition: fmt.Sprint("p/", i), Sort: "s"}, Doc: fmt.Appendf(nil, `%d`, i)})
	}
	hundred = s.save(noon, hundred...)
	hundred[99].Version++
	s.refused(noon, []store.Key{hundred[99].Key}, hundred...)
	hundred[99].Version--
	for _, r := range hundred {
		s.stored(noon, r)
	}
}

func expiry(s *suite) {
	r := document("a", `{"n":1}`)
	r.ExpiresAt = noon.Add(15 * time.Second)
	next := document("a", `{"n":2}`)
	first := s.saveOne(noon, r)
	for i, now := range []time.Time{noon, r.ExpiresAt.Add(-ms)} {
		s.stored(now, first)
		s.refused(now, []store.Key{key("a")}, next)
		other := document(fmt.Sprint("b", i), `{}`)
		s.refused(now, []store.Key{key("a")}, other, next)
	}
	s.absent(r.ExpiresAt, key("a"))
	s.absent(r.ExpiresAt.Add(24*time.Hour), key("a"))
	second := s.saveOne(r.ExpiresAt, next)
	s.stored(r.ExpiresAt, second) // version 1 again, and it never expires
	s.stored(r.ExpiresAt.Add(24*time.Hour), second)

	several := s.save(noon, document("c", `1`), withExpiry(document("d", `1`), noon.Add(time.Second)))
	s.refused(noon.Add(time.Second-ms), []store.Key{key("d")}, document("d", `2`), document("e", `2`))
	replaced := s.save(noon.Add(time.Second), document("d", `2`), document("e", `2`))
	s.same(s.get(noon.Add(time.Second), key("c"), key("d"), key("e")), several[0], replaced[0], replaced[1])
}

func withExpiry(r store.Record, at time.Time) store.Record {
	r.ExpiresAt = at
	return r
}

func expiryAndReplace(s *suite) {
	end := noon.Add(time.Minute)
	r := s.saveOne(noon, withExpiry(document("a", `1`), end))
	s.refused(end, []store.Key{key("a")}, r)
	s.refused(end, []store.Key{key("a")}, r, document("b", `1`))
	r = s.saveOne(end.Add(-ms), withExpiry(r, end.Add(time.Hour)))
	s.stored(end, r)
	r = s.saveOne(end, withExpiry(r, time.Time{}))
	s.stored(end.Add(1000*time.Hour), r)
	expired := s.saveOne(noon, withExpiry(document("c", `1`), noon))
	s.absent(noon, expired.Key)
	s.saveOne(noon, document("c", `2`))
}

func milliseconds(s *suite) {
	r := withExpiry(document("a", `1`), noon.Add(5*ms+999*time.Microsecond))
	r.DueAt, r.DueKind = noon.Add(7*ms+1), store.DueChain
	want := s.saveOne(noon, r)
	want.ExpiresAt, want.DueAt = noon.Add(5*ms), noon.Add(7*ms)
	s.stored(noon, want)
	s.stored(noon.Add(5*ms-1), want)
	s.absent(noon.Add(5*ms), key("a"))
	zone := time.FixedZone("somewhere", 3600)
	s.stored(noon, s.saveOne(noon.In(zone), withExpiry(document("b", `1`), noon.Add(time.Hour).In(zone))))
}

func manyKeys(s *suite) {
	var keys []store.Key
	var want, adds []store.Record
	for i := range 90 {
		r := document(fmt.Sprintf("k%03d", i), fmt.Sprintf(`{"i":%d}`, i))
		if i%3 == 0 {
			adds = append(adds, r)
			r.Version = 1
		} else if i%3 == 1 {
			r = withExpiry(r, noon)
			adds = append(adds, r)
			r = store.Record{Key: r.Key}
		} else {
			r = store.Record{Key: r.Key}
		}
		keys, want = append(keys, r.Key), append(want, r)
	}
	s.save(noon, adds...)
	slices.Reverse(keys)
	slices.Reverse(want)
	keys, want = append(keys, keys[:40]...), append(want, want[:40]...) // 130, of which 90 differ
	before := slices.Clone(keys)
	s.same(s.get(noon, keys...), want...)
	if !slices.Equal(keys, before) {
		s.Error("Get changed the caller's keys")
	}
	s.same(s.get(noon, keys[2], keys[2]), want[2], want[2])
	for i := range 150 {
		keys, want = append(keys, key(fmt.Sprint("none", i))), append(want, store.Record{Key: key(fmt.Sprint("none", i))})
	}
	s.same(s.get(noon, keys...), want...)
}

// large is a JSON text of size bytes that differs from those with another seed, and stays large when it is compressed.
func large(seed, size int) string {
	var text strings.Builder
	fmt.Fprintf(&text, `{"seed":%d,"text":"`, seed)
	for i := 0; text.Len() < size; i++ {
		sum := sha256.Sum256(fmt.Append(nil, seed, i))
		text.WriteString(base64.StdEncoding.EncodeToString(sum[:]))
	}
	return text.String()[:size-2] + `"}`
}

func largeDocuments(s *suite) {
	one := s.saveOne(noon, document("one", large(0, 350<<10)))
	s.stored(noon, one)
	s.refused(noon, []store.Key{one.Key}, document("one", large(1, 350<<10)))
	one.Doc = []byte(large(2, 300_000))
	s.stored(noon, s.saveOne(noon, one))
	var several []store.Record
	var keys []store.Key
	for i := range 10 {
		several = append(several, document(fmt.Sprint("k", i), large(i, 300_000)))
		keys = append(keys, key(fmt.Sprint("k", i)))
	}
	several = s.save(noon, several...)
	s.same(s.get(noon, keys...), several...)
	several[3].Version++
	s.refused(noon, []store.Key{keys[3]}, several...)
}

func refusedInput(s *suite) {
	a, b := document("a", `1`), document("b", `1`)
	s.failed(s.ctx, a, b, a)
	s.failed(s.ctx, a, a)
	s.failed(s.ctx, document("a", large(0, 350<<10+1)))
	s.failed(s.ctx, b, document("a", large(0, 350<<10+1)))
	for _, k := range []store.Key{{}, {Partition: "p"}, {Sort: "s"},
		{Partition: strings.Repeat("p", 2049), Sort: "s"}, {Partition: "p", Sort: strings.Repeat("s", 1025)}} {
		s.failed(s.ctx, store.Record{Key: k, Doc: []byte(`1`)})
		s.failed(s.ctx, a, store.Record{Key: k, Doc: []byte(`1`)})
		if _, err := s.store.Get(s.ctx, noon, k); err == nil {
			s.Errorf("Get of a key with %d and %d bytes did not fail", len(k.Partition), len(k.Sort))
		}
	}
	s.failed(s.ctx, store.Record{Key: a.Key, Doc: a.Doc, DueAt: noon})
	s.failed(s.ctx, store.Record{Key: a.Key, Doc: a.Doc, DueKind: store.DuePayment})
	longest := store.Key{Partition: strings.Repeat("p", 2048), Sort: strings.Repeat("s", 1024)}
	s.stored(noon, s.saveOne(noon, store.Record{Key: longest, Doc: []byte(`1`)}))
	var many, heavy []store.Record
	for i := range 101 {
		many = append(many, document(fmt.Sprint("k", i), `1`))
		if i < 15 {
			heavy = append(heavy, document(fmt.Sprint("k", i), large(i, 300_000)))
		}
	}
	s.failed(s.ctx, many...)
	s.failed(s.ctx, heavy...) // 4.3 MB
	s.same(s.list(noon, store.Query{Partition: a.Key.Partition, Limit: 100}))
}

func cancelled(s *suite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	s.failed(ctx, document("a", `1`))
	s.failed(ctx, document("a", `1`), document("b", `1`))
	if _, err := s.store.Get(ctx, noon, key("a")); err == nil {
		s.Error("Get did not fail")
	}
	if _, err := s.store.Get(ctx, noon, key("a"), key("b")); err == nil {
		s.Error("Get of two did not fail")
	}
	if _, err := s.store.List(ctx, noon, store.Query{Partition: "order/0123", Limit: 1}); err == nil {
		s.Error("List did not fail")
	}
	if _, err := s.store.Due(ctx, noon, store.DueQuery{Kind: store.DuePayment, Limit: 1}); err == nil {
		s.Error("Due did not fail")
	}
	if _, err := s.store.AllDue(ctx, 1); err == nil {
		s.Error("AllDue did not fail")
	}
	s.same(s.get(noon, key("a"), key("b")), store.Record{Key: key("a")}, store.Record{Key: key("b")})
}

func unicode(s *suite) {
	text := "{\"n\":\"Zoë Straße 東京 😀 \u2028 \u00a0 \u0301 \\u0000 \\ud83d\\ude00 <&> \x7f\"}"
	odd := store.Key{Partition: "address/https://bücher.example/?a=1&b=😀", Sort: "a/ü 東\n\"\\"}
	want := s.saveOne(noon, store.Record{Key: odd, Doc: []byte(text)})
	s.stored(noon, want)
	s.refused(noon, []store.Key{odd}, store.Record{Key: odd, Doc: []byte(`1`)})
	s.refused(noon, []store.Key{odd}, document("b", `1`), store.Record{Key: odd, Doc: []byte(`1`)})
	s.same(s.list(noon, store.Query{Partition: odd.Partition, Prefix: "a/ü", Limit: 9}), want)
	composed, decomposed := document("é", `1`), document("e\u0301", `2`)
	both := s.save(noon, composed, decomposed)
	s.same(s.get(noon, both[1].Key, both[0].Key), both[1], both[0])
}

func callersBytes(s *suite) {
	records := []store.Record{document("a", `{"n":1}`), document("b", `{"n":2}`)}
	want := []store.Record{document("a", `{"n":1}`), document("b", `{"n":2}`)}
	s.save(noon, records...)
	s.same(records, want...) // as the caller made them
	want[0].Version, want[1].Version = 1, 1
	copy(records[0].Doc, "xxxxxxx")
	got := s.get(noon, key("a"), key("b"))
	s.same(got, want...)
	copy(got[0].Doc, "yyyyyyy")
	listed := s.list(noon, store.Query{Partition: "order/0123", Limit: 9})
	copy(listed[0].Doc, "zzzzzzz")
	s.same(s.get(noon, key("a"), key("b")), want...)
	if again := s.get(noon, key("a")); !bytes.Equal(again[0].Doc, want[0].Doc) {
		s.Error("a reader's bytes are the store's")
	}
}
