package endpoint

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Action is what a fault does to a call.
type Action int

const (
	DropResponse Action = iota // the call is made and its response lost
	Refuse                     // the call is not made; the response is Status and Body
	Delay                      // the call is made later
	KillBefore                 // the calling function is killed and the call not made
	KillAfter                  // the call is made and the calling function killed before the response
)

// Fault breaks calls that functions make.
type Fault struct {
	Function  string        // name; empty: any
	Operation string        // such as dynamodb:PutItem; empty: any
	Skip      int           // matching calls that pass first
	Times     int           // calls that are broken after those; 0 means one
	Do        Action        //
	Delay     time.Duration // of Delay
	Status    int           // of Refuse; 0 means 500
	Body      string        // of Refuse; empty means InternalServerError
}

// Injected is an active fault.
type Injected struct {
	fault *Fault
	all   *faults
	seen  int
	hits  int
}

type faults struct {
	mu     sync.Mutex
	active []*Injected
}

// Hits counts the calls that were broken so far.
func (i *Injected) Hits() int {
	i.all.mu.Lock()
	defer i.all.mu.Unlock()
	return i.hits
}

// Cancel removes the fault.
func (i *Injected) Cancel() {
	i.all.mu.Lock()
	defer i.all.mu.Unlock()
	i.all.active = slices.DeleteFunc(i.all.active, func(other *Injected) bool { return other == i })
}

// next is the fault for a call, nil for none.
func (all *faults) next(q request) *Fault {
	all.mu.Lock()
	defer all.mu.Unlock()
	var chosen *Injected
	for _, i := range all.active {
		f := i.fault
		if (f.Function != "" && f.Function != q.caller.Name) || (f.Operation != "" && f.Operation != q.name()) {
			continue
		}
		i.seen++
		if chosen == nil && i.seen > f.Skip && i.hits < f.Times {
			chosen = i
		}
	}
	if chosen == nil {
		return nil
	}
	chosen.hits++
	return chosen.fault
}

func (f *Fault) response() response {
	r := broken("refused by a test")
	if f.Status != 0 {
		r.status = f.Status
	}
	if f.Body != "" {
		r.body = []byte(f.Body)
	}
	return r
}

// wait sleeps. It returns false if the context ends first.
func wait(ctx context.Context, delay time.Duration) bool {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
