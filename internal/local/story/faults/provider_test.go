package faults

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"time"

	"checkout/internal/local/simulator"
)

var errNoRoute = errors.New("no route to the provider")

// longestWay is the longest time after which a request still arrives at a provider.
const longestWay = 20 * time.Second

// overProvider sends a request to the simulated provider.
func (x *faultRun) overProvider(r *http.Request) (*http.Response, error) {
	x.effect(r.Context())
	x.sleeps(r.Context())
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if x.fails(15) || !x.calm && x.isLost(r) {
		return nil, errNoRoute
	}
	arrives, sent := x.isOnItsWay(r), x.Clock.Now()
	if movesMoney(r) && x.fails(20) {
		return nil, x.sendsLate(r, arrives)
	}
	defer arrives()
	if x.fails(50) {
		x.runUntil(sent.Add(x.between(0, longestWay)))
	}
	x.meanwhile()
	if x.Clock.Now().Sub(sent) > longestWay {
		return nil, io.ErrUnexpectedEOF
	}
	connects(r)
	reader, writer := io.Pipe()
	exchange := &providerExchange{header: http.Header{}, body: writer, head: make(chan int, 1)}
	ctx := r.Context()
	stop := context.AfterFunc(ctx, func() { writer.CloseWithError(ctx.Err()) })
	var body io.Reader = http.NoBody
	if r.Body != nil {
		body = r.Body
	}
	in := httptest.NewRequestWithContext(ctx, r.Method, r.URL.RequestURI(), body)
	in.Header = r.Header.Clone()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer stop()
		defer close(exchange.head)
		defer func() {
			err := ctx.Err() // the same, whoever is first to see that the time is up
			if p := recover(); p != nil && err == nil {
				err = io.ErrUnexpectedEOF
			}
			writer.CloseWithError(err)
		}()
		x.sim.ServeHTTP(exchange, in)
	}()
	status, ok := 0, false
	select {
	case status, ok = <-exchange.head:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		<-ended // what the provider still does at this moment comes before what the function does then, in every run
		return nil, err
	}
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	x.effect(ctx)
	x.sleeps(ctx)
	return &http.Response{StatusCode: status, Header: exchange.header, Body: reader, Request: r, ContentLength: -1}, nil
}

// connects tells the sender of a request that it was connected: what fails from then on may have arrived.
func connects(r *http.Request) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
}

// movesMoney reports whether a request moves money, or may.
func movesMoney(r *http.Request) bool {
	parts := strings.Split(r.URL.Path, "/")
	what := parts[len(parts)-1]
	if what == "cancel" { // a void at Stripe; elsewhere the end of a charge that its payer wants
		return parts[1] == "stripe" && !strings.HasSuffix(r.Header.Get("Idempotency-Key"), "-cancel")
	}
	return r.Method == http.MethodPost && slices.Contains([]string{
		"confirm", "capture", "refunds", "payments", "charges", "redemptions", "charge", "refund", "void",
	}, what)
}

// latestArrival is how long after a worker has begun a request may arrive. A lease is longer by more than clocks
// differ.
const latestArrival = 30 * time.Second

// sendsLate has the connection of a request break at once. The request arrives later, also after the provider has told
// a look-up that it knows of none.
func (x *faultRun) sendsLate(r *http.Request, arrives func()) error {
	x.counts("late request")
	began := x.Clock.Now()
	if deadline, limited := r.Context().Deadline(); limited {
		began = deadline.Add(-x.App.Runner.ProviderTimeout)
	}
	text, _ := io.ReadAll(r.Body)
	late := r.Clone(context.Background())
	way := max(time.Second, began.Add(latestArrival).Sub(x.Clock.Now()))
	x.late.Add(1)
	x.after(x.between(0, way), func() {
		x.late.Add(-1)
		arrives()
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond) // for a response that nobody reads
		defer cancel()
		in := httptest.NewRequestWithContext(ctx, late.Method, late.URL.RequestURI(), bytes.NewReader(text))
		in.Header = late.Header
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }() // of a connection that the provider drops
			x.sim.ServeHTTP(httptest.NewRecorder(), in)
		}()
		<-done
	})
	connects(r)
	return io.ErrUnexpectedEOF
}

func (x *faultRun) isLost(r *http.Request) bool {
	return x.lost != "" &&
		(strings.HasPrefix(r.URL.Path, "/"+x.lost+"/") || r.Header.Get("Authorization") == "Bearer "+x.lost)
}

// isOnItsWay notes that a request with a key has left, until the returned function is called. A lease keeps other
// functions from sending the same meanwhile. Look-ups send no such request but the first one of a charge at Stripe,
// which moves no money. The end of a charge that its payer wants needs no lease.
func (x *faultRun) isOnItsWay(r *http.Request) (arrives func()) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" || r.Method != http.MethodPost || strings.HasSuffix(r.URL.Path, "/payment_intents") ||
		r.URL.Path == "/adapter/cancel" {
		return func() {}
	}
	key = r.URL.Path + " " + key
	x.mu.Lock()
	defer x.mu.Unlock()
	if left, away := x.onTheWay[key]; away && x.Clock.Now().Sub(left) < latestArrival {
		x.failures = append(x.failures, key+" was sent while it was on its way")
	}
	x.onTheWay[key] = x.Clock.Now()
	return func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.onTheWay, key)
	}
}

// countsFoundLate counts the charges that the provider has made and does not find for minutes.
func (x *faultRun) countsFoundLate() {
	for _, r := range x.sim.Requests() {
		if r.Fault == simulator.FoundLate {
			x.counts("found late")
		}
	}
}

// believesNotFound takes for certain at once that a provider has never received what it does not find.
func believesNotFound(x *faultRun) {
	for name, can := range x.App.Core.Declarations {
		can.FoundAfter = 0
		x.App.Core.Declarations[name] = can
	}
}

// providerExchange is the provider's side of one request.
type providerExchange struct {
	header http.Header
	body   *io.PipeWriter
	head   chan int
	sent   bool
}

func (e *providerExchange) Header() http.Header { return e.header }

func (e *providerExchange) WriteHeader(status int) {
	if !e.sent {
		e.sent = true
		e.head <- status
	}
}

func (e *providerExchange) Write(b []byte) (int, error) {
	e.WriteHeader(http.StatusOK)
	return e.body.Write(b)
}
