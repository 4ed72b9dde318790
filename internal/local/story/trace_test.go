package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	operatorwords "checkout/internal/operator/words"
)

// lines returns the lines of the log with this message and request id.
func (w *World) lines(message, request string) (found []map[string]any) {
	w.t.Helper()
	for line := range strings.Lines(w.log.String()) {
		var attrs map[string]any
		if err := json.Unmarshal([]byte(line), &attrs); err != nil {
			w.t.Fatalf("log: %v: %s", err, line)
		}
		if attrs["msg"] == message && attrs["request"] == request {
			found = append(found, attrs)
		}
	}
	return found
}

// postAs posts a body and returns the response's request id.
func (w *World) postAs(path string, body any) string {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	response, err := w.server.Client().Post(w.server.URL+path, "application/json", strings.NewReader(string(text)))
	if err != nil || response.StatusCode != http.StatusOK {
		w.t.Fatalf("%s: %v %v", path, response, err)
	}
	defer response.Body.Close()
	return response.Header.Get("X-Request-Id")
}

// The request id of an API call is in every line of log that results from it: its own and those of the provider
// request, the outcome and the callback. That is so even if a sweep has to send the messages again.
func TestRequestIDTravels(t *testing.T) {
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprint("messages are lost: ", lost), func(t *testing.T) {
			w := open(t)
			payer := w.shop.visits("pen-1")
			pay := payer.attempt("01/38")
			if lost {
				w.queue.lose = loseAll
			}
			request := w.postAs(payer.Path("pay"), pay)
			w.work()
			w.queue.lose = nil
			w.pass(3 * time.Minute)
			w.shop.told("sale success settled")
			refund := w.postAs("/api/v1/payment/refund", w.shop.AmountBody(payer.paymentID(), "4.00"))
			w.work()
			for _, cause := range []string{request, refund} {
				for _, message := range []string{"request", "provider", "payment", "callback"} {
					if found := w.lines(message, cause); len(found) != 1 || found[0]["payment"] != payer.paymentID() {
						t.Errorf("%s: %v", message, found)
					}
				}
			}
			line := w.lines("request", request)[0]
			if line["merchant"] != "shop" || line["session"] != payer.Session[:32] {
				t.Errorf("the request's line: %v", line)
			}
			if strings.Contains(w.log.String(), payer.Session[32:]) {
				t.Error("the log has the part of the session id that opens the page")
			}
		})
	}
}

// The lines of a payer's return and of a notice name the merchant, whose settings they don't need.
func TestReturnAndNoticeNameTheMerchant(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.call("GET", payer.ReturnPath(), nil)
	request := w.postAs("/api/v1/notify/sandbox", map[string]string{"reference": payer.paymentID()})
	notice, log := w.lines("request", request)[0], w.log.String()
	if notice["merchant"] != "shop" || notice["payment"] != payer.paymentID() {
		t.Errorf("the notice's line: %v", notice)
	}
	_, after, found := strings.Cut(log, "GET /page/v1/{session}/return")
	line, _, _ := strings.Cut(after, "\n")
	if !found || !strings.Contains(line, `"merchant":"shop"`) {
		t.Errorf("the return's line: %s", line)
	}
}

// history returns a payment's history as an operator sees it, with names in place of random values.
func (v *Visit) history(id string) string {
	v.w.t.Helper()
	h, err := operatorwords.PaymentHistory(v.w.t.(*testing.T).Context(), v.w.app.Store, v.w.clock.Now(), id)
	if err != nil {
		v.w.t.Fatalf("history: %v", err)
	}
	text := h.String()
	for _, secret := range []string{v.Session[32:], TestCard, password, callbackSecret, "Lovelace", "ada@"} {
		if strings.Contains(text, secret) {
			v.w.t.Errorf("the history shows %q", secret)
		}
	}
	for _, record := range v.w.app.Store.Dump() {
		var doc struct {
			ID           string `json:"id"`
			Cause        string `json:"cause"`
			RRN          string `json:"rrn"`
			ApprovalCode string `json:"approval_code"`
			Transactions []payment.Transaction
			Jobs         []payment.Job
		}
		_ = json.Unmarshal(record.Doc, &doc)
		for i, sent := range doc.Transactions {
			if sent.Reference != "" && !strings.HasPrefix(sent.Reference, doc.ID) {
				text = strings.ReplaceAll(text, sent.Reference, fmt.Sprintf("REFERENCE-%d", i+1))
			}
		}
		if doc.RRN != "" { // first: it may have the code in it
			text = strings.ReplaceAll(text, doc.RRN, "RRN")
		}
		if doc.ApprovalCode != "" {
			text = strings.ReplaceAll(text, doc.ApprovalCode, "APPROVAL-CODE")
		}
		for _, job := range doc.Jobs {
			text = strings.ReplaceAll(text, job.Cause, "REQUEST-OF-THE-JOB")
		}
		if doc.Cause != "" {
			_, number, _ := strings.Cut(record.Key.Sort, "/00000")
			text = strings.ReplaceAll(text, doc.Cause, "REQUEST-"+number)
		}
	}
	text = strings.ReplaceAll(text, id, "PAYMENT")
	return strings.ReplaceAll(text, v.Session[:32], "SESSION")
}

// goldenText compares a text with a file of testdata; -update writes it.
func goldenText(t *testing.T, name, text string) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != text {
		t.Errorf("%v; %s is\n%s\nnow it is\n%s", err, file, want, text)
	}
}

// A new session is counted in the one line of its request.
func TestASessionIsCountedInItsRequestsLine(t *testing.T) {
	w := open(t)
	w.shop.live = true
	w.shop.visits("pen-1")
	log := w.log.String()
	for _, part := range []string{`"msg":"request"`, `"sessions":1`, `"_aws":`, `"merchant":"shop"`} {
		if strings.Count(log, "\n") != 1 || !strings.Contains(log, part) {
			t.Errorf("no %s, or more than one line: %s", part, log)
		}
	}
}

// The history of a payment with all that it can have: a cascade, 3-D Secure, a repeated callback, refunds, a chain.
func TestHistoryOfAPayment(t *testing.T) {
	w := open(t, monthly(nil), mids("declines softly", ""))
	w.shop.respond = func(r Received) int {
		if r.Fields.Get("type") == "3ds" && len(w.shop.Received()) == 0 {
			return 500
		}
		return 200
	}
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"))
	w.skip(time.Second)
	payer.pays("05/38")
	w.pass(90 * time.Second)
	payer.presses("confirm")
	w.work()
	w.skip(time.Minute)
	id := payer.paymentID()
	w.shop.refunds(id, "3.00")
	w.work()
	w.skip(time.Minute)
	w.queue.lose = loseAll
	w.shop.refunds(id, "2.00") // is not sent yet
	goldenText(t, "history.txt", payer.history(id))
	w.queue.lose = nil
}
