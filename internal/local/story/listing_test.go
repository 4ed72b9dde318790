package story

import (
	"strings"
	"testing"

	"checkout/internal/store"
)

// knownPayer adds what a merchant knows of the payer.
func knownPayer(order map[string]any) {
	order["customer"] = map[string]any{"name": "Ann", "email": "Ann@pens.example"}
	order["billing_address"] = map[string]any{"country": "DE", "city": "Bonn", "address": "Hof 1", "zip": "53111"}
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
