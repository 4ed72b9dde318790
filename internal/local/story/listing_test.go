package story

import (
	"context"
	"strings"
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

// What was not indexed, is out of date or is too many is found by the check, and mended by a rebuild.
func TestCheckOfTheListing(t *testing.T) {
	w := open(t)
	v := w.shop.visits("pen-1")
	v.pays("01/38")
	w.work()
	var found []string
	check := func() []string {
		found = nil
		if _, err := w.app.Listing().Check(t.Context(), func(line string) { found = append(found, line) }); err != nil {
			t.Fatal(err)
		}
		return found
	}
	missing := len(check())
	if missing < 5 || !strings.HasSuffix(found[0], " is missing") {
		t.Errorf("before: %q", found)
	}
	done, err := w.app.Listing().Rebuild(t.Context())
	if err != nil || done.Orders != 1 || done.Stored != missing || done.Deleted != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	for _, r := range w.app.Store.Dump() {
		if !store.IsRow(r.Key) {
			continue
		}
		changed, surplus := r, r
		changed.Doc = []byte(strings.Replace(string(r.Doc), `"10.00"`, `"10.01"`, 1))
		surplus.Version, surplus.Key.Partition = 0, r.Key.Partition+"0"
		if err := w.app.Store.Save(t.Context(), w.clock.Now(), changed, surplus); err != nil {
			t.Fatal(err)
		}
	}
	if check(); len(found) != 2 || !strings.HasSuffix(found[0], " differs") ||
		!strings.HasSuffix(found[1], " is too many") {
		t.Errorf("after: %q", found)
	}
	if done, err = w.app.Listing().Rebuild(t.Context()); err != nil || done.Stored != 1 || done.Deleted != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if check(); len(found) > 0 {
		t.Errorf("after a rebuild: %q", found)
	}
}
