package simulator

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

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

// ServeHTTP serves the providers, their payers' pages and the control calls.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	mux := s.mux
	s.mu.Unlock()
	mux.ServeHTTP(w, r)
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
