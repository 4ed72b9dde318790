package storetest

import (
	"fmt"
	"time"

	"checkout/internal/store"
)

// twoTables saves and reads documents of both tables at once.
func twoTables(s *suite) {
	card := withExpiry(sealed("a", `1`), noon.Add(time.Minute))
	both := s.save(noon, document("a", `2`), card)
	s.same(s.get(noon, both[1].Key, both[0].Key, both[1].Key), both[1], both[0], both[1])
	s.stored(noon, both[1])
	s.same(s.get(noon.Add(time.Minute), both[1].Key, both[0].Key), store.Record{Key: card.Key}, both[0])
	s.same(s.list(noon, store.Query{Partition: card.Key.Partition, Limit: 9}), both[1])
	s.same(s.list(noon, store.Query{Partition: "order/0123", Limit: 9}), both[0])

	s.refused(noon, []store.Key{card.Key}, document("b", `3`), sealed("a", `3`))
	s.refused(noon, []store.Key{both[0].Key}, document("a", `3`), sealed("b", `3`))
	s.absent(noon, key("b"))
	s.absent(noon, sealed("b", "").Key)

	due := sealed("b", `1`)
	due.DueAt, due.DueKind = noon, store.DuePayment
	s.failed(s.ctx, due) // the vault table has no due listing

	var keys []store.Key
	var want []store.Record
	for i := range 120 {
		r := sealed(fmt.Sprint("k", i), `{}`)
		if i%2 == 0 {
			r = document(fmt.Sprint("k", i), `{}`)
		}
		r = s.saveOne(noon, r)
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
