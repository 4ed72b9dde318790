package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
)

// outcome has the fields of responses of the merchant's API that stories check.
type outcome struct {
	PaymentID   string `json:"payment_id"`
	Result      string `json:"result"`
	Status      string `json:"status"`
	TransStatus string `json:"trans_status"`
	RedirectURL string `json:"redirect_url"`
	Token       string `json:"recurring_token"`
	Errors      []struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	} `json:"errors"`
}

func (a outcome) String() string {
	if len(a.Errors) > 0 {
		return fmt.Sprint(a.Errors[0].Code, " ", a.Errors[0].Message)
	}
	return strings.TrimSpace(strings.Join([]string{a.Result, a.TransStatus, a.Status}, " "))
}

// asks sends a signed request of the merchant.
func (w *world) asks(path string, body client.Object) outcome {
	w.t.Helper()
	a, err := w.tries(path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// tries is asks for goroutines, which may not end the test.
func (w *world) tries(path string, body client.Object) (a outcome, err error) {
	_, text, err := w.try("POST", "/api/v1/payment/"+path, body)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	return a, err
}

// does requests a capture, refund or void of the order's payment; amount "" is all.
func (v *visit) does(kind, amount string) string {
	v.w.t.Helper()
	return v.w.asks(kind, tests.Payment(v.payment(), amount)).String()
}

// payment is the id of the order's payment.
func (v *visit) payment() string {
	v.w.t.Helper()
	return v.w.asks("status", tests.Order(v.order)).PaymentID
}

// callbackField is the value of a field in the latest callback of the order that has it.
func (v *visit) callbackField(name string) string {
	value := ""
	for _, r := range v.w.shop.received() {
		if r.Fields.Get("order_number") == v.order && r.Fields.Get(name) != "" {
			value = r.Fields.Get(name)
		}
	}
	return value
}

// All operations of a merchant on a payment.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	w := open(t)
	sale, authorised, voided := w.visit(), w.visit(client.Object{"auth": "Y"}),
		w.visit(client.Object{"auth": true})
	for _, v := range []*visit{sale, authorised, voided} {
		v.pays("01/38")
	}
	for _, step := range []struct {
		v                   *visit
		kind, amount, reply string
	}{
		{sale, "refund", "4.00", "accepted"},
		{sale, "refund", "6.01", "208006 amount: This value should be 6.00 or less."},
		{sale, "refund", "", "accepted"},
		{authorised, "capture", "7.00", "SUCCESS settled"},
		{authorised, "capture", "1.00", "208003 Capture is not allowed."},
		{voided, "void", "", "SUCCESS void"},
		{voided, "capture", "", "208003 Capture is not allowed."},
	} {
		if got := step.v.does(step.kind, step.amount); got != step.reply {
			t.Errorf("%s of %s: %s, want %s", step.kind, step.amount, got, step.reply)
		}
		w.rest()
	}
	sale.reported("sale success settled", "refund success settled", "refund success refund")
	authorised.reported("sale success pending", "capture success settled")
	voided.reported("sale success pending", "void success void")
	w.leakFree()
}

// A card is saved, encrypted under the card key, and charged by its token: on the page, without the payer, and for a
// payout.
func TestSavedCards(t *testing.T) {
	t.Parallel()
	w := open(t)
	first := w.visit(client.Object{"req_token": true, "recurring_init": true})
	first.pays("01/38")
	first.is("settled")
	token, chain := first.callbackField("card_token"), first.callbackField("recurring_token")
	if len(token) != 64 || chain == "" {
		t.Fatalf("the merchant was given %q and %q", token, chain)
	}

	again := w.visit(client.Object{"card_token": []string{token}})
	form := again.screen()
	if saved := form.Methods[0].Saved; len(saved) != 1 || saved[0].Mask != "411111******1111" {
		t.Fatalf("saved cards %+v", saved)
	}
	pay := again.fill("01/38")
	pay.Saved, pay.Sealed = form.Methods[0].Saved[0].ID, nil
	again.send(pay)
	w.rest()
	again.is("settled")

	number := "later-1"
	id := first.payment()
	order := map[string]any{"number": number, "amount": "3.00", "description": "A pen again"}
	if got := w.asks("recurring", tests.Recurring(id, chain, order)); got.String() != "settled" ||
		got.Token != chain {
		t.Errorf("recurring: %s", got)
	}
	w.rest()

	request := w.request("pay-out-1")
	request["operation"], request["card_token"] = "credit", []string{token}
	code, body := w.call("POST", "/api/v1/session", request)
	var out outcome
	if err := json.Unmarshal(body, &out); err != nil || code != http.StatusOK || out.PaymentID == "" ||
		out.RedirectURL != "" || out.Status != "settled" {
		t.Errorf("credit: %d %s", code, body)
	}
	w.rest()
	(&visit{w: w, order: "pay-out-1"}).reported("credit success settled")
	(&visit{w: w, order: number}).reported("recurring success settled")
	w.noDeadMessages()
	w.leakFree()
}

// Wherever a function is killed during a refund, and whatever response is lost, the payment is refunded once or not at
// all, and that is reported to the merchant.
func TestEveryCallOfARefundBroken(t *testing.T) {
	t.Parallel()
	functions := []string{"refund", "connector", "callback"}
	breakEveryCall(t, functions, 2, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		v := w.visit()
		v.pays("01/38")
		id := v.payment()
		end := w.injects(fault, functions...)
		body := tests.Payment(id, "10.00")
		w.until("the refund is taken", func() bool {
			code, text := w.call("POST", "/api/v1/payment/refund", body)
			var a outcome
			if err := json.Unmarshal(text, &a); err != nil ||
				code < http.StatusInternalServerError && a.String() != "accepted" &&
					a.String() != "208006 amount: Nothing is left to refund." && a.String() != "208005 Refund is not allowed." {
				w.t.Fatalf("refund: %d %s", code, text)
			}
			return code < http.StatusInternalServerError
		})
		w.rest()
		calls := w.cloud.Snapshot()
		w.settle()
		end()
		v.is("refund")
		v.reported("sale success settled", "refund success refund")
		return calls
	})
}

// Fifty refunds of a tenth each at once, every other one an operator's: ten are accepted, and the audit log has the
// operator's.
func TestRefundsAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.givesFinance()
	v := w.visit()
	v.pays("01/38")
	id := v.payment()
	var merchants, people, lost atomic.Int32 // lost: the gateway waited no longer, on a busy machine
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			if i%2 == 0 {
				a, err := w.tries("refund", tests.Payment(id, "1.00"))
				if err != nil {
					t.Error(err)
				}
				switch a.Result {
				case "accepted":
					merchants.Add(1)
				case "":
					lost.Add(1)
				}
				return
			}
			code, _, err := w.follow("refund", fmt.Sprint("key-", i), id, "1.00")
			if err != nil {
				t.Error(err)
			}
			switch code {
			case http.StatusOK:
				people.Add(1)
			case http.StatusServiceUnavailable:
				lost.Add(1)
			}
		})
	}
	group.Wait()
	t.Logf("%d refunds of the merchant and %d of people were accepted", merchants.Load(), people.Load())
	w.settle()
	told, byPeople := int(merchants.Load()+people.Load()), len(w.acts()[id])
	if told > 10 || told+int(lost.Load()) < 10 || byPeople < int(people.Load()) || byPeople > 10-int(merchants.Load()) {
		t.Errorf("%d refunds were accepted, %d lost, the audit log has %q", told, lost.Load(), w.acts()[id])
	}
	v.is("refund")
	w.leakFree()
}

// A scheduled charge is made once, however many sweeps find it, by one scan of what is due each.
func TestScheduledCharge(t *testing.T) {
	t.Parallel()
	w := open(t)
	v := w.visit(client.Object{"recurring_init": true, "schedule_id": "once-more", "payment_schedule_amount": "2.50"})
	v.pays("01/38")
	v.is("settled")
	w.setClock(time.Now().Add(25 * time.Hour))
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if err := w.cloud.Fire(t.Context(), "sweep"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	used := w.cloud.Snapshot()["sweep"].AWS.Requests
	queries := used["dynamodb:Scan"] < 3 || used["dynamodb:Query"] >= 96 // some count once an hour who waits for a person
	if queries && !w.mixed {
		t.Errorf("sweeps made the requests %v", used)
	}
	w.settle()
	(&visit{w: w, order: v.order + "-1"}).reported("recurring success settled")
	(&visit{w: w, order: v.order + "-2"}).reported()
	w.noDeadMessages()
	w.leakFree()
}
