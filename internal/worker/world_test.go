package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/golden"
	"checkout/internal/money"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// bank is a provider that has one reply to every request, and one to every look-up.
type bank struct {
	name           string
	sent, lookedUp reply
	of             *world
}

// reply is what a provider responds.
type reply struct {
	result    connector.Result
	err       error
	takes     time.Duration
	meanwhile func(*world) error // nil for nothing
}

func (b bank) ask(what string, r connector.ProviderRequest, with reply) (connector.Result, error) {
	request := fmt.Sprintf("%s the %s %s of %s at %s", what, r.Kind, r.Reference, r.Amount, b.name)
	b.of.requests = append(b.of.requests, request)
	b.of.now = b.of.now.Add(with.takes)
	if with.meanwhile != nil {
		if err := with.meanwhile(b.of); err != nil {
			b.of.t.Error(err)
		}
	}
	return with.result, with.err
}

func (b bank) Charge(_ context.Context, c connector.Charge) (connector.Result, error) {
	result, err := b.ask("send", c.ProviderRequest, b.sent)
	request := &b.of.requests[len(b.of.requests)-1]
	if !reflect.ValueOf(c.Card).IsZero() {
		*request += fmt.Sprintf(" with %+v of %q", c.Card, c.CardName)
	}
	if c.Wallet != nil {
		*request += fmt.Sprintf(" with %+v", *c.Wallet)
	}
	return result, err
}

func (b bank) Capture(_ context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.ask("send", r, b.sent)
}

func (b bank) Void(_ context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.ask("send", r, b.sent)
}

func (b bank) Refund(_ context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.ask("send", r, b.sent)
}

func (b bank) Cancel(_ context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.ask("end", r, b.sent)
}

func (b bank) Continue(_ context.Context, c connector.Charge) (connector.Result, error) {
	return b.ask("continue", c.ProviderRequest, b.sent)
}

// HandleNotification implements connector.NotificationHandler.
func (b bank) HandleNotification(context.Context, connector.Notification) (connector.Notice, error) {
	return b.of.notice, b.of.unread
}

func (b bank) QueryStatus(_ context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.ask("look up", r, b.lookedUp)
}

// outbox notes messages as texts.
type outbox struct{ messages []string }

func (o *outbox) SendJob(_ context.Context, m payment.JobMessage, delay time.Duration) error {
	text := fmt.Sprintf("job %s in %s", m.Reference, delay)
	if m.Slow {
		text += " slow"
	}
	if m.LookUp {
		text += " to look up"
	}
	if m.Test {
		text += " of a test"
	}
	if m.Cause != "" {
		text += " because of " + m.Cause
	}
	o.messages = append(o.messages, text)
	return nil
}

func (o *outbox) SendCallback(_ context.Context, m callback.Message, delay time.Duration) error {
	o.messages = append(o.messages, fmt.Sprintf("callback %d in %s", m.Seq, delay))
	return nil
}

func (o *outbox) SendCallbacks(context.Context, []callback.Message) (refused int, err error) {
	return 0, nil
}

// counter is a log that notes what is counted, but for payments and the time that providers take.
type counter struct {
	slog.Handler
	of *world
}

func (counter) Enabled(context.Context, slog.Level) bool { return true }

func (c counter) Handle(_ context.Context, r slog.Record) error {
	counted, mode := "", " of a test"
	r.Attrs(func(a slog.Attr) bool {
		if a.Value.Kind() == slog.KindInt64 && a.Key != "provider_time" {
			counted += " " + a.Key
		}
		if a.Key == "_aws" {
			mode = ""
		}
		return true
	})
	if counted != "" && !strings.HasPrefix(counted, " payments") {
		c.of.counted = append(c.of.counted, "count"+counted+mode)
	}
	return nil
}

// The time and the payment of a run.
var (
	storedAt = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	chargeID = store.NewPaymentID(store.OrderHash("live/shop", "1"), storedAt, make([]byte, 4))
)

// amountOf returns an amount such as "3.00 USD", zero for "".
func amountOf(text string) money.Amount {
	number, code, found := strings.Cut(text, " ")
	if !found {
		return money.Amount{}
	}
	currency, _ := money.Find(code)
	amount, err := money.Parse(number, currency)
	if err != nil {
		panic(err)
	}
	return amount
}

// world is a worker with a merchant, whose provider has one reply, and what it has done.
type world struct {
	*Runner
	notices  *Notices
	t        *testing.T
	outbox   *outbox
	docs     *memory.Store
	now      time.Time
	requests []string
	counted  []string
	before   map[string]map[string]string // members of the documents, by what they are
	notice   connector.Notice             // what a notice says, or why it can't be read
	unread   error
}

// shop is a merchant with two MIDs and a schedule.
func shop() settings.Merchant {
	return settings.Merchant{ID: "shop", LiveKey: "key", NotificationURL: "https://shop",
		Mappings: []settings.Mapping{{Name: "all", MIDs: []settings.MID{
			{Name: "one", Connector: "bank"}, {Name: "two", Connector: "other"}, {Name: "three", Connector: "blind"},
		}}},
		Schedules: []settings.Schedule{{ID: "monthly", PaymentsCount: 3,
			Interval: settings.Interval{IntervalUnit: settings.UnitMonth, IntervalLength: 1}}},
	}
}

// newWorld starts a worker at a time, with documents of the order.
func newWorld(t *testing.T, with reply, now time.Time, records ...store.Record) *world {
	t.Helper()
	w := &world{t: t, outbox: &outbox{}, docs: memory.NewStore(), now: now}
	core := &checkout.Core{Store: w.docs, Log: slog.New(counter{slog.DiscardHandler, w}),
		Now: func() time.Time { return w.now }, Random: func(n int) []byte { return slices.Repeat([]byte{7}, n) },
		Declarations: settings.Declarations{"bank": {Cancel: true, Recurring: true}, "other": {}}}
	connectors := map[string]connector.Connector{
		"bank":  bank{"one", with, with, w},
		"blind": blind{bank{"three", with, with, w}},
		"other": bank{"two", reply{result: connector.Result{Outcome: connector.OutcomeApproved}}, with, w},
	}
	w.Runner = NewRunner(core, w.outbox, NewProviders(connectors, "https://pay"), Openers{})
	w.notices = NewNotices(core, w.outbox, connectors)
	if !slices.ContainsFunc(records, func(r store.Record) bool { return r.Key == store.SettingsKey("shop") }) {
		records = append(records, store.Encode(store.SettingsKey("shop"), 0, shop()))
	}
	if err := core.Store.Save(t.Context(), now, records...); err != nil {
		t.Fatal(err)
	}
	w.before = w.documents()
	return w
}

// documents returns the members of the payments, chains and callbacks of the order, and of the circuit breakers, and
// the sealed cards and used tokens.
func (w *world) documents() map[string]map[string]string {
	w.t.Helper()
	all := map[string]map[string]string{}
	circuits, err := store.GetOne(w.t.Context(), w.core.Store, w.core.Now(), store.CircuitsKey("live/shop"))
	if err != nil {
		w.t.Fatal(err)
	}
	if circuits.Version > 0 {
		all["circuits"] = golden.Members(json.RawMessage(circuits.Doc))
	}
	for _, r := range w.docs.Dump() {
		if kind, _, _ := strings.Cut(r.Key.Partition, "/"); kind == "wallet" || r.Key.Sort == "card" {
			until := r.ExpiresAt.Format(time.RFC3339)
			all[r.Key.Partition] = map[string]string{r.Key.Sort: string(r.Doc) + " until " + until}
		}
	}
	for _, number := range []string{"1", "1-2"} { // the second one is that of a scheduled payment
		partition := store.OrderPartition(store.OrderHash("live/shop", number))
		for _, kind := range []string{"callback/", "chain/", "o/"} {
			query := store.Query{Partition: partition, Prefix: kind, Limit: 10}
			records, err := w.core.Store.List(w.t.Context(), w.core.Now(), query)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, r := range records {
				all[number+" "+r.Key.Sort] = w.members(number, r)
			}
		}
	}
	return all
}

// members returns the members of a document: of a callback what the merchant is told, of what is new all of it, and of
// any other those that say where it stands.
func (w *world) members(number string, r store.Record) map[string]string {
	w.t.Helper()
	isNew := w.before != nil && w.before[number+" "+r.Key.Sort] == nil
	if strings.HasPrefix(r.Key.Sort, "callback/") {
		var c struct {
			State  string
			Fields struct {
				Type, Status, Reason string
				OrderStatus          string `json:"order_status"`
				Code                 string `json:"reason_code"`
			}
		}
		if err := json.Unmarshal(r.Doc, &c); err != nil {
			w.t.Fatal(err)
		}
		f := c.Fields
		return map[string]string{"callback": fmt.Sprintf("%s %s, %s, %q %s, %s",
			f.Type, f.Status, f.OrderStatus, f.Reason, f.Code, c.State)}
	}
	if isNew {
		return map[string]string{"new": string(r.Doc)}
	}
	all := golden.Members(json.RawMessage(r.Doc))
	maps.DeleteFunc(all, func(name, _ string) bool {
		return name == "changed_at" || name == "callbacks" || strings.HasPrefix(name, "moves")
	})
	if !r.DueAt.IsZero() {
		all["due"] = string(r.DueKind) + " " + r.DueAt.Format(time.RFC3339)
	}
	return all
}

// ago does something at an earlier time.
func (w *world) ago(before time.Duration, do func()) {
	now := w.now
	w.now = now.Add(-before)
	do()
	w.now = now
}

// told tells what has happened: requests to providers, messages, and what has changed in the documents of the order.
func (w *world) told(err error) string {
	w.t.Helper()
	var all strings.Builder
	if err != nil {
		fmt.Fprintf(&all, " error (%v)", err)
	}
	for _, line := range slices.Concat(w.requests, w.counted, w.outbox.messages) {
		all.WriteString(" " + line + ",")
	}
	after := w.documents()
	for name := range w.before {
		if after[name] == nil {
			after[name] = map[string]string{} // it was deleted
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		all.WriteString(golden.Differences(w.before[name], after[name]))
	}
	return golden.Since(storedAt, strings.ReplaceAll(all.String(), chargeID, "payment"))
}
