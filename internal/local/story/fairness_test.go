package story

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/queue/inmemory"
	"checkout/internal/store"
)

// tillFree is the most that a live payment or callback may wait because of what others do.
const tillFree = time.Second

// virtually runs a new queue with the workers of the embedded run in virtual time, in which the clock goes on only
// while everybody waits. Callbacks go to shop, since nobody may wait for a network there.
func (w *World) virtually(t *testing.T, shop *slowShop, during func(t *testing.T, q *inmemory.Queue)) {
	synctest.Test(t, func(t *testing.T) {
		callbacks := w.app.Callbacks
		defer func(sender callback.Sender) {
			sendTo(w.app, w.queue)
			callbacks.Sender = sender
		}(callbacks.Sender)
		w.clock.began = time.Now()
		defer func() { w.clock.now, w.clock.began = w.clock.Now(), time.Time{} }()
		q := inmemory.NewQueue(w.clock.Now, w.app.Core.Log)
		q.Handle(w.app.Runner.RunJob, callbacks.SendCallback)
		sendTo(w.app, q)
		callbacks.Sender = shop
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { q.Run(ctx) })
		during(t, q)
		cancel()
		running.Wait()
	})
}

// slowShop receives callbacks in virtual time.
type slowShop struct {
	slow  string // an address
	takes time.Duration

	mu    sync.Mutex
	taken map[string]int       // by webhook-id
	first map[string]time.Time // when the first request came, by webhook-id
}

func newSlowShop(address string) *slowShop {
	return &slowShop{slow: address, taken: map[string]int{}, first: map[string]time.Time{}}
}

func (s *slowShop) Send(_ context.Context, out callback.Outgoing) (int, error) {
	s.mu.Lock()
	id := out.Header["webhook-id"]
	if s.taken[id]++; s.taken[id] == 1 {
		s.first[id] = time.Now()
	}
	wait := s.takes
	s.mu.Unlock()
	if out.URL != s.slow {
		wait = 50 * time.Millisecond
	}
	if out.Slow != nil {
		defer time.AfterFunc(callback.SlowAfter, out.Slow).Stop()
	}
	time.Sleep(wait)
	return 200, nil
}

// count returns how many callbacks were taken, and whether each was once.
func (s *slowShop) count() (n int, once bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	once = true
	for _, times := range s.taken {
		n, once = n+1, once && times == 1
	}
	return n, once
}

// unsent stores n callbacks, each of a payment of its own, and returns their messages.
func (w *World) unsent(owner fault.Owner, n int) (messages []callback.Message) {
	now := w.clock.Now()
	for i := range n {
		hash := store.OrderHash(owner.Text(), fmt.Sprint("pen-", i))
		c := callback.Callback{Owner: owner, Seq: 1, CreatedAt: now, State: callback.Waiting}
		c.PaymentID = store.NewPaymentID(hash, now, binary.BigEndian.AppendUint32(nil, uint32(i)))
		c.Fields = callback.Fields{{Name: "id", Value: c.PaymentID}, {Name: "type", Value: "sale"}}
		if err := w.app.Store.Save(context.Background(), now, c.Record(now.Add(time.Minute))); err != nil {
			w.t.Fatalf("%v", err)
		}
		messages = append(messages, callback.Message{PaymentID: c.PaymentID, Seq: 1, Test: owner.Test})
	}
	return messages
}

// Callbacks to an address that takes nine seconds delay those of another shop by a second at most: when nothing is
// known of the address, when it is known as a fast one, and with the test key. All arrive once.
func TestSlowReceiverDelaysNobody(t *testing.T) {
	shops := map[string]int{"unknown": 1300, "fast": 600, "test": 120} // more than there are workers
	if RaceDetector {
		shops = map[string]int{"test": 120}
	}
	for before, many := range shops {
		t.Run(before, func(t *testing.T) {
			w := open(t)
			other := w.newShop("-2")
			slow := w.unsent(fault.Owner{Merchant: w.shop.merchant.ID, Test: before == "test"}, many)
			others := w.unsent(fault.Owner{Merchant: other.merchant.ID}, 10)
			shop := newSlowShop(w.shop.merchant.NotificationURL)
			if before == "test" {
				shop = newSlowShop(w.shop.merchant.TestNotificationURL)
			}
			w.virtually(t, shop, func(t *testing.T, q *inmemory.Queue) {
				send := func(m callback.Message) { _ = q.SendCallback(t.Context(), m, 0) }
				if before == "fast" {
					send(slow[0])
					time.Sleep(time.Second)
					slow = slow[1:]
				}
				shop.mu.Lock()
				shop.takes = 9 * time.Second
				shop.mu.Unlock()
				for _, m := range slow {
					send(m)
				}
				for _, m := range others {
					sent := time.Now()
					send(m)
					time.Sleep(1500 * time.Millisecond)
					shop.mu.Lock()
					got, ok := shop.first[callback.WebhookID(m.PaymentID, 1)]
					shop.mu.Unlock()
					if waited := got.Sub(sent); !ok || waited > tillFree {
						t.Errorf("after %v another shop's callback waits %v, %v", time.Since(sent), waited, ok)
					}
				}
				time.Sleep(15 * time.Minute)
			})
			if n, once := shop.count(); n != many+len(others) || !once {
				t.Errorf("%d of %d callbacks arrived, each once: %v", n, many+len(others), once)
			}
		})
	}
}
