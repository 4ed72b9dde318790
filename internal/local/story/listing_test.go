package story

import (
	"context"
	"slices"
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

// listedLines returns the lines of the journal.
func (w *World) listedLines() (all []listing.Line) {
	w.t.Helper()
	if err := w.app.IndexChanges(context.Background()); err != nil {
		w.t.Fatalf("index: %v", err)
	}
	for _, r := range w.app.Store.Dump() {
		if !strings.HasPrefix(r.Key.Partition, "journal/") {
			continue
		}
		var line listing.Line
		if err := r.Decode(&line); err != nil {
			w.t.Fatalf("line: %v", err)
		}
		all = append(all, line)
	}
	return all
}

// A payment is found by its handles, and listed as it is; each of its transactions has a line, and the lines agree with
// the provider's ledger.
func TestListed(t *testing.T) {
	w := open(t)
	v := w.shop.visits("pen-1", knownPayer)
	if err := w.app.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	sess, err := w.app.Core.Session(t.Context(), w.clock.Now(), v.session)
	if err != nil {
		t.Fatal(err)
	}
	row := w.row(sess.FirstPaymentID)
	if row.Status != "" || row.Session != "open" || row.Order != v.order || row.Amount != "10.00" {
		t.Errorf("session: %+v", row)
	}
	v.pays("01/38")
	w.work()
	w.shop.refunds(v.paymentID(), "3.00")
	w.pass(time.Minute)
	p := v.payment()
	all := w.listedLines()
	row = w.row(p.ID)
	if row.Status != p.Status || row.Card != p.Card.Mask || row.MID != p.MID || row.Method != p.Method ||
		row.Callbacks != "delivered" || row.ApprovalCode != p.ApprovalCode || row.Country == "" {
		t.Errorf("payment: %+v", row)
	}
	for kind, value := range map[string]string{
		"order": p.Order.Number, "e-mail": strings.ToUpper(p.Customer.Email), "RRN": p.RRN,
	} {
		found, err := w.app.Store.List(t.Context(), w.clock.Now(), store.FindBy(listing.Handle(value), 10))
		if err != nil || len(found) != 1 {
			t.Fatalf("by %s: %d found, %v", kind, len(found), err)
		}
		if id, err := store.ListedPayment(found[0].Key); id != p.ID {
			t.Errorf("by %s: %s, %v", kind, id, err)
		}
	}
	captured, refunded := Cents(t, ""), Cents(t, "")
	for _, line := range all {
		if line.Status != "success" || line.MID != p.MID || line.Reference == "" {
			t.Errorf("%+v", line)
		}
		switch line.Type {
		case "sale":
			captured = plus(t, captured, line.Amount)
		case "refund":
			refunded = plus(t, refunded, line.Amount)
		}
	}
	charges := w.charges()
	if len(charges) != 1 || len(all) != 2 || captured.String() != charges[0].Captured.String() ||
		refunded.String() != charges[0].Refunded.String() {
		t.Errorf("captured %s, refunded %s by %+v; ledger %+v", captured, refunded, all, charges)
	}
}

// row returns the row of a payment.
func (w *World) row(id string) (row listing.Row) {
	w.t.Helper()
	for _, r := range w.app.Store.Dump() {
		if !store.IsRow(r.Key) {
			continue
		}
		if of, err := store.ListedPayment(r.Key); err != nil || of != id {
			continue
		}
		if err := r.Decode(&row); err != nil {
			w.t.Fatalf("row: %v", err)
		}
	}
	if row.PaymentID != id {
		w.t.Fatalf("no row of %s", id)
	}
	return row
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
	present := func(line string) bool { return !strings.HasSuffix(line, " is missing") }
	if missing < 5 || slices.ContainsFunc(found, present) {
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
