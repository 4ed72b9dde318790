package callback

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

const (
	hook   = "https://pens.example/hook"
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
)

var began = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)

// shop is the outbox of a shop, with a clock, a store, a queue and a server that do what a test says.
type shop struct {
	Outbox
	t      *testing.T
	docs   *memory.Store
	now    time.Time
	log    bytes.Buffer
	script *storetest.Scripted // before the docs
	queued []string            // messages
	full   error               // of the queue
	server server
}

func newShop(t *testing.T, change ...func(m *settings.Merchant)) *shop {
	w := &shop{t: t, docs: memory.NewStore(), now: began}
	w.server, w.script = server{shop: w, status: 200}, &storetest.Scripted{Store: w.docs}
	w.Outbox = w.process()
	m := settings.Merchant{ID: "pens", NotificationURL: hook, TestNotificationURL: hook + "/test", Password: "password",
		CallbackSecret: secret}
	for _, change := range change {
		change(&m)
	}
	w.save(store.Encode(store.SettingsKey("pens"), 0, m))
	w.save(store.Encode(store.SettingsKey("bare"), 0, settings.Merchant{ID: "bare", CallbackSecret: secret}))
	return w
}

// process is an outbox that shares nothing with others but the store, the queue and the server.
func (w *shop) process() Outbox {
	return Outbox{
		Meter: metric.Meter{Now: func() time.Time { return w.now }, Log: slog.New(slog.NewTextHandler(&w.log, nil))},
		Store: w.script, Queue: queue{w}, Sender: &w.server, Breakers: &BreakerCache{},
		Accounts: settings.Accounts{Store: w.script, Cache: &settings.AccountCache{}},
		Release:  func(context.Context, time.Time, *Callback) (bool, error) { return true, nil },
	}
}

// save stores a document in place of the one that is stored.
func (w *shop) save(r store.Record) {
	w.t.Helper()
	stored, err := store.GetOne(w.t.Context(), w.docs, w.now, r.Key)
	if r.Version = stored.Version; err == nil {
		err = w.docs.Save(w.t.Context(), w.now, r)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func paymentID(order int) string {
	return store.NewPaymentID(store.OrderHash("live/pens", strconv.Itoa(order)), began, []byte{0, 0, 0, 1})
}

// add stores callbacks of an order's payment. What they leave out is that of an event of this moment.
func (w *shop) add(order int, callbacks ...Callback) (id string) {
	w.t.Helper()
	id = paymentID(order)
	for i, c := range callbacks {
		c.PaymentID, c.Seq, c.Merchant, c.State = id, i+1, cmp.Or(c.Merchant, "pens"), cmp.Or(c.State, Waiting)
		c.Fields = append(Fields{{Name: "id", Value: id}}, c.Fields...)
		c.CreatedAt, c.NextAt = cmp.Or(c.CreatedAt, w.now), cmp.Or(c.NextAt, w.now)
		w.save(c.Record(cmp.Or(c.dueAt, c.Due(w.now))))
	}
	return id
}

// all returns the callbacks of a payment in their order, and how they are stored.
func (w *shop) all(id string) (all []Callback, states string) {
	w.t.Helper()
	found, err := Outbox{Store: w.docs, Meter: w.Meter}.callbacksOf(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	texts := make([]string, len(found))
	for i, c := range found {
		if texts[i] = string(c.State); c.State == Waiting {
			texts[i] += fmt.Sprint(" ", c.NextAt.Sub(w.now))
		}
		if kind := c.Record(w.now).DueKind; kind != "" {
			texts[i] += fmt.Sprintf(" (%s %s)", kind, c.dueAt.Sub(w.now))
		}
		all = append(all, *c)
	}
	return all, strings.Join(texts, ", ")
}

// queue notes messages as "number, queue, delay".
type queue struct{ *shop }

func (q queue) SendCallback(_ context.Context, m Message, delay time.Duration) error {
	text := strconv.Itoa(m.Seq)
	if m.Slow {
		text += " slow"
	}
	if m.Test {
		text += " test"
	}
	if m.Single {
		text += " single"
	}
	q.queued = append(q.queued, text+" "+delay.String())
	return q.full
}

func (q queue) SendCallbacks(context.Context, []Message) (refused int, err error) { return 0, nil }

// server is the shop's: it responds with a status or an error, after a time.
type server struct {
	*shop
	status int
	err    error
	takes  time.Duration
	body   string
	during func() // what happens meanwhile

	posted  []Outgoing
	numbers []string // of the callbacks that were posted
	causes  []string
}

func (s *server) Send(ctx context.Context, out Outgoing) (int, error) {
	id := out.Header["webhook-id"]
	s.posted, s.causes = append(s.posted, out), append(s.causes, fault.RequestID(ctx))
	s.numbers = append(s.numbers, id[strings.LastIndex(id, "_")+1:])
	if during := s.during; during != nil {
		s.during = nil
		during()
	}
	if s.now = s.now.Add(s.takes); s.takes >= SlowAfter && out.Slow != nil {
		out.Slow()
	}
	if s.err == nil && !IsTaken(s.status) {
		out.Refused([]byte(s.body))
	}
	return s.status, s.err
}
