package query

import (
	"context"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
)

// View is all about a payment on one screen. It has no secret, no card number, no token, of the payer's data only what
// a list shows, and of the session's id only the part that does not open it.
type View struct {
	Row       Row        `json:"row"`
	Summary   Summary    `json:"summary"`
	Facts     []Fact     `json:"facts"`
	Timeline  []Event    `json:"timeline"`
	Callbacks []Delivery `json:"callbacks"`
	Possible  []Possible `json:"possible"`

	Chain *chains.ChainItem `json:"chain,omitempty"` // that the payment has begun or belongs to
}

// View returns all about a payment, or about the session if it has no such payment yet. It reads the payments,
// sessions, callbacks and chain of the order in one strongly consistent listing. Errors: CodeNotFound, also for a
// payment that the person may not see.
func (s *Reader) View(ctx context.Context, by grant.Person, paymentID string) (View, error) {
	now := s.core.Now()
	records, err := listOrder(ctx, s.core.Store, now, paymentID)
	if err != nil {
		return View{}, err
	}
	h, o, err := historyOf(records, paymentID)
	if err != nil {
		return View{}, err
	}
	v := View{Facts: h.Facts, Timeline: h.Events}
	rows, err := listing.RowsOf(records, now)
	if err != nil {
		return View{}, err
	}
	for _, row := range rows {
		if row.PaymentID == paymentID {
			v.Row, _ = rowFor(by, grant.Find, row, now)
		}
	}
	if v.Row.ID == "" {
		return View{}, payment.ErrNotFound()
	}
	p := o.payment(paymentID)
	sess := o.session(p, paymentID)
	if v.Callbacks, err = s.deliveries(ctx, by, o, paymentID); err != nil {
		return View{}, err
	}
	v.Summary = summaryOf(v.Row, p, v.Callbacks, now)
	if v.Possible = []Possible{}; p != nil {
		v.Possible = s.possible(by, p, sess, now)
		err = s.addChain(ctx, by, &v, p)
	}
	return v, err
}
