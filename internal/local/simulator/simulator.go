// Package simulator plays providers over HTTP, with faults: what a connector sends is checked as the provider checks
// it, executed once in a ledger, and responded to in the provider's form. It is for local runs, tests and whoever
// wants to try another system against a provider that misbehaves. It knows nothing of the service.
package simulator

import (
	"context"
	"net/http"
	"net/http/httptest"
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

func (s *Simulator) familyNamed(name string) family {
	for _, f := range s.families {
		if f.name == name {
			return f
		}
	}
	return family{}
}

// SentNotice is one try of a notice.
type SentNotice struct {
	Family    string    `json:"family"`
	Operation string    `json:"operation"` // id
	Reference string    `json:"reference"`
	State     State     `json:"state"` // that it tells of
	To        string    `json:"to"`
	Try       int       `json:"try"`
	At        time.Time `json:"at"`
	Spoilt    bool      `json:"spoilt,omitempty"` // its signature is wrong
	Status    int       `json:"status"`           // of the response; 0: none
	Error     string    `json:"error,omitempty"`
}

// Recorded is a request that was received.
type Recorded struct {
	Family string      `json:"family"`
	Method string      `json:"method"`
	Path   string      `json:"path"` // below the family's name, with the query
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	At     time.Time   `json:"at"`
	Status int         `json:"status"` // of the response before its fault
	Fault  Fault       `json:"fault,omitempty"`
}

// Chances are the faults by chance.
type Chances struct {
	Seed   uint64 `json:"seed"`
	Chance int    `json:"chance"` // how many of 100 operations have a fault
}

// PayURL is the address of an operation's payer's page.
func (s *Simulator) PayURL(o Operation) string { return s.URL + "/pay/" + o.ID }
