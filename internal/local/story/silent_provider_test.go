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

// Charges of one merchant, more than there are workers, to which the provider never responds delay those of another by
// a second at most, whether anything is known of the provider or it has just become silent. All of them are sent. With
// the test key others may wait for five seconds.
func TestSilentProviderDelaysNobody(t *testing.T) {
	for _, test := range []struct {
		name         string
		many         int
		live, others bool // the key of the merchant with the silent provider, and that of others
		known        bool // that provider has responded soon before
		most         time.Duration
	}{
		{"unknown", 520, true, true, false, tillFree},
		{"fast before", 520, true, true, true, tillFree},
		{"test key, others live", 60, false, true, false, tillFree},
		{"test key", 60, false, false, false, 5 * time.Second},
		{"test key, fast before", 60, false, false, true, 5 * time.Second},
	} {
		if RaceDetector && test.live {
			continue // which takes a minute, and does what the others do
		}
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			bank := &partlySilent{w.bank, sync.Mutex{}, map[string]bool{}, map[string]time.Time{}}
			w.connects(realBank, bank)
			w.connects(settings.SandboxConnector, bank)
			other := w.newShop("-2")
			w.shop.live, other.live = test.live, test.others
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
			begin(w.shop, "silent-", test.many)
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
