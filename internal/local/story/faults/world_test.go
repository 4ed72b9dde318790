package faults

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/connector"
	"checkout/internal/connector/list"
	providers "checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
)

// faultRun is a world in virtual time: the whole service, shops, payers with their orders, and simulated providers,
// with faults that a seed chooses. Everything happens in one order that the seed determines, also what happens at the
// same moment: another message, notice or request may arrive between any two effects of a function.
type faultRun struct {
	story.Parts
	*story.World
	test   *testing.T
	sim    *simulator.Simulator
	bug    plantedBug
	handle http.Handler // the API
	shops  []*faultShop
	code   string // the security code of all cards

	planned []*faultOrder
	opened  []*faultOrder // those with a session

	mu           sync.Mutex
	random       *rand.Rand
	events       []faultEvent
	made         int  // events
	writes       int  // that the service has tried
	depth        int  // of events that happen during others
	calm         bool // no faults any more
	deaf         bool // all notices of the provider are lost
	instance     int  // of functions, that runs now
	skews        [instances]time.Duration
	called       int  // the API, by merchants
	sessions     int  // of the role of operators
	crowd        int  // requests that are to be sent at this moment
	repeated     bool // the last call was
	asked        []ask
	notices      []sentNotice
	typed        map[string][]string // the cards that payers have paid with, by session
	late         atomic.Int32        // requests
	lost         string              // a family of providers, or an account at Stripe, that is out of reach
	swept        []sweptMessage
	onTheWay     map[string]time.Time // when the requests with these keys left
	failures     []string
	happened     map[string]int
	reconsidered map[string]bool      // references of charges that were approved after they were declined
	broken       map[string]bool      // rules of a Save, each with what it is about
	sent         map[string]sending   // requests, by their references
	removed      map[string]time.Time // saved cards, by their tokens

	firstCharge                  *connector.Charge   // of a planted bug
	firstReference, firstPayment string              // the same
	lastToken                    string              // of a wallet
	beforeUse                    func()              // what comes before the next use of a token is stored
	tokens                       map[string][]string // parts of each wallet's token that no other has
}

const (
	serviceURL  = "https://pay.example"
	providerURL = "https://provider.example"
)

// ordersOf returns how many orders the world of a seed has.
func ordersOf(seed uint64) int {
	return []int{1, 1, 2, 2, 3, 4}[rand.New(rand.NewPCG(seed, 2)).IntN(6)]
}

// faultCode returns a security code of a seed's cards. Another choice changes nothing else.
func faultCode(seed uint64, choice int) string {
	return fmt.Sprint(1000 + rand.New(rand.NewPCG(seed, uint64(3+choice))).IntN(9000))
}

// openFaultRun starts a run. It is called inside a bubble.
func openFaultRun(t *testing.T, seed uint64, bug plantedBug) *faultRun {
	x := &faultRun{test: t, bug: bug, random: rand.New(rand.NewPCG(seed, 1))}
	x.happened, x.onTheWay, x.typed = map[string]int{}, map[string]time.Time{}, map[string][]string{}
	x.reconsidered = map[string]bool{}
	x.broken, x.sent, x.removed = map[string]bool{}, map[string]sending{}, map[string]time.Time{}
	began := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	time.Sleep(time.Until(began)) // so that the deadlines of functions are of the same time
	x.Parts = story.Parts{
		T: x, Clock: story.RunningClock(began), Log: &story.Journal{},
		Server: &httptest.Server{URL: serviceURL}, Client: &http.Client{Transport: transport(x.overAPI)},
	}
	env := map[string]string{"BASE_URL": serviceURL + "/"}
	var err error
	x.App, err = app.InMemory(func(name string) string { return env[name] }, app.Logger(x.Log), x.now)
	if err != nil {
		t.Fatal(err)
	}
	core := x.App.Core
	core.Random, x.App.Merchants.Random = x.bytes, x.bytes
	core.Store = &troubledStore{x.App.Store, x}
	x.World = story.NewWorld(x.Parts)
	x.UseQueue(&troubledQueue{x})
	x.App.Callbacks.Sender = &troubledSender{x}
	x.Pauses(func(_ context.Context, d time.Duration) error {
		x.runUntil(x.Clock.Now().Add(d))
		return nil
	})
	clear(x.App.Runner.Connectors) // which the notices have, too
	maps.Copy(x.App.Runner.Connectors, list.New(providers.Setup{
		Now: x.now, BaseURL: serviceURL, Client: providers.Over(transport(x.overProvider)), Store: core.Store,
	}))
	x.App.Runner.Wallets = story.TestWalletOpener(x.Clock.Now)
	x.handle = x.App.Handler()
	x.sim = simulator.New(simulator.Options{
		URL: providerURL, Now: x.Clock.Now, After: x.after, Client: &http.Client{Transport: transport(x.overNotice)},
		Seed: seed, Chance: 25, Twice: true,
	})
	x.deaf = x.n(7) == 0
	x.plans(seed)
	if bug.connect != nil {
		bug.connect(x)
	}
	return x
}

// plans chooses the orders and their shops. Most planted bugs are found by payments with cards.
func (x *faultRun) plans(seed uint64) {
	x.shops = []*faultShop{{x: x, Shop: x.LiveShop()}}
	if x.n(3) == 0 {
		second := &faultShop{x: x, Shop: x.LiveShop(), suffix: "-2"}
		if x.n(2) == 0 {
			second.Shop, second.test = x.TestShop(), true
			x.counts("shop in test mode")
		}
		x.shops = append(x.shops, second)
		x.counts("second shop")
	}
	several := x.n(2) == 0 // families in one world; else circuit breakers of one have more to do
	first := pick(x, faultMethods)
	for i := range ordersOf(seed) {
		o := &faultOrder{x: x, shop: pick(x, x.shops), number: fmt.Sprintf("pen-%d", i+1), amount: amounts[i], method: first}
		if several {
			o.method = pick(x, faultMethods)
		}
		if x.bug.name != "" {
			o.method = cmp.Or(x.bug.method, faultMethods[0])
		}
		if o.shop.test {
			o.method = faultMethods[0]
		}
		x.planned = append(x.planned, o)
	}
	for _, shop := range x.shops {
		shop.opens()
	}
}

// amounts are those of a world's orders, one each.
var amounts = []string{"10.00", "20.00", "30.00", "40.00"}

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
