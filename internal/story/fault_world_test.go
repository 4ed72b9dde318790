package story

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/connector/list"
	providers "checkout/internal/connector/provider"
	"checkout/internal/simulator"
)

// faultRun is one order in virtual time: the whole service, its shop, its payer and a simulated provider, with faults
// that a seed chooses. Everything happens in one order that the seed determines, also what happens at the same moment:
// another message, notice or request may arrive between any two effects of a function.
type faultRun struct {
	*world
	test   *testing.T
	sim    *simulator.Simulator
	bug    plantedBug
	handle http.Handler // the API

	mu       sync.Mutex
	random   *rand.Rand
	events   []faultEvent
	made     int  // events
	depth    int  // of events that happen during others
	calm     bool // no faults any more
	deaf     bool // all notices of the provider are lost
	mood     mood
	failures []string
	happened map[string]int

	method faultMethod
	visit  *visit
	calls  int // of the API
}

// faultEvent is something that happens at a time.
type faultEvent struct {
	at    time.Time
	order int
	do    func()
}

const providerURL = "https://provider.example"

// openFaultRun starts a run. It is called inside a bubble.
func openFaultRun(t *testing.T, seed uint64, bug plantedBug) *faultRun {
	x := &faultRun{test: t, bug: bug, happened: map[string]int{}, random: rand.New(rand.NewPCG(seed, 1))}
	x.world = &world{t: x, log: &journal{}, server: &httptest.Server{URL: "https://pay.example"}}
	x.clock = &clock{now: time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC), began: time.Now()}
	x.client = &http.Client{Transport: transport(x.overAPI)}
	env := map[string]string{"BASE_URL": x.server.URL + "/"}
	var err error
	x.app, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(x.log), x.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	s := x.app.Service
	s.Random = x.bytes
	s.Store = &troubledStore{x.app.Store, x}
	x.queue = &lossyQueue{Queue: &troubledQueue{x}}
	s.Queue = x.queue
	s.Sender = &troubledSender{x}
	s.Pause = func(_ context.Context, d time.Duration) error {
		x.runUntil(x.clock.Now().Add(d))
		return nil
	}
	s.Connectors = list.New(providers.Setup{
		Now: x.clock.Now, BaseURL: s.BaseURL, Client: providers.Over(transport(x.overProvider)), Store: s.Store,
	})
	x.handle = x.app.API.Handler(api.All())
	x.sim = simulator.New(simulator.Options{
		URL: providerURL, Now: x.clock.Now, After: x.after, Client: &http.Client{Transport: transport(x.overNotice)},
		Seed: seed, Chance: 25,
	})
	x.shop = &shop{w: x.world, server: &httptest.Server{URL: "https://shop.example"}, live: true}
	x.method = pick(x, faultMethods)
	if bug.name != "" { // all planted bugs are found by payments with cards
		x.method = faultMethods[0]
	}
	x.shop.joins("", x.setUp)
	if x.method.family == "stripe" {
		x.addEndpoints()
	}
	if bug.connect != nil {
		bug.connect(x)
	}
	return x
}

// transport is an HTTP transport in memory.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// The methods of tester.

func (x *faultRun) Helper() {}

func (x *faultRun) Errorf(format string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failures = append(x.failures, fmt.Sprintf(format, args...))
}

func (x *faultRun) Fatalf(format string, args ...any) {
	x.Errorf(format, args...)
	runtime.Goexit()
}

func (x *faultRun) Cleanup(func()) {} // everything ends with the bubble

func (x *faultRun) counts(what string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.happened[what]++
}

// n is a number below limit.
func (x *faultRun) n(limit int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.random.IntN(limit)
}

func (x *faultRun) between(a, b time.Duration) time.Duration {
	return a + time.Duration(x.n(int((b-a)/time.Millisecond)))*time.Millisecond
}

func (x *faultRun) bytes(n int) []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(x.random.UintN(256))
	}
	return b
}

func pick[T any](x *faultRun, of []T) T { return of[x.n(len(of))] }

// fails reports whether something goes wrong that goes wrong in so many of a thousand cases.
func (x *faultRun) fails(ofThousand int) bool { return !x.calm && x.n(1000) < ofThousand }

// at has something done at a time.
func (x *faultRun) at(at time.Time, do func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.made++
	x.events = append(x.events, faultEvent{at, x.made, do})
}

func (x *faultRun) after(d time.Duration, do func()) { x.at(x.clock.Now().Add(d), do) }

// next takes the next event that is due until a time.
func (x *faultRun) next(until time.Time) (faultEvent, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	first := -1
	for i, e := range x.events {
		if !e.at.After(until) && (first < 0 || e.at.Before(x.events[first].at)) {
			first = i
		}
	}
	if first < 0 {
		return faultEvent{}, false
	}
	e := x.events[first]
	x.events = slices.Delete(x.events, first, first+1)
	return e, true
}

// runUntil lets everything happen until a time.
func (x *faultRun) runUntil(end time.Time) {
	if x.depth >= 3 {
		time.Sleep(end.Sub(x.clock.Now()))
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	for {
		e, ok := x.next(end)
		if !ok {
			break
		}
		time.Sleep(e.at.Sub(x.clock.Now()))
		e.do()
	}
	time.Sleep(end.Sub(x.clock.Now()))
}

// meanwhile lets something happen that is due soon, while a function is at work.
func (x *faultRun) meanwhile() {
	if x.depth >= 3 || !x.fails(30) {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	if e, ok := x.next(x.clock.Now().Add(time.Minute)); ok {
		e.do()
	}
}

// invocation is one run of a function, which may be killed between any two effects.
type invocation struct {
	mu                sync.Mutex // the sweep has several goroutines
	effects, killedAt int
	killed, survived  bool
}

type invocationKey struct{}

// invoke runs a function of the service, and reports whether it came to its end.
func (x *faultRun) invoke(run func(context.Context)) bool {
	call := &invocation{}
	if x.fails(100) {
		call.killedAt = 1 + x.n(8)
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), invocationKey{}, call), 30*time.Second)
	defer cancel()
	done := make(chan struct{})
	depth := x.depth
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				x.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		run(ctx)
		call.survived = true
	}()
	<-done
	x.depth = depth
	call.mu.Lock()
	defer call.mu.Unlock()
	return call.survived && !call.killed
}

// effect is called before and after each effect: a write, a message, a request to a provider or a merchant. It ends the
// goroutine of a function that is killed there. What the function still does then has no effect.
func (x *faultRun) effect(ctx context.Context) {
	call, ok := ctx.Value(invocationKey{}).(*invocation)
	if !ok {
		return
	}
	call.mu.Lock()
	call.effects++
	call.killed = call.killed || call.effects == call.killedAt
	killed := call.killed
	call.mu.Unlock()
	if killed {
		x.counts("killed")
		runtime.Goexit()
	}
}
