package story

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	faultPayments = flag.Int("payments", 0, "number of orders of the fault runs; 0: as many as fit into all tests")
	faultSeed     = flag.Uint64("seed", 1, "seed of the first of them; each has the next one")
	faultLog      = flag.Bool("log", false, "with -v: print what the service logs, and the provider's ledger")
)

// maxFailed is how many orders fail before the runs end.
const maxFailed = 20

// Orders are paid by every family of connectors while anything goes wrong that can. In the end everybody agrees.
func TestFaultRuns(t *testing.T) {
	orders := int64(*faultPayments)
	switch {
	case orders > 0:
	case raceDetector:
		orders = 50
	default:
		orders = 1000
	}
	var begun, payments, failed atomic.Int64
	var counts faultCounts
	t.Cleanup(func() {
		t.Logf("%d payments of %d orders: %v", payments.Load(), orders, counts.byName)
		if orders >= 1000 && failed.Load() == 0 {
			counts.wantAll(t)
		}
	})
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
			t.Parallel()
			for i := begun.Add(1); i <= orders && failed.Load() < maxFailed; i = begun.Add(1) {
				seed := *faultSeed + uint64(i) - 1
				x := runFaults(t, seed, plantedBug{})
				payments.Add(int64(x.payments))
				counts.add(x.happened)
				if len(x.failures) > 0 {
					failed.Add(1)
					t.Errorf("seed %d (alone: make faults PAYMENTS=1 SEED=%d): %s", seed, seed, strings.Join(x.failures, "\n"))
				}
			}
		})
	}
}

// A seed determines everything that happens, so that a failure can be looked into.
func TestFaultRunsRepeat(t *testing.T) {
	for seed := *faultSeed; seed < *faultSeed+10; seed++ {
		first, second := runFaults(t, seed, plantedBug{}), runFaults(t, seed, plantedBug{})
		if first.log != second.log || first.log == "" {
			t.Errorf("seed %d leads to two different logs", seed)
		}
	}
}

// faultCounts is how often something happened in all runs.
type faultCounts struct {
	mu     sync.Mutex
	byName map[string]int
}

func (c *faultCounts) add(more map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName == nil {
		c.byName = map[string]int{}
	}
	for name, n := range more {
		c.byName[name] += n
	}
}

// wantAll checks that the runs have everything that can happen to a payment.
func (c *faultCounts) wantAll(t *testing.T) {
	for _, name := range []string{
		"sale success", "sale fail", "recurring success", "capture success", "refund success", "void success",
		"chargeback success", "reversal success", "killed", "person", "decided by a person",
	} {
		if c.byName[name] == 0 {
			t.Errorf("the runs have no %s", name)
		}
	}
	for _, f := range faultMethods {
		if c.byName[f.family] == 0 {
			t.Errorf("no payment by %s has settled", f.family)
		}
	}
}

// faultEnd is what an order has led to.
type faultEnd struct {
	payments int
	happened map[string]int
	failures []string
	log      string
}

// runFaults runs one order in a bubble of its own.
func runFaults(t *testing.T, seed uint64, bug plantedBug) (end faultEnd) {
	synctest.Test(t, func(t *testing.T) {
		x := openFaultRun(t, seed, bug)
		done := make(chan struct{})
		go func() {
			defer close(done)
			x.run()
		}()
		<-done
		end = faultEnd{len(x.stored(x)), x.happened, x.failures, x.log.String()}
		if *faultLog {
			t.Logf("%s\n%+v", x.log, x.sim.Operations())
		}
	})
	return end
}

// run is the order's life: its payer, its merchant and others do anything for a while, then faults end.
func (x *faultRun) run() {
	if !x.begins() {
		return
	}
	x.pays()
	x.deaf = x.n(7) == 0
	x.mood = takes
	trouble := x.between(10*time.Minute, 90*time.Minute)
	steps := []func(){
		x.pays, x.pays, x.fillsForm, x.fillsForm, x.acts, x.acts, x.acts, x.returns, x.leaves,
		x.manages, x.manages, x.manages, x.manages, x.goesOn, x.goesOn, x.disputes, x.changes, x.forges,
		x.stepClock, x.changeMood, x.changeMood,
	}
	for range 6 + x.n(12) {
		step := pick(x, steps)
		x.after(x.between(0, trouble), step)
	}
	for at := time.Minute; at < trouble; at += time.Minute {
		x.after(at, func() { x.invoke(x.sweeps) })
	}
	x.runUntil(x.clock.Now().Add(trouble))
	x.settles()
	x.checks()
}

func (x *faultRun) sweeps(ctx context.Context) { _ = x.app.Service.Sweep(ctx) }

// stepClock moves the clock forward, with everything that was to happen meanwhile being late.
func (x *faultRun) stepClock() { x.skip(x.between(time.Second, 40*time.Minute)) }

func (x *faultRun) changeMood() {
	x.mood = pick(x, []mood{takes, takes, takes, breaks, redirects, hangs, takesSilently})
}
