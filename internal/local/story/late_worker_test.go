package story

import (
	"context"
	"fmt"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// A worker finds out that it reached nobody when its lease is over, as after a step of its clock. What another one has
// sent meanwhile is neither sent again nor declined.
func TestNotReachedAfterTheLease(t *testing.T) {
	for _, try := range []int{1, 5} {
		t.Run(fmt.Sprint("try ", try), func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{lookUp: onFollowUp(connector.Result{Outcome: connector.OutcomeUnknown})}
			bank.charge = func(c connector.Charge) (connector.Result, error) {
				switch len(bank.charges) {
				case try:
					w.skip(time.Minute)
					message := payment.JobMessage{PaymentID: c.PaymentID, Reference: c.Reference}
					if err := w.app.Runner.RunJob(context.Background(), message); err != nil {
						t.Errorf("the other worker: %v", err)
					}
				case try + 1:
					bank.lookUp = onFollowUp(approved)
					return noResponse(c)
				}
				return down(c)
			}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(10 * time.Minute)
			payer.is("settled")
			if len(bank.charges) != try+1 {
				t.Errorf("%d charges", len(bank.charges))
			}
			w.shop.told("sale undefined prepare", "sale success settled")
		})
	}
}
