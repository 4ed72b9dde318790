package story

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/queue/inmemory"
	"checkout/internal/settings"
)

// partlySilent is a bank that never responds to some charges.
type partlySilent struct {
	connector.Connector
	mu     sync.Mutex
	silent map[string]bool      // by payment
	sent   map[string]time.Time // when the first request came, by payment
}

func (b *partlySilent) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	b.mu.Lock()
	if b.sent[c.PaymentID].IsZero() {
		b.sent[c.PaymentID] = time.Now()
	}
	silent := b.silent[c.PaymentID]
	b.mu.Unlock()
	if silent {
		<-ctx.Done()
		return connector.Result{}, ctx.Err()
	}
	return b.Connector.Charge(ctx, c)
}

func (b *partlySilent) sentAt(payment string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sent[payment]
}

// Test charges of one merchant, more than there are workers for tests, to which the provider never responds delay live
// ones of another merchant by a second at most, and its test charges by five, whether anything is known of the provider
// or it has just become silent. All of them are sent. The package worker has a table of the share of live charges.
func TestSilentProviderDelaysNobody(t *testing.T) {
	const many = 60
	for _, test := range []struct {
		name  string
		live  bool // the other merchant's key
		known bool // the provider has responded soon before
		most  time.Duration
	}{
		{"others live", true, false, tillFree},
		{"unknown", false, false, 5 * time.Second},
		{"fast before", false, true, 5 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			bank := &partlySilent{w.bank, sync.Mutex{}, map[string]bool{}, map[string]time.Time{}}
			w.connects(realBank, bank)
			w.connects(settings.SandboxConnector, bank)
			other := w.newShop("-2")
			other.live = test.live
			if test.known {
				w.shop.visits("known").pays("01/38")
			}
			w.queue.lose = loseAll
			begin := func(s *Shop, order string, n int) {
				for i := range n {
					v := s.visits(fmt.Sprint(order, i))
					v.send(v.attempt("01/38"))
				}
			}
			begin(w.shop, "silent-", many)
			begin(other, "other-", 5)
			var silent, others []payment.JobMessage
			for _, p := range w.Stored(t) {
				m := payment.JobMessage{PaymentID: p.ID, Reference: p.ID, Test: p.Test}
				switch {
				case strings.HasPrefix(p.Order.Number, "silent-"):
					bank.silent[p.ID] = true
					silent = append(silent, m)
				case strings.HasPrefix(p.Order.Number, "other-"):
					others = append(others, m)
				}
			}
			w.queue.lose = nil
			w.virtually(t, newSlowShop(""), func(t *testing.T, q *inmemory.Queue) {
				for _, m := range silent {
					_ = q.SendJob(t.Context(), m, 0)
				}
				for _, m := range others {
					sent := time.Now()
					_ = q.SendJob(t.Context(), m, 0)
					for bank.sentAt(m.PaymentID).IsZero() && time.Since(sent) < time.Minute {
						time.Sleep(10 * time.Millisecond)
					}
					if waited := time.Since(sent); waited > test.most {
						t.Errorf("the charge of another merchant waited %v", waited)
					}
					time.Sleep(1500 * time.Millisecond)
				}
				time.Sleep(payment.SealedTTL)
			})
			for _, m := range silent {
				if bank.sentAt(m.PaymentID).IsZero() {
					t.Fatalf("the charge of payment %s was not sent", m.PaymentID)
				}
			}
		})
	}
}
