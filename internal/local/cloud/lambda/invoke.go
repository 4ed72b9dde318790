package lambda

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// New makes a host. Nothing runs before the first call.
func New(config Config, specs []Spec) *Host {
	h := &Host{config: config, functions: map[string]*function{}}
	for _, spec := range specs {
		spec.Timeout *= time.Duration(max(1, config.Slower))
		f := &function{host: h, spec: spec, all: map[*environment]bool{}}
		f.log = &logbook{prefix: spec.Name, out: config.Log, wrote: f.countLine}
		h.functions[spec.Name] = f
	}
	return h
}

// Invoke calls a function with a JSON payload and waits for its response. It fails with ErrUnknown, ErrThrottled,
// ErrClosed, or the context's error; the call itself then goes on.
func (h *Host) Invoke(ctx context.Context, name string, payload []byte) (Result, error) {
	f, ok := h.functions[name]
	if !ok {
		return Result{}, fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	c := &call{id: h.requestID(), payload: payload, done: make(chan Result, 1)}
	for {
		e, failed, err := f.acquire(ctx)
		if err != nil {
			return Result{}, err
		}
		if e == nil { // its initialisation failed
			f.count(func(counts *Counts) { counts.Invocations++; counts.Errors++ })
			return failed, nil
		}
		if e.dispatch(c) {
			break
		}
	}
	select {
	case result := <-c.done:
		return result, nil
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
}

func (h *Host) requestID() string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", h.config.Now().Unix(), h.requests.Add(1))
}

// Kill ends all environments of a function as a crash of the machine would, and waits until they have ended. It returns
// their number.
func (h *Host) Kill(name string) int {
	f, ok := h.functions[name]
	if !ok {
		return 0
	}
	f.mu.Lock()
	var running []*environment
	for e := range f.all {
		running = append(running, e)
	}
	f.mu.Unlock()
	var wait sync.WaitGroup
	for _, e := range running {
		wait.Go(e.kill)
	}
	wait.Wait()
	return len(running)
}

// Set sets a variable for every function, for environments that start later.
func (h *Host) Set(name, value string) {
	for _, f := range h.functions {
		f.set(name, value)
	}
}

// Environments counts the environments of a function.
func (h *Host) Environments(name string) int {
	f, ok := h.functions[name]
	if !ok {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.all)
}

// Logs is everything that a function wrote to its standard output and error.
func (h *Host) Logs(name string) string {
	if f, ok := h.functions[name]; ok {
		return f.log.text()
	}
	return ""
}

// Counts of every function.
func (h *Host) Counts() map[string]Counts {
	counts := map[string]Counts{}
	for name, f := range h.functions {
		f.count(func(c *Counts) { counts[name] = *c })
	}
	return counts
}

// Reset begins to count anew.
func (h *Host) Reset() {
	for _, f := range h.functions {
		f.count(func(c *Counts) { *c = Counts{} })
	}
}

// Close ends every environment, and no new one starts.
func (h *Host) Close() {
	for _, f := range h.functions {
		f.close()
	}
	for name := range h.functions {
		h.Kill(name)
	}
}
