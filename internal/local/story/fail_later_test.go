package story

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// accountClosed is how a provider reports that money came back.
var accountClosed = connector.Result{
	Outcome: connector.OutcomeDeclined, ReasonCode: reason.AccountClosed, Code: "R02",
}

// declinedAfterApproved checks how often the metric was written that alarms an operator.
func (w *World) declinedAfterApproved(want int) {
	w.t.Helper()
	if got := strings.Count(w.log.String(), `"declined_after_approved":1`); got != want {
		w.t.Errorf("%d times declined_after_approved, want %d", got, want)
	}
}

// latest returns a notice about the payment's latest request.
func (v *Visit) latest(r connector.Result) connector.Notice {
	transactions := v.payment().Transactions
	return v.about(transactions[len(transactions)-1].Reference, r)
}

// A refund fails after its success: the shop is told why and when, and can refund the amount again, not more. Repeats
// change nothing.
func TestRefundFailsLater(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.shop.refunds(id, "")
	w.work()
	payer.is("refund")
	w.pass(time.Hour)
	notice := payer.latest(accountClosed)
	for range 3 {
		w.reported(realBank, notice)
		w.work()
	}
	payer.is("settled")
	w.declinedAfterApproved(1)
	told := []string{"sale success settled", "refund success refund", "refund fail settled"}
	w.shop.told(told...)
	const why = "It succeeded first and failed later. The account is closed."
	f := w.shop.last("refund").Fields
	if f.Get("transaction_amount") != "10.00" || f.Get("reason") != why || f.Get("reason_code") != "failed_later" {
		t.Errorf("the shop was told %v", f)
	}
	_, status := w.shop.status("payment_id", id)
	want := "map[amount:10.00 date:2030-03-04 11:00:00 reason:" + why +
		" reason_code:failed_later status:fail type:refund]"
	if list := status["transactions"].([]any); len(list) != 2 || fmt.Sprint(list[1]) != want {
		t.Errorf("transactions %v, want %s", list, want)
	}
	history := payer.history(id)
	for _, line := range []string{
		"2030-03-04 10:00:00.000  outcome   mid-1 approved the refund of 10.00 USD.",
		"2030-03-04 11:00:00.000  outcome   It no longer counts: mid-1 declined the refund of 10.00 USD.",
		"reason code failed_later, reason " + why,
	} {
		if !strings.Contains(history, line) {
			t.Errorf("no %q in the history:\n%s", line, history)
		}
	}
	if got := w.shop.refunds(id, "10.01"); got != "400 208006 amount: This value should be 10.00 or less." {
		t.Errorf("refund of more: %s", got)
	}
	if got := w.shop.refunds(id, ""); got != "200 accepted" {
		t.Errorf("refund again: %s", got)
	}
	w.work()
	payer.is("refund")
	w.reported(realBank, notice) // once more, after another refund
	w.work()
	payer.is("refund")
	w.shop.told(append(told, "refund success refund")...)
	if got := w.shop.refunds(id, "0.01"); got != "400 208005 Refund is not allowed." {
		t.Errorf("a third refund: %s", got)
	}
	w.declinedAfterApproved(1)
	w.approvedAfterDeclined(0)
	w.CheckOrders()
	w.shopKnowsAll(t)
	if len(bank.followUps) != 2 || bank.followUps[0].Reference == bank.followUps[1].Reference {
		t.Errorf("the provider got %+v", bank.followUps)
	}
}
