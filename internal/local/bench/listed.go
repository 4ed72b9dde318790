package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/visitor"
)

// listed measures how long after a payment's decision operators see it in the listing. Its cloud has streams, unlike
// that of the other tables.
func (s *stage) listed(ctx context.Context, w io.Writer) error {
	service, err := cloud.Start(ctx, cloud.Config{
		Root: s.options.Root, StackName: filepath.Base(s.folder) + "listed", Engines: s.engines, NoSchedule: true,
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
	})
	if err != nil {
		return err
	}
	defer service.Close()
	v, err := visitor.Start(ctx, service, s.options.Root)
	if err != nil {
		return err
	}
	defer v.Close()
	watching, stop := context.WithCancel(ctx)
	defer stop()
	seen := make(chan time.Duration, s.options.Payments)
	failed := make(chan error, 1)
	go func() { failed <- watchRows(watching, s.engines.Tables(), service.TableName("Listing"), seen) }()
	var times timed
	for range s.options.Payments {
		if _, err := v.Checkout(ctx); err != nil {
			return fmt.Errorf("pay: %w", err)
		}
		select { // the next one begins when the index has nothing to do
		case took := <-seen:
			times = append(times, took)
		case err := <-failed:
			return err
		case <-time.After(time.Minute):
			return errors.New("a payment is not listed within a minute")
		}
	}
	slices.Sort(times)
	title(w, "From a payment's decision to its row in the listing", "p50 ms", "p95 ms", "most ms")
	fmt.Fprintf(w, "%d payments\t%s\t%s\t%s\n", len(times), ms(times.percentile(50)), ms(times.percentile(95)),
		ms(times[len(times)-1]))
	return nil
}

// watchRows looks at the rows of a listing again and again until ctx ends. It sends how long after its decision each
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
