package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/form"
)

// The same click sent many times at once is one payment.
func TestDoubleClick(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	click := payer.attempt("01/38")
	atOnce(10, func(int) {
		if got := words(payer.send(click)); got != "wait: processing" {
			t.Errorf("the payer sees %q", got)
		}
	})
	w.work()
	if got := words(payer.send(click)); got != "go https://shop.example/paid" { // once more, after the outcome
		t.Errorf("the payer sees %q", got)
	}
	w.work()
	payer.is("settled")
	w.ledgerIs("1 x 10.00 USD approved")
	w.shop.told("sale success settled")
}

// Several tabs pay at once, with an attempt each, while workers run.
func TestTabsAtOnce(t *testing.T) {
	for range 5 {
		w := open(t)
		payer := w.shop.visits("pen-1")
		tabs := payer.attempts(8, "01/38")
		atOnce(len(tabs), func(i int) {
			payer.send(tabs[i])
			w.work()
		})
		w.work()
		payer.is("settled")
		w.ledgerIs("1 x 10.00 USD approved")
		w.shop.told("sale success settled")
	}
}

// A tab pays while another one closes the form: one of the two takes effect, and nothing of the other.
func TestPayAndCloseAtOnce(t *testing.T) {
	for range 20 {
		w := open(t)
		payer := w.shop.visits("pen-1")
		click := payer.attempt("01/38")
		atOnce(2, func(i int) {
			if i == 0 {
				payer.send(click)
			} else {
				payer.closes()
			}
		})
		w.work()
		switch got := payer.status(); got {
		case "settled":
			payer.sees("go https://shop.example/paid")
			w.ledgerIs("1 x 10.00 USD approved")
		case "decline (Cancelled by the payer.)":
			payer.sees("go https://shop.example/cart")
			w.ledgerIs()
		default:
			t.Errorf("status %q", got)
		}
	}
}

// A declined attempt that the browser sends again is not a new attempt.
func TestOldAttemptIsNotRepeated(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	first, second := payer.attempt("02/38"), payer.attempt("02/38")
	for _, click := range []int{1, 1, 2, 1, 2} {
		payer.send(map[int]form.Request{1: first, 2: second}[click])
		w.work()
	}
	payer.sees("form: declined (Declined by processing.)") // two declines of three
	w.ledgerIs("1 x 10.00 USD declined", "1 x 10.00 USD declined")
	w.shop.told("sale fail decline", "sale fail decline")
}

// The response to Pay is lost, before or after the attempt was stored, and the page sends the same attempt again.
func TestResponseToPayIsLost(t *testing.T) {
	for _, fault := range []string{"before", "after"} {
		t.Run(fault, func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			click := payer.attempt("01/38")
			w.store.next(fault)
			code, body := w.call("POST", "/page/v1/"+payer.session+"/pay", click)
			if code != http.StatusInternalServerError {
				t.Errorf("pay: %d %s", code, body)
			}
			w.store.next()
			if got := words(payer.send(click)); got != "wait: processing" {
				t.Errorf("the payer sees %q", got)
			}
			w.pass(5 * time.Minute)
			payer.is("settled")
			w.ledgerIs("1 x 10.00 USD approved")
			w.shop.told("sale success settled")
		})
	}
}

// 200 equal requests at once make one session (core.md, Idempotency).
func TestSameOrderManyTimesAtOnce(t *testing.T) {
	w := open(t)
	body := w.shop.sign(w.shop.order("pen-1"))
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var made atomic.Int32
	atOnce(200, func(int) {
		code, response := w.call("POST", "/api/v1/session", string(text))
		switch {
		case code == http.StatusOK:
			made.Add(1)
		case code != http.StatusBadRequest || string(response) != duplicate:
			t.Errorf("%d %s", code, response)
		}
	})
	if made.Load() != 1 {
		t.Errorf("%d sessions were made", made.Load())
	}
	sessions := 0
	for _, record := range w.app.Store.Dump() {
		if len(record.Key.Sort) > 2 && record.Key.Sort[:2] == "o/" {
			sessions++
		}
	}
	if sessions != 1 {
		t.Errorf("%d sessions are stored", sessions)
	}
}

const duplicate = `{"error_code":400,"error_message":"Duplicate request.",` +
	`"errors":[{"error_code":400,"error_message":"Duplicate request."}],"status":"error"}` + "\n"

// The window is exactly 15 seconds, and belongs to merchant_key and order.number together.
func TestDuplicateWindow(t *testing.T) {
	w := open(t, liveSandbox)
	other := w.newShop("-2")
	create := func(s *shop, number string, changes ...func(map[string]any)) string {
		code, body := w.call("POST", "/api/v1/session", s.sign(s.order(number, changes...)))
		return map[bool]string{true: "made", false: fmt.Sprint(code, " ", string(body))}[code == http.StatusOK]
	}
	refused := "400 " + duplicate
	steps := []struct {
		after  time.Duration // since the step before
		shop   *shop
		number string
		change func(map[string]any)
		want   string
	}{
		{0, w.shop, "pen-1", nil, "made"},
		{0, w.shop, "pen-1", nil, refused},
		{0, w.shop, "pen-1", with("session_expiry", 5), refused}, // other fields don't matter
		{0, w.shop, "pen-1", with("merchant_key", "live-key"), "made"},
		{0, w.shop, "PEN-1", nil, "made"},
		{0, other, "pen-1", nil, "made"},
		{14999 * time.Millisecond, w.shop, "pen-1", nil, refused},
		{time.Millisecond, w.shop, "pen-1", nil, "made"}, // 15 s: refused requests don't restart them
		{14999 * time.Millisecond, w.shop, "pen-1", nil, refused},
		{time.Millisecond, w.shop, "pen-1", nil, "made"},
	}
	for i, step := range steps {
		w.skip(step.after)
		change := step.change
		if change == nil {
			change = func(map[string]any) {}
		}
		if got := create(step.shop, step.number, change); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
}

// A refused request doesn't use up its order number.
func TestRefusedRequestIsNoDuplicate(t *testing.T) {
	w := open(t)
	body := w.shop.sign(w.shop.order("pen-1"))
	body["hash"] = "0"
	if code, _ := w.call("POST", "/api/v1/session", body); code != http.StatusUnauthorized {
		t.Errorf("a wrong hash: %d", code)
	}
	w.shop.visits("pen-1").sees("form")
}

// Each of two sessions of one order can be paid once. The order's status is that of a settled payment.
func TestTwoSessionsOfOneOrder(t *testing.T) {
	w := open(t)
	first := w.shop.visits("pen-1")
	w.skip(15 * time.Second)
	second := w.shop.visits("pen-1")
	first.pays("01/38")
	second.sees("form")
	second.is("settled")
	second.pays("02/38")
	first.is("settled")
	if _, response := w.shop.status("order_id", "pen-1", "size", "10"); len(response["list"].([]any)) != 2 {
		t.Errorf("payments of the order: %v", response["list"])
	}
}
