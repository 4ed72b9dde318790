// Package lambda runs the real binaries of the functions as AWS Lambda does: every execution environment is a process
// with a Runtime API of its own, started when no idle one is left, used for one call at a time, idle again only when it
// asks for the next call, and replaced when it panics, exits or exceeds its time limit.
package lambda

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Spec is one function.
type Spec struct {
	Name        string            // by which it is invoked
	FullName    string            // AWS_LAMBDA_FUNCTION_NAME
	ARN         string            //
	Binary      string            // path of its bootstrap
	Handler     string            // _HANDLER
	Timeout     time.Duration     // of one call
	MemoryMB    int               // told to the function, not enforced
	SystemLog   string            // level of Lambda's own log lines: INFO for all calls, WARN for failed ones
	Concurrency int               // calls at the same time beyond which others are refused; negative: no limit
	Queues      int               // that call it, each of which has the most environments of its own
	Environment map[string]string // the template's variables
	AccessKeyID string            // by which the AWS endpoint recognises the function
}

// Config is what all functions share.
type Config struct {
	Region      string
	EndpointURL string           // AWS_ENDPOINT_URL
	Most        int              // environments per function on this machine; calls beyond that wait
	Patience    time.Duration    // how long a call waits for a finishing environment before another one starts
	Slower      int              // how many times longer than on AWS starts and calls may take; 0 is once
	Now         func() time.Time // for deadlines
	Log         io.Writer        // gets every line of the functions, with the name before it
}

// Errors of Invoke. An error inside a function is a Result.
var (
	ErrUnknown   = errors.New("no such function")
	ErrThrottled = errors.New("rate exceeded")
	ErrClosed    = errors.New("the local cloud is closed")
)

// Result is a function's response.
type Result struct {
	Payload       []byte // JSON
	FunctionError string // empty, or Unhandled with a payload of errorType and errorMessage
}

// Counts of one function since the last reset.
type Counts struct {
	Invocations int64
	Errors      int64 // invocations that ended with a function error
	Throttles   int64
	ColdStarts  int64
	Duration    time.Duration // of all invocations together
	Processor   time.Duration // that environments have used which have ended, their start included
	LogBytes    int64         // of the functions' lines and Lambda's own
}

// Host runs functions.
type Host struct {
	config    Config
	functions map[string]*function
	requests  atomic.Int64
}

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
