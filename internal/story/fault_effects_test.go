package story

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/store"
)

// troubledStore is the store of a faultRun: throttled, or with a response that gets lost after everything was written.
type troubledStore struct {
	store.Store
	x *faultRun
}

var errThrottled = errors.New("the table is throttled")

func (s *troubledStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	if s.x.fails(10) {
		return nil, errThrottled
	}
	records, err := s.Store.Get(ctx, now, keys...)
	return s.x.bug.reads(s.x, records), err
}

func (s *troubledStore) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	if s.x.fails(10) {
		return nil, errThrottled
	}
	records, err := s.Store.List(ctx, now, query)
	return s.x.bug.reads(s.x, records), err
}

func (s *troubledStore) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	s.x.effect(ctx)
	if len(records) > 0 && strings.HasPrefix(records[0].Key.Partition, "order/") {
		s.x.meanwhile()
	}
	if records = s.x.bug.writes(s.x, records); len(records) == 0 {
		return nil
	}
	if s.x.fails(20) {
		return errThrottled
	}
	err := s.Store.Save(ctx, now, records...)
	s.x.effect(ctx)
	if err == nil && s.x.fails(20) {
		return errStore
	}
	return err
}

// troubledQueue loses messages, and delivers them late, twice and out of order.
type troubledQueue struct{ x *faultRun }

func (q *troubledQueue) SendJob(ctx context.Context, m checkout.JobMessage, delay time.Duration) error {
	return q.send(ctx, delay, func(ctx context.Context) error { return q.x.app.Service.RunJob(ctx, m) })
}

func (q *troubledQueue) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	return q.send(ctx, delay, func(ctx context.Context) error { return q.x.app.Service.SendCallback(ctx, m) })
}

// SendJobs and SendCallbacks are never called: a lossyQueue sends one message after the other.

func (q *troubledQueue) SendJobs(context.Context, []checkout.JobMessage) (int, error) {
	panic("one by one")
}

func (q *troubledQueue) SendCallbacks(context.Context, []callback.Message) (int, error) {
	panic("one by one")
}

func (q *troubledQueue) send(ctx context.Context, delay time.Duration, run func(context.Context) error) error {
	x := q.x
	x.effect(ctx)
	if x.fails(20) {
		return errors.New("the queue can't be reached")
	}
	if !x.fails(20) {
		if x.fails(50) {
			delay += x.between(0, 15*time.Minute)
		}
		x.after(delay, func() { q.deliver(run, 1) })
		if x.fails(60) {
			x.after(delay+x.between(0, 5*time.Minute), func() { q.deliver(run, 1) })
		}
	}
	x.effect(ctx)
	return nil
}

// deliver delivers a message, up to five times.
func (q *troubledQueue) deliver(run func(context.Context) error, try int) {
	var err error
	survived := q.x.invoke(func(ctx context.Context) { err = run(ctx) })
	if (!survived || err != nil) && try < 5 {
		q.x.after(30*time.Second, func() { q.deliver(run, try+1) })
	}
}

// mood is how the shop's receiver behaves.
type mood int

const (
	takes mood = iota
	breaks
	redirects
	hangs         // and takes nothing
	takesSilently // and the response is lost
)

// troubledSender sends callbacks to the shop.
type troubledSender struct{ x *faultRun }

func (s *troubledSender) Send(ctx context.Context, out callback.Outgoing) (int, error) {
	x := s.x
	x.effect(ctx)
	status := map[mood]int{takes: 200, takesSilently: 200, breaks: 500, redirects: 307}[x.mood]
	got := received{header: http.Header{}, body: out.Body, status: status, at: x.clock.Now()}
	for name, value := range out.Header {
		got.header.Set(name, value)
	}
	got.fields, _ = url.ParseQuery(string(out.Body))
	x.shop.mu.Lock()
	x.shop.requests = append(x.shop.requests, got)
	x.shop.mu.Unlock()
	if x.mood == hangs || x.mood == takesSilently {
		time.Sleep(10 * time.Second)
		return 0, callback.ErrTimeout
	}
	x.effect(ctx)
	return status, nil
}

// overAPI sends a request to the service. A killed function is a 502 of the gateway.
func (x *faultRun) overAPI(r *http.Request) (*http.Response, error) {
	response := httptest.NewRecorder()
	survived := x.invoke(func(ctx context.Context) {
		in := httptest.NewRequestWithContext(ctx, r.Method, r.URL.RequestURI(), r.Body)
		in.Header, in.RemoteAddr = r.Header.Clone(), "127.0.0.1:1"
		x.handle.ServeHTTP(response, in)
	})
	if !survived {
		response = httptest.NewRecorder()
		response.WriteHeader(http.StatusBadGateway)
		_, _ = response.WriteString(`{}`)
	}
	return response.Result(), nil
}

// overNotice sends a notice of the provider to the service.
func (x *faultRun) overNotice(r *http.Request) (*http.Response, error) {
	if x.deaf && !x.calm || x.fails(100) {
		return nil, io.ErrUnexpectedEOF
	}
	return x.overAPI(r)
}

var errNoRoute = errors.New("no route to the provider")

// overProvider sends a request to the simulated provider.
func (x *faultRun) overProvider(r *http.Request) (*http.Response, error) {
	x.effect(r.Context())
	if x.fails(15) {
		return nil, errNoRoute
	}
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
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
	go func() {
		defer stop()
		defer close(exchange.head)
		defer func() {
			if p := recover(); p != nil {
				writer.CloseWithError(io.ErrUnexpectedEOF)
				return
			}
			writer.Close()
		}()
		x.sim.ServeHTTP(exchange, in)
	}()
	select {
	case status, ok := <-exchange.head:
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		x.effect(ctx)
		return &http.Response{StatusCode: status, Header: exchange.header, Body: reader, Request: r, ContentLength: -1}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
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
