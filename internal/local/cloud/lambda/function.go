package lambda

import (
	"context"
	"maps"
	"slices"
	"time"
)

// EventOverhead is how many bytes CloudWatch Logs adds to the size of every event (manual of PutLogEvents).
const EventOverhead = 26

func (f *function) count(do func(*Counts)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(&f.counts)
}

// acquire returns an idle environment and starts one if there is none. If the start fails, the environment is nil and
// the result says why.
func (f *function) acquire(ctx context.Context) (*environment, Result, error) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil, Result{}, ErrClosed
	}
	if last := len(f.idle) - 1; last >= 0 {
		e := f.idle[last]
		f.idle = f.idle[:last]
		f.mu.Unlock()
		return e, Result{}, nil
	}
	if limit := f.spec.Concurrency; limit >= 0 && len(f.all) >= limit && len(f.waiting) >= f.starting+f.finishing {
		f.counts.Throttles++
		f.mu.Unlock()
		return nil, Result{}, ErrThrottled
	}
	slot := make(chan offer, 1)
	f.waiting = append(f.waiting, slot)
	f.startForWaiting(f.finishing)
	if f.finishing > 0 {
		time.AfterFunc(f.host.config.Patience, func() { f.startAnother(slot) })
	}
	f.mu.Unlock()
	select {
	case o := <-slot:
		return o.environment, o.failed, o.err
	case <-ctx.Done():
		f.leave(slot)
		return nil, Result{}, ctx.Err()
	}
}

// startAnother starts an environment for a call that has waited too long for a finishing one.
func (f *function) startAnother(slot chan offer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(f.waiting, slot) {
		f.startForWaiting(0)
	}
}

// startForWaiting starts as many environments as waiting calls need and the limits allow. expected is how many
// environments are about to be idle. The caller holds the lock.
func (f *function) startForWaiting(expected int) {
	most := f.host.config.Most * max(1, f.spec.Queues)
	if limit := f.spec.Concurrency; limit >= 0 {
		most = min(most, limit)
	}
	for !f.closed && f.starting+expected < len(f.waiting) && len(f.all) < most {
		e := newEnvironment(f)
		f.all[e] = true
		f.starting++
		f.counts.ColdStarts++
		go e.run()
	}
}

// leave stops waiting. An environment that was offered at the same moment goes to the next call.
func (f *function) leave(slot chan offer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.waiting, slot); i >= 0 {
		f.waiting = slices.Delete(f.waiting, i, i+1)
		return
	}
	if o := <-slot; o.environment != nil {
		f.give(o.environment)
	}
}

// release makes an environment idle that asks for the next call.
func (f *function) release(e *environment, was stage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leaveStage(was)
	if f.all[e] {
		f.give(e)
	}
}

// finish counts an environment that has responded.
func (f *function) finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finishing++
}

func (f *function) leaveStage(was stage) {
	switch was {
	case starting:
		f.starting--
	case finishing:
		f.finishing--
	}
}

func (f *function) give(e *environment) {
	if len(f.waiting) == 0 {
		f.idle = append(f.idle, e)
		return
	}
	f.waiting[0] <- offer{environment: e}
	f.waiting = f.waiting[1:]
}

// remove removes an environment that has ended. If it ended before it was ready, a waiting call fails with it, as on
// AWS.
func (f *function) remove(e *environment, was stage, failed Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, e)
	if i := slices.Index(f.idle, e); i >= 0 {
		f.idle = slices.Delete(f.idle, i, i+1)
	}
	f.leaveStage(was)
	if was == starting && len(f.waiting) > 0 {
		f.waiting[0] <- offer{failed: failed}
		f.waiting = f.waiting[1:]
	}
	f.startForWaiting(f.finishing)
}

// variables are the template's environment variables for the function.
func (f *function) variables() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.spec.Environment)
}

func (f *function) set(name, value string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed := maps.Clone(f.spec.Environment)
	if changed == nil {
		changed = map[string]string{}
	}
	changed[name] = value
	f.spec.Environment = changed
}

func (f *function) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, slot := range f.waiting {
		slot <- offer{err: ErrClosed}
	}
	f.waiting = nil
}

// countLine counts a line that the function itself wrote, without its newline.
func (f *function) countLine(bytes int) {
	f.count(func(counts *Counts) { counts.LogBytes += int64(bytes + EventOverhead) })
}
