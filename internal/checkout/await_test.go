package checkout

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// The payment and session that are changed.
var (
	orderHash = store.OrderHash("live/shop", "1")
	aPayment  = store.NewPaymentID(orderHash, paidAt, make([]byte, 4))
	aSession  = store.NewSessionID(orderHash, paidAt, make([]byte, 24))
)

// attempt is a payment of 10.00 USD in a session, with a charge that was sent.
func attempt(change func(*payment.Payment, *Session)) (*payment.Payment, *Session) {
	p := &payment.Payment{ID: aPayment, SessionID: aSession, Status: payment.StatusPrepare, Amount: usd("10.00"),
		ChargeOutcome: payment.ChargeOutcome{ChargeReference: aPayment},
		Times:         payment.Times{CreatedAt: paidAt, ChangedAt: paidAt},
		Jobs:          payment.Jobs{job(payment.JobCharge)}}
	p.Owner, p.Mapping, p.MID, p.Connector = fault.Owner{Merchant: "shop"}, "all", "one", "bank"
	p.Operation, p.Method, p.Order.Number, p.Order.Currency = method.Purchase, "crypto", "1", "USD"
	p.Jobs[0].Reference, p.Jobs[0].Amount, p.Jobs[0].DueAt = aPayment, usd(""), paidAt.Add(time.Minute)
	s := &Session{ID: aSession, State: SessionProcessing, Mapping: "all", CreatedAt: paidAt, MaxDeclines: 2,
		ExpiresAt: paidAt.Add(time.Hour), LatestAttempt: LatestAttempt{PaymentID: aPayment, Method: "crypto"}}
	s.Request.Owner, s.Request.Order = p.Owner, p.Order
	change(p, s)
	return p, s
}

var (
	redirect = connector.RequiredAction{Kind: connector.ActionRedirect, URL: "https://bank.example"}
	shows    = connector.RequiredAction{Kind: connector.ActionPending,
		Show: []screen.Shown{{ID: "address", Type: screen.ShownText, Value: "bc1"}}}
	asks = connector.RequiredAction{Kind: connector.ActionPending,
		Fields: []connector.FormField{{ID: "code", Label: map[string]string{"en": "Code"}}}}
)

// waits is a store whose payment has no job any more after so many reads.
type waits struct {
	store.Store
	reads, until int
	asked        []string
	paused       time.Duration
}

// SendJob implements payment.JobQueue.
func (w *waits) SendJob(_ context.Context, m payment.JobMessage, _ time.Duration) error {
	w.asked = append(w.asked, fmt.Sprint(m.Reference, " ", m.LookUp))
	return nil
}

// Get implements store.Store.
func (w *waits) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	records, err := w.Store.Get(ctx, now, keys...)
	if w.reads++; err == nil && w.reads >= w.until {
		var doc map[string]any
		if err := json.Unmarshal(records[0].Doc, &doc); err != nil {
			return nil, err
		}
		delete(doc, "jobs")
		records[0].Doc, err = json.Marshal(doc)
	}
	return records, err
}

// A call waits for an outcome with longer and longer pauses, as long as it may, and has unknown ones looked up first.
func TestAwait(t *testing.T) {
	for _, test := range []struct {
		name    string
		until   int
		atMost  time.Duration
		unknown bool
		want    string
	}{
		{"it has ended", 1, time.Second, false, "ended after 1 reads, 0s"},
		{"it ends at once", 2, time.Second, false, "ended after 2 reads, 50ms"},
		{"it ends later", 6, 3 * time.Second, false, "ended after 6 reads, 1.15s"},
		{"as long as it may", 6, 1150 * time.Millisecond, false, "ended after 6 reads, 1.15s"},
		{"longer than it may", 6, 1149 * time.Millisecond, false, "open after 5 reads, 750ms"},
		{"no time to wait", 2, 0, false, "open after 1 reads, 0s"},
		{"unknown", 3, time.Second, true, "ended after 3 reads, 150ms, asked [id true]"},
		{"unknown, no time to wait", 9, 0, true, "open after 1 reads, 0s, asked [id true]"},
	} {
		w := &waits{Store: memory.NewStore(), until: test.until}
		now := paidAt.Add(time.Hour)
		core := &Core{Store: w, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
		core.Pause = func(_ context.Context, d time.Duration) error {
			w.paused += d
			return nil
		}
		p, _ := attempt(func(p *payment.Payment, _ *Session) {
			if test.unknown {
				p.Jobs[0].UnknownSince, p.Jobs[0].DueAt = paidAt, now.Add(time.Hour)
			}
		})
		if err := w.Save(t.Context(), now, p.Record()); err != nil {
			t.Fatal(err)
		}
		wait := &Wait{AtMost: test.atMost}
		isPending := Awaited{PaymentID: aPayment, Kind: payment.JobCharge}.Pending
		if test.unknown {
			isPending = func(*payment.Payment) bool { return false }
		}
		p, err := core.Await(t.Context(), aPayment, wait, isPending)
		if err == nil && test.unknown {
			p, err = NewJobs(core, w).Resolve(t.Context(), p, wait)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := "ended"
		if p.Jobs.Charge() != nil {
			got = "open"
		}
		got += fmt.Sprintf(" after %d reads, %s", w.reads, w.paused)
		if len(w.asked) > 0 {
			got += ", asked " + strings.ReplaceAll(fmt.Sprint(w.asked), aPayment, "id")
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
