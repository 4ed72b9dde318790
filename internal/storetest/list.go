package storetest

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
)

func listOrder(s *suite) {
	sorts := []string{"A", "a", "o/0001/payment", "o/0001/session/x", "o/0002/payment", "o/0010/payment", "o0", "p", "ü", "😀"}
	var saved []checkout.Record
	for i, sort := range []int{3, 7, 0, 9, 4, 1, 8, 2, 6, 5} {
		saved = append(saved, document(sorts[sort], fmt.Sprint(i)))
	}
	saved = s.save(noon, saved...)
	s.save(noon, checkout.Record{Key: checkout.Key{Partition: "order/01234", Sort: "o/0003"}, Doc: []byte(`1`)})
	slices.SortFunc(saved, func(a, b checkout.Record) int { return -slices.Compare([]byte(a.Key.Sort), []byte(b.Key.Sort)) })
	for _, test := range []struct {
		prefix string
		limit  int
		want   []checkout.Record
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
		s.same(s.list(noon, checkout.Query{Partition: "order/0123", Prefix: test.prefix, Limit: test.limit}), test.want...)
	}
}

func listExpired(s *suite) {
	var want []checkout.Record
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
	query := checkout.Query{Partition: "order/0123", Prefix: "o/", Limit: 100}
	s.same(s.list(now, query), want...)
	for _, limit := range []int{1, 9, 10, 11, 15} {
		query.Limit = limit
		s.same(s.list(now, query), want[:min(limit, len(want))]...)
	}
	query.Limit = 100
	at51 := noon.Add(51 * time.Minute) // o/051 ends at this instant
	s.same(s.list(at51, query), slices.DeleteFunc(slices.Clone(want), func(r checkout.Record) bool {
		return r.Key.Sort == "o/051"
	})...)
}

func listLargePages(s *suite) {
	var want []checkout.Record
	for i := range 10 {
		want = append(want, s.saveOne(noon, document(fmt.Sprintf("o/%02d", i), large(i, 300_000))))
	}
	slices.Reverse(want)
	for _, limit := range []int{2, 5, 10, 50} {
		query := checkout.Query{Partition: "order/0123", Prefix: "o/", Limit: limit}
		s.same(s.list(noon, query), want[:min(limit, len(want))]...)
	}
}

// dueIs waits until the listing of what is due has caught up.
func (s *suite) dueIs(now time.Time, shard, limit int, want []checkout.Key) {
	s.Helper()
	var got []checkout.Key
	for range 200 {
		var err error
		if got, err = s.store.Due(s.ctx, now, shard, limit); err != nil {
			s.Fatal(err)
		}
		if slices.Equal(got, want) {
			return
		}
		time.Sleep(20 * ms)
	}
	s.Fatalf("due in shard %d: %v, want %v", shard, got, want)
}

func due(s *suite) {
	byShard := make(map[int][]checkout.Key)
	for i := range 60 {
		r := document(fmt.Sprintf("k%02d", i), `1`)
		r.Key.Partition = fmt.Sprint("order/", i)
		if i%3 != 0 { // sparse: every third has nothing due
			r.DueAt = noon.Add(time.Duration(60-i) * time.Second)
			shard := checkout.DueShard(r.Key)
			byShard[shard] = append([]checkout.Key{r.Key}, byShard[shard]...)
		}
		s.saveOne(noon, r)
	}
	end := noon.Add(time.Hour)
	for shard := range checkout.DueShards {
		keys := byShard[shard]
		if len(keys) < 3 {
			s.Fatalf("shard %d has %d keys", shard, len(keys))
		}
		s.dueIs(end, shard, 100, keys)
		s.dueIs(end, shard, len(keys), keys)
		s.dueIs(end, shard, 2, keys[:2])
		s.dueIs(end, shard, 0, nil)
		s.dueIs(noon, shard, 100, nil)
		second := s.get(noon, keys[1])[0].DueAt
		s.dueIs(second, shard, 100, keys[:2])
		s.dueIs(second.Add(-ms), shard, 100, keys[:1])
	}
	s.dueIs(end, checkout.DueShards, 100, nil)
}

func dueChanges(s *suite) {
	r := document("a", `1`)
	shard := checkout.DueShard(r.Key)
	r.DueAt = noon.Add(time.Minute)
	r = s.saveOne(noon, r)
	s.dueIs(r.DueAt, shard, 10, []checkout.Key{r.Key})
	r.DueAt = noon.Add(time.Hour)
	r = s.saveOne(noon, r)
	s.dueIs(r.DueAt, shard, 10, []checkout.Key{r.Key})
	s.dueIs(noon.Add(time.Minute), shard, 10, nil)
	r.DueAt = time.Time{}
	r = s.saveOne(noon, r)
	s.dueIs(noon.Add(1000*time.Hour), shard, 10, nil)
	s.stored(noon, r)
	r.DueAt = noon
	both := s.save(noon, r, document("b", `1`))
	s.dueIs(noon, shard, 10, []checkout.Key{r.Key})
	both[0].DueAt = time.Time{}
	s.save(noon, both...)
	s.dueIs(noon.Add(1000*time.Hour), shard, 10, nil)
}
