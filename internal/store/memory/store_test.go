package memory

import (
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return NewStore() })
}

func TestDump(t *testing.T) {
	docs := NewStore()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	expired := store.Record{Key: store.Key{Partition: "p", Sort: "b"}, Doc: []byte(`1`), ExpiresAt: now}
	lasting := store.Record{Key: store.Key{Partition: "p", Sort: "a"}, Doc: []byte(`2`)}
	if err := docs.Save(t.Context(), now, expired, lasting); err != nil {
		t.Fatal(err)
	}
	dump := docs.Dump()
	if len(dump) != 2 || string(dump[0].Doc) != "2" || string(dump[1].Doc) != "1" {
		t.Fatalf("the dump is %v", dump)
	}
	dump[0].Doc[0] = 'x'
	if again := docs.Dump(); string(again[0].Doc) != "2" {
		t.Error("the dump's bytes are the store's")
	}
}

// An expired document is removed, also from the due listing; its key was free before.
func TestDropExpired(t *testing.T) {
	docs := NewStore()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	key := func(sort string) store.Key { return store.Key{Partition: "p/" + sort, Sort: sort} }
	due := store.Record{Key: key("due"), Doc: []byte(`1`), ExpiresAt: now, DueAt: now, DueKind: store.DuePayment}
	later := store.Record{Key: key("later"), Doc: []byte(`2`), ExpiresAt: now.Add(time.Millisecond)}
	never := store.Record{Key: key("never"), Doc: []byte(`3`)}
	if err := docs.Save(t.Context(), now.Add(-time.Hour), due, later, never); err != nil {
		t.Fatal(err)
	}
	docs.DropExpired(now)
	if dump := docs.Dump(); len(dump) != 2 || dump[0].Key != later.Key || dump[1].Key != never.Key ||
		len(docs.partitions) != 2 {
		t.Errorf("left: %v", dump)
	}
	query := store.DueQuery{Kind: store.DuePayment, Shard: store.DueShard(store.DuePayment, due.Key), Limit: 9}
	if entries, err := docs.Due(t.Context(), now, query); err != nil || len(entries) != 0 {
		t.Errorf("due: %v, %v", entries, err)
	}
	if err := docs.Save(t.Context(), now, due); err != nil {
		t.Errorf("the key is not free: %v", err)
	}
}
