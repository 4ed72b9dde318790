// Package simulator plays providers over HTTP, with faults: what a connector sends is checked as the provider checks
// it, executed once in a ledger, and responded to in the provider's form. It is for local runs, tests and whoever
// wants to try another system against a provider that misbehaves. It knows nothing of the service.
package simulator

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Key and Secret are the credentials that every simulated provider takes. What a provider signs, it signs with Secret.
const (
	Key    = "simulator-key"
	Secret = "simulator-secret"
)

// Options say how the simulator runs. Only URL has to be set. Time is an input: with the defaults, a run inside
// testing/synctest waits for nothing.
type Options struct {
	URL    string                               // its own address, without a trailing slash, for pages of payers
	Client *http.Client                         // sends notices; default: one with a time limit of 10 s
	Now    func() time.Time                     // default: time.Now
	After  func(time.Duration, func())          // calls back later, never at once; default: time.AfterFunc
	Pause  func(context.Context, time.Duration) // default: waits
	Seed   uint64                               // of the faults by chance, and of ids
	Chance int                                  // how many of 100 operations have a fault by chance
	Keep   int                                  // how many operations, requests and notices are held; default: 10,000
	Twice  bool                                 // what comes twice with one reference is executed twice
}

// Simulator is a running simulator. Its methods may be called at the same time.
type Simulator struct {
	Options
	mux      *http.ServeMux
	families []family

	mu         sync.Mutex
	run        int // counts resets: what was planned before one is not done
	executed   int // counts operations, the forgotten ones too
	operations []*Operation
	byID       map[string]*Operation
	references map[reference]*Operation
	requests   []*Recorded
	notices    []*SentNotice
	next       []Next
	refused    map[reference]bool // not executed by a fault; the next request is
}

// New makes a simulator.
func New(o Options) *Simulator { return newOf(o, families()) }

func newOf(o Options, of []family) *Simulator {
	s := &Simulator{Options: o, families: of}
	if s.Client == nil {
		s.Client = &http.Client{Timeout: 10 * time.Second}
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.After == nil {
		s.After = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	if s.Pause == nil {
		s.Pause = pause
	}
	s.Keep = cmp.Or(s.Keep, 10_000)
	s.Reset()
	return s
}

// Reset forgets everything: the ledger, requests, notices, the behaviour that was chosen for the next operations, and
// all that was to happen later. Seed and chance stay.
func (s *Simulator) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run++
	s.executed, s.operations, s.requests, s.notices, s.next = 0, nil, nil, nil, nil
	s.byID, s.references, s.refused = map[string]*Operation{}, map[reference]*Operation{}, map[reference]bool{}
	s.mux = http.NewServeMux()
	for _, f := range s.families {
		for pattern, handle := range f.routes(s) {
			method, path, _ := strings.Cut(pattern, " ")
			s.mux.HandleFunc(method+" /"+f.name+path, s.exchange(f, handle))
		}
	}
	s.addPages()
	s.addControl()
}

// later calls a function after a time, unless everything is reset before. The caller has locked the ledger.
func (s *Simulator) later(d time.Duration, f func()) {
	run := s.run
	s.After(d, func() {
		s.mu.Lock()
		over := s.run != run
		s.mu.Unlock()
		if !over {
			f()
		}
	})
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// ServeHTTP serves the providers, their payers' pages and the control calls.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	mux := s.mux
	s.mu.Unlock()
	mux.ServeHTTP(w, r)
}

// family is one kind of provider.
type family struct {
	name   string                                       // the first part of its paths
	routes func(*Simulator) map[string]http.HandlerFunc // by pattern: "POST /payments"

	// notice returns the notice about an operation as it is now, nil if this provider sends none about it.
	notice func(*Simulator, Operation) *http.Request
	// spoil makes a notice's signature wrong.
	spoil func(*http.Request)
}

// exchange is what is known of one request while it is handled.
type exchange struct {
	family    family
	response  *httptest.ResponseRecorder // before its fault
	fault     Fault
	handled   bool       // by execute
	operation *Operation // a copy of what was executed; nil: nothing
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	e, _ := ctx.Value(exchangeKey{}).(*exchange)
	return e
}

// exchange handles a request of a family: it writes it down, has it handled, and responds with the fault that the
// operation or a control call has chosen.
func (s *Simulator) exchange(f family, handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		e := &exchange{family: f, response: httptest.NewRecorder()}
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
		recorded := s.record(f, r)
		handle(e.response, r)
		s.mu.Lock()
		if !e.handled {
			n, _ := s.takeNext(f.name, Other)
			e.fault = n.Fault
		}
		recorded.Status, recorded.Fault = e.response.Code, e.fault
		s.mu.Unlock()
		s.respond(w, r, e)
	}
}

func (s *Simulator) familyNamed(name string) family {
	for _, f := range s.families {
		if f.name == name {
			return f
		}
	}
	return family{}
}
