package e2e

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
)

// story is something that happens in a world, with a fault (nil: none) put to work by meets where it may strike, and
// checked at its end. It answers what the functions called there.
type story func(w *world, fault *endpoint.Fault) map[string]cloud.Usage

// breakEvery tells a story without a fault, and then once for each fault of each call that the functions made in it, in
// several clouds at once.
func breakEvery(t *testing.T, functions []string, clouds int, tell story) {
	t.Helper()
	first := open(t)
	calls := tell(first, nil)
	places := []*site{first.site}
	for len(places) < clouds {
		places = append(places, newSite(t))
	}
	work := make(chan endpoint.Fault)
	var group sync.WaitGroup
	for _, place := range places {
		group.Go(func() {
			for fault := range work {
				t.Run(name(fault), func(t *testing.T) {
					w := &world{place, t}
					defer func() {
						if t.Failed() {
							w.showLogs()
						}
					}()
					tell(w, &fault)
					w.buriedNothing()
					w.sealedAre(0)
					w.leakFree()
				})
			}
		})
	}
	for _, function := range functions {
		for _, fault := range everyFault(t, function, calls) {
			work <- fault
		}
	}
	close(work)
	group.Wait()
}

// everyFault breaks each call that a function made: it dies before or after it, and of writes and messages the answer is lost.
func everyFault(t *testing.T, function string, calls map[string]cloud.Usage) []endpoint.Fault {
	t.Helper()
	var faults []endpoint.Fault
	made, total := calls[function].AWS.Requests, 0
	for operation, times := range made {
		for i := range int(times) {
			faults = append(faults,
				endpoint.Fault{Function: function, Skip: total, Do: endpoint.KillBefore},
				endpoint.Fault{Function: function, Skip: total, Do: endpoint.KillAfter})
			if slices.Contains([]string{"dynamodb:PutItem", "dynamodb:TransactWriteItems", "sqs:SendMessage"}, operation) {
				faults = append(faults, endpoint.Fault{Function: function, Operation: operation, Skip: i, Do: endpoint.DropAnswer})
			}
			total++
		}
	}
	if total < 4 {
		t.Errorf("%s made the calls %v only", function, made)
	}
	t.Logf("%s: %v", function, made)
	return faults
}

func name(f endpoint.Fault) string {
	switch f.Do {
	case endpoint.KillBefore:
		return fmt.Sprintf("%s dies before call %d", f.Function, f.Skip+1)
	case endpoint.KillAfter:
		return fmt.Sprintf("%s dies after call %d", f.Function, f.Skip+1)
	}
	return fmt.Sprintf("%s loses the answer of %s %d", f.Function, f.Operation, f.Skip+1)
}

// meets has the functions begin with fresh environments, so that every call that they can make is made, and puts a fault
// to work. What it answers takes the fault away again, and complains if nothing met it.
func (w *world) meets(fault *endpoint.Fault, functions ...string) (end func()) {
	for _, function := range functions {
		w.cloud.Kill(function)
	}
	w.cloud.Reset()
	if fault == nil {
		return func() {}
	}
	injected := w.cloud.Inject(*fault)
	return func() {
		injected.Cancel()
		if injected.Hits() != 1 {
			w.t.Errorf("the fault was met %d times", injected.Hits())
		}
	}
}

// paidOnce looks for what must hold of a session whatever went wrong in between.
func (v *visit) paidOnce(told ...string) {
	w := v.w
	w.t.Helper()
	v.is("settled")
	v.sees("go https://shop.example/paid")
	v.told(append(told, "sale success settled")...)
	if charged := w.books()[v.session]; len(charged) != 1 {
		w.t.Errorf("charged for one session: %v", charged)
	}
}

// askedOnce says that the sandbox did not even hear a second question for the money.
func (v *visit) askedOnce() {
	v.w.t.Helper()
	for _, reference := range v.w.books()[v.session] {
		if asked := v.w.wire.questions(v.w.t, reference); asked != 1 {
			v.w.t.Errorf("the sandbox was asked for the money %d times", asked)
		}
	}
}

// buriedNothing says that no message has failed for good.
func (w *world) buriedNothing() {
	w.t.Helper()
	for _, queue := range []string{"DeadJobs", "DeadCallbacks"} {
		if depth := w.depth(queue); depth != (cloud.Depth{}) {
			w.t.Errorf("%s: %+v", queue, depth)
		}
	}
}
