package e2e

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/settings/change"
	"checkout/internal/store"
)

// visibility is that of the queues: longer than a message's work, and short enough for tests to wait.
const visibility = 2 * time.Second

// site is a local cloud with a merchant, and the recorded output of its functions.
type site struct {
	cloud    *cloud.Cloud
	mixed    bool // functions of an older release are called, too
	shop     *shop
	wire     *wire
	private  private           // parts of wallets' tokens and keys
	operator *change.Merchants // of the table, not recorded

	orders atomic.Int64
	ahead  time.Duration // of the functions' clock
}

// close ends the cloud and deletes its tables: with each that it has, the engine takes longer for every request.
func (s *site) close() {
	s.cloud.Close()
	for _, table := range s.cloud.Template().Tables {
		_ = engines.Tables().Call(context.Background(), "DeleteTable", map[string]any{"TableName": table.Name}, nil)
	}
}

// world is a site in a test.
type world struct {
	*site
	t     *testing.T
	unmet *atomic.Int64 // counts faults that no call has met; nil: each has to be met
}

var clouds atomic.Int64

// newSite starts a cloud of its own on the shared engines.
func newSite(t *testing.T, changes ...func(*cloud.Config)) *site {
	t.Helper()
	s := &site{wire: &wire{}}
	config := cloud.Config{
		Root: root, StackName: fmt.Sprintf("e2e%d", clouds.Add(1)), Visibility: visibility, NoSchedule: true, Slower: 10,
		NoStreams: true, Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
		Engines: &engine.Engines{DynamoDB: s.wire.tap(t, engines.DynamoDB), SQS: s.wire.tap(t, engines.SQS),
			Region: engines.Region},
	}
	if *old != "" {
		config.OldDir = filepath.Join(*old, "bin", "lambda")
	}
	for _, change := range changes {
		change(&config)
	}
	if s.mixed = config.OldDir != ""; s.mixed {
		config.Seed, config.Visibility = *killSeed, 10*visibility // no message comes twice on a busy machine
	}
	var err error
	if s.cloud, err = cloud.Start(context.Background(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	if err := s.cloud.Fire(t.Context(), "sweep"); err != nil { // it makes the keys of the day
		t.Fatal(err)
	}
	s.shop = newShop(t)
	admin := s.cloud.AdminEnv("Table", "SecretsKey")
	s.operator, err = app.OpenMerchants(t.Context(), func(name string) string {
		if name == "AWS_ENDPOINT_URL_DYNAMODB" {
			return engines.DynamoDB // not recorded: requests of the operator may contain secrets
		}
		return admin(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.operator.Save(t.Context(), s.shop.merchant); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	if _, err := app.LoadMerchants(t.Context(), s.operator, text, s.cloud.BaseURL()); err != nil {
		t.Fatal(err)
	}
	return s
}

// streams has payments listed, and acts of operators copied.
func streams(c *cloud.Config) { c.NoStreams = false }

func open(t *testing.T, changes ...func(*cloud.Config)) *world {
	t.Helper()
	w := &world{site: newSite(t, changes...), t: t}
	t.Cleanup(func() {
		if w.mixed {
			w.unnoticed()
		}
		if t.Failed() {
			w.showLogs()
		}
	})
	return w
}

func (w *world) showLogs() {
	for function, lines := range w.cloud.AllLogs() {
		w.t.Logf("%s:\n%s", function, lines[max(0, len(lines)-3000):])
	}
}

// call makes a request and returns the status and the body.
func (w *world) call(method, path string, body any) (int, []byte) {
	w.t.Helper()
	code, reply, err := w.try(method, path, body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return code, reply
}

// try is call for goroutines, which may not end the test.
func (w *world) try(method, path string, body any) (int, []byte, error) {
	return w.service().Call(w.t.Context(), client.Request{Method: method, Path: path, Body: body})
}

func (w *world) service() client.Service {
	return client.Service{URL: w.cloud.BaseURL(), HTTP: http.DefaultClient}
}

// until waits until happened returns true. It asks less and less often.
func (w *world) until(what string, happened func() bool) {
	w.t.Helper()
	pause := 10 * time.Millisecond
	for end := time.Now().Add(5 * time.Minute); !happened(); pause = min(pause*3/2, 250*time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited in vain until %s", what)
		}
		time.Sleep(pause)
	}
}

// rest waits until no message waits.
func (w *world) rest() {
	w.t.Helper()
	w.until("the queues are empty", func() bool { return w.waiting() == cloud.Depth{} })
}

func (w *world) waiting() cloud.Depth {
	w.t.Helper()
	depth, err := w.cloud.Waiting(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return depth
}

func (w *world) depth(queue string) cloud.Depth {
	w.t.Helper()
	depth, err := w.cloud.QueueDepth(w.t.Context(), queue)
	if err != nil {
		w.t.Fatal(err)
	}
	return depth
}

// settle waits until nothing is left to do: when the queues are empty and documents are due later, it sets the
// functions' clock to the last of these times and calls the sweep.
func (w *world) settle() {
	w.t.Helper()
	for range 12 {
		w.rest()
		last := time.Time{}
		for _, item := range w.items() {
			if item.due.After(last) {
				last = item.due
			}
		}
		if last.IsZero() {
			return
		}
		w.setClock(last.Add(time.Second))
		w.sweep()
	}
	w.t.Fatal("documents stay due, however often the sweep is called")
}

// sweep calls the sweep as its schedule does.
func (w *world) sweep() {
	w.t.Helper()
	if err := w.cloud.Fire(w.t.Context(), "sweep"); err != nil {
		w.t.Fatal(err)
	}
}

// setClock moves the functions' clock forward to a time.
func (w *world) setClock(to time.Time) {
	w.ahead = max(w.ahead, time.Until(to).Round(time.Millisecond))
	w.cloud.Restart("CLOCK_OFFSET", w.ahead.String())
}

// item is a document in a table.
type item struct {
	pk, sk, doc string
	ttl         string    // "" without one
	due         time.Time // zero if it is not due
}

// attribute is a value of an item.
type attribute struct {
	S, N string
	B    []byte
}

// items reads the whole main table.
func (w *world) items() []item {
	w.t.Helper()
	return w.itemsOf("Table")
}

// vaulted reads the items of the vault table of one kind, "card" or "key".
func (w *world) vaulted(what string) []item {
	w.t.Helper()
	return slices.DeleteFunc(w.itemsOf("VaultTable"),
		func(one item) bool { return !strings.HasPrefix(one.pk, "vault/"+what+"/") })
}

// itemsOf reads the table with a logical id.
func (w *world) itemsOf(table string) []item {
	w.t.Helper()
	var all []item
	var from map[string]any
	for {
		var out struct {
			Items            []map[string]attribute
			LastEvaluatedKey map[string]any
		}
		ask := map[string]any{"TableName": w.cloud.TableName(table), "ConsistentRead": true}
		if from != nil {
			ask["ExclusiveStartKey"] = from
		}
		if err := engines.Tables().Call(w.t.Context(), "Scan", ask, &out); err != nil {
			w.t.Fatal(err)
		}
		for _, found := range out.Items {
			one := item{pk: found["pk"].S, sk: found["sk"].S, doc: found["doc"].S, ttl: found["ttl"].N}
			if len(found["z"].B) > 0 {
				doc, err := io.ReadAll(flate.NewReader(bytes.NewReader(found["z"].B)))
				if err != nil {
					w.t.Fatal(err)
				}
				one.doc = string(doc)
			}
			kind := store.ShardKind(found["due_shard"].S)
			if ms := found["due_at"].N; ms != "" && kind != store.DueParked && kind != store.DuePerson {
				at, err := json.Number(ms).Int64()
				if err != nil {
					w.t.Fatal(err)
				}
				one.due = time.UnixMilli(at)
			}
			all = append(all, one)
		}
		if from = out.LastEvaluatedKey; len(from) == 0 {
			return all
		}
	}
}

// ledger has the references that the sandbox charged, by the public part of the session's id.
func (w *world) ledger() map[string][]string {
	w.t.Helper()
	ledger := map[string][]string{}
	for _, one := range w.items() {
		reference, found := strings.CutPrefix(one.pk, "sandbox/")
		if !found || strings.HasSuffix(reference, "/lost") {
			continue
		}
		var entry struct {
			Session string `json:"session_id"`
			Charges int    `json:"charges"`
		}
		if err := json.Unmarshal([]byte(one.doc), &entry); err != nil {
			w.t.Fatal(err)
		}
		if entry.Charges != 1 {
			w.t.Errorf("%s was charged %d times", reference, entry.Charges)
		}
		ledger[entry.Session] = append(ledger[entry.Session], reference)
	}
	return ledger
}
