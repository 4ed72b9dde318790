package conformance

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Faults is an HTTP server in front of a simulated provider. It passes requests on, and gives those a fault that the
// suite chooses.
type Faults struct {
	URL string

	provider   http.Handler
	movesMoney func(*http.Request) bool
	server     *httptest.Server
	over       chan struct{} // closed when the test ends

	mu       sync.Mutex
	next     fault
	money    bool // next is for the next request that moves money
	followed bool // a redirect was followed
	flooded  bool // a response without an end was read to its end

	stalled context.Context // ends when the next fault begins to let its caller wait
	stall   context.CancelFunc
}

// NewFaults starts the server. movesMoney reports whether a request is a charge, capture, void or refund, in contrast
// to one for a token, for example.
func NewFaults(t *testing.T, provider http.Handler, movesMoney func(*http.Request) bool) *Faults {
	f := &Faults{provider: provider, movesMoney: movesMoney, over: make(chan struct{})}
	f.stalled, f.stall = context.WithCancel(context.Background())
	f.server = httptest.NewUnstartedServer(f)
	f.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	f.server.Start()
	f.URL = f.server.URL
	t.Cleanup(func() {
		close(f.over)
		f.beginStall()
		f.server.CloseClientConnections()
		f.server.Close()
	})
	return f
}

// fault is a fault of an HTTP response or connection.
type fault string

// The faults. With all of them but loses the provider executes the request.
const (
	noFault   fault = ""
	stalls    fault = "nothing comes"
	drips     fault = "a byte a second"
	hangsUp   fault = "closed without a response"
	closes    fault = "closed in the middle"
	empties   fault = "an empty response"
	garbage   fault = "a response of garbage"
	fails     fault = "status 500"
	misses    fault = "status 404 that is not the provider's"
	redirects fault = "a redirect"
	floods    fault = "a response without an end"
	loses     fault = "the request is lost"
)

var httpFaults = []fault{stalls, drips, hangsUp, closes, empties, garbage, fails, misses, redirects, floods}

// breakNext breaks the next request, or the next that moves money.
func (f *Faults) breakNext(next fault, money bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next, f.money = next, money
	f.stall()
	f.stalled, f.stall = context.WithCancel(context.Background())
}

// stalling returns a context that ends when the fault lets its caller wait.
func (f *Faults) stalling() context.Context {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stalled
}

func (f *Faults) beginStall() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stall()
}

func (f *Faults) take(r *http.Request) fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.money && !f.movesMoney(r) {
		return noFault
	}
	next := f.next
	f.next = noFault
	return next
}

// check fails the test if the connector followed a redirect or read a response without end.
func (f *Faults) check(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next != noFault {
		t.Errorf("the provider was sent nothing that could meet the fault: %s", f.next)
	}
	if f.followed {
		t.Error("a redirect was followed: what was sent may be done twice, and whoever is there learns it")
	}
	if f.flooded {
		t.Error("a response without an end was read as long as it came")
	}
}

// elsewhere is the target of redirects.
const elsewhere = "/elsewhere"

// ServeHTTP serves a request as the provider does, or with a fault.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == elsewhere {
		f.mu.Lock()
		f.followed = true
		f.mu.Unlock()
	}
	next := f.take(r)
	if next == noFault {
		f.provider.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body) // until then the server does not notice that the client left
	if err != nil || next == loses {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	response := httptest.NewRecorder()
	f.provider.ServeHTTP(response, r)
	f.serve(w, r, next, response.Body.Bytes())
}

// serve sends a response with a fault in place of the provider's own, whose body is body.
func (f *Faults) serve(w http.ResponseWriter, r *http.Request, next fault, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	switch next {
	case stalls:
		f.beginStall()
		f.wait(r, nil)
	case drips:
		f.drip(w, r, body)
	case hangsUp:
		panic(http.ErrAbortHandler)
	case closes:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+100))
		_, _ = w.Write(body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case garbage:
		_, _ = w.Write([]byte("\x00\xff{]"))
	case fails:
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte(`{"error":"internal"}`))
	case misses:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<h1>Not found</h1>"))
	case redirects:
		w.Header().Set("Location", f.URL+elsewhere)
		w.WriteHeader(http.StatusTemporaryRedirect) // clients repeat the request for this status
	case floods:
		f.flood(w)
	}
}

// drip sends one byte of a body each second.
func (f *Faults) drip(w http.ResponseWriter, r *http.Request, body []byte) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for i := range body {
		if _, err := w.Write(body[i : i+1]); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		f.beginStall()
		if !f.wait(r, tick.C) {
			return
		}
	}
}

// wait waits for a tick. It returns false if the client leaves or the test ends before.
func (f *Faults) wait(r *http.Request, tick <-chan time.Time) bool {
	select {
	case <-tick:
		return true
	case <-r.Context().Done():
	case <-f.over:
	}
	return false
}

// flood sends more bytes than a connector may read.
func (f *Faults) flood(w http.ResponseWriter) {
	_, _ = w.Write([]byte(`{"note":"`))
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	for range 1024 {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flooded = true
}
