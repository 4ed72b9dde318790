package e2e

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/store"
)

// Wherever a function is killed during a payment, and whatever response is lost, the payment is charged once and
// reported to the merchant.
func TestEveryCallOfAPaymentBroken(t *testing.T) {
	t.Parallel()
	functions := []string{"page", "connector", "callback"}
	breakEveryCall(t, functions, 2, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		form := v.fill("01/38")
		end := w.injects(fault, functions...)
		v.send(form)
		w.rest()
		calls := w.cloud.Snapshot()
		if fault != nil && fault.Do == endpoint.DropResponse { // the SDK's retry finds its own write, without the sweep
			v.paidOnce()
		}
		w.settle()
		end()
		v.paidOnce()
		v.chargedOnce()
		return calls
	})
}

// The provider's response can't be read, and the function that looks up the charge is killed, too.
func TestEveryCallOfALookupBroken(t *testing.T) {
	t.Parallel()
	breakEveryCall(t, []string{"connector"}, 1, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		// The first message is for the callback that the outcome is not known yet, the second one for a later look-up.
		later := w.cloud.Inject(endpoint.Fault{Function: "connector", Operation: "sqs:SendMessage", Skip: 1,
			Do: endpoint.Refuse, Status: http.StatusForbidden})
		v.pays("04/39")
		if fault != nil && client.Words(v.screen()) != "wait: processing" {
			later.Cancel() // on a busy machine its message has come twice, and nothing is left to break
			w.unmet.Add(1)
			w.settle()
			v.paidOnce("sale undefined prepare")
			v.chargedOnce()
			return nil
		}
		if v.sees("wait: processing"); later.Hits() != 1 {
			w.t.Errorf("%d messages for a later look", later.Hits())
		}
		end := w.injects(fault, "connector")
		w.settle()
		calls := w.cloud.Snapshot()
		end()
		v.paidOnce("sale undefined prepare")
		v.chargedOnce()
		return calls
	})
}

// The payer confirms on the provider's page, and the function that handles the notice is killed.
func TestEveryCallOfANoticeBroken(t *testing.T) {
	t.Parallel()
	breakEveryCall(t, []string{"notify"}, 1, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		v.pays("05/38")
		bank := v.screen().Go.URL
		end := w.injects(fault, "notify")
		w.until("the bank has the response", func() bool {
			response, err := browser.PostForm(bank, url.Values{"action": {"confirm"}})
			if err != nil {
				w.t.Fatal(err)
			}
			response.Body.Close()
			return response.StatusCode == http.StatusSeeOther
		})
		calls := w.cloud.Snapshot()
		end()
		w.settle()
		v.paidOnce("3ds success 3ds")
		return calls
	})
}

// The payer leaves while 3-D Secure waits, and the functions that have the provider end the payment are killed.
func TestEveryCallOfAnEndBroken(t *testing.T) {
	t.Parallel()
	functions := []string{"page", "connector"}
	breakEveryCall(t, functions, 2, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		v.pays("05/38")
		end := w.injects(fault, functions...)
		w.until("the page has the response", func() bool {
			code, _ := w.call("POST", v.Path("cancel"), nil)
			return code == http.StatusOK
		})
		w.rest()
		calls := w.cloud.Snapshot()
		w.settle()
		end()
		v.sees("go https://shop.example/cart")
		v.is("decline")
		v.reported("3ds success 3ds", "sale fail decline")
		if charged := w.ledger()[store.PublicID(v.Session)]; len(charged) != 1 {
			w.t.Errorf("charged for one session: %v", charged)
		}
		return calls
	})
}

// The response to the write of a session is lost: the retry finds its own write and is no duplicate.
func TestLostResponseOfASession(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.visit()
	writes := 0
	for operation, times := range w.cloud.Snapshot()["session"].AWS.Requests {
		if operation == "dynamodb:PutItem" || operation == "dynamodb:TransactWriteItems" {
			writes += int(times)
			lost := w.cloud.Inject(endpoint.Fault{Function: "session", Operation: operation, Do: endpoint.DropResponse})
			v := w.visit() // fails unless the status is 200
			v.sees("form")
			if lost.Hits() != 1 {
				t.Errorf("%s was not lost", operation)
			}
			if code, body := w.call("POST", "/api/v1/session", w.request(v.order)); code != http.StatusBadRequest ||
				!strings.Contains(string(body), "Duplicate request.") {
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
			if code, body, err := w.try("POST", v.Path("pay"), form); err != nil || code != http.StatusOK {
				t.Errorf("pay: %d %s %v", code, body, err)
			}
		})
	}
	group.Wait()
	w.settle()
	v.paidOnce()
	v.chargedOnce()
	w.noDeadMessages()
	w.leakFree()
}
