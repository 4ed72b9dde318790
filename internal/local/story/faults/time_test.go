package faults

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"checkout/internal/checkout/payment"
)

// faultEvent is something that happens at a time.
type faultEvent struct {
	at    time.Time
	order int
	do    func()
}

// instances are how many instances of functions run, each with a clock of its own.
const instances = 3

// maxSkew is how far the clock of an instance is from the right time. AWS keeps it within milliseconds; leases allow
// for several seconds between two instances.
const maxSkew = 4 * time.Second

// now is the time by the clock of the instance that runs.
func (x *faultRun) now() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.Clock.Now().Add(x.skews[x.instance])
}

// setsClock sets the clock of an instance forward or back, as NTP does.
func (x *faultRun) setsClock() {
	i, skew := x.n(instances), x.between(-maxSkew, maxSkew)
	x.mu.Lock()
	defer x.mu.Unlock()
	if skew < x.skews[i] {
		x.happened["clock set back"]++
	}
	x.skews[i] = skew
}

// runsOn has the code that runs be that of another instance, and returns the one before.
func (x *faultRun) runsOn(instance int) (before int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	before, x.instance = x.instance, instance
	return before
}

// maxEvents is several times what runs have that come to an end. The queue of these runs waits a quarter of a second
// where SQS waits a whole one.
const maxEvents = 20_000

// maxWrites is several times what runs have that come to an end.
const maxWrites = 2_000

// isEndless counts a write, and reports whether there are too many: nothing is stored from then on.
func (x *faultRun) isEndless() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writes++
	if x.writes == maxWrites {
		x.failures = append(x.failures, "there is no end of writes")
	}
	return x.writes >= maxWrites
}

// at has something done at a time.
func (x *faultRun) at(at time.Time, do func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.made++
	if x.made == maxEvents {
		x.failures = append(x.failures, "there is no end of messages and notices")
	}
	if x.made >= maxEvents {
		return
	}
	x.events = append(x.events, faultEvent{at, x.made, do})
}

func (x *faultRun) after(d time.Duration, do func()) { x.at(x.Clock.Now().Add(d), do) }

// next takes the next event that is due until a time.
func (x *faultRun) next(until time.Time) (faultEvent, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	first := -1
	for i, e := range x.events {
		if !e.at.After(until) && (first < 0 || e.at.Before(x.events[first].at)) {
			first = i
		}
	}
	if first < 0 {
		return faultEvent{}, false
	}
	e := x.events[first]
	x.events = slices.Delete(x.events, first, first+1)
	return e, true
}

// runUntil lets everything happen until a time.
func (x *faultRun) runUntil(end time.Time) {
	if x.depth >= 3 {
		time.Sleep(end.Sub(x.Clock.Now()))
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	for {
		e, ok := x.next(end)
		if !ok {
			break
		}
		time.Sleep(e.at.Sub(x.Clock.Now()))
		e.do()
	}
	time.Sleep(end.Sub(x.Clock.Now()))
}

// meanwhile lets something happen that is due soon, while a function is at work.
func (x *faultRun) meanwhile() {
	if x.depth >= 3 || !x.fails(30) {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	if e, ok := x.next(x.Clock.Now().Add(time.Minute)); ok {
		e.do()
	}
}

// sleeps has a function stop for longer than the lease of what it does, as a process that is frozen, and then go on.
func (x *faultRun) sleeps(ctx context.Context) {
	if _, ok := ctx.Value(invocationKey{}).(*invocation); !ok || x.depth >= 3 || !x.fails(4) {
		return
	}
	x.counts("stale worker")
	x.runUntil(x.Clock.Now().Add(x.between(payment.JobLease, 4*time.Minute)))
}

// invocation is one run of a function, which may be killed between any two effects.
type invocation struct {
	mu                sync.Mutex // the sweep has several goroutines
	effects, killedAt int
	killed, survived  bool
	began             time.Time // the right time
}

type invocationKey struct{}

// invoke runs a function of the service, and reports whether it came to its end.
func (x *faultRun) invoke(run func(context.Context)) bool {
	call := &invocation{began: x.Clock.Now()}
	if x.fails(100) {
		call.killedAt = 1 + x.n(8)
	}
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), invocationKey{}, call), 30*time.Second)
	defer cancel()
	done := make(chan struct{})
	depth, before := x.depth, x.runsOn(x.n(instances))
	defer x.runsOn(before)
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				x.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		run(ctx)
		call.survived = true
	}()
	<-done
	x.depth = depth
	call.mu.Lock()
	defer call.mu.Unlock()
	return call.survived && !call.killed
}

// effect is called before and after each effect: a write, a message, a request to a provider or a merchant. It ends the
// goroutine of a function that is killed there. What the function still does then has no effect. Clocks are set then,
// too.
func (x *faultRun) effect(ctx context.Context) {
	if x.fails(10) {
		x.setsClock()
	}
	call, ok := ctx.Value(invocationKey{}).(*invocation)
	if !ok {
		return
	}
	call.mu.Lock()
	call.effects++
	call.killed = call.killed || call.effects == call.killedAt
	killed := call.killed
	call.mu.Unlock()
	if killed {
		x.counts("killed")
		runtime.Goexit()
	}
}
