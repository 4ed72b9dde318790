package storetest

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

func listOrder(s *suite) {
	sorts := []string{"A", "a", "o/0001/payment", "o/0001/session/x", "o/0002/payment", "o/0010/payment", "o0", "p", "ü",
		"😀"}
	var saved []store.Record
	for i, sort := range []int{3, 7, 0, 9, 4, 1, 8, 2, 6, 5} {
		saved = append(saved, document(sorts[sort], fmt.Sprint(i)))
	}
	saved = s.save(noon, saved...)
	s.save(noon, store.Record{Key: store.Key{Partition: "order/01234", Sort: "o/0003"}, Doc: []byte(`1`)})
	slices.SortFunc(saved, func(a, b store.Record) int {
		return -slices.Compare([]byte(a.Key.Sort), []byte(b.Key.Sort))
	})
	for _, test := range []struct {
		prefix string
		limit  int
		want   []store.Record
	}{
		{"", 100, saved},
		{"", 10, saved},
		{"", 3, saved[:3]},
		{"o/", 100, saved[4:8]},
		{"o/", 4, saved[4:8]},
		{"o/", 1, saved[4:5]},
		{"o/0001/", 10, saved[6:8]},
		{"o/0001/payment", 10, saved[7:8]},
		{"x", 10, nil},
		{"o/", 0, nil},
		{"", -1, nil},
	} {
		s.same(s.list(noon, store.Query{Partition: "order/0123", Prefix: test.prefix, Limit: test.limit}), test.want...)
	}
	for i, r := range saved { // a listing may continue after any of its documents
		s.same(s.list(noon, store.Query{Partition: "order/0123", Before: r.Key.Sort, Limit: 100}), saved[i+1:]...)
		s.same(s.list(noon, store.Query{Partition: "order/0123", Before: r.Key.Sort, Limit: 2}),
			saved[i+1:min(i+3, len(saved))]...)
	}
	for i := 4; i < 8; i++ {
		s.same(s.list(noon, store.Query{Partition: "order/0123", Prefix: "o/", Before: saved[i].Key.Sort, Limit: 100}),
			saved[i+1:8]...)
	}
}

func listExpired(s *suite) {
	var want []store.Record
	for i := range 60 {
		r := document(fmt.Sprintf("o/%03d", i), `1`)
		if i%10 != 0 {
			r.ExpiresAt = noon.Add(time.Duration(i) * time.Minute)
		}
		r = s.saveOne(noon.Add(-time.Hour), r)
		if i%10 == 0 || i > 50 {
			want = append(want, r)
		}
	}
	slices.Reverse(want)
	now := noon.Add(50*time.Minute + ms)
	query := store.Query{Partition: "order/0123", Prefix: "o/", Limit: 100}
	s.same(s.list(now, query), want...)
	for _, limit := range []int{1, 9, 10, 11, 15} {
		query.Limit = limit
		s.same(s.list(now, query), want[:min(limit, len(want))]...)
	}
	query.Limit = 100
	at51 := noon.Add(51 * time.Minute) // o/051 ends at this instant
	s.same(s.list(at51, query), slices.DeleteFunc(slices.Clone(want), func(r store.Record) bool {
		return r.Key.Sort == "o/051"
	})...)
}

func listLargePages(s *suite) {
	var want []store.Record
	for i := range 10 {
		want = append(want, s.saveOne(noon, document(fmt.Sprintf("o/%02d", i), large(i, 300_000))))
	}
	slices.Reverse(want)
	for _, limit := range []int{2, 5, 10, 50} {
		query := store.Query{Partition: "order/0123", Prefix: "o/", Limit: limit}
		s.same(s.list(noon, query), want[:min(limit, len(want))]...)
	}
}

// dueIs waits until the due listing is up to date, and compares what is read by one shard and at once.
func (s *suite) dueIs(now time.Time, query store.DueQuery, want ...store.Record) {
	s.Helper()
	var got, ofAll []store.DueEntry
	for range 200 {
		var err error
		if got, err = s.store.Due(s.ctx, now, query); err != nil {
			s.Fatal(err)
		}
		all, err := s.store.AllDue(s.ctx, 1000)
		if err != nil {
			s.Fatal(err)
		}
		ofAll = all.Due(now, query)
		same := func(e store.DueEntry, r store.Record) bool { return e.Key == r.Key && e.At.Equal(r.DueAt) }
		if slices.EqualFunc(got, want, same) && slices.EqualFunc(ofAll, want, same) {
			return
		}
		time.Sleep(20 * ms)
	}
	s.Fatalf("due of %+v: %v, of all that is due %v, want %v", query, got, ofAll, want)
}

// dueAtOnce reads the listing of several kinds at once, which is whole or absent.
func dueAtOnce(s *suite) {
	s.saveOne(noon, document("nothing due", `1`))
	if all, err := s.store.AllDue(s.ctx, 1); err != nil || all == nil || len(all) > 0 {
		s.Errorf("nothing is due: %v, %v", all, err)
	}
	shards := map[store.DueKind]int{store.DueParked: store.MaxDueShards - 1, store.DuePerson.Of(true): 0}
	for kind, shard := range shards {
		s.save(noon, dueRecords(kind, shard, 5)...)
	}
	for kind, shard := range shards {
		s.dueIs(noon.Add(time.Hour), store.DueQuery{Kind: kind, Shard: shard, Limit: 9}, dueRecords(kind, shard, 5)...)
	}
	for limit, whole := range map[int]bool{1: false, 9: false, 11: true, 10_000: true} {
		all, err := s.store.AllDue(s.ctx, limit)
		if err != nil || (all != nil) != whole || whole && len(all) != len(shards) {
			s.Errorf("at most %d: %v, %v", limit, all, err)
		}
	}
}

// dueRecords makes documents of one kind that are due in a shard, a second apart.
func dueRecords(kind store.DueKind, shard, n int) []store.Record {
	var records []store.Record
	for i := 0; len(records) < n; i++ {
		r := document(fmt.Sprintf("%s%06d", kind, i), `1`)
		if store.DueShard(kind, r.Key) == shard {
			r.DueAt, r.DueKind = noon.Add(time.Duration(len(records)+1)*time.Second), kind
			records = append(records, r)
		}
	}
	return records
}

func due(s *suite) {
	end := noon.Add(time.Hour)
	for _, shard := range []int{0, 7, store.MaxDueShards - 1} {
		want := dueRecords(store.DueCallback, shard, 4)
		for _, r := range slices.Backward(want) { // the earliest comes last
			s.saveOne(noon, r)
		}
		s.saveOne(noon, document(fmt.Sprint("nothing due", shard), `1`))
		query := store.DueQuery{Kind: store.DueCallback, Shard: shard, Limit: 100}
		s.dueIs(end, query, want...)
		s.dueIs(noon, query)
		s.dueIs(want[1].DueAt, query, want[:2]...)
		s.dueIs(want[1].DueAt.Add(-ms), query, want[:1]...)
		for limit := range len(want) + 1 {
			query.Limit = limit
			s.dueIs(end, query, want[:limit]...)
		}
	}
	s.dueIs(end, store.DueQuery{Kind: store.DueCallback, Shard: store.MaxDueShards, Limit: 100})
}

// dueKinds checks that the kinds have separate listings, also where a document changes its kind.
func dueKinds(s *suite) {
	end := noon.Add(time.Hour)
	byKind := map[store.DueKind][]store.Record{}
	for _, kind := range store.DueKinds {
		byKind[kind] = s.save(noon, dueRecords(kind, 3, 2)...)
	}
	query := func(kind store.DueKind) store.DueQuery {
		return store.DueQuery{Kind: kind, Shard: 3, Limit: 100}
	}
	for kind, want := range byKind {
		s.dueIs(end, query(kind), want...)
	}
	moved := byKind[store.DueCallback][0]
	moved.DueAt, moved.DueKind = noon.Add(time.Minute), store.DueParked
	moved = s.saveOne(noon, moved)
	s.stored(noon, moved)
	s.dueIs(end, query(store.DueCallback), byKind[store.DueCallback][1:]...)
	s.dueIs(end, query(store.DueParked), append(byKind[store.DueParked], moved)...)
	s.dueIs(end, query(store.DuePayment), byKind[store.DuePayment]...)
}

// duePages reads a listing page by page while documents are removed from it.
func duePages(s *suite) {
	end := noon.Add(time.Hour)
	want := dueRecords(store.DuePayment, 5, 20)
	for i := range want[:15] {
		want[i].DueAt = noon // at the same time: in an order of the store's, the same in every listing
	}
	want = s.save(noon, want...)
	query := store.DueQuery{Kind: store.DuePayment, Shard: 5, Limit: 100}
	last := store.DueEntry{Key: want[18].Key, At: want[18].DueAt}
	s.dueIs(end, store.DueQuery{Kind: store.DuePayment, Shard: 5, After: last, Limit: 100}, want[19])
	all, err := s.store.Due(s.ctx, end, query)
	if err != nil || len(all) != len(want) {
		s.Fatalf("%d due, %v; want %d", len(all), err, len(want))
	}
	byKey := map[store.Key]store.Record{}
	for _, r := range want {
		byKey[r.Key] = r
	}
	var got []store.DueEntry
	for query.Limit = 3; ; {
		page, err := s.store.Due(s.ctx, end, query)
		if err != nil {
			s.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
		query.After = page[len(page)-1]
		for _, entry := range page[1:] { // with the entry that the next page starts after
			done := byKey[entry.Key]
			done.DueAt, done.DueKind = time.Time{}, ""
			s.saveOne(noon, done)
		}
	}
	if !slices.Equal(got, all) {
		s.Errorf("the pages hold %v, want %v", got, all)
	}
	query.After, query.Limit = store.DueEntry{Key: all[0].Key, At: end.Add(ms)}, 100
	s.dueIs(end, query)
}

func dueChanges(s *suite) {
	r := document("a", `1`)
	query := store.DueQuery{Kind: store.DueChain, Shard: store.DueShard(store.DueChain, r.Key), Limit: 10}
	r.DueAt, r.DueKind = noon.Add(time.Minute), store.DueChain
	r = s.saveOne(noon, r)
	s.dueIs(r.DueAt, query, r)
	r.DueAt = noon.Add(time.Hour)
	r = s.saveOne(noon, r)
	s.dueIs(r.DueAt, query, r)
	s.dueIs(noon.Add(time.Minute), query)
	r.DueAt, r.DueKind = time.Time{}, ""
	r = s.saveOne(noon, r)
	s.dueIs(noon.Add(1000*time.Hour), query)
	s.stored(noon, r)
	r.DueAt, r.DueKind = noon, store.DueChain
	both := s.save(noon, r, document("b", `1`))
	s.dueIs(noon, query, both[0])
	both[0].DueAt, both[0].DueKind = time.Time{}, ""
	s.save(noon, both...)
	s.dueIs(noon.Add(1000*time.Hour), query)
}
