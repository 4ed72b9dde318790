package outcome

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/golden"
	"checkout/internal/request"
)

// What a person's decision makes of each request, and what the merchant is told: testdata/decisions.golden.
func TestDecisions(t *testing.T) {
	undecided := func(kind payment.JobKind) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			status := payment.StatusSettled
			if kind == payment.JobCapture {
				status = payment.StatusPending
			}
			return paid(status, job(kind)), string(kind)
		}
	}
	charge := func(amount string) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			p, _ := attempt(func(p *payment.Payment, _ *checkout.Session) {
				p.Amount, p.Order.Amount = usd(amount), request.Entered(usd("10.00"))
				if amount == "" {
					p.Order.Amount = request.Amount{}
				}
			})
			return p, p.ID
		}
	}
	found := func(moved string, of func() (*payment.Payment, string)) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			p, reference := of()
			p.Jobs[0].Finding = &payment.Finding{At: paidAt, Moved: usd(moved)}
			return p, reference
		}
	}
	table := golden.Table{}
	for _, of := range []struct {
		name string
		make func() (*payment.Payment, string)
	}{
		{"a charge of 10.00", charge("10.00")}, {"a charge of what the payer enters", charge("")},
		{"a charge of 10.00, of which 5.00 was found", found("5.00", charge("10.00"))},
		{"a charge of 10.00, found as it is", found("10.00", charge("10.00"))},
		{"a charge of 10.00, of which 10.01 was found", found("10.01", charge("10.00"))},
		{"a capture of 3.00", undecided(payment.JobCapture)}, {"a void", undecided(payment.JobVoid)},
		{"a void, of which 2.00 was found", found("2.00", undecided(payment.JobVoid))},
		{"a refund of 3.00", undecided(payment.JobRefund)},
		{"a refund of 3.00, of which 2.00 was found", found("2.00", undecided(payment.JobRefund))},
		{"a refund of 3.00, of which 3.01 was found", found("3.01", undecided(payment.JobRefund))},
		{"a refund of 3.00, and 9.00 is refunded", func() (*payment.Payment, string) {
			p, reference := undecided(payment.JobRefund)()
			did(p, payment.EventRefund, payment.Success, "9.00")
			p.Transactions[1].Reference = "before"
			return p, reference
		}},
		{"a give-back", func() (*payment.Payment, string) {
			p := paid(payment.StatusDecline)
			p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
			back := job(payment.JobGiveBack)
			back.About = "charge"
			p.Jobs = payment.Jobs{back}
			return p, back.Reference
		}},
	} {
		table.Begin(of.name)
		for _, says := range []struct{ name, verdict, amount string }{
			{"approved", "approved", ""}, {"approved, 2.00", "approved", "2.00"}, {"approved, 3.00", "approved", "3.00"},
			{"approved, 10.01", "approved", "10.01"}, {"declined", "declined", ""}, {"accepted", "accept", ""},
			{"no verdict", "", ""},
		} {
			p, reference := of.make()
			decision := payment.Decision{Verdict: payment.Verdict(says.verdict), Amount: usd(says.amount), By: "Ann",
				Reason: "The bank says so.", At: paidAt}
			p.Acts = []payment.Act{{Reference: reference, At: paidAt, Result: "decided"}, {Reference: reference, Result: "else"},
				{Reference: "other", At: paidAt}}
			p.Jobs.Find(reference).Decision = &decision
			before := golden.Members(p)
			task := checkout.Task{Payment: p, Reference: reference}
			e, err := Settle(task, *task.Job(), paidAt.Add(1e9))
			var all strings.Builder
			if err != nil {
				fmt.Fprintf(&all, " error (%v)", err)
			}
			if e.Save {
				all.WriteString(" stored")
			}
			if e.Event != nil {
				fmt.Fprintf(&all, ", the merchant is told %s %s %s: %s", e.Event.Type, e.Event.Status, e.Event.Amount,
					e.Event.Reason.Text())
			}
			all.WriteString(golden.Differences(before, golden.Members(p)))
			table.Add(says.name, golden.Since(paidAt, strings.ReplaceAll(all.String(), aPayment, "id")))
		}
	}
	golden.Compare(t, "testdata/decisions.golden", table.Text(), *update)
}
