package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// made has what an indexer makes of the orders alone, as itemsOf reads it.
type made map[store.Key]store.Record

func (m made) Get(_ context.Context, _ time.Time, keys ...store.Key) ([]store.Record, error) {
	records := make([]store.Record, len(keys))
	for i, key := range keys {
		records[i] = m[key]
		records[i].Key = key
	}
	return records, nil
}

func (m made) Save(_ context.Context, _ time.Time, records ...store.Record) error {
	for _, r := range records {
		if r.Version++; r.Delete {
			delete(m, r.Key)
			continue
		}
		m[r.Key] = r
	}
	return nil
}

// listed has the documents of the table Listing by their keys.
func (w *world) listed() map[string]string {
	w.t.Helper()
	documents := map[string]string{}
	for _, one := range w.itemsOf("Listing") {
		documents[one.pk+" "+one.sk] = one.doc
	}
	return documents
}

// listable has what should be in the table Listing: what is made of all orders anew.
func (w *world) listable() map[string]string {
	w.t.Helper()
	admin := w.cloud.AdminEnv("Table", "SecretsKey")
	orders, err := app.OpenTable(w.t.Context(), admin)
	if err != nil {
		w.t.Fatal(err)
	}
	var partitions []string
	for _, one := range w.items() {
		if strings.HasPrefix(one.pk, "order/") {
			partitions = append(partitions, one.pk)
		}
	}
	all, now := made{}, func() time.Time { return time.Now().Add(w.ahead) }
	for _, partition := range slices.Compact(slices.Sorted(slices.Values(partitions))) {
		if _, err := listing.NewIndexer(orders, all, now, time.Hour).Index(w.t.Context(), []string{partition}); err != nil {
			w.t.Fatal(err)
		}
	}
	documents := map[string]string{}
	for key, r := range all {
		documents[key.Partition+" "+key.Sort] = string(r.Doc)
	}
	return documents
}

// untilListed waits until everything is listed as it is.
func (w *world) untilListed() {
	w.t.Helper()
	w.until("the listing is right", func() bool { return maps.Equal(w.listed(), w.listable()) })
}

// What is paid is listed by the stream of the table, without a sweep.
func TestPaymentsAreListed(t *testing.T) {
	t.Parallel()
	w := open(t, streams)
	byOrder := map[string]bool{}
	for _, expiry := range []string{"01/38", "02/38"} {
		v := w.visit()
		v.pays(expiry)
		byOrder["find/"+listing.Handle(v.order)] = true
	}
	w.untilListed()
	rows, found := 0, 0
	for key := range w.listed() {
		if strings.HasPrefix(key, "rows/") {
			rows++
		} else if partition, _, _ := strings.Cut(key, " "); byOrder[partition] {
			found++
		}
	}
	if rows != 2 || found != 2 {
		t.Errorf("%d rows, %d found by their order numbers", rows, found)
	}
	if depth := w.depth("DeadIndex"); depth.Visible != 0 {
		t.Errorf("%d batches were given up", depth.Visible)
	}
	w.leakFree()
}

// The function dies at each of its calls, and the records come again, also long after and in another order.
func TestIndexKilledAtAnyRecord(t *testing.T) {
	t.Parallel()
	w := open(t, streams)
	ways := []endpoint.Action{endpoint.KillBefore, endpoint.KillAfter, endpoint.DropResponse}
	for skip := range 8 {
		end := w.injects(&endpoint.Fault{Function: "index", Skip: skip, Do: ways[skip%len(ways)]}, "index")
		w.visit().pays("01/38")
		w.untilListed()
		end()
	}
	var records []string
	for i, one := range w.items() {
		records = append(records, fmt.Sprintf(`{"dynamodb":{"Keys":{"pk":{"S":%q},"sk":{"S":%q}},"SequenceNumber":"%d"}}`,
			one.pk, one.sk, i))
	}
	records = slices.DeleteFunc(records, func(r string) bool { return !strings.Contains(r, `"order/`) })
	result, err := w.cloud.Invoke(t.Context(), "index", fmt.Appendf(nil, `{"Records":[%s]}`, strings.Join(records, ",")))
	if err != nil || string(result.Payload) != `{"batchItemFailures":[]}` {
		t.Errorf("%s %v", result.Payload, err)
	}
	if !maps.Equal(w.listed(), w.listable()) {
		t.Errorf("listed %v, should be %v", w.listed(), w.listable())
	}
}

// An order that can't be read is given up after some tries, and holds up no other.
func TestAnOrderThatCannotBeListed(t *testing.T) {
	t.Parallel()
	w := open(t, streams)
	key := map[string]any{"pk": map[string]string{"S": "order/broken"}, "sk": map[string]string{"S": "o/broken"}}
	broken := maps.Clone(key)
	broken["z"], broken["v"] = map[string]string{"B": "AAAA"}, map[string]string{"N": "1"}
	table := w.cloud.TableName("Table")
	put := map[string]any{"TableName": table, "Item": broken}
	if err := engines.Tables().Call(t.Context(), "PutItem", put, nil); err != nil {
		t.Fatal(err)
	}
	w.visit().pays("01/38")
	w.until("the records are given up", func() bool { return w.depth("DeadIndex").Visible > 0 })
	if log := w.cloud.Logs("index"); !strings.Contains(log, `"partition":"order/broken"`) {
		t.Errorf("the log does not name the order: %s", log)
	}
	del := map[string]any{"TableName": table, "Key": key}
	if err := engines.Tables().Call(t.Context(), "DeleteItem", del, nil); err != nil {
		t.Fatal(err)
	}
	w.visit().pays("01/38")
	w.untilListed()
	var told struct{ Messages []struct{ Body string } }
	for _, q := range w.cloud.Template().Queues {
		if q.ID == "DeadIndex" {
			ask := map[string]any{"QueueUrl": strings.Replace(q.URL, w.cloud.EndpointURL(), engines.SQS, 1)}
			if err := engines.Queues().Call(t.Context(), "ReceiveMessage", ask, &told); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(told.Messages) != 1 || !strings.Contains(told.Messages[0].Body, `"startSequenceNumber"`) {
		t.Errorf("told %v", told)
	}
}
