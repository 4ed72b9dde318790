package storetest

import (
	"fmt"
	"slices"
	"time"

	"checkout/internal/store"
)

// operatorsLists reads what operators list, page by page, from any time on: rows, lines of the journal, find entries,
// active owners and the audit log. Of each there are others beside it.
func operatorsLists(s *suite) {
	const n, step = 6, 9 * time.Hour // within three days
	var rows, lines, finds, audits []store.Record
	add := func(all *[]store.Record, key store.Key, err error) {
		if err != nil {
			s.Fatal(err)
		}
		*all = append(*all, store.Record{Key: key, Doc: fmt.Appendf(nil, `{"n":%d}`, len(*all))})
	}
	for i := range n {
		at := noon.Add(time.Duration(i) * step)
		for _, owner := range []string{"live/pens", "test/pens", "live/pens-2"} {
			hash := store.OrderHash(owner, fmt.Sprint(i))
			id := store.NewPaymentID(hash, at, []byte{0, 0, 0, byte(i)})
			rowKey, err := store.RowKey(owner, id)
			add(&rows, rowKey, err)
			lineKey, err := store.LineKey(owner, id, at, i)
			add(&lines, lineKey, err)
			findKey, err := store.FindKey(store.FindHandle(fmt.Sprint(i%2)), owner, id)
			add(&finds, findKey, err)
		}
		add(&audits, store.AuditKey(at, fmt.Sprint(i), nil), nil)
	}
	for _, all := range []*[]store.Record{&rows, &lines, &finds, &audits} {
		*all = s.save(noon, *all...)
	}
	var seen [5]int
	for day := range 4 {
		at := noon.AddDate(0, 0, day)
		for shard := range store.ListingShards {
			seen[0] += s.pages(store.RowsOf("live/pens", at, shard), rows)
			seen[1] += s.pages(store.LinesOf("live/pens", at, shard), lines)
			for i := range n {
				from := noon.Add(time.Duration(i) * step)
				s.before(store.RowsOf("test/pens", at, shard), store.RowsBefore(from), rows)
				s.before(store.LinesOf("test/pens", at, shard), store.LinesBefore(from), lines)
			}
		}
		for shard := range store.AuditShards {
			seen[2] += s.pages(store.AuditOf(at, shard, 0), audits)
		}
	}
	for i := range 2 {
		seen[3] += s.pages(store.FindBy(store.FindHandle(fmt.Sprint(i)), 0), finds)
	}
	var active []store.Record
	for i, owner := range []string{"test/a", "live/b", "live/a", "live/a-b", "live/A"} {
		add(&active, store.ActiveKey(owner, noon.AddDate(0, 0, i%2)), nil)
	}
	active = s.save(noon, active...)
	for day := range 3 {
		seen[4] += s.pages(store.ActiveOf(noon.AddDate(0, 0, day)), active)
	}
	if want := [5]int{n, n, n, len(finds), len(active)}; seen != want {
		s.Errorf("listed %v, want %v", seen, want)
	}
}

// pages checks that a query lists those of some documents that are in its partition, the latest first, also in pages.
// It returns their number.
func (s *suite) pages(query store.Query, of []store.Record) int {
	s.Helper()
	want := s.before(query, "", of)
	for size := 1; size < 4; size++ {
		var got []store.Record
		for query.Limit = size; len(got) <= len(want); {
			page := s.list(noon, query)
			got = append(got, page...)
			if len(page) < size {
				break
			}
			query.Before = page[size-1].Key.Sort
		}
		s.same(got, want...)
		query.Before = ""
	}
	return len(want)
}

// before checks that a query lists those of some documents that are in its partition and come before a Sort, unless
// that is "", the latest first. It returns them.
func (s *suite) before(query store.Query, before string, of []store.Record) []store.Record {
	s.Helper()
	var want []store.Record
	for _, r := range of {
		if r.Key.Partition == query.Partition && (before == "" || r.Key.Sort < before) {
			want = append(want, r)
		}
	}
	slices.SortFunc(want, func(a, b store.Record) int { return -slices.Compare([]byte(a.Key.Sort), []byte(b.Key.Sort)) })
	query.Before, query.Limit = before, 100
	s.same(s.list(noon, query), want...)
	return want
}
