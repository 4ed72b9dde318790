package story

import (
	"context"
	"sync"
	"testing"
	"time"

	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// meter is a store that counts the units of its requests as DynamoDB does, for documents as they are.
type meter struct {
	store.Store
	mu            sync.Mutex
	reads, writes int
}

func sizeOf(r store.Record) int { return len(r.Key.Partition) + len(r.Key.Sort) + len(r.Doc) + 80 }

func units(size, unit int) int { return max(1, (size+unit-1)/unit) }

func (m *meter) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	records, err := m.Store.List(ctx, now, query)
	m.mu.Lock()
	defer m.mu.Unlock()
	size := 0
	for _, r := range records {
		size += sizeOf(r)
	}
	m.reads += units(size, 4096)
	return records, err
}

func (m *meter) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	records, err := m.Store.Get(ctx, now, keys...)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range records {
		m.reads += units(sizeOf(r), 4096)
	}
	return records, err
}

func (m *meter) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range records {
		m.writes += units(sizeOf(r), 1024) * min(len(records), 2) // a transaction costs twice as much
	}
	return m.Store.Save(ctx, now, records...)
}

// knownPayer adds what a merchant knows of the payer.
func knownPayer(order map[string]any) {
	order["customer"] = map[string]any{"name": "Ann", "email": "Ann@pens.example"}
	order["billing_address"] = map[string]any{"country": "DE", "city": "Bonn", "address": "Hof 1", "zip": "53111"}
}

// A checkout that is paid with a card costs at most 8 write units and 6 read units, if it is indexed after its session
// was created and after it was paid and reported. To index it again writes nothing.
func TestListingIsCheap(t *testing.T) {
	w := open(t)
	table := &meter{Store: w.app.Store}
	x := listing.NewIndexer(table, table, w.clock.Now, 761*24*time.Hour)
	index := func(v *Visit) {
		key, err := store.SessionKey(v.session)
		if err != nil {
			t.Fatal(err)
		}
		if failed, err := x.Index(t.Context(), []string{key.Partition}); err != nil {
			t.Fatalf("%q: %v", failed, err)
		}
	}
	index(w.shop.visits("earlier")) // with what is written once a day
	table.reads, table.writes = 0, 0
	v := w.shop.visits("pen-1", knownPayer)
	index(v)
	v.pays("01/38")
	w.work()
	index(v)
	t.Logf("%d write units, %d read units", table.writes, table.reads)
	if table.writes > 8 || table.reads > 6 {
		t.Errorf("%d write units, %d read units", table.writes, table.reads)
	}
	before := table.writes
	index(v)
	if table.writes != before {
		t.Errorf("%d write units for what was indexed", table.writes-before)
	}
}
