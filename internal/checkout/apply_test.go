package checkout

import (
	"testing"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
)

// Where the payer enters the amount at the provider, an approval without an amount of the order's currency is no known outcome.
func TestApprovedWithoutAnAmount(t *testing.T) {
	btc, _ := money.Find("BTC")
	usd, _ := money.Find("USD")
	half, errHalf := money.Parse("0.5", btc)
	dollar, errDollar := money.Parse("1", usd)
	if errHalf != nil || errDollar != nil {
		t.Fatal(errHalf, errDollar)
	}
	for amount, want := range map[money.Amount]string{{}: "", money.Zero(btc): "", dollar: "", half: "0.50000000"} {
		p := &Payment{ID: "p", Status: StatusPending, Details: request.Details{Order: request.Order{Currency: "BTC"}}, Jobs: []Job{{Kind: JobCharge, Reference: "p"}}}
		_, err := decide(task{payment: p, reference: "p"}, p.Jobs[0], parsedResult{Result: Result{Outcome: OutcomeApproved, Amount: amount}}, time.Now())
		if (err == nil) != (want != "") || p.Amount.String() != want || p.Order.Amount.Text != want || (p.Status == StatusSettled) != (want != "") {
			t.Errorf("%s: %v, amount %q, %s", amount, err, p.Amount, p.Status)
		}
	}
}
