package storetest

import (
	"fmt"
	"time"

	"checkout/internal/store"
)

// listed is a document of the listing table.
func listed(sort, doc string) store.Record {
	return store.Record{Key: store.Key{Partition: "find/0123", Sort: sort}, Doc: []byte(doc)}
}

// threeTables saves and reads documents of all tables at once.
func threeTables(s *suite) {
	card := withExpiry(sealed("a", `1`), noon.Add(time.Minute))
	both := s.save(noon, document("a", `2`), card, listed("a", `3`))
	s.same(s.get(noon, both[1].Key, both[0].Key, both[2].Key, both[1].Key), both[1], both[0], both[2], both[1])
	s.stored(noon, both[1])
	s.same(s.get(noon.Add(time.Minute), both[1].Key, both[0].Key), store.Record{Key: card.Key}, both[0])
	s.same(s.list(noon, store.Query{Partition: card.Key.Partition, Limit: 9}), both[1])
	s.same(s.list(noon, store.Query{Partition: "order/0123", Limit: 9}), both[0])
	s.same(s.list(noon, store.Query{Partition: both[2].Key.Partition, Limit: 9}), both[2])

	s.refused(noon, []store.Key{card.Key}, document("b", `3`), sealed("a", `3`))
	s.refused(noon, []store.Key{both[0].Key}, document("a", `3`), sealed("b", `3`))
	s.refused(noon, []store.Key{both[2].Key}, document("b", `3`), listed("a", `4`))
	s.absent(noon, key("b"))
	s.absent(noon, sealed("b", "").Key)

	for _, due := range []store.Record{sealed("b", `1`), listed("b", `1`)} {
		due.DueAt, due.DueKind = noon, store.DuePayment
		s.failed(s.ctx, due) // their tables have no due listing
	}

	var keys []store.Key
	var want []store.Record
	for i := range 120 {
		of := []func(sort, doc string) store.Record{sealed, document, listed}[i%3]
		r := s.saveOne(noon, of(fmt.Sprint("k", i), `{}`))
		keys, want = append(keys, r.Key), append(want, r)
	}
	s.same(s.get(noon, keys...), want...)
}

func deletes(s *suite) {
	old := s.save(noon, document("a", `1`), sealed("a", `2`), sealed("b", `3`))
	a, card, other := old[0], old[1], old[2]
	s.save(noon, deleted(card))
	s.absent(noon, card.Key)
	s.save(noon, deleted(card)) // it was deleted before
	s.same(s.get(noon, a.Key, other.Key), a, other)
	s.same(s.list(noon, store.Query{Partition: card.Key.Partition, Limit: 9}), other)

	s.refused(noon, []store.Key{a.Key}, deleted(other), document("a", `4`)) // all or none
	s.stored(noon, other)
	a = s.save(noon, a, deleted(other), deleted(card))[0]
	s.same(s.get(noon, a.Key, other.Key), a, store.Record{Key: other.Key})

	again := s.saveOne(noon, sealed("b", `5`)) // a deleted key is free, and its versions begin anew
	s.stored(noon, again)
	s.failed(s.ctx, deleted(again), again)
	s.stored(noon, again)

	due := document("due", `1`)
	due.DueAt, due.DueKind = noon, store.DueCallback
	due = s.saveOne(noon, due)
	query := store.DueQuery{Kind: store.DueCallback, Shard: store.DueShard(store.DueCallback, due.Key), Limit: 10}
	s.dueIs(noon, query, due)
	s.save(noon, deleted(due))
	s.dueIs(noon, query)
}
