package e2e

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/store"
)

// story is a story in a world, with checks at its end. It calls injects with the fault (nil: none) where calls may be
// broken, and returns the calls that the functions made from there on.
type story func(w *world, fault *endpoint.Fault) map[string]cloud.Usage

// breakEveryCall runs a story without a fault, and then once for each fault of each call that the functions made in it,
// in several clouds at the same time.
func breakEveryCall(t *testing.T, functions []string, clouds int, tell story) {
	t.Helper()
	first := open(t)
	first.knowsProvider()
	calls := tell(first, nil)
	places := []*site{first.site}
	for len(places) < clouds {
		places = append(places, newSite(t))
		(&world{site: places[len(places)-1], t: t}).knowsProvider()
	}
	work, tried := make(chan endpoint.Fault), 0
	var unmet atomic.Int64
	var group sync.WaitGroup
	for _, place := range places {
		group.Go(func() {
			for fault := range work {
				t.Run(name(fault), func(t *testing.T) {
					w := &world{place, t, &unmet}
					defer func() {
						if t.Failed() {
							w.showLogs()
						}
					}()
					tell(w, &fault)
					w.noDeadMessages()
					w.encryptedAre(0)
				})
			}
		})
	}
	for _, function := range functions {
		for _, fault := range everyFault(t, function, calls) {
			work <- fault
			tried++
		}
	}
	close(work)
	group.Wait()
	for _, place := range places { // once, since it reads all that was ever sent and logged
		(&world{place, t, &unmet}).leakFree()
	}
	if n := int(unmet.Load()); 4*n > tried { // a slow machine may have had messages delivered in the first telling alone
		t.Errorf("%d of %d faults were not met", n, tried)
	}
}

// knowsProvider pays once, so that it is known how fast the provider is: finding that out takes calls of its own. All
// functions start anew.
func (w *world) knowsProvider() {
	w.t.Helper()
	w.visit().pays("01/38")
	for _, f := range w.cloud.Template().Functions {
		w.cloud.Kill(f.Name)
	}
}

var everyKill = flag.Bool("every", false, "kill functions before and after every call, not only around effects")

// effects are the calls that leave something behind.
var effects = []string{"dynamodb:PutItem", "dynamodb:TransactWriteItems", "sqs:SendMessage"}

// everyFault has a fault of each call with an effect that a function made. In turn the function is killed before the
// call, which is after the last effect and after what a provider or receiver was sent, and its response is lost. At
// last the function is killed when it has made all calls. With -every the response to each of these calls is lost, and
// the function is killed before and after each call, reads among them.
func everyFault(t *testing.T, function string, calls map[string]cloud.Usage) []endpoint.Fault {
	t.Helper()
	var faults []endpoint.Fault
	made, total, written := calls[function].AWS.Requests, 0, 0
	for _, operation := range slices.Sorted(maps.Keys(made)) {
		for i := range int(made[operation]) {
			if *everyKill {
				faults = append(faults, endpoint.Fault{Function: function, Skip: total, Do: endpoint.KillBefore},
					endpoint.Fault{Function: function, Skip: total, Do: endpoint.KillAfter})
			}
			total++
			if !slices.Contains(effects, operation) {
				continue
			}
			broken := endpoint.Fault{Function: function, Operation: operation, Skip: i, Do: endpoint.DropResponse}
			if written++; written%2 == 1 && !*everyKill {
				broken.Do = endpoint.KillBefore
			}
			faults = append(faults, broken)
		}
	}
	if total < 4 {
		t.Errorf("%s made the calls %v only", function, made)
	}
	if !*everyKill {
		faults = append(faults, endpoint.Fault{Function: function, Skip: total - 1, Do: endpoint.KillAfter})
	}
	t.Logf("%s: %v", function, made)
	return faults
}

func name(f endpoint.Fault) string {
	switch {
	case f.Do == endpoint.KillBefore && f.Operation != "":
		return fmt.Sprintf("%s dies before %s %d", f.Function, f.Operation, f.Skip+1)
	case f.Do == endpoint.KillBefore:
		return fmt.Sprintf("%s dies before call %d", f.Function, f.Skip+1)
	case f.Do == endpoint.KillAfter:
		return fmt.Sprintf("%s dies after call %d", f.Function, f.Skip+1)
	}
	return fmt.Sprintf("%s loses the response to %s %d", f.Function, f.Operation, f.Skip+1)
}

// injects ends all environments of the functions, so that they make every call again, and injects a fault. The returned
// function removes the fault, and fails the test if it broke no call.
func (w *world) injects(fault *endpoint.Fault, functions ...string) (end func()) {
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
		switch hits := injected.Hits(); {
		case hits == 0 && w.unmet != nil:
			w.unmet.Add(1)
		case hits != 1:
			w.t.Errorf("the fault was met %d times", hits)
		}
	}
}

// paidOnce checks what has to be true of a session whatever fault there was.
func (v *visit) paidOnce(reported ...string) {
	w := v.w
	w.t.Helper()
	v.is("settled")
	v.sees("go https://shop.example/paid")
	v.reported(append(reported, "sale success settled")...)
	if charged := w.ledger()[store.PublicID(v.Session)]; len(charged) != 1 {
		w.t.Errorf("charged for one session: %v", charged)
	}
}

// chargedOnce checks that the sandbox received one charge.
func (v *visit) chargedOnce() {
	v.w.t.Helper()
	for _, reference := range v.w.ledger()[store.PublicID(v.Session)] {
		if n := v.w.wire.charges(v.w.t, reference); n != 1 {
			v.w.t.Errorf("the sandbox received %d charges", n)
		}
	}
}

// noDeadMessages checks that no message is in a dead-letter queue.
func (w *world) noDeadMessages() {
	w.t.Helper()
	for _, queue := range []string{"DeadJobs", "DeadCallbacks", "DeadTests"} {
		if depth := w.depth(queue); depth != (cloud.Depth{}) {
			w.t.Errorf("%s: %+v", queue, depth)
		}
	}
}
