package e2e

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/simulator"
)

var (
	killSeed   = flag.Uint64("seed", 1, "what orders are paid with, what goes wrong and when functions are killed")
	killOrders = flag.Int("payments", 36, "orders that are paid while functions are killed")
)

// together is how many payers pay at the same time.
const together = 8

// Orders are paid by every family of connectors and by wallets at providers with faults, and captured, voided and
// refunded, while functions are killed all the time. In the end service, providers and merchant agree. What
// payers, merchant and providers do repeats with the seed; at which instruction a process dies does not.
func TestKilledWhilePaying(t *testing.T) {
	t.Parallel()
	w := openProviders(t, "")
	t.Logf("go test ./internal/local/e2e -run TestKilledWhilePaying -seed %d -payments %d", *killSeed, *killOrders)
	var killed map[string]int
	buyers := w.sells(func(pay func()) { killed = w.underFire(pay) })
	w.enoughHappened(killed, buyers)
}

// sells has the orders of the seed paid within during, lets everything else end, and checks how.
func (w *providerWorld) sells(during func(pay func())) []*buyer {
	random := rand.New(rand.NewPCG(*killSeed, 0))
	buyers := w.buyers(random, *killSeed, *killOrders)
	during(func() {
		work := make(chan *buyer)
		var group sync.WaitGroup
		for range together {
			group.Go(func() {
				for b := range work {
					if !w.t.Failed() { // else each may wait for patience
						b.buys()
					}
				}
			})
		}
		for _, b := range buyers {
			if !b.second {
				work <- b
			}
		}
		close(work)
		group.Wait()
	})
	w.knowsWhatIsNext()
	w.goesOn()
	w.payLate(buyers)
	w.ends(func() { w.decides(random) })
	w.agree(buyers)
	w.walletsAgree(buyers)
	w.wasTold(buyers)
	w.sentOnce()
	w.actsAgree(buyers)
	w.leakFree()
	w.encryptedAre(0)
	return buyers
}

// buyers deals methods, wallets and faults to orders, so that every run has all of them.
func (w *providerWorld) buyers(random *rand.Rand, seed uint64, orders int) []*buyer {
	methods, plans := &deck[sold]{of: soldBy}, &deck[walletPlan]{of: walletPlans}
	ends := &deck[string]{of: slices.Concat(plainEnds, plainEnds, otherEnds, faultyEnds)}
	var all []*buyer
	for wallets := 0; len(all) < orders; {
		end := ends.deals(random)
		if 3*wallets > len(all) {
			all = append(all, w.buyer(seed, len(all)+1, methods.deals(random), end))
			continue
		}
		plan := plans.deals(random)
		some := w.paidBy(seed, len(all)+1, &plan, end)
		all, wallets = append(all, some...), wallets+len(some)
	}
	return all
}

// deck deals all of a list in a random order, again and again.
type deck[T any] struct{ of, left []T }

func (d *deck[T]) deals(random *rand.Rand) T {
	if len(d.left) == 0 {
		d.left = shuffled(random, d.of)
	}
	next := d.left[0]
	d.left = d.left[1:]
	return next
}

func shuffled[T any](random *rand.Rand, of []T) []T {
	of = slices.Clone(of)
	random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of
}

// goesOn lets what was interrupted go on while cards and tokens can still be sent: first what was not sent, and in the
// end what was sent or not, when providers that find a request ten minutes later do not find it.
func (w *providerWorld) goesOn() {
	stopped := w.now()
	for _, later := range []time.Duration{2 * time.Minute, 4 * time.Minute, 11 * time.Minute} {
		w.setsClock(stopped.Add(later))
		w.sweep()
		w.idle()
	}
}

// payLate has payers pay by wallets while the connector is stopped, until the time of their tokens is over.
func (w *providerWorld) payLate(buyers []*buyer) {
	start := w.stopConnector()
	for _, b := range buyers {
		if b.plan != nil && b.plan.late && b.opens() {
			b.posts("pay", b.filled(b.screen()))
		}
	}
	w.setsClock(w.now().Add(16 * time.Minute))
	start()
}

// killing is how long functions are killed. It is shorter than patience, so that every request gets its response.
const killing = 20 * time.Second

// underFire does something while functions are killed and the sweep is called. It returns how many processes of each
// function were killed.
func (w *providerWorld) underFire(do func()) map[string]int {
	ctx, stop := context.WithTimeout(w.t.Context(), killing)
	var killed map[string]int
	var group sync.WaitGroup
	group.Go(func() { killed = w.kills(ctx) })
	group.Go(func() {
		for pause(ctx, 2*time.Second) {
			_ = w.cloud.Fire(ctx, "sweep") // it may be killed
		}
	})
	do()
	stop()
	group.Wait()
	return killed
}

// kills kills functions until the context ends: at once, or before or after one of their next calls of AWS, between two
// effects. Of other calls it loses the response.
func (w *providerWorld) kills(ctx context.Context) map[string]int {
	random := rand.New(rand.NewPCG(*killSeed, 1<<32))
	killed := map[string]int{}
	var traps []*endpoint.Injected
	kills := map[*endpoint.Injected]string{} // of traps
	for pause(ctx, time.Duration(20+random.IntN(200))*time.Millisecond) {
		function := oneOf(random, "connector", "connector", "connector", "connector", "callback", "callback", "notify",
			"notify", "page", "page", "session", "status", "capture", "void", "refund", "adminact", "sweep")
		trap := endpoint.Fault{Function: function, Skip: random.IntN(6),
			Do: oneOf(random, endpoint.KillBefore, endpoint.KillAfter, endpoint.DropResponse)}
		if random.IntN(2) == 0 {
			killed[function] += w.cloud.Kill(function)
			continue
		}
		traps = append(traps, w.cloud.Inject(trap))
		if trap.Do != endpoint.DropResponse {
			kills[traps[len(traps)-1]] = function
		}
		if len(traps) > 8 { // else functions that are seldom called collect them
			traps[len(traps)-9].Cancel()
		}
	}
	for _, trap := range traps {
		trap.Cancel()
		if function, found := kills[trap]; found {
			killed[function] += trap.Hits()
		}
	}
	return killed
}

// pause waits. It returns false if the context ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// decides has the payers decide what still waits for them.
func (w *providerWorld) decides(random *rand.Rand) {
	for _, o := range w.sim.Operations() {
		if o.State == simulator.Waiting {
			w.sim.Act(o.ID, oneOf(random, simulator.Approve, simulator.Approve, simulator.Expire))
		}
	}
}
