package story

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/checkout"
	"checkout/internal/local/client"
	"checkout/internal/merchant"
	"checkout/internal/operator/uses"
)

// instance is a world as it is reached through another instance of its functions.
type instance struct {
	*World
	core *checkout.Core
}

// instance returns an instance with caches and counts of its own, and a clock that is ahead of the world's, or behind.
func (w *World) instance(ahead time.Duration) instance {
	core := &checkout.Core{
		Store: w.app.Core.Store, Secrets: w.app.Core.Secrets, Declarations: w.app.Core.Declarations,
		Now:    func() time.Time { return w.clock.Now().Add(ahead) },
		Random: w.app.Core.Random, Pause: w.app.Core.Pause, Log: w.app.Core.Log, Stack: w.app.Core.Stack,
	}
	served := &api.API{Core: core}
	other := *w
	other.server = httptest.NewServer(served.Handler(append(
		api.Session(merchant.NewCreator(core, w.queue, nil, w.server.URL)),
		api.Status(merchant.NewStatuses(core, w.queue))...)))
	other.t.Cleanup(other.server.Close)
	other.client = other.server.Client()
	return instance{&other, core}
}

// at returns the shop as it calls an instance.
func (s *Shop) at(one instance) *Shop {
	shop := s.AsItIs()
	shop.w = one.World
	return shop
}

// instances are four, whose clocks differ.
func (w *World) instances() (all []instance) {
	for i := range 4 {
		all = append(all, w.instance(time.Duration(i)*clocksDiffer/4-clocksDiffer/2))
	}
	return all
}

// terms are the keys and secrets with which a shop works, and those before, while they are good.
type terms struct {
	calling  sync.RWMutex // while a call is made
	mu       sync.Mutex
	now, old *Shop
	until    time.Time // by every clock the old ones are good until then
}

// pick returns the shop with what it has now, or, if that is good, with what it had before.
func (t *terms) pick(before bool, now time.Time) *Shop {
	t.mu.Lock()
	defer t.mu.Unlock()
	if before && t.old != nil && now.Before(t.until) {
		return t.old
	}
	return t.now
}

// 1,000 calls from 20 servers of a shop reach four instances, while its password, keys and callback secret are replaced
// one after the other, with an overlap. Half of the servers know only the old one until shortly before it ends. None is
// refused; later each old one is. What is signed meanwhile is good for a receiver that has either secret.
func TestRotationUnderLoad(t *testing.T) {
	w := open(t)
	w.shop.visits("paid").pays("01/38")
	_, paid := w.shop.status("order_id", "paid")
	id := paid["payment_id"].(string)
	const calls, servers, overlap = 1000, 20, 10 * time.Minute
	instances, known := w.instances(), &terms{now: w.shop.AsItIs()}
	var next, refused, signed atomic.Int64
	call := func(server int) bool {
		known.calling.RLock()
		defer known.calling.RUnlock()
		n := int(next.Add(1))
		defer w.clock.Move(1500 * time.Millisecond)
		one := instances[n%len(instances)]
		shop := known.pick(server%2 == 0, w.clock.Now()).at(one)
		got := ""
		if n%3 == 0 {
			code, _ := shop.w.call("POST", "/api/v1/session", shop.Sign(shop.Order(fmt.Sprint("load-", n))))
			got = fmt.Sprint(code)
		} else {
			got = shop.statusOf(id)
		}
		if !strings.HasPrefix(got, "200") {
			refused.Add(1)
			t.Errorf("call %d of server %d at %s: %s", n, server, w.clock.Now(), got)
		}
		if known.signsFor(t, one, shop.merchant.ID) {
			signed.Add(1)
		}
		return n < calls
	}
	var rotating, calling sync.WaitGroup
	for i := range servers {
		calling.Go(func() {
			for call(i) {
			}
		})
	}
	var replaced []*Shop
	rotating.Go(func() {
		for n, what := range []string{"password", "test-key", "callback-secret", "password"} {
			until(t, "so many calls were made", func() bool { return next.Load() >= int64(200*n+50) })
			known.calling.Lock()
			if n > 0 {
				w.usedBoth(t, n != 3)
			}
			known.old = nil
			w.clock.Move(overlap + 2*clocksDiffer) // the one before has ended
			known.calling.Unlock()
			until(t, "all instances have cached the one before", func() bool { return next.Load() >= int64(200*n+100) })
			known.mu.Lock()
			old := w.shop.rotates(what, overlap)
			w.clock.Move(2 * time.Second) // as long as it takes at least to store the new one at a server
			known.now, known.old = w.shop.AsItIs(), old
			known.until = w.clock.Now().Add(overlap - 2*time.Minute)
			known.mu.Unlock()
			replaced = append(replaced, old)
		}
	})
	rotating.Wait()
	calling.Wait()
	if n := refused.Load(); n > 0 || signed.Load() < calls {
		t.Errorf("of %d calls %d were refused, and %d callbacks signed", next.Load(), n, signed.Load())
	}
	w.skip(overlap + clocksDiffer)
	for i, one := range instances {
		if got := w.shop.at(one).statusOf(id); got != "200 settled" {
			t.Errorf("instance %d after the overlaps: %s", i, got)
		}
		for _, old := range replaced {
			same := old.merchant.TestKey == w.shop.merchant.TestKey && old.merchant.Password == w.shop.merchant.Password
			if got := old.at(one).statusOf(id); !same && got != "401 100000 hash: Hash is not valid." {
				t.Errorf("instance %d accepts what was replaced: %s", i, got)
			}
		}
	}
}

// usedBoth checks that the old and the new one were counted in the overlap that runs, or that there is none to count.
func (w *World) usedBoth(t *testing.T, counted bool) {
	seen, err := uses.Of(t.Context(), w.app.Core, w.shop.merchant.ID)
	both := len(seen.Overlaps) == 1 && seen.Overlaps[0].Old.Count > 0 && seen.Overlaps[0].New.Count > 0
	if err != nil || both != counted || !counted && len(seen.Overlaps) > 0 {
		t.Errorf("uses at %s: %+v %v", w.clock.Now(), seen.Overlaps, err)
	}
}

// signsFor reports whether an instance signs callbacks for receivers that have the present secret or the one before.
func (t *terms) signsFor(test *testing.T, one instance, id string) bool {
	now := one.core.Now()
	m, err := one.core.Merchant(test.Context(), id, now)
	if err != nil {
		test.Error(err)
		return false
	}
	header, err := m.SignWebhook("msg_1", now, []byte("{}"))
	if err != nil {
		test.Error(err)
		return false
	}
	sent := client.Callback{Body: []byte("{}"), Header: http.Header{}}
	sent.Header.Set("webhook-id", "msg_1")
	sent.Header.Set("webhook-timestamp", fmt.Sprint(now.Unix()))
	sent.Header.Set("webhook-signature", header)
	for _, shop := range []*Shop{t.pick(false, now), t.pick(true, now)} {
		if shop.client().CheckSignature(sent) == nil {
			return true
		}
	}
	test.Errorf("at %s no receiver takes %s", now, header)
	return false
}

// What is taken away stops within a minute of each instance's clock, also where it was used a moment before: a key or
// password that is replaced without an overlap, or a merchant that is disabled.
func TestTakenAwayStopsWithinAMinute(t *testing.T) {
	for _, what := range []string{"test-key", "password", "disabled"} {
		w := open(t)
		w.shop.visits("paid").pays("01/38")
		_, paid := w.shop.status("order_id", "paid")
		id := paid["payment_id"].(string)
		instances, old, want := w.instances(), w.shop.AsItIs(), "401 100000 hash: Hash is not valid."
		for i, one := range instances {
			w.skip(time.Duration(i) * time.Second)
			if got := old.at(one).statusOf(id); got != "200 settled" {
				t.Errorf("%s, instance %d before: %s", what, i, got)
			}
		}
		if what == "disabled" {
			if err := w.app.Merchants.SetDisabled(t.Context(), w.shop.merchant.ID, true); err != nil {
				t.Fatal(err)
			}
			want = "403"
		} else {
			w.shop.rotates(what, 0)
		}
		w.skip(time.Minute)
		for i, one := range instances {
			if got := old.at(one).statusOf(id); !strings.HasPrefix(got, want) {
				t.Errorf("%s, instance %d after a minute: %s", what, i, got)
			}
		}
	}
}
