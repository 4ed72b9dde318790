package checkout

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

// A change that others come between is made again on what they have stored, but not without an end, and not where only
// one of two may be made. Nothing is stored of one that fails.
func TestChangeMeetsOthers(t *testing.T) {
	var docs *memory.Store
	read := func() (*payment.Payment, *Session) {
		core := &Core{Store: docs}
		p, s, err := core.PaymentAndSession(t.Context(), paidAt, aPayment, aSession)
		if err != nil {
			t.Fatal(err)
		}
		return p, s
	}
	another := func() error { // counts a callback
		p, _ := read()
		p.Callbacks++
		return docs.Save(t.Context(), paidAt, p.Record())
	}
	deletes := func() error {
		p, _ := read()
		r := p.Record()
		r.Delete = true
		return docs.Save(t.Context(), paidAt, r)
	}
	once := store.Encode(store.SettingsVersionKey("shop", 7), 0, "one of two")
	other := func() error { return docs.Save(t.Context(), paidAt, once) }
	together := func(_ *payment.Payment, e *payment.Effects) error { e.Once = &once; return nil }
	failure := errors.New("it fails")
	fails := func() error { return failure }
	refuses := func(*payment.Payment, *payment.Effects) error { return failure }
	const never = 1000
	for _, test := range []struct {
		name   string
		before func() error // each of the first saves
		saves  int
		change func(p *payment.Payment, e *payment.Effects) error
		calls  int // of the change
		want   string
	}{
		{"nobody", nil, 0, nil, 1, "stored"},
		{"another change", another, 1, nil, 2, "stored"},
		{"another change each time but the last", another, store.ConflictTries - 1, nil, store.ConflictTries, "stored"},
		{"another change each time", another, never, nil, store.ConflictTries, store.ErrConflicts.Error()},
		{"a failing store", fails, never, nil, 1, failure.Error()},
		{"a payment that is gone", deletes, 1, nil, 1, "gone"},
		{"another change, where one of two may be made", another, 1, together, 2, "stored"},
		{"the other one of two", other, 1, together, 1, "conflict on 1"},
		{"a change that fails", nil, 0, refuses, 1, failure.Error()},
		{"a change of nothing", nil, 0, func(_ *payment.Payment, e *payment.Effects) error {
			e.Save = false
			return nil
		}, 1, ""},
		{"a move that no job makes", nil, 0, func(p *payment.Payment, _ *payment.Effects) error {
			p.Jobs[0].SentAt = time.Time{}
			return nil
		}, 1, "may not go from"},
	} {
		docs = memory.NewStore()
		p, s := attempt(func(p *payment.Payment, _ *Session) { p.Jobs[0].SentAt = paidAt.Add(-time.Hour) })
		if err := docs.Save(t.Context(), paidAt, p.Record(), s.Record()); err != nil {
			t.Fatal(err)
		}
		saves, calls := 0, 0
		script := &storetest.Scripted{Store: docs, Before: func(request string) error {
			if !strings.HasPrefix(request, "save") || saves == test.saves {
				return nil
			}
			saves++
			return test.before()
		}}
		core := &Core{Store: script, Now: func() time.Time { return paidAt }, Log: slog.New(slog.DiscardHandler)}
		p, s = read()
		stored, _, err := core.Change(t.Context(), Task{Payment: p, Session: s, Reference: aPayment},
			func(task Task, _ time.Time) (payment.Effects, error) {
				calls++
				e := payment.Effects{Save: true}
				task.Payment.PayerIP += "192.0.2.1"
				if test.change == nil {
					return e, nil
				}
				return e, test.change(task.Payment, &e)
			})
		got := map[bool]string{true: "stored"}[stored]
		if err != nil {
			got += err.Error()
		}
		if calls != test.calls || got != test.want && (test.want == "" || !strings.Contains(got, test.want)) {
			t.Errorf("%s: %q after %d calls", test.name, got, calls)
		}
		ip := map[bool]string{true: "192.0.2.1"}[stored]
		if p, _ = read(); p != nil && (p.PayerIP != ip || p.Callbacks != 0 && p.Callbacks != saves) {
			t.Errorf("%s: of %q with %d callbacks of %d", test.name, p.PayerIP, p.Callbacks, saves)
		}
	}
}

// A change stores in one write the payment and what it leads to, and nothing else.
func TestChangeStores(t *testing.T) {
	note := func(number int64) store.Record {
		return store.Encode(store.SettingsVersionKey("notes", number), 0, "note")
	}
	deleted := note(1)
	deleted.Version, deleted.Delete = 1, true
	once, sale := note(2), payment.Event{Type: payment.EventSale, Status: payment.Success}
	saved := &card.Saved{Token: strings.Repeat("a", 64), Owner: fault.Owner{Merchant: "shop"}, CreatedAt: paidAt}
	for _, test := range []struct {
		name     string
		effects  payment.Effects
		merchant string // of the payment
		session  bool
		want     string
	}{
		{"nothing else", payment.Effects{}, "shop", true, "payment"},
		{"the session", payment.Effects{SaveSession: true}, "shop", true, "payment, session"},
		{"the session, without one", payment.Effects{SaveSession: true}, "shop", false, "payment"},
		{"a document", payment.Effects{Records: []store.Record{note(3)}}, "shop", true, "000000000003, payment"},
		{"a document that is there once", payment.Effects{Once: &once}, "shop", true, "000000000002, payment"},
		{"a deletion", payment.Effects{Deleted: []store.Record{deleted}}, "shop", true, "payment, no version/000000000001"},
		{"a saved card", payment.Effects{SavedCard: saved}, "shop", true, "card, payment"},
		{"an event", payment.Effects{Event: &sale}, "shop", true, "callback, payment"},
		{"an event, without a merchant", payment.Effects{Event: &sale}, "", true, "payment"},
		{"no chain to stop", payment.Effects{StopChain: true}, "shop", true, "payment"},
	} {
		docs := memory.NewStore()
		p, s := attempt(func(p *payment.Payment, s *Session) {
			p.Merchant, s.Request.Merchant = test.merchant, test.merchant
		})
		m := settings.Merchant{ID: "shop", NotificationURL: "https://shop", Mappings: []settings.Mapping{{Name: "all"}}}
		err := docs.Save(t.Context(), paidAt, p.Record(), s.Record(), note(1), store.Encode(store.SettingsKey("shop"), 0, m))
		if err != nil {
			t.Fatal(err)
		}
		core := &Core{Store: docs, Now: func() time.Time { return paidAt }}
		if p, s, err = core.PaymentAndSession(t.Context(), paidAt, aPayment, aSession); err != nil {
			t.Fatal(err)
		}
		before := map[store.Key]int64{}
		for _, r := range docs.Dump() {
			before[r.Key] = r.Version
		}
		if !test.session {
			s = nil
		}
		test.effects.Save = true
		ctx := fault.WithNote(t.Context(), &fault.Note{ID: "call"})
		if _, _, err = core.Change(ctx, Task{Payment: p, Session: s, Reference: aPayment},
			func(Task, time.Time) (payment.Effects, error) { return test.effects, nil }); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		var got []string
		for _, r := range docs.Dump() {
			if r.Version != before[r.Key] {
				var made callback.Callback
				name := r.Key.Sort[strings.LastIndex(r.Key.Sort, "/")+1:]
				switch isCallback := r.DueKind == store.DueCallback; {
				case isCallback && (r.Decode(&made) != nil || made.Cause != "call"):
					name = "callback without its cause"
				case isCallback:
					name = "callback"
				case store.IsSession(r.Key):
					name = "session"
				}
				got = append(got, name)
			}
			delete(before, r.Key)
		}
		for key := range before {
			got = append(got, "no "+key.Sort)
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: %s", test.name, text)
		}
	}
}

// What a change starts and stops of a chain of charges is stored with it.
func TestChangeOfChains(t *testing.T) {
	docs := memory.NewStore()
	core := &Core{Store: docs, Now: func() time.Time { return paidAt },
		Random: func(n int) []byte { return make([]byte, n) }}
	p, s := attempt(func(*payment.Payment, *Session) {})
	m := settings.Merchant{ID: "shop", Mappings: []settings.Mapping{{Name: "all"}}}
	err := docs.Save(t.Context(), paidAt, p.Record(), s.Record(), store.Encode(store.SettingsKey("shop"), 0, m))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []payment.Effects{{}, {StartChain: true}, {StopChain: true}} {
		p, s, err := core.PaymentAndSession(t.Context(), paidAt, aPayment, aSession)
		if err != nil {
			t.Fatal(err)
		}
		e.Save = true
		_, _, err = core.Change(t.Context(), Task{Payment: p, Session: s, Reference: aPayment},
			func(Task, time.Time) (payment.Effects, error) { return e, nil })
		c, errRead := core.Chain(t.Context(), paidAt, aPayment)
		if err != nil || errRead != nil || (c != nil) != (e.StartChain || e.StopChain) ||
			c != nil && c.Cancelled != e.StopChain {
			t.Errorf("%+v: %+v, %v, %v", e, c, err, errRead)
		}
	}
}
