package inmemory

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
)

// runQueue runs a queue with the real clock until the test ends and waits for its end.
func runQueue(t *testing.T, queue *Queue) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		queue.Run(t.Context())
	}()
	t.Cleanup(func() {
		queue.Close()
		select {
		case <-done:
		case <-time.After(5 * time.Minute):
			t.Error("Run did not end")
		}
	})
}

func TestQueueRunDeliversInTime(t *testing.T) {
	queue := NewQueue(time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	type arrival struct {
		id string
		at time.Time
	}
	arrivals := make(chan arrival, 3)
	queue.Handle(func(_ context.Context, m payment.JobMessage) error {
		arrivals <- arrival{m.PaymentID, time.Now()}
		return nil
	}, nil)
	runQueue(t, queue)
	start := time.Now()
	sendJob(t, queue, "late", 100*time.Millisecond)
	sendJob(t, queue, "middle", 50*time.Millisecond)
	sendJob(t, queue, "now", 0)
	want := map[string]time.Duration{"now": 0, "middle": 50 * time.Millisecond, "late": 100 * time.Millisecond}
	for range 3 {
		select {
		case a := <-arrivals:
			if early := want[a.id] - a.at.Sub(start); early > 0 {
				t.Errorf("%s came %v early", a.id, early)
			}
			delete(want, a.id)
		case <-time.After(5 * time.Minute):
			t.Fatalf("never came: %v", want)
		}
	}
}

// While slow callbacks occupy all their workers, jobs still run, and no more callbacks than there are workers.
func TestQueueRunBoundsWorkers(t *testing.T) {
	queue := NewQueue(time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	var running, most atomic.Int32
	release := make(chan struct{})
	job := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(3 * queueWorkers)
	queue.Handle(func(context.Context, payment.JobMessage) error {
		close(job)
		return nil
	}, func(context.Context, callback.Message) error {
		defer ended.Done()
		defer running.Add(-1)
		n := running.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		<-release
		return nil
	})
	runQueue(t, queue)
	for range 3 * queueWorkers {
		sendCallback(t, queue, "p", 0)
	}
	for deadline := time.Now().Add(5 * time.Minute); running.Load() < queueWorkers; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the workers never were all busy")
		}
	}
	sendJob(t, queue, "p", 0)
	select {
	case <-job:
	case <-time.After(5 * time.Minute):
		t.Fatal("slow callbacks held up a job")
	}
	close(release)
	ended.Wait()
	if n := most.Load(); n != queueWorkers {
		t.Errorf("%d at once", n)
	}
}

// Many providers that never respond delay no other payment, and many merchants that never respond no other callback.
func TestQueueRunDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := NewQueue(time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
		start := time.Now()
		took := make(chan time.Duration, 2)
		handle := func(id string, silent time.Duration) error {
			if id == "silent" {
				time.Sleep(silent)
				return errors.New("no answer in time")
			}
			took <- time.Since(start)
			return nil
		}
		queue.Handle(
			func(_ context.Context, m payment.JobMessage) error { return handle(m.PaymentID, 15*time.Second) },
			func(_ context.Context, m callback.Message) error { return handle(m.PaymentID, 10*time.Second) })
		for range 300 {
			sendJob(t, queue, "silent", 0)
			sendCallback(t, queue, "silent", 0)
		}
		sendJob(t, queue, "good", 0)
		sendCallback(t, queue, "good", 0)
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { queue.Run(ctx) })
		for range 2 {
			if d := <-took; d != 0 {
				t.Errorf("it took %s", d)
			}
		}
		cancel()
		run.Wait()
	})
}

func TestQueueCloseEndsWhatIsUnderWay(t *testing.T) {
	queue := NewQueue(time.Now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	started, ended := make(chan struct{}), make(chan error, 1)
	queue.Handle(func(ctx context.Context, _ payment.JobMessage) error {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil
	}, nil)
	runQueue(t, queue)
	sendJob(t, queue, "p", 0)
	<-started
	queue.Close()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("the job was left alone")
	}
}
