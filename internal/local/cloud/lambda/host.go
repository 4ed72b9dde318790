// Package lambda runs the real binaries of the functions as AWS Lambda does: every execution environment is a process
// with a Runtime API of its own, started when no idle one is left, used for one call at a time, idle again only when it
// asks for the next call, and replaced when it panics, exits or exceeds its time limit.
package lambda

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"checkout/internal/local/cloud/child"
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

// function holds the environments of one function and the calls that wait for one.
type function struct {
	host      *Host
	spec      Spec
	log       *logbook
	mu        sync.Mutex
	all       map[*environment]bool
	starting  int
	finishing int            // environments that have responded and are about to ask for the next call
	idle      []*environment // the last one is used next
	waiting   []chan offer
	closed    bool
	counts    Counts
}

// offer is what a waiting call gets: an environment, or the reason why none came.
type offer struct {
	environment *environment
	failed      Result
	err         error
}

// stage is how far an environment is.
type stage int

const (
	starting  stage = iota // has not asked for a call yet
	waiting                // for a call
	working                // on a call
	finishing              // has responded
)

// environment is one process of a function with its own Runtime API.
type environment struct {
	function *function
	inbox    chan *call
	gone     chan struct{} // closed when the process has ended and the function has removed the environment

	mu        sync.Mutex
	process   *child.Process // nil until started
	stage     stage
	over      bool
	current   *call // from dispatch until it asks for the next
	initError []byte
}

// call is one invocation.
type call struct {
	id      string
	payload []byte
	done    chan Result
	began   time.Time
	limit   *time.Timer
	ended   bool // has its result; guarded by the environment's lock
}
