package query

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/words"
)

// Delivery is a callback with its tries.
type Delivery struct {
	Seq       int            `json:"seq"`
	ID        string         `json:"id"` // webhook-id
	Event     string         `json:"event"`
	Says      string         `json:"says"` // the same as a sentence
	State     callback.State `json:"state"`
	URL       string         `json:"url"` // without what may be secret
	CreatedAt time.Time      `json:"created_at"`
	NextAt    time.Time      `json:"next_at,omitzero"`
	Tries     []callback.Try `json:"tries"`
	MaySend   bool           `json:"may_send"`
	WhyNot    string         `json:"why_not,omitempty"`
}

// deliveries returns the callbacks of a payment.
func (s *Reader) deliveries(
	ctx context.Context, by grant.Person, o words.Order, paymentID string,
) ([]Delivery, error) {
	all, now := []Delivery{}, s.core.Now()
	for _, c := range o.Callbacks {
		if c.PaymentID != paymentID {
			continue
		}
		m, err := s.core.Accounts().ByID(ctx, c.Merchant, now)
		if err != nil {
			return nil, err
		}
		d := Delivery{
			Seq: c.Seq, Says: words.CallbackText(c, o.Payment(paymentID)), ID: c.ID,
			Event: fault.Printable(c.Event(), fault.MaxHistoryText), State: c.State,
			URL: callback.ShownURL(c.Address(m)), CreatedAt: c.CreatedAt, Tries: words.Tries(c.Tries),
			WhyNot: c.WhyNotSent(now, c.Address(m)),
		}
		if c.State == callback.Waiting {
			d.NextAt = c.NextAt
		}
		if by.Level(grant.Callbacks, c.Owner) == grant.None {
			d.WhyNot = noRight
		}
		d.MaySend = d.WhyNot == ""
		all = append(all, d)
	}
	return all, nil
}
