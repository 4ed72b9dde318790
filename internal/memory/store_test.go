package memory

import (
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) checkout.Store { return NewStore() })
}

func TestDump(t *testing.T) {
	store := NewStore()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	expired := checkout.Record{Key: checkout.Key{Partition: "p", Sort: "b"}, Doc: []byte(`1`), ExpiresAt: now}
	lasting := checkout.Record{Key: checkout.Key{Partition: "p", Sort: "a"}, Doc: []byte(`2`)}
	if err := store.Save(t.Context(), now, expired, lasting); err != nil {
		t.Fatal(err)
	}
	dump := store.Dump()
	if len(dump) != 2 || string(dump[0].Doc) != "2" || string(dump[1].Doc) != "1" {
		t.Fatalf("the dump is %v", dump)
	}
	dump[0].Doc[0] = 'x'
	if again := store.Dump(); string(again[0].Doc) != "2" {
		t.Error("the dump's bytes are the store's")
	}
}
