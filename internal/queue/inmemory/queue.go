// Package inmemory is the queues of the embedded run, in one process. They promise and refuse what SQS does, and forget
// everything when the process ends.
package inmemory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/worker"
)

const (
	// queueTries is how often a message is delivered before it is dropped.
	queueTries = 5
	// queueVisibility is how long a failed message waits to be delivered again.
	queueVisibility = 30 * time.Second
	// queueWorkers is how many jobs, and how many callbacks, Run delivers at the same time. They mostly wait for
	// providers and merchants, and cost little.
	queueWorkers = 500
	// fewWorkers is how many jobs, and how many callbacks, with the test key and for slow providers and addresses.
	fewWorkers = 50
)

// errQueueClosed is the error of a closed Queue.
var errQueueClosed = errors.New("the queue is closed")

// Queue is all queues of the service in one process. It delivers a message when it is due by its clock, again 30
// seconds after a failure or panic, and drops it after 5 failures. Run delivers in real time; a test with a clock of
// its own calls Deliver instead. Messages are lost with the process; then the sweep sends them again.
type Queue struct {
	now func() time.Time
	log *slog.Logger

	job      func(context.Context, payment.JobMessage) error
	callback func(context.Context, callback.Message) error

	mu      sync.Mutex
	lines   [lines]line
	arrived uint64 // the number of the last message that was added
	stopped bool

	changed chan struct{} // wakes Run; of capacity one
	closed  chan struct{}
}

var (
	_ payment.JobQueue  = (*Queue)(nil)
	_ worker.JobBatches = (*Queue)(nil)
)

// NewQueue returns an empty queue that reads the time from now. Handle has to be called before the first delivery.
func NewQueue(now func() time.Time, log *slog.Logger) *Queue {
	return &Queue{
		now: now, log: log,
		lines: [lines]line{
			jobs: {workers: queueWorkers}, slowJobs: {workers: queueWorkers},
			testJobs: {workers: fewWorkers}, slowTestJobs: {workers: fewWorkers},
			callbacks: {workers: queueWorkers}, slowCallbacks: {workers: fewWorkers}, testCallbacks: {workers: fewWorkers},
		},
		changed: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Handle sets the handlers of jobs and callbacks. They are no parameters of NewQueue, because the service that handles
// messages also sends them.
func (q *Queue) Handle(
	job func(context.Context, payment.JobMessage) error, callback func(context.Context, callback.Message) error,
) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.job, q.callback = job, callback
}

// SendJob adds a job that is due after delay. It fails with errQueueClosed only.
func (q *Queue) SendJob(_ context.Context, message payment.JobMessage, delay time.Duration) error {
	return q.add(QueueMessage{Job: &message, Due: q.now().Add(delay)})
}

// SendCallback adds a callback that is due after delay. It fails with errQueueClosed only.
func (q *Queue) SendCallback(_ context.Context, message callback.Message, delay time.Duration) error {
	return q.add(QueueMessage{Callback: &message, Due: q.now().Add(delay)})
}

// SendJobs adds jobs that are due at once. It fails with errQueueClosed only.
func (q *Queue) SendJobs(ctx context.Context, messages []payment.JobMessage) (refused int, err error) {
	for _, message := range messages {
		err = errors.Join(err, q.SendJob(ctx, message, 0))
	}
	return 0, err
}

// SendCallbacks adds callbacks that are due at once. It fails with errQueueClosed only.
func (q *Queue) SendCallbacks(ctx context.Context, messages []callback.Message) (refused int, err error) {
	for _, message := range messages {
		err = errors.Join(err, q.SendCallback(ctx, message, 0))
	}
	return 0, err
}

// Pending returns the messages that wait to be delivered, the next one first. Those being delivered are not among them.
func (q *Queue) Pending() []QueueMessage {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []QueueMessage
	for _, l := range q.lines {
		all = append(all, l.waiting...)
	}
	slices.SortFunc(all, QueueMessage.before)
	return all
}

// Deliver delivers messages that are due, one after the other, until none is due any more, also those that are sent
// meanwhile. It ends with ctx or Close.
func (q *Queue) Deliver(ctx context.Context) {
	for ctx.Err() == nil {
		message, ok, _ := q.take(false)
		if !ok {
			return
		}
		q.deliver(ctx, message)
		q.finish(message)
	}
}

// Run delivers messages as they become due, several at a time, until ctx or Close ends it. Then it cancels the
// handlers' context and returns when they have returned.
func (q *Queue) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	for {
		message, ok, wait := q.take(true)
		if ok {
			group.Go(func() {
				defer q.finish(message)
				q.deliver(ctx, message)
			})
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-q.changed:
		case <-q.closed:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil || q.isClosed() {
			return
		}
	}
}

// Close ends Run and Deliver, and later sends fail. It doesn't wait. It may be called more than once.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.stopped {
		q.stopped = true
		close(q.closed)
	}
}

func (q *Queue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopped
}

func (q *Queue) add(message QueueMessage) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errQueueClosed
	}
	q.arrived++
	message.arrived = q.arrived
	l := &q.lines[message.line()]
	at, _ := slices.BinarySearchFunc(l.waiting, message, QueueMessage.before)
	l.waiting = slices.Insert(l.waiting, at, message)
	q.wake()
	return nil
}

// wake makes Run look for due messages.
func (q *Queue) wake() {
	select {
	case q.changed <- struct{}{}:
	default:
	}
}

// take removes the first message that is due and counts it as running. If limited, it takes none of a line whose
// workers are all busy. Without such a message it returns how long to wait for the next one. The end of a delivery
// wakes Run earlier.
func (q *Queue) take(limited bool) (message QueueMessage, ok bool, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return QueueMessage{}, false, 0
	}
	var first *line
	for i := range q.lines {
		l := &q.lines[i]
		free := !limited || l.running < l.workers
		if len(l.waiting) > 0 && free && (first == nil || l.waiting[0].before(first.waiting[0]) < 0) {
			first = l
		}
	}
	if first == nil {
		return QueueMessage{}, false, time.Hour
	}
	message = first.waiting[0]
	if left := message.Due.Sub(q.now()); left > 0 {
		return QueueMessage{}, false, left
	}
	first.waiting[0] = QueueMessage{}
	first.waiting = first.waiting[1:]
	first.running++
	return message, true, 0
}

// finish frees the worker of a message.
func (q *Queue) finish(message QueueMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines[message.line()].running--
	q.wake()
}

// deliver has a message handled. A failed one is delivered again, or dropped if it has failed too often.
func (q *Queue) deliver(ctx context.Context, message QueueMessage) {
	message.Tries++
	ctx = fault.WithCause(ctx, message.cause())
	err := q.handle(ctx, message)
	if err == nil {
		return
	}
	q.log.ErrorContext(ctx, "a message failed", "payment", message.payment(), "tries", message.Tries, "error", err.Error())
	if message.Tries >= queueTries {
		return
	}
	message.Due = q.now().Add(queueVisibility)
	if err := q.add(message); err != nil {
		q.log.WarnContext(ctx, "a failed message is dropped", "payment", message.payment(), "error", err.Error())
	}
}

// handle calls the handler and makes a panic an error. Only texts of the runtime surely contain no data, so the error
// shows the value of no other panic.
func (q *Queue) handle(ctx context.Context, message QueueMessage) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("panic: %s\n%s", cause.Error(), debug.Stack())
		default:
			err = fmt.Errorf("panic: a value of type %T\n%s", cause, debug.Stack())
		}
	}()
	q.mu.Lock()
	job, callback := q.job, q.callback
	q.mu.Unlock()
	if message.Job != nil {
		return job(ctx, *message.Job)
	}
	return callback(ctx, *message.Callback)
}
