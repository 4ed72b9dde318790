package inmemory

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
)

// queueClock is a clock that only a test moves.
type queueClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *queueClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *queueClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// queueCalls records what a queue delivers: ids of jobs, id/seq of callbacks.
type queueCalls struct {
	mu  sync.Mutex
	got []string
	err error
}

func (c *queueCalls) note(what string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, what)
	return c.err
}

func (c *queueCalls) job(_ context.Context, m payment.JobMessage) error { return c.note(m.PaymentID) }

func (c *queueCalls) callback(_ context.Context, m callback.Message) error {
	return c.note(m.PaymentID + "/" + strconv.Itoa(m.Seq))
}

// since returns what was delivered since the last call.
func (c *queueCalls) since() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.got = nil }()
	return strings.Join(c.got, " ")
}

func newTestQueue(t *testing.T) (*Queue, *queueClock, *queueCalls) {
	t.Helper()
	clock := &queueClock{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	queue := NewQueue(clock.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	calls := &queueCalls{}
	queue.Handle(calls.job, calls.callback)
	t.Cleanup(queue.Close)
	return queue, clock, calls
}

func sendJob(t *testing.T, queue *Queue, id string, delay time.Duration) {
	t.Helper()
	if err := queue.SendJob(t.Context(), payment.JobMessage{PaymentID: id}, delay); err != nil {
		t.Fatal(err)
	}
}

func sendCallback(t *testing.T, queue *Queue, id string, delay time.Duration) {
	t.Helper()
	if err := queue.SendCallback(t.Context(), callback.Message{PaymentID: id, Seq: 1}, delay); err != nil {
		t.Fatal(err)
	}
}

func TestQueueDeliversWhatIsDueInOrder(t *testing.T) {
	queue, clock, calls := newTestQueue(t)
	sendJob(t, queue, "later", time.Minute)
	sendJob(t, queue, "first", 0)
	sendCallback(t, queue, "second", 0)
	sendJob(t, queue, "soon", time.Second)
	sendJob(t, queue, "third", 0)
	queue.Deliver(t.Context())
	if got := calls.since(); got != "first second/1 third" {
		t.Errorf("delivered %s", got)
	}
	if pending := queue.Pending(); len(pending) != 2 || pending[0].Job.PaymentID != "soon" ||
		!pending[1].Due.Equal(clock.Now().Add(time.Minute)) {
		t.Errorf("pending %v", pending)
	}
	clock.pass(time.Minute)
	queue.Deliver(t.Context())
	if got := calls.since(); got != "soon later" {
		t.Errorf("then delivered %s", got)
	}
	if len(queue.Pending()) != 0 {
		t.Error("something is left")
	}
}

func TestQueueDeliversWhatMessagesSend(t *testing.T) {
	queue, _, calls := newTestQueue(t)
	queue.Handle(func(ctx context.Context, m payment.JobMessage) error {
		return queue.SendCallback(ctx, callback.Message{PaymentID: m.PaymentID, Seq: 7}, 0)
	}, calls.callback)
	sendJob(t, queue, "p", 0)
	queue.Deliver(t.Context())
	if got := calls.since(); got != "p/7" {
		t.Errorf("delivered %s", got)
	}
}

func TestQueueFailedMessageComesAgainThenIsDropped(t *testing.T) {
	queue, clock, calls := newTestQueue(t)
	calls.err = errors.New("no")
	sendJob(t, queue, "p", 0)
	for try := 1; try <= queueTries; try++ {
		queue.Deliver(t.Context())
		queue.Deliver(t.Context()) // not due before the visibility delay is over
		if got := calls.since(); got != "p" {
			t.Fatalf("try %d delivered %q", try, got)
		}
		if alive := len(queue.Pending()) == 1; alive != (try < queueTries) {
			t.Fatalf("try %d: pending %v", try, queue.Pending())
		}
		clock.pass(queueVisibility)
	}
	queue.Deliver(t.Context())
	if got := calls.since(); got != "" {
		t.Errorf("a message that has failed too often was delivered: %s", got)
	}
}

func TestQueueFailedMessageRecovers(t *testing.T) {
	queue, clock, calls := newTestQueue(t)
	calls.err = errors.New("no")
	sendCallback(t, queue, "p", 0)
	queue.Deliver(t.Context())
	calls.err = nil
	clock.pass(queueVisibility)
	queue.Deliver(t.Context())
	if got := calls.since(); got != "p/1 p/1" || len(queue.Pending()) != 0 {
		t.Errorf("delivered %s, left %v", got, queue.Pending())
	}
}

func TestQueuePanicIsContained(t *testing.T) {
	var out bytes.Buffer
	queue, _, calls := newTestQueue(t)
	queue.log = slog.New(slog.NewTextHandler(&out, nil))
	queue.Handle(func(_ context.Context, m payment.JobMessage) error {
		var none []int
		if m.PaymentID == "runtime" {
			none[len(m.PaymentID)] = 1
		}
		panic("4111111111111111")
	}, calls.callback)
	sendJob(t, queue, "value", 0)
	sendJob(t, queue, "runtime", 0)
	sendCallback(t, queue, "after", 0)
	queue.Deliver(t.Context())
	if got := calls.since(); got != "after/1" || len(queue.Pending()) != 2 {
		t.Errorf("delivered %s, pending %v", got, queue.Pending())
	}
	if logged := out.String(); strings.Contains(logged, "411111") || !strings.Contains(logged, "index out of range") ||
		!strings.Contains(logged, "payment=value") {
		t.Errorf("logged %s", logged)
	}
}

func TestQueueEndsWithContextAndClose(t *testing.T) {
	queue, _, calls := newTestQueue(t)
	sendJob(t, queue, "p", 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	queue.Deliver(ctx)
	queue.Close()
	queue.Close()
	queue.Deliver(t.Context())
	queue.Run(t.Context())
	if got := calls.since(); got != "" {
		t.Errorf("delivered %s", got)
	}
	if err := queue.SendJob(t.Context(), payment.JobMessage{}, 0); !errors.Is(err, errQueueClosed) {
		t.Errorf("answered %v", err)
	}
}

func TestQueueKeepsManyInOrder(t *testing.T) {
	queue, clock, calls := newTestQueue(t)
	var want []string
	for second := range 20 {
		for n := range 5 {
			want = append(want, strconv.Itoa(second)+"-"+strconv.Itoa(n))
		}
	}
	for n := range 5 {
		for second := 19; second >= 0; second-- {
			sendJob(t, queue, strconv.Itoa(second)+"-"+strconv.Itoa(n), time.Duration(second)*time.Second)
		}
	}
	clock.pass(time.Minute)
	queue.Deliver(t.Context())
	if got := strings.Fields(calls.since()); !reflect.DeepEqual(got, want) {
		t.Errorf("delivered %v", got)
	}
}
