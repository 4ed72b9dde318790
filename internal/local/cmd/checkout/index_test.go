package main

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
)

// savePayment stores a declined payment.
func savePayment(t *testing.T, docs store.Store, id string) {
	t.Helper()
	key, err := store.PaymentKey(id)
	if err != nil {
		t.Fatal(err)
	}
	doc := `{"id":"` + id + `","merchant":"pens","order":{"number":"1","currency":"USD"},"status":"decline",` +
		`"transactions":[{"type":"sale","status":"fail","date":"2030-01-02T03:04:05Z","amount":"1.00"}]}`
	if err := docs.Save(t.Context(), time.Now(), store.Record{Key: key, Doc: []byte(doc)}); err != nil {
		t.Fatal(err)
	}
}

// A check names what is not listed, a rebuild lists it, and then the check finds nothing.
func TestRebuildIndex(t *testing.T) {
	s := newStackOfPeople(t)
	id := store.NewPaymentID(store.OrderHash("live/pens", "1"), time.Now(), []byte("0123"))
	savePayment(t, s.docs, id)
	env := func(name string) string {
		return map[string]string{"TABLE": s.table, "LISTING_TABLE": s.listing}[name]
	}
	for _, line := range []struct{ command, want, fails string }{
		{"index check", "rows/live/pens/", "5 documents are not as 1 orders lead to"},
		{"index rebuild --reason lost", "1 orders read, 5 documents stored, 0 deleted", ""},
		{"index check", "all is listed as 1 orders lead to", ""},
		{"index rebuild", "1 orders read, 0 documents stored, 0 deleted", ""},
	} {
		out, err := typed(t, env, strings.Fields(line.command)...)
		failed := ""
		if err != nil {
			failed = err.Error()
		}
		if failed != line.fails || !strings.Contains(out, line.want) {
			t.Errorf("%s: %v\n%s", line.command, err, out)
		}
	}
	if _, err := typed(t, s.atTable.env, "index", "check"); err == nil || !strings.Contains(err.Error(), "LISTING_TABLE") {
		t.Errorf("without a listing: %v", err)
	}
	if acts := s.entries(time.Now().Add(-time.Hour)); len(acts) != 2 {
		t.Errorf("acts: %v", acts)
	}
}
