package checkout

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/request"
)

// If the payer enters the amount at the provider, the outcome of an approval without an amount in the order's currency
// is not known.
func TestApprovedWithoutAnAmount(t *testing.T) {
	btc, _ := money.Find("BTC")
	usd, _ := money.Find("USD")
	half, errHalf := money.Parse("0.5", btc)
	dollar, errDollar := money.Parse("1", usd)
	if errHalf != nil || errDollar != nil {
		t.Fatal(errHalf, errDollar)
	}
	for amount, want := range map[money.Amount]string{{}: "", money.Zero(btc): "", dollar: "", half: "0.50000000"} {
		job := payment.Job{Kind: payment.JobCharge, Reference: "p"}
		p := &payment.Payment{ID: "p", Status: payment.StatusPending, Jobs: payment.Jobs{job}}
		p.Details = request.Details{Order: request.Order{Currency: "BTC"}}
		result := payment.ParsedResult{Result: connector.Result{Outcome: connector.OutcomeApproved, Amount: amount}}
		_, err := Decide(Task{Payment: p, Reference: "p"}, p.Jobs[0], result, time.Now())
		if approved := want != ""; (err == nil) != approved || (p.Status == payment.StatusSettled) != approved {
			t.Errorf("%s: %v, status %s", amount, err, p.Status)
		}
		if p.Amount.String() != want || p.Order.Amount.Text != want {
			t.Errorf("%s: amount %q, of the order %q", amount, p.Amount, p.Order.Amount.Text)
		}
	}
}
