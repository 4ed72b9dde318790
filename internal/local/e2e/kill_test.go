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
	charged := w.books()[v.session]
	if len(charged) != 1 {
		w.t.Fatalf("charged for one session: %v", charged)
	}
	if asked := w.wire.questions(w.t, charged[0]); asked != 1 {
		w.t.Errorf("the sandbox was asked for the money %d times", asked)
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

// Wherever a function dies, and whatever answer is lost, the money is asked for once and the merchant hears of it.
func TestEveryCallBroken(t *testing.T) {
	t.Parallel()
	first := open(t)
	v, calls := first.pay(nil)
	v.paidOnce()
	var faults []endpoint.Fault
	for _, function := range paid {
		faults = append(faults, everyFault(t, function, calls)...)
	}
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
					w.buriedNothing()
					w.leakFree()
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
		t.Fatalf("%s made the calls %v only", function, made)
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

// A provider's own page has the payer's answer, and the function that hears of it dies.
func TestEveryCallOfNotifyBroken(t *testing.T) {
	t.Parallel()
	w := open(t)
	answer := func(fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		v.pays("05/38")
		page := v.screen().Go.URL
		w.cloud.Kill("notify")
		w.cloud.Reset()
		if fault != nil {
			injected := w.cloud.Inject(*fault)
			defer injected.Cancel()
			defer func() {
				if injected.Hits() == 0 {
					t.Errorf("the fault was not met: %+v", *fault)
				}
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
		calls := w.cloud.Snapshot()
		w.settle()
		v.is("settled")
		v.sees("go https://shop.example/paid")
		v.told("3ds success 3ds", "sale success settled")
		if charged := w.books()[v.session]; len(charged) != 1 {
			t.Errorf("charged for one session: %v", charged)
		}
		w.buriedNothing()
		return calls
	}
	for _, fault := range everyFault(t, "notify", answer(nil)) {
		answer(&fault)
		if t.Failed() {
			t.Fatal(name(fault))
		}
	}
	w.leakFree()
}

// Many payers at once, while functions die and answers are lost all the time. A message that was taken by five functions
// that died is buried, so that is not looked at: the sweep has sent another one.
func TestStorm(t *testing.T) {
	t.Parallel()
	w := open(t)
	visits := make([]*visit, 24)
	forms := make([]checkout.PayRequest, len(visits))
	for i := range visits {
		visits[i] = w.visit()
		forms[i] = visits[i].fill("01/38")
	}
	var storm []*endpoint.Injected
	for i := range 12 {
		storm = append(storm,
			w.cloud.Inject(endpoint.Fault{Function: "page", Skip: 7 * i, Do: endpoint.KillAfter}),
			w.cloud.Inject(endpoint.Fault{Function: "connector", Skip: 11 * i, Do: endpoint.KillAfter}),
			w.cloud.Inject(endpoint.Fault{Function: "connector", Skip: 4 + 13*i, Do: endpoint.KillBefore}),
			w.cloud.Inject(endpoint.Fault{Function: "callback", Skip: 5 * i, Do: endpoint.KillAfter}),
			w.cloud.Inject(endpoint.Fault{Operation: "dynamodb:TransactWriteItems", Skip: 3 * i, Do: endpoint.DropAnswer}),
			w.cloud.Inject(endpoint.Fault{Operation: "sqs:SendMessage", Skip: 4 * i, Do: endpoint.DropAnswer}))
	}
	var group sync.WaitGroup
	for i, v := range visits {
		group.Go(func() {
			for range 100 {
				code, body, err := w.try("POST", "/page/v1/"+v.session+"/pay", forms[i])
				if err == nil && code == http.StatusOK {
					return
				}
				if err != nil || code < http.StatusInternalServerError {
					t.Errorf("pay: %d %s %v", code, body, err)
					return
				}
			}
			t.Errorf("%s was never taken", v.order)
		})
	}
	group.Wait()
	w.rest()
	hits := 0
	for _, fault := range storm {
		hits += fault.Hits()
		fault.Cancel()
	}
	if t.Logf("%d of %d faults were met", hits, len(storm)); hits < len(storm)/2 {
		t.Errorf("only %d faults were met", hits)
	}
	w.settle()
	for _, v := range visits {
		v.paidOnce()
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

// The same attempt sent many times at once is one payment.
func TestSameAttemptManyTimes(t *testing.T) {
	t.Parallel()
	w := open(t)
	v := w.visit()
	form := v.fill("01/38")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if code, body, err := w.try("POST", "/page/v1/"+v.session+"/pay", form); err != nil || code != http.StatusOK {
				t.Errorf("pay: %d %s %v", code, body, err)
			}
		})
	}
	group.Wait()
	w.settle()
	v.paidOnce()
	w.buriedNothing()
	w.leakFree()
}
