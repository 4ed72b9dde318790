package outcome

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/request"
)

// An approval that is accepted counts at the MID of its charge, with what that has reported and the amount that has
// moved.
func TestAcceptApproval(t *testing.T) {
	for _, test := range []struct{ latest, amount, moved, want string }{
		{"charge", "10.00", "10.00", "settled 10.00 of 10.00, old"}, {"next", "10.00", "10.00", "pending  of 10.00, "},
		{"charge", "10.00", "9.00", "settled 9.00 of 9.00, old"}, {"charge", "", "8.00", "settled 8.00 of 8.00, old"},
	} {
		p := paid(payment.StatusDecline)
		p.ChargeReference, p.MID, p.ProviderID, p.RRN, p.Amount = test.latest, "mid-2", "old", "old", usd(test.amount)
		p.Transactions[0].MID, p.Transactions[0].Connector = "mid-1", "first"
		r := connector.Result{Outcome: connector.OutcomeApproved, Authorised: test.latest == "next", Code: "7"}
		r.ProviderID = "new"
		p.Contradictions().Add("charge", r, paidAt)
		reported := p.Jobs[0]
		reported.Amount = usd(test.moved)
		if test.amount == "" { // the payer has entered it at the provider
			p.Order.Amount = request.Amount{}
		}
		e, err := acceptApproval(checkout.Task{Payment: p}, reported, paidAt)
		if got := fmt.Sprintf("%s %s of %s, %s", p.Status, p.Captured, p.Amount, p.RRN); got != test.want || err != nil {
			t.Errorf("%v: %q, %v", test, got, err)
		}
		end := p.Transactions[len(p.Transactions)-1]
		if p.MID != "mid-1" || p.Connector != "first" || p.ProviderID != "new" || len(p.Jobs) > 0 || end.Code != "7" ||
			end.Type != payment.EventSale || !e.Save || p.ChargeReference != "charge" {
			t.Errorf("%v: %s, %s, %s, %+v", test, p.MID, p.Connector, p.ProviderID, end)
		}
	}
}

// What a provider says later of a refund, and a person accepts, changes what is left.
func TestAcceptedRefunds(t *testing.T) {
	p := paid(payment.StatusSettled)
	did(p, payment.EventRefund, payment.Fail, "3.00")
	p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeApproved, Code: "00"}, paidAt)
	e, err := acceptRefund(checkout.Task{Payment: p}, p.Jobs[0], paidAt)
	left, _ := p.Amounts().Refundable()
	if err != nil || e.Event.Type != payment.EventRefund || e.Event.Status != payment.Success || left != usd("7.00") ||
		len(p.Jobs) > 0 {
		t.Errorf("a refund: %+v, %v, %s is left, %+v", e, err, left, p.Jobs)
	}
	p = paid(payment.StatusSettled)
	did(p, payment.EventRefund, payment.Success, "3.00")
	p.Transactions[1].Decision = &payment.Decision{}
	p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeDeclined, Code: "05"}, paidAt)
	p.Jobs[0].Decision = &payment.Decision{By: "Ann", Reason: "So it is."}
	e, err = acceptDecline(checkout.Task{Payment: p}, p.Jobs[0], paidAt)
	left, _ = p.Amounts().Refundable()
	if err != nil || !e.Save || e.Event.Status != payment.Fail || left != usd("10.00") || len(p.Jobs) > 0 ||
		!strings.Contains(e.Event.Reason.Text(), "So it is. (decided by Ann)") || p.Transactions[1].Code != "05" {
		t.Errorf("a decline: %+v, %v, %s is left, %+v", e, err, left, p)
	}
}
