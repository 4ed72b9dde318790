package checkout

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Chain is what later payments of a recurring_init are charged by: the card of
// its first payment, and the schedule if there is one (core.md, recurring_init,
// schedule_id). It begins when the first payment settles.
type Chain struct {
	PaymentID string `json:"payment_id"` // of the first payment, recurring_init_trans_id
	Token     string `json:"token"`      // recurring_token
	request.Details
	Terms
	CardUntil time.Time `json:"card_until,omitzero"` // when the token of the saved card is forgotten
	CardName  string    `json:"card_name,omitempty"`

	ScheduleID  string            `json:"schedule_id,omitempty"`
	Amount      request.Amount    `json:"amount,omitzero"`   // of each scheduled charge
	Interval    merchant.Interval `json:"interval,omitzero"` // that dates are counted by
	StartAt     time.Time         `json:"start_at,omitzero"` // that dates are counted from
	Period      int               `json:"date,omitempty"`    // the number of the date at NextAt
	Charges     int               `json:"charges,omitempty"` // how many were due and not paused
	OrderSuffix int               `json:"numbers,omitempty"` // how many order numbers were given out
	NextAt      time.Time         `json:"next_at,omitzero"`  // when the next charge is due; zero: never
	Cancelled   bool              `json:"undone,omitempty"`  // the first payment was voided or taken back: no schedule any more

	version int64
}

// record is the chain as a store keeps it, due with its next charge.
func (c *Chain) record() store.Record {
	key, err := store.ChainKey(c.PaymentID)
	if err != nil {
		panic("chain of a payment without an id of ours: " + c.PaymentID)
	}
	r := store.Encode(key, c.version, c)
	if !c.NextAt.IsZero() {
		r.DueAt, r.DueKind = c.NextAt, store.DueChain
	}
	return r
}

// Complete implements Shortened.
func (c *Chain) Complete(r store.Record) error {
	c.version = r.Version
	currency := request.CurrencyOf(c.Order)
	c.Order.Amount, c.Amount = c.Order.Amount.In(currency), c.Amount.In(currency)
	return nil
}

// chain reads a chain by its first payment, nil if there is none.
func (s *Service) chain(ctx context.Context, now time.Time, paymentID string) (*Chain, error) {
	key, err := store.ChainKey(paymentID)
	if err != nil {
		return nil, nil
	}
	c := &Chain{}
	if found, err := s.load(ctx, now, key, c); err != nil {
		return nil, fmt.Errorf("read recurring chain: %w", err)
	} else if !found {
		return nil, nil
	}
	return c, nil
}

// startedChain returns the document of the chain that a payment begins, or whose
// schedule it begins, and notes the token with the payment. There is none
// where the chain was forgotten since the payment was asked for (Retain).
func (s *Service) startedChain(ctx context.Context, now time.Time, m *merchant.Merchant, p *Payment) ([]store.Record, error) {
	c := &Chain{PaymentID: p.ID, Details: p.Details, Terms: p.Terms, CardName: p.Customer.Name}
	c.InitialTransaction = p.ProviderID
	if p.Recurring {
		found, err := s.chain(ctx, now, p.Chain)
		if err != nil || found == nil {
			return nil, err
		}
		c = found
	} else {
		c.Token = store.NewUUID(s.Random(16))
		p.Chain, p.RecurringToken = p.ID, c.Token
	}
	if p.Card != nil {
		c.CardUntil = method.CardEnds(p.Card.ExpiryMonth, p.Card.ExpiryYear).Add(card.ExpiredTTL)
	}
	c.Amount = cmp.Or(p.ScheduleAmount, p.Order.Amount, request.Entered(p.Amount))
	if schedule := m.ScheduleNamed(p.ScheduleID); schedule != nil {
		c.ScheduleID, c.Charges = schedule.ID, 0
		c.Interval = schedule.Interval
		c.StartAt, c.Period = schedule.Start(now, p.ScheduleStart)
		for c.NextAt = c.dueDate(c.Period); c.NextAt.Before(now.UTC().Truncate(24 * time.Hour)); c.NextAt = c.dueDate(c.Period) {
			c.Period++ // days before the chain began are nobody's
		}
	}
	return []store.Record{c.record()}, nil
}

// stop ends the chain's schedule and the payer's consent. Charges that the merchant asks for stay possible.
func (c *Chain) stop() {
	c.NextAt = time.Time{}
	if c.ConsentState != "" {
		c.ConsentState = consentCancelled
	}
}

// stoppedChain returns the document of the chain that began with a payment which was voided or taken
// back, none if it began no chain.
func (s *Service) stoppedChain(ctx context.Context, now time.Time, p *Payment) ([]store.Record, error) {
	if p.ConsentState != "" {
		p.ConsentState = consentCancelled
	}
	if p.Chain != p.ID {
		return nil, nil
	}
	c, err := s.chain(ctx, now, p.ID)
	if err != nil || c == nil {
		return nil, err
	}
	c.stop()
	c.Cancelled = true
	return []store.Record{c.record()}, nil
}

// date returns the nth date of the chain.
func (c *Chain) dueDate(n int) time.Time { return c.Interval.Date(c.StartAt, n) }

// advance goes on to the date after NextAt. If the schedule's interval was
// changed meanwhile, dates are counted by the new one from here on.
func (c *Chain) advance(schedule *merchant.Schedule) {
	if c.Interval != schedule.Interval {
		c.Interval, c.StartAt, c.Period = schedule.Interval, c.NextAt, 0
	}
	c.Period++
	c.NextAt = c.dueDate(c.Period)
}

// The states of a payer's consent to later charges (decisions.md 2).
const (
	consentActive    = "active"
	consentCancelled = "cancelled" // the chain was stopped
)

// laterPayment makes a payment of a chain, with its charge. Its details are those of the chain, but for the order.
func (s *Service) laterPayment(now time.Time, c *Chain, details request.Details) (*Payment, error) {
	p := &Payment{
		ID:      store.NewPaymentID(store.OrderHash(c.Owner.Text(), details.Order.Number), now, s.Random(4)),
		Details: details, Terms: c.Terms,
		ChainLink: ChainLink{Recurring: true, Chain: c.PaymentID, RecurringToken: c.Token},
		Status:    StatusPrepare, CreatedAt: now, ChangedAt: now,
	}
	var err error
	if p.Amount, err = amountOf(p.Order); err != nil {
		return nil, fmt.Errorf("later payment: %w", err)
	}
	p.Jobs = []Job{{Kind: JobCharge, Reference: p.ID, CardName: c.CardName, DueAt: now.Add(newJobGrace)}}
	return p, nil
}

// disabled reports whether the MID that the chain belongs to takes nothing any more.
func (c *Chain) disabled(m *merchant.Merchant) bool {
	mid, found := m.MID(c.Mapping, c.MID)
	return !found || mid.Disabled || m.MappingNamed(c.Mapping).Disabled
}
