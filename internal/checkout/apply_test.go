package checkout

import (
	"testing"
	"time"

	"checkout/internal/request"
)

// Where the payer enters the amount elsewhere, a yes without an amount that can be read is no known outcome.
func TestApprovedWithoutAnAmount(t *testing.T) {
	for amount, want := range map[string]string{"": "", "0": "", "-1": "", "much": "", "0.000000001": "", "0.5": "0.50000000"} {
		p := &Payment{ID: "p", Status: StatusPending, Order: request.Order{Currency: "BTC"}, Jobs: []Job{{Kind: JobCharge, Reference: "p"}}}
		_, err := decide(task{payment: p, reference: "p"}, p.Jobs[0], reported{Result: Result{Outcome: OutcomeApproved, Amount: amount}}, time.Now())
		if (err == nil) != (want != "") || p.Amount != want || p.Order.Amount != want || (p.Status == StatusSettled) != (want != "") {
			t.Errorf("%q: %v, amount %q, %s", amount, err, p.Amount, p.Status)
		}
	}
}
