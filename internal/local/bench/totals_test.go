package bench

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

const (
	daily     = 20_000 // payments of a day
	totalDays = 30
)

// BenchmarkTotals measures how long it takes to sum up a month of one merchant in one call, of which the past days are
// stored, and the last day before they are.
func BenchmarkTotals(b *testing.B) {
	engines := startEngines(b)
	service := open(b, cloud.Config{Root: root, Engines: engines})
	putGrant(b, engines, service, "finance")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	const owner = "live/m"
	put, flush := putter(b, engines.Tables(), service.TableName("Listing"))
	sums := sumsOf(b, owner, today.AddDate(0, 0, -2))
	for n := range totalDays {
		day := today.AddDate(0, 0, -n)
		put(store.Encode(store.ActiveKey(owner, day), 0, struct{}{}))
		if n >= 2 { // yesterday may not be settled yet
			putSums(b, engines.Tables(), service.TableName("Listing"), store.SumsKey(owner, day), sums)
		}
	}
	old := today.AddDate(0, 0, -totalDays) // which has lines alone
	for _, day := range []time.Time{today.AddDate(0, 0, -1), old} {
		linesOf(b, owner, day, put)
	}
	flush()
	sample := read(b, "events/adminread/find.json")
	for name, from := range map[string]time.Time{"month": today.AddDate(0, 0, 1-totalDays), "day": old} {
		b.Run(name, func(b *testing.B) {
			until := today.AddDate(0, 0, 1)
			if name == "day" {
				until = old.Add(24*time.Hour - time.Minute) // within a quarter of an hour, so that it is not stored
			}
			event := bytes.ReplaceAll(sample, []byte("/find"), []byte("/totals"))
			event = bytes.ReplaceAll(event, []byte("q=order-2001&mode=test"), fmt.Appendf(nil,
				"mode=live&merchant=m&from=%s&until=%s", from.Format(time.RFC3339), until.Format(time.RFC3339)))
			s := &side{cloud: service, name: "adminread", event: func() []byte { return event }}
			if name == "month" {
				s.call(b, false) // which stores yesterday, if it has settled
			}
			result, err := service.Invoke(b.Context(), s.name, event)
			if err != nil || !succeeded(result.Payload) {
				b.Fatalf("%v %s", err, result.Payload)
			}
			var totals listing.Totals
			if err := json.Unmarshal([]byte(bodyOf(b, result.Payload)), &totals); err != nil {
				b.Fatal(err)
			}
			s.times = nil
			for b.Loop() {
				s.call(b, false)
			}
			report(b, percentile(s.times, 50), percentile(s.times, 90))
			b.ReportMetric(float64(totals.Lines), "lines")
			b.ReportMetric(float64(len(totals.Cursor)), "cursor")
		})
	}
}

// linesOf puts the lines of a day, of 60 groups.
func linesOf(b *testing.B, owner string, day time.Time, put func(store.Record)) {
	b.Helper()
	for n := range daily {
		at := day.Add(time.Duration(n) * 4 * time.Second)
		id := store.NewPaymentID(store.OrderHash(owner, fmt.Sprint(n)), at, fmt.Appendf(nil, "%04d", n%10_000))
		key, err := store.LineKey(owner, id, at, 0)
		if err != nil {
			b.Fatal(err)
		}
		put(store.Encode(key, 0, listing.Line{
			PaymentID: id, Order: fmt.Sprint("order-", n), Type: payment.EventSale, Status: payment.Success, At: at,
			Amount: "10.00", Moved: "10.00", Currency: []string{"EUR", "USD", "KES"}[n%3], Method: fmt.Sprint("method-", n%4),
			MID: fmt.Sprint("mid-", n%5), Connector: "stripe", Reference: id, ProviderID: fmt.Sprint("ch_", n),
			ApprovalCode: "012345",
		}))
	}
}

// putSums puts the sums of a day compressed, as they are stored.
func putSums(b *testing.B, tables *engine.Client, table string, key store.Key, doc []byte) {
	b.Helper()
	var text bytes.Buffer
	w, err := flate.NewWriter(&text, flate.DefaultCompression)
	if err != nil {
		b.Fatal(err)
	}
	_, err = w.Write(doc)
	if err := errors.Join(err, w.Close()); err != nil {
		b.Fatal(err)
	}
	item := map[string]any{
		"pk": engineText(key.Partition), "sk": engineText(key.Sort), "z": map[string][]byte{"B": text.Bytes()},
		"v": map[string]string{"N": "1"}, "w": engineText("bench"),
	}
	putBatch(b, tables, table, []any{map[string]any{"PutRequest": map[string]any{"Item": item}}})
}

// sumsOf returns the document of the sums of a day's lines.
func sumsOf(b *testing.B, owner string, day time.Time) []byte {
	b.Helper()
	docs, now := memory.NewStore(), time.Now()
	linesOf(b, owner, day, func(r store.Record) {
		if err := docs.Save(b.Context(), now, r); err != nil {
			b.Fatal(err)
		}
	})
	days := listing.Days{Store: docs, Now: time.Now}
	read, err := days.Read(b.Context(), []string{owner}, []time.Time{day})
	if err == nil {
		_, err = days.SumUp(b.Context(), &read[0])
	}
	if err != nil {
		b.Fatal(err)
	}
	record, err := store.GetOne(b.Context(), docs, now, store.SumsKey(owner, day))
	if err != nil || record.Version == 0 {
		b.Fatalf("the sums are not stored: %v", err)
	}
	return record.Doc
}
