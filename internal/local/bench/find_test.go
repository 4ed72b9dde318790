package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

const (
	findable  = 200_000 // payments
	merchants = 15
	findDays  = 10 // on which they were made
)

// BenchmarkFind measures how long it takes to find a payment among many of many merchants, and the first page of a
// list, in one call each.
func BenchmarkFind(b *testing.B) {
	engines := startEngines(b)
	service := open(b, cloud.Config{Root: root, Engines: engines})
	putGrant(b, engines, service, "support")
	day := putPayments(b, engines.Tables(), service.TableName("Listing"), time.Now())
	sample := read(b, "events/adminread/find.json")
	for name, query := range map[string]string{
		"value":           "find?q=order-7",
		"name":            "find?q=Ada%20L7",
		"nothing":         "find?q=nobody%40pens.example",
		"amount of a day": "find?q=13.37%20" + day,
		"amount":          "find?q=13.37",
		"list":            "payments?mode=live",
		"filtered":        "payments?mode=live&card=9999",
	} {
		b.Run(name, func(b *testing.B) {
			path, values, _ := strings.Cut(query, "?")
			event := bytes.ReplaceAll(sample, []byte("/find"), []byte("/"+path))
			event = bytes.ReplaceAll(event, []byte("q=order-2001&mode=test"), []byte(values))
			s := &side{cloud: service, name: "adminread", event: func() []byte { return event }}
			var found struct {
				Rows     []json.RawMessage
				Searched int
				Cursor   string
			}
			result, err := service.Invoke(b.Context(), s.name, event)
			if err != nil || !succeeded(result.Payload) {
				b.Fatalf("%v %s", err, result.Payload)
			}
			if err := json.Unmarshal([]byte(bodyOf(b, result.Payload)), &found); err != nil {
				b.Fatal(err)
			}
			s.times = nil
			for b.Loop() {
				s.call(b, false)
			}
			report(b, percentile(s.times, 50), percentile(s.times, 90))
			b.ReportMetric(float64(len(found.Rows)), "rows")
			b.ReportMetric(float64(found.Searched), "searched")
		})
	}
}

func bodyOf(b *testing.B, payload []byte) string {
	b.Helper()
	var response struct {
		Body            string
		IsBase64Encoded bool
	}
	if err := json.Unmarshal(payload, &response); err != nil {
		b.Fatal(err)
	}
	if !response.IsBase64Encoded { // a small one
		return response.Body
	}
	unzip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(response.Body)))
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

// putPayments puts rows of payments until a time, with find entries of some, into the listing. It returns a day that
// has a tenth of them.
func putPayments(b *testing.B, tables *engine.Client, table string, until time.Time) string {
	b.Helper()
	put, flush := putter(b, tables, table)
	const step = findDays * 24 * time.Hour / findable
	active := map[store.Key]bool{}
	for n := range findable {
		owner, at := fmt.Sprintf("live/m-%02d", n%merchants), until.Add(-time.Duration(n)*step)
		id := store.NewPaymentID(store.OrderHash(owner, fmt.Sprint(n)), at, fmt.Appendf(nil, "%04d", n%10_000))
		row := listing.Row{
			Order: fmt.Sprint("order-", n), Amount: fmt.Sprintf("%d.37", n%1000), Currency: "EUR", Status: "settled",
			Method: "card", MID: "bank", Card: fmt.Sprintf("424242******%04d", n%9999), Email: "ada@pens.example",
			CreatedAt: at, ChangedAt: at,
		}
		key, err := store.RowKey(owner, id)
		if err != nil {
			b.Fatal(err)
		}
		put(store.Encode(key, 0, row))
		if key := store.ActiveKey(owner, at); !active[key] {
			active[key] = true
			put(store.Encode(key, 0, struct{}{}))
		}
		for _, handle := range []string{listing.Handle(row.Order), listing.NameHandle(fmt.Sprintf("Ada L%d", n%1000))} {
			if n >= findable/10 {
				break
			}
			key, err := store.FindKey(handle, owner, id)
			if err != nil {
				b.Fatal(err)
			}
			put(store.Encode(key, 0, struct{}{}))
		}
	}
	flush()
	return until.Add(-5 * 24 * time.Hour).UTC().Format(time.DateOnly)
}

// putter returns a function that puts documents into a table, many at once, and one that puts the last of them.
func putter(b *testing.B, tables *engine.Client, table string) (put func(store.Record), flush func()) {
	var batch []any
	flush = func() {
		putBatch(b, tables, table, batch)
		batch = nil
	}
	return func(r store.Record) {
		item := map[string]any{
			"pk": engineText(r.Key.Partition), "sk": engineText(r.Key.Sort), "doc": engineText(string(r.Doc)),
			"v": map[string]string{"N": "1"}, "w": engineText("bench"),
		}
		batch = append(batch, map[string]any{"PutRequest": map[string]any{"Item": item}})
		if len(batch) == 25 {
			flush()
		}
	}, flush
}

func engineText(text string) map[string]string { return map[string]string{"S": text} }

func putBatch(b *testing.B, tables *engine.Client, table string, batch []any) {
	b.Helper()
	if len(batch) == 0 {
		return
	}
	input := map[string]any{"RequestItems": map[string]any{table: batch}}
	if err := tables.Call(b.Context(), "BatchWriteItem", input, &struct{}{}); err != nil {
		b.Fatal(err)
	}
}
