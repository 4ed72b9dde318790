package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
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
	if len(records) == 1 && strings.HasPrefix(records[0].Key.Partition, "uses/") { // beside a call, whenever that may be
		return s.Store.Save(ctx, now, records...)
	}
	s.x.effect(ctx)
	s.x.usesToken(records)
	if len(records) > 0 && strings.HasPrefix(records[0].Key.Partition, "order/") {
		s.x.comesBetween()
		s.x.meanwhile()
	}
	s.x.sleeps(ctx)
	if s.x.isEndless() {
		return errThrottled
	}
	if records = s.x.bug.writes(s.x, records); len(records) == 0 {
		return nil
	}
	if s.x.fails(20) {
		return errThrottled
	}
	err := s.x.saves(ctx, now, records)
	s.x.effect(ctx)
	if err == nil && s.x.fails(20) {
		return errors.New("the table does not respond")
	}
	return err
}

// handler handles a message.
type handler func(context.Context) error

// troubledQueue loses messages, and delivers them late, twice and out of order.
type troubledQueue struct{ x *faultRun }

func (q *troubledQueue) SendJob(ctx context.Context, m payment.JobMessage, delay time.Duration) error {
	q.x.inItsQueue(m.PaymentID, m.Test)
	run := func(ctx context.Context) error { return q.x.App.Runner.RunJob(ctx, m) }
	return q.send(ctx, fmt.Sprintf("job %+v", m), delay, run)
}

func (q *troubledQueue) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	q.x.inItsQueue(m.PaymentID, m.Test)
	run := func(ctx context.Context) error { return q.x.App.Callbacks.SendCallback(ctx, m) }
	return q.send(ctx, fmt.Sprintf("callback %+v", m), delay, run)
}

// inItsQueue checks that a message goes to the queue of its payment's mode.
func (x *faultRun) inItsQueue(paymentID string, test bool) {
	key, err := store.PaymentKey(paymentID)
	if err != nil {
		return
	}
	var p payment.Payment
	if r, err := store.GetOne(context.Background(), x.App.Store, x.Clock.Now(), key); err == nil && r.Decode(&p) == nil &&
		p.ID != "" && p.Test != test {
		x.Errorf("payment %s: a message is in the queue of another mode", p.ID)
	}
}

// SendJobs and SendCallbacks are never called: a lossyQueue sends one message after the other.

func (q *troubledQueue) SendJobs(context.Context, []payment.JobMessage) (int, error) {
	panic("one by one")
}

func (q *troubledQueue) SendCallbacks(context.Context, []callback.Message) (int, error) {
	panic("one by one")
}

// sweptMessage is a message of a sweep, which sends several at the same time.
type sweptMessage struct {
	name string
	send func() error
}

// sendSwept sends the messages of a sweep, some of them if it is killed.
func (x *faultRun) sendSwept() {
	x.mu.Lock()
	all := x.swept
	x.swept = nil
	x.mu.Unlock()
	slices.SortFunc(all, func(a, b sweptMessage) int { return strings.Compare(a.name, b.name) })
	if x.fails(50) {
		all = all[:x.n(len(all)+1)]
	}
	for _, m := range all {
		_ = m.send()
	}
}

// isSwept keeps a message of a sweep for sendSwept.
func (x *faultRun) isSwept(m sweptMessage) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.swept == nil {
		return false
	}
	x.swept = append(x.swept, m)
	return true
}

func (q *troubledQueue) send(ctx context.Context, name string, delay time.Duration, run handler) error {
	x := q.x
	again := func() error { return q.send(context.Background(), name, delay, run) }
	if x.isSwept(sweptMessage{name, again}) {
		return nil
	}
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
			late := pick(x, []time.Duration{20 * time.Second, 5 * time.Minute})
			x.after(delay+x.between(0, late), func() { q.deliver(run, 1) })
		}
	}
	x.effect(ctx)
	return nil
}

// deliver delivers a message, up to five times.
func (q *troubledQueue) deliver(run handler, try int) {
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
	out = x.bug.sends(x, out)
	i := slices.IndexFunc(x.shops, func(s *faultShop) bool { return strings.HasPrefix(out.URL, s.address()) })
	if i < 0 || strings.HasPrefix(out.URL, x.shops[i].address()+"live") == x.shops[i].test {
		x.Errorf("a callback was sent to %s", out.URL)
		return 0, callback.ErrAddress
	}
	shop := x.shops[i]
	status := map[mood]int{takes: 200, takesSilently: 200, breaks: 500, redirects: 307}[shop.mood]
	shop.gets(out, status)
	if shop.mood == hangs || shop.mood == takesSilently {
		x.runUntil(x.Clock.Now().Add(10 * time.Second))
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
	notice := sentNotice{r.Clone(context.Background()), nil}
	notice.body, _ = io.ReadAll(r.Body)
	x.notices = append(x.notices, notice)
	return x.overAPI(notice.again())
}

// sentNotice is a notice that may arrive again.
type sentNotice struct {
	request *http.Request
	body    []byte
}

func (n sentNotice) again() *http.Request {
	r := n.request.Clone(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(n.body))
	return r
}
