package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
)

// payments is how many payments BenchmarkListing looks for at least.
const payments = 20

// BenchmarkListing measures the time from a payment's decision to its row in the listing.
func BenchmarkListing(b *testing.B) {
	engines := startEngines(b)
	service := open(b, cloud.Config{Root: root, Engines: engines})
	v := visit(b, service)
	seen, failed := make(chan time.Duration, 1), make(chan error, 1)
	watching, stop := context.WithCancel(b.Context())
	defer stop()
	go func() { failed <- watchRows(watching, engines.Tables(), service.TableName("Listing"), seen) }()
	var times []time.Duration
	for b.Loop() {
		for range payments {
			if _, err := v.Checkout(b.Context()); err != nil {
				b.Fatal(err)
			}
			select { // the next one begins when the index has nothing to do
			case took := <-seen:
				times = append(times, took)
			case err := <-failed:
				b.Fatal(err)
			case <-time.After(time.Minute):
				b.Fatal("a payment is not listed within a minute")
			}
		}
	}
	report(b, percentile(times, 50), percentile(times, 90))
}

// watchRows reads the rows of a listing again and again until ctx ends. It sends how long after its decision each
// payment is there as settled.
func watchRows(ctx context.Context, tables *engine.Client, table string, seen chan<- time.Duration) error {
	known := map[string]bool{}
	for {
		var out struct {
			Items []map[string]struct{ S string }
		}
		scan := map[string]any{"TableName": table, "ConsistentRead": true}
		if err := tables.Call(ctx, "Scan", scan, &out); err != nil {
			return err
		}
		now := time.Now()
		for _, item := range out.Items {
			var row struct {
				Status    string    `json:"status"`
				ChangedAt time.Time `json:"changed_at"`
			}
			id := item["sk"].S
			if !strings.HasPrefix(item["pk"].S, "rows/") || known[id] {
				continue
			}
			if err := json.Unmarshal([]byte(item["doc"].S), &row); err != nil {
				return fmt.Errorf("row %s: %w", id, err)
			}
			if row.Status == "settled" {
				known[id] = true
				seen <- now.Sub(row.ChangedAt)
			}
		}
	}
}
