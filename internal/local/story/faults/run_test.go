package faults

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/local/story"
)

var (
	faultPayments = flag.Int("payments", 0, "number of orders of the fault runs, 0: 500")
	faultSeed     = flag.Uint64("seed", 1, "seed of the first of them; each has the next one")
	faultLog      = flag.Bool("log", false, "with -v: print what the service logs, and the provider's ledger")
)

// maxFailed is how many runs fail before the test ends.
const maxFailed = 20

// Orders are paid by every family of connectors while anything goes wrong that can. In the end everybody agrees.
func TestFaultRuns(t *testing.T) {
	all := faultResults{orders: *faultPayments, seed: *faultSeed, happened: map[string]int{}}
	enough := all.orders == 0 && !story.RaceDetector
	switch {
	case all.orders > 0:
		enough = all.orders >= 2000 // less may lack what is rare
	case story.RaceDetector:
		all.orders = 50
	default:
		all.orders = 500
	}
	t.Cleanup(func() {
		t.Logf("%d payments of %d orders: %v", all.payments, all.begun, all.happened)
		if enough && all.failed == 0 {
			all.wantsAll(t)
		}
	})
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
			t.Parallel()
			for seed, ok := all.next(); ok; seed, ok = all.next() {
				end := runFaults(t, seed, plantedBug{})
				all.add(end)
				if len(end.failures) > 0 {
					t.Errorf("seed %d (alone: make faults PAYMENTS=1 SEED=%d): %s", seed, seed, strings.Join(end.failures, "\n"))
				}
			}
		})
	}
}

// A seed determines everything that happens, so that a failure can be looked into.
func TestFaultRunsRepeat(t *testing.T) {
	for seed := *faultSeed; seed < *faultSeed+10; seed++ {
		if story.LeftOut(int(seed)) {
			continue
		}
		first, second := runFaults(t, seed, plantedBug{}), runFaults(t, seed, plantedBug{})
		if first.log != second.log || first.log == "" {
			t.Errorf("seed %d leads to two different logs", seed)
		}
	}
}

// faultResults are the runs of a test, and how often something happened in them.
type faultResults struct {
	mu       sync.Mutex
	orders   int    // to be paid
	begun    int    // of them
	seed     uint64 // of the next run
	payments int
	failed   int // runs
	happened map[string]int
}

// next returns the seed of the next run, if there is one.
func (r *faultResults) next() (seed uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun >= r.orders || r.failed >= maxFailed {
		return 0, false
	}
	seed, r.begun = r.seed, r.begun+ordersOf(r.seed)
	r.seed++
	return seed, true
}

func (r *faultResults) add(end faultEnd) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.payments += end.payments
	if len(end.failures) > 0 {
		r.failed++
	}
	for name, n := range end.happened {
		r.happened[name] += n
	}
}

// wantsAll checks that the runs have everything that can happen to a payment.
func (r *faultResults) wantsAll(t *testing.T) {
	for _, name := range []string{
		"sale success", "sale fail", "recurring success", "capture success", "refund success", "void success",
		"chargeback success", "reversal success", "refund failed later", "killed", "person", "decided by a person",
		"clock set back", "order twice", "circuit opens", "JSON", "rotated password", "rotated callback-secret",
		"rotated key", "old secret refused", "second shop", "MID not reached", "cascade", "payer may leave",
		"token used before", "token used between", "cascade of a wallet", "token from a server",
		"settlement", "shop in test mode", "day of a schedule", "charge of a schedule", "done elsewhere", "neighbours",
		"at one moment", "payout to a saved card", "saved card", "card removed",
		"another amount approved after a decline",
		"late request", "found late", "stale worker", "crossed", "lie", "old notice", "act of an operator", "summed up",
	} {
		if r.happened[name] == 0 {
			t.Errorf("the runs have no %s", name)
		}
	}
	for _, m := range faultMethods {
		if r.happened[m.family+" "+m.id] == 0 {
			t.Errorf("no payment of %s by %s has settled", m.id, m.family)
		}
	}
}

// faultEnd is what a run has led to.
type faultEnd struct {
	payments int
	writes   int
	happened map[string]int
	failures []string
	log      string
	codes    map[string][]string // places where a security code was found
}

// runFaults runs one world in a bubble of its own. Where it leaves digits like the security code, it is run again with
// another code: only a code that was really left there is found there again.
func runFaults(t *testing.T, seed uint64, bug plantedBug) faultEnd {
	end := runWithCode(t, seed, bug, 0)
	code, other := faultCode(seed, 0), faultCode(seed, 1)
	if len(end.codes[code]) == 0 {
		return end
	}
	again := runWithCode(t, seed, bug, 1)
	for _, place := range end.codes[code] {
		if found := again.codes[other]; !slices.Contains(end.codes[other], place) && slices.Contains(found, place) {
			end.failures = append(end.failures, fmt.Sprintf("the %s has a security code", place))
		}
	}
	return end
}

func runWithCode(t *testing.T, seed uint64, bug plantedBug, code int) (end faultEnd) {
	synctest.Test(t, func(t *testing.T) {
		x := openFaultRun(t, seed, bug)
		x.code = faultCode(seed, code)
		done := make(chan struct{})
		go func() {
			defer close(done)
			x.run()
		}()
		<-done
		codes := x.findCodes(faultCode(seed, 0), faultCode(seed, 1))
		end = faultEnd{len(x.Stored(x)), x.writes, x.happened, x.failures, x.Log.String(), codes}
		if *faultLog {
			t.Logf("%s\n%+v", x.Log, x.sim.Operations())
		}
	})
	return end
}

// run is what happens in a world: its payers, its merchants and others do anything for a while, then faults end.
func (x *faultRun) run() {
	trouble := x.between(10*time.Minute, 90*time.Minute)
	apart := pick(x, []time.Duration{2 * time.Minute, trouble / 2})
	for i, o := range x.planned {
		begins := time.Duration(0)
		if i > 0 {
			begins = x.between(0, apart)
		}
		x.after(begins, func() { o.lives(trouble) })
	}
	for range 3 + 3*len(x.planned) + x.n(8) {
		x.after(x.between(0, trouble), pick(x, []func(){
			x.manages, x.manages, x.manages, x.manages, x.manages, x.manages, x.goesOn, x.goesOn, x.goesOn,
			x.acts, x.disputes, x.failsRefund, x.forges, x.changes, x.changes, x.changes, x.stepsClocks,
			x.changesMood, x.changesMood, x.losesProvider, x.losesProvider, x.lies, x.lies, x.crosses, x.repeatsNotice,
			x.paysOut, x.paysOut, x.doesElsewhere, x.doesElsewhere, x.reconsiders, x.reconsiders,
		}))
	}
	x.after(x.between(trouble/2, trouble), x.skipsDay)
	for at := time.Minute; at < trouble; at += time.Minute {
		x.after(at, x.sweeps)
	}
	x.runUntil(x.Clock.Now().Add(trouble))
	x.settles()
	x.countsFoundLate()
	x.checks()
}

// sweeps runs the sweep, and then sends its messages in an order that the seed determines.
func (x *faultRun) sweeps() {
	x.mu.Lock()
	x.swept = []sweptMessage{}
	x.mu.Unlock()
	x.invoke(func(ctx context.Context) { _ = x.App.Sweeper.Sweep(ctx) })
	x.sendSwept()
}

// stepsClocks moves all clocks forward, with everything that was to happen meanwhile being late. It does not while a
// request is late, which would arrive after any lease.
func (x *faultRun) stepsClocks() {
	if by := x.between(time.Second, 40*time.Minute); x.late.Load() == 0 {
		x.Clock.Move(by)
		x.MakeDayKey()
	}
}

func (x *faultRun) changesMood() {
	pick(x, x.shops).mood = pick(x, []mood{takes, takes, takes, breaks, redirects, hangs, takesSilently})
}

// losesProvider has a family of providers, or one account at Stripe, be out of reach for minutes, which opens circuit
// breakers.
func (x *faultRun) losesProvider() {
	account := pick(x, x.shops).accounts[x.n(2)]
	x.lost = pick(x, []string{pick(x, x.planned).method.family, account, account})
	x.after(x.between(2*time.Minute, 15*time.Minute), func() { x.lost = "" })
}
