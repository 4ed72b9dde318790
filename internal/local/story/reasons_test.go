package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/reason"
)

// declining is a session whose e-mail address makes the sandbox decline with a reason code.
func declining(code reason.Code) func(map[string]any) {
	return with("customer", map[string]any{"name": "Ada Lovelace", "email": "decline-" + string(code) + "@example.org"})
}

// The merchant gets a provider's reason with its code and text, the payer what he may know, and another MID is tried if
// the reason is soft. The package reason has the table of all of them.
func TestReasonCodes(t *testing.T) {
	for code, tried := range map[reason.Code]int{reason.InsufficientFunds: 2, reason.CardStolen: 1} {
		w := open(t, mids("", ""), extended)
		payer := w.shop.visits("pen-1", declining(code))
		payer.pays("01/38")
		text := (&reason.Reason{Code: code}).Text()
		_, status := w.shop.status("order_id", "pen-1")
		list, _ := status["transactions"].([]any)
		if len(list) != tried {
			t.Errorf("sent %d times: %v", len(list), list)
		}
		for _, one := range append(list, status) {
			if sent := one.(map[string]any); sent["reason_code"] != string(code) || sent["reason"] != text {
				t.Errorf("told %v", sent)
			}
		}
		if f := w.shop.last("sale").Fields; f.Get("reason") != text || f.Get("reason_code") != string(code) {
			t.Errorf("callback: %v", f)
		}
		w.shop.told("sale fail decline") // whose hash is as it was
		if history := payer.history(payer.paymentID()); !strings.Contains(history, "reason code    "+string(code)+"\n") {
			t.Errorf("history: %s", history)
		}
		payer.sees("form: declined (" + map[reason.Code]string{
			reason.InsufficientFunds: "insufficient_funds", reason.CardStolen: "declined", // a thief is told nothing
		}[code] + ")")
		if _, page := w.call("GET", payer.Path(""), nil); strings.Contains(string(page), "stolen") {
			t.Errorf("the payer gets %s", page)
		}
	}
}

// A session without an attempt has a code, too, and so has a callback that says that nothing is known yet.
func TestReasonCodesWithoutADecline(t *testing.T) {
	w := open(t)
	closed := w.shop.visits("pen-1")
	closed.closes()
	if _, status := w.shop.status("order_id", "pen-1"); status["reason_code"] != "session_cancelled" {
		t.Errorf("closed: %v", status)
	}
	w.shop.visits("pen-2")
	w.pass(2 * time.Hour)
	if _, status := w.shop.status("order_id", "pen-2"); status["reason_code"] != "session_expired" {
		t.Errorf("expired: %v", status)
	}
	w.goesLive(&provider{charge: noResponse, lookUp: onFollowUp(undecided)})
	w.shop.visits("pen-3").pays("01/38")
	if f := w.shop.last("sale").Fields; f.Get("status") != "undefined" || f.Get("reason_code") != "outcome_unknown" {
		t.Errorf("undefined: %v", f)
	}
}
