package story

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// declining is a session whose e-mail address makes the sandbox decline with a reason code.
func declining(code reason.Code) func(map[string]any) {
	return with("customer", map[string]any{"name": "Ada Lovelace", "email": "decline-" + string(code) + "@example.org"})
}

// Every reason of a provider: the merchant gets its code and text, the payer what he may know, and another MID is tried
// if it is soft.
func TestReasonCodes(t *testing.T) {
	for _, row := range reason.All {
		if !row.Code.OfProvider() {
			continue
		}
		t.Run(string(row.Code), func(t *testing.T) {
			t.Parallel()
			w := open(t, mids("", ""), extended)
			payer := w.shop.visits("pen-1", declining(row.Code))
			payer.pays("01/38")
			_, status := w.shop.status("order_id", "pen-1")
			if status["status"] != "decline" || status["reason"] != row.Text || status["reason_code"] != string(row.Code) {
				t.Errorf("status: %v", status)
			}
			list, _ := status["transactions"].([]any)
			for _, one := range list {
				if sent := one.(map[string]any); sent["reason_code"] != string(row.Code) || sent["reason"] != row.Text {
					t.Errorf("transaction: %v", sent)
				}
			}
			if tried := map[bool]int{true: 2, false: 1}[row.Soft]; len(list) != tried {
				t.Errorf("sent %d times: %v", len(list), list)
			}
			f := w.shop.last("sale").Fields
			if f.Get("reason") != row.Text || f.Get("reason_code") != string(row.Code) {
				t.Errorf("callback: %v", f)
			}
			w.shop.told("sale fail decline") // whose hash is as it was
			told := (&reason.Reason{Code: row.Code}).ForPayer().Code
			payer.sees("form: declined (" + string(told) + ")")
			if text := payer.history(payer.paymentID()); !strings.Contains(text, "reason code    "+string(row.Code)+"\n") {
				t.Errorf("history: %s", text)
			}
		})
	}
}

// The words of a provider about a stolen card, and its code, reach the merchant and not the payer.
func TestThiefIsToldNothing(t *testing.T) {
	w := open(t)
	stolen := connector.Result{
		Outcome: connector.OutcomeDeclined, Reason: "Reported as stolen.", ReasonCode: reason.CardStolen, Code: "43",
	}
	w.goesLive(&provider{charge: onCharge(stolen)})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("decline (Reported as stolen.)")
	code, body := w.call("GET", "/page/v1/"+payer.session, nil)
	if code != http.StatusOK || strings.Contains(string(body), "stolen") {
		t.Errorf("the payer gets %d %s", code, body)
	}
	payer.sees("form: declined (declined)")
	if _, status := w.shop.status("order_id", "pen-1"); status["reason_code"] != "card_stolen" {
		t.Errorf("status: %v", status)
	}
}

// A recurring payment can be retried after a soft code alone. A code that does not exist is a plain decline.
func TestRetryByReasonCode(t *testing.T) {
	for code, want := range map[reason.Code]string{
		reason.InsufficientFunds: "200 accepted",
		reason.IssuerUnavailable: "200 accepted",
		reason.CardStolen:        "400 100000 Retry is not allowed.",
		reason.RecurringStopped:  "400 100000 Retry is not allowed.",
		reason.Duplicate:         "400 100000 Retry is not allowed.",
		"of_another_world":       "400 100000 Retry is not allowed.",
		"":                       "400 100000 Retry is not allowed.",
	} {
		w := open(t, operations)
		bank := &provider{}
		bank.charge = func(c connector.Charge) (connector.Result, error) {
			if c.Recurring {
				return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: code}, nil
			}
			return connector.Result{Outcome: connector.OutcomeApproved,
				ProviderData: connector.ProviderData{ProviderID: "1"}}, nil
		}
		w.goesLive(bank)
		_, response := w.shop.begins("pen-1", "01/38").charge("pen-2", "5.00")
		id, _ := response["payment_id"].(string)
		if got := w.shop.retries(id); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
		_, status := w.shop.status("payment_id", id)
		if known := code.Known(); status["reason_code"] != map[bool]any{true: string(code), false: "declined"}[known] {
			t.Errorf("%q: %v", code, status)
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
	w.shop.visits("pen-4").pays("01/38")
	settled := open(t)
	settled.shop.visits("pen-5").pays("01/38")
	if f := settled.shop.last("sale").Fields; f.Has("reason_code") {
		t.Errorf("a success: %v", f)
	}
}
