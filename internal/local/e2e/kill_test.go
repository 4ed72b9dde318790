package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
)

// paid are the functions that a payment passes through after its session.
var paid = []string{"page", "connector", "callback"}

// pay lets a payer pay with fresh environments, so that every call that a function can make is made, while a fault is at
// work, and lets everything recover. It answers what the functions called.
func (w *world) pay(fault *endpoint.Fault) (v *visit, calls map[string]cloud.Usage) {
	w.t.Helper()
	v = w.visit()
	form := v.fill("01/38")
	for _, function := range paid {
		w.cloud.Kill(function)
	}
	w.cloud.Reset()
	var injected *endpoint.Injected
	if fault != nil {
		injected = w.cloud.Inject(*fault)
		defer injected.Cancel()
	}
	v.send(form)
	w.settle()
	calls = w.cloud.Snapshot()
	if injected != nil && injected.Hits() == 0 {
		w.t.Errorf("the fault was not met: %+v", *fault)
	}
	return v, calls
}

// paidOnce looks for what must hold whatever went wrong in between.
func (v *visit) paidOnce() {
	w := v.w
	w.t.Helper()
	v.is("settled")
	v.sees("go https://shop.example/paid")
	v.told("sale success settled")
	charged := 0
	for _, one := range w.items() {
		if strings.HasPrefix(one.pk, "sandbox/") && strings.Contains(one.doc, v.session) {
			charged++
		}
	}
	for reference, times := range w.books() {
		if times != 1 {
			w.t.Errorf("%s was charged %d times", reference, times)
		}
	}
	if charged != 1 {
		w.t.Errorf("%d charges for one session", charged)
	}
	for _, queue := range []string{"DeadJobs", "DeadCallbacks"} {
		if depth := w.depth(queue); depth != (cloud.Depth{}) {
			w.t.Errorf("%s: %+v", queue, depth)
		}
	}
	w.leakFree()
}

// Wherever a function dies, and whatever answer is lost, the money is asked for once and the merchant hears of it.
func TestEveryCallBroken(t *testing.T) {
	t.Parallel()
	first := open(t)
	v, calls := first.pay(nil)
	v.paidOnce()
	faults := everyFault(t, calls)
	work := make(chan endpoint.Fault)
	var group sync.WaitGroup
	for _, place := range []*site{first.site, newSite(t), newSite(t), newSite(t)} {
		group.Go(func() {
			for fault := range work {
				t.Run(name(fault), func(t *testing.T) {
					w := &world{place, t}
					defer func() {
						if t.Failed() {
							w.showLogs()
						}
					}()
					v, _ := w.pay(&fault)
					v.paidOnce()
				})
			}
		})
	}
	for _, fault := range faults {
		work <- fault
	}
	close(work)
	group.Wait()
}

// everyFault breaks each call that was made: its function dies before or after it, and of writes and messages the answer is lost.
func everyFault(t *testing.T, calls map[string]cloud.Usage) []endpoint.Fault {
	t.Helper()
	var faults []endpoint.Fault
	for _, function := range paid {
		made, total := calls[function].AWS.Requests, 0
		for operation, times := range made {
			total += int(times)
			if !slices.Contains([]string{"dynamodb:PutItem", "dynamodb:TransactWriteItems", "sqs:SendMessage"}, operation) {
				continue
			}
			for i := range int(times) {
				faults = append(faults, endpoint.Fault{Function: function, Operation: operation, Skip: i, Do: endpoint.DropAnswer})
			}
		}
		if total < 4 {
			t.Fatalf("%s made the calls %v only", function, made)
		}
		for i := range total {
			faults = append(faults,
				endpoint.Fault{Function: function, Skip: i, Do: endpoint.KillBefore},
				endpoint.Fault{Function: function, Skip: i, Do: endpoint.KillAfter})
		}
		t.Logf("%s: %v", function, made)
	}
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

// A provider's own page and a payer who comes back: the notify function dies, too.
func TestNotifyDies(t *testing.T) {
	t.Parallel()
	w := open(t)
	finish := func(fault *endpoint.Fault) int {
		v := w.visit()
		v.pays("05/38")
		page := v.screen().Go.URL
		w.cloud.Kill("notify")
		w.cloud.Reset()
		if fault != nil {
			injected := w.cloud.Inject(*fault)
			defer func() {
				if injected.Hits() == 0 {
					t.Errorf("not met: %+v", *fault)
				}
				injected.Cancel()
			}()
		}
		w.until("the bank has the answer", func() bool {
			response, err := client.PostForm(page, map[string][]string{"action": {"confirm"}})
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			return response.StatusCode == http.StatusSeeOther
		})
		calls := 0
		for _, times := range w.cloud.Snapshot()["notify"].AWS.Requests {
			calls += int(times)
		}
		w.settle()
		v.is("settled")
		v.sees("go https://shop.example/paid")
		v.told("3ds success 3ds", "sale success settled")
		return calls
	}
	calls := finish(nil)
	if calls < 5 {
		t.Fatalf("only %d calls", calls)
	}
	for i := range calls {
		finish(&endpoint.Fault{Function: "notify", Skip: i, Do: endpoint.KillBefore})
		finish(&endpoint.Fault{Function: "notify", Skip: i, Do: endpoint.KillAfter})
	}
	for reference, times := range w.books() {
		if times != 1 {
			t.Errorf("%s was charged %d times", reference, times)
		}
	}
	w.leakFree()
}

// The answer to the write of a session is lost: the repeat finds its own write and is no duplicate.
func TestLostAnswerOfASession(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.visit()
	writes := 0
	for operation, times := range w.cloud.Snapshot()["session"].AWS.Requests {
		if operation == "dynamodb:PutItem" || operation == "dynamodb:TransactWriteItems" {
			writes += int(times)
			lost := w.cloud.Inject(endpoint.Fault{Function: "session", Operation: operation, Do: endpoint.DropAnswer})
			v := w.visit() // fails on anything but 200
			v.sees("form")
			if lost.Hits() != 1 {
				t.Errorf("%s was not lost", operation)
			}
			if code, body := w.call("POST", "/api/v1/session", w.request(v.order)); code != http.StatusBadRequest || !strings.Contains(string(body), "Duplicate request.") {
				t.Errorf("the same order again: %d %s", code, body)
			}
		}
	}
	if writes == 0 {
		t.Error("a session is no write")
	}
}

// A double click whose first answer was lost is one payment.
func TestSameAttemptTwice(t *testing.T) {
	t.Parallel()
	w := open(t)
	v := w.visit()
	form := v.fill("01/38")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { w.call("POST", "/page/v1/"+v.session+"/pay", form) })
	}
	group.Wait()
	w.settle()
	v.paidOnce()
	if screen := v.screen(); screen.Kind != checkout.KindGo {
		t.Errorf("screen %q", screen.Kind)
	}
}
