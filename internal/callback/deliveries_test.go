package callback

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/golden"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The payment whose callbacks are delivered, and its merchant's address.
var (
	happened = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	aPayment = store.NewPaymentID(store.OrderHash("live/shop", "1"), happened, make([]byte, 4))
	owner    = request.Owner{Merchant: "shop"}
)

const address = "https://shop.example"

// world is an outbox, and what it has done.
type world struct {
	Outbox
	t        *testing.T
	now      time.Time
	response response
	done     []string
	withheld bool
}

// response is what the merchant's server responds with, after some time.
type response struct {
	name   string
	status int
	err    error
	after  time.Duration
}

// Send implements Sender.
func (w *world) Send(_ context.Context, out Outgoing) (int, error) {
	w.done = append(w.done, fmt.Sprintf("post %s to %s", out.Header["webhook-id"], out.URL))
	w.now = w.now.Add(w.response.after)
	if out.Slow != nil && w.response.after >= SlowAfter {
		out.Slow()
	}
	if out.Refused != nil && !IsTaken(w.response.status) && w.response.err == nil {
		out.Refused([]byte("it failed"))
	}
	return w.response.status, w.response.err
}

// SendCallback implements Queue.
func (w *world) SendCallback(_ context.Context, m Message, delay time.Duration) error {
	text := fmt.Sprintf("message of %d in %s", m.Seq, delay)
	if m.Slow {
		text += " slow"
	}
	if m.Test {
		text += " test"
	}
	w.done = append(w.done, text)
	return nil
}

// SendCallbacks implements Queue.
func (*world) SendCallbacks(context.Context, []Message) (refused int, err error) { return 0, nil }

// newWorld makes an outbox at a time, with documents.
func newWorld(t *testing.T, now time.Time, responds response, records ...store.Record) *world {
	t.Helper()
	w := &world{t: t, now: now, response: responds}
	w.Outbox = Outbox{Store: memory.NewStore(), Queue: w, Sender: w, Breakers: &BreakerCache{}}
	w.Meter = metric.Meter{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now }}
	w.Accounts = settings.Accounts{Store: w.Store, Cache: &settings.AccountCache{}}
	w.Release = func(context.Context, time.Time, *Callback) (bool, error) { return !w.withheld, nil }
	m := settings.Merchant{ID: "shop", NotificationURL: address, TestNotificationURL: address + "/test",
		CallbackSecret: "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ=="}
	all := append(records, store.Encode(store.SettingsKey("shop"), 0, m))
	if err := w.Store.Save(t.Context(), now, all...); err != nil {
		t.Fatal(err)
	}
	return w
}

// documents returns the members of the payment's callbacks, and of the address.
func (w *world) documents() map[string]map[string]string {
	w.t.Helper()
	all := map[string]map[string]string{}
	query, err := store.CallbacksOf(aPayment)
	if err != nil {
		w.t.Fatal(err)
	}
	records, err := w.Store.List(w.t.Context(), w.now, query)
	if err != nil {
		w.t.Fatal(err)
	}
	breaker, err := store.GetOne(w.t.Context(), w.Store, w.now, store.BreakerKey(BreakerAddress(owner, address)))
	if err != nil {
		w.t.Fatal(err)
	}
	if breaker.Version > 0 {
		all["address"] = golden.Members(json.RawMessage(breaker.Doc))
		all["address"]["expires"] = breaker.ExpiresAt.Format(time.RFC3339Nano)
	}
	for _, r := range records {
		var c Callback
		if err := r.Decode(&c); err != nil {
			w.t.Fatal(err)
		}
		name := fmt.Sprint("callback ", c.Seq)
		all[name] = map[string]string{"state": string(c.State), "next at": c.NextAt.Format(time.RFC3339Nano),
			"tries": fmt.Sprint(len(c.Tries))}
		if !r.DueAt.IsZero() {
			all[name]["due"] = string(r.DueKind) + " " + r.DueAt.Format(time.RFC3339Nano)
		}
		if len(c.Tries) > 0 {
			try := c.Tries[len(c.Tries)-1]
			all[name]["last try"] = fmt.Sprintf("%s %d %q %q, %d ms",
				try.At.Format(time.RFC3339Nano), try.Status, try.Error, try.Response, try.Millis)
		}
	}
	return all
}

// told tells what has happened since.
func (w *world) told(before map[string]map[string]string, err error) string {
	var all strings.Builder
	if err != nil {
		fmt.Fprintf(&all, " error (%v)", err)
	}
	for _, line := range w.done {
		all.WriteString(" " + line + ",")
	}
	after := w.documents()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if changed := golden.Differences(before[name], after[name]); changed != "" {
			all.WriteString("\n    " + name + strings.ReplaceAll(changed, "\n    ", "; "))
		}
	}
	return golden.Since(happened, strings.ReplaceAll(all.String(), aPayment, "payment"))
}

// waiting makes the callbacks of the payment, each after so many tries and until so long after it was stored.
func waiting(callbacks ...Callback) (all []store.Record) {
	for i, c := range callbacks {
		c.PaymentID, c.Seq, c.Merchant, c.CreatedAt = aPayment, i+1, owner.Merchant, happened
		c.ID, c.Fields = WebhookID(aPayment, c.Seq), Fields{{Name: "id", Value: aPayment}}
		if c.State == "" {
			c.State = Waiting
		}
		if c.NextAt.IsZero() {
			c.NextAt = happened
		}
		all = append(all, c.Record(c.NextAt.Add(callbackGrace)))
	}
	return all
}

func tried(times int) Callback {
	c := Callback{}
	for i := range times {
		c.Tries = append(c.Tries, Try{At: happened.Add(time.Duration(i-times) * time.Minute), Status: 500})
	}
	return c
}

func waitsUntil(c Callback, next time.Duration) Callback {
	c.NextAt = happened.Add(next)
	return c
}

func in(c Callback, state State) Callback {
	c.State = state
	return c
}

// known is what is known of the address.
func known(b breaker) []store.Record {
	r := store.Encode(store.BreakerKey(BreakerAddress(owner, address)), 0, b)
	r.ExpiresAt = happened.Add(time.Hour)
	return []store.Record{r}
}

var (
	fast      = breaker{FastUntil: happened.Add(fastFor)}
	responses = []response{
		{"200", http.StatusOK, nil, 0},
		{"204 after 3 s", http.StatusNoContent, nil, 3 * time.Second},
		{"302", http.StatusFound, nil, 0},
		{"500", http.StatusInternalServerError, nil, 0},
		{"no response", 0, ErrTimeout, 10 * time.Second},
		{"refused", 0, errors.New("connection refused"), 0},
	}
)

// What a message of a callback leads to, by where the payment's callbacks stand and by what the merchant's server
// responds: testdata/deliveries.golden.
func TestDeliveries(t *testing.T) {
	table := golden.Table{}
	for _, at := range []struct {
		name    string
		stored  [][]store.Record
		message Message
		all     bool // every response; else it is 200
		change  func(*world)
	}{
		{name: "the first try", stored: [][]store.Record{waiting(tried(0)), known(fast)}, all: true},
		{name: "the third try", stored: [][]store.Record{waiting(tried(2)), known(fast)}, all: true},
		{name: "the fourth try", stored: [][]store.Record{waiting(tried(3)), known(fast)}, all: true},
		{name: "the last try", stored: [][]store.Record{waiting(tried(8)), known(fast)}, all: true},
		{name: "three wait", stored: [][]store.Record{waiting(tried(0), tried(0), tried(0)), known(fast)}, all: true},
		{name: "of the second, the first was delivered", message: Message{Seq: 2}, all: true,
			stored: [][]store.Record{waiting(in(tried(1), Delivered), tried(0)), known(fast)}},
		{name: "of the second, the first waits for a try", message: Message{Seq: 2},
			stored: [][]store.Record{waiting(waitsUntil(tried(1), time.Minute), tried(0)), known(fast)}},
		{name: "of the second, the first is being sent", message: Message{Seq: 2},
			stored: [][]store.Record{waiting(waitsUntil(tried(0), leaseTTL), tried(0)), known(fast)}},
		{name: "of the second, which is delivered", message: Message{Seq: 2},
			stored: [][]store.Record{waiting(waitsUntil(tried(0), time.Hour), in(tried(1), Delivered)), known(fast)}},
		{name: "of none", message: Message{Seq: 3}, stored: [][]store.Record{waiting(in(tried(1), Parked))}},
		{name: "it is due in 5 s", stored: [][]store.Record{waiting(waitsUntil(tried(1), clocksDiffer)), known(fast)}},
		{name: "it is due in 6 s", stored: [][]store.Record{waiting(waitsUntil(tried(1), clocksDiffer+1)), known(fast)}},
		{name: "it is withheld", stored: [][]store.Record{waiting(tried(0)), known(fast)},
			change: func(w *world) { w.withheld = true }},
		{name: "it was sent again by an operator", stored: [][]store.Record{
			waiting(Callback{SentAgainAt: happened, ScheduleFrom: 0}), known(fast)}},
		{name: "with the test key", message: Message{Test: true}, all: true,
			stored: [][]store.Record{waiting(Callback{Owner: request.Owner{Test: true}})}},
		{name: "nothing is known of the address", stored: [][]store.Record{waiting(tried(0))}, all: true},
		{name: "another finds out about the address", stored: [][]store.Record{waiting(tried(0)),
			known(breaker{ProbeUntil: happened.Add(1)})}},
		{name: "the address is slow", stored: [][]store.Record{waiting(tried(0)),
			known(breaker{SlowUntil: happened.Add(time.Minute)})}},
		{name: "the address is slow, through the slow queue", message: Message{Slow: true}, all: true,
			stored: [][]store.Record{waiting(tried(0)), known(breaker{SlowUntil: happened.Add(time.Minute)})}},
		{name: "four timeouts", all: true, stored: [][]store.Record{waiting(tried(0)), known(breaker{
			FastUntil: happened.Add(fastFor), Timeouts: slices.Repeat([]time.Time{happened}, 4)})}},
		{name: "four timeouts, one of them too old", all: true, stored: [][]store.Record{waiting(tried(0)), known(breaker{
			FastUntil: happened.Add(fastFor), Timeouts: append(slices.Repeat([]time.Time{happened}, 3),
				happened.Add(-timeoutsWithin))})}},
		{name: "the circuit breaker is open", stored: [][]store.Record{waiting(tried(0)),
			known(breaker{OpenUntil: happened.Add(7 * time.Minute)})}},
		{name: "50 are being sent to the address", stored: [][]store.Record{waiting(tried(0)), known(fast)},
			change: func(w *world) {
				for range crowded {
					w.Breakers.running.Take(BreakerAddress(owner, address), crowded)
				}
			}},
	} {
		table.Begin(at.name)
		for _, r := range responses {
			if !at.all && r.status != http.StatusOK {
				continue
			}
			w := newWorld(t, happened, r, slices.Concat(at.stored...)...)
			if at.change != nil {
				at.change(w)
			}
			before := w.documents()
			message := at.message
			message.PaymentID, message.Seq = aPayment, max(message.Seq, 1)
			table.Add(r.name, w.told(before, w.Deliver(t.Context(), message)))
		}
	}
	golden.Compare(t, "testdata/deliveries.golden", table.Text(), *update)
}
