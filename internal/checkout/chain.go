package checkout

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Chain is what later payments of a recurring_init are charged by: the saved card of its initial payment, and the
// schedule if there is one (protocol.md, Recurring payments). It begins when the initial payment settles.
type Chain struct {
	PaymentID string `json:"payment_id"` // of the initial payment, recurring_init_trans_id
	Token     string `json:"token"`      // recurring_token
	request.Details
	payment.ChargeTerms
	CardUntil time.Time `json:"card_until,omitzero"` // when the saved card's token is deleted
	CardName  string    `json:"card_name,omitempty"`

	ScheduleID  string            `json:"schedule_id,omitempty"`
	Amount      request.Amount    `json:"amount,omitzero"`        // of each scheduled charge
	Interval    settings.Interval `json:"interval,omitzero"`      // between two charges
	StartAt     time.Time         `json:"start_at,omitzero"`      // date 0
	Period      int               `json:"period,omitempty"`       // the number of the date at NextAt
	Charges     int               `json:"charges,omitempty"`      // scheduled ones that were made or missed
	OrderSuffix int               `json:"order_suffix,omitempty"` // of the latest scheduled order number
	Schedule    int               `json:"schedule,omitempty"`     // it is the nth chain of its order number with one
	NextAt      time.Time         `json:"next_at,omitzero"`       // when the next charge is due; zero: never
	Cancelled   bool              `json:"cancelled,omitempty"`    // the initial payment was voided or disputed
	Stopped     *ChainStop        `json:"stopped,omitempty"`      // nil: the schedule goes on, or has ended
	Acts        []ChainAct        `json:"acts,omitempty"`         // the latest ones, the oldest first

	version int64
}

// Record is the document of the chain, due when its next charge is.
func (c *Chain) Record() store.Record {
	key, err := store.ChainKey(c.PaymentID)
	if err != nil {
		panic("chain of a payment without an id of ours: " + c.PaymentID)
	}
	r := store.Encode(key, c.version, c)
	if !c.NextAt.IsZero() {
		r.DueAt, r.DueKind = c.NextAt, store.DueChain.Of(c.Test)
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

// Chain reads a chain by the id of its initial payment, nil if there is none.
func (s *Core) Chain(ctx context.Context, now time.Time, paymentID string) (*Chain, error) {
	key, err := store.ChainKey(paymentID)
	if err != nil {
		return nil, nil
	}
	c := &Chain{}
	if found, err := s.Load(ctx, now, key, c); err != nil {
		return nil, fmt.Errorf("read recurring chain: %w", err)
	} else if !found {
		return nil, nil
	}
	return c, nil
}

// startedChain returns the document of the chain that a payment begins, or whose schedule it begins, and sets the
// payment's recurring token. There is none if the chain's retention has ended since the payment was requested.
func (s *Core) startedChain(
	ctx context.Context, now time.Time, m *settings.Merchant, p *payment.Payment,
) ([]store.Record, error) {
	c := &Chain{PaymentID: p.ID, Details: p.Details, ChargeTerms: p.ChargeTerms, CardName: p.Customer.Name}
	c.InitialTransaction = p.ProviderID
	c.InitialNetworkID = cmp.Or(p.NetworkTransactionID, p.InitialNetworkID)
	if p.Recurring {
		found, err := s.Chain(ctx, now, p.Chain)
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
	schedule := m.ScheduleNamed(p.ScheduleID)
	if c.StoppedSince(p.CreatedAt) { // a payment from before that starts nothing
		return []store.Record{c.Record()}, nil
	}
	c.Amount = cmp.Or(p.ScheduleAmount, p.Order.Amount, request.Entered(p.Amount))
	if schedule != nil {
		c.Stopped = nil
		if p.Recurring {
			c.Add(ChainAct{At: now, Do: ChainStarted, Change: "payment " + p.ID + " has started its schedule"})
		}
		c.ScheduleID, c.Charges = schedule.ID, 0
		c.Interval = schedule.Interval
		c.StartAt, c.Period = schedule.Start(now, p.ScheduleStart)
		for today := now.UTC().Truncate(24 * time.Hour); c.dueDate(c.Period).Before(today); {
			c.Period++ // dates before the chain began are not charged
		}
		c.NextAt = c.dueDate(c.Period)
		counted, err := s.countSchedule(ctx, now, c)
		return append([]store.Record{c.Record()}, counted...), err
	}
	return []store.Record{c.Record()}, nil
}

// schedules is how many chains of an order number have had a schedule.
type schedules struct {
	Chains int `json:"chains"`

	version int64
}

// Complete implements store.Shortened.
func (s *schedules) Complete(r store.Record) error {
	s.version = r.Version
	return nil
}

// countSchedule counts a chain with its first schedule among those of its order number, and returns the document that
// has the count. An order number may begin several chains, in a session each: their charges must not have the same
// numbers.
func (s *Core) countSchedule(ctx context.Context, now time.Time, c *Chain) ([]store.Record, error) {
	if c.Schedule > 0 || c.OrderSuffix > 0 { // the latter began before chains were counted
		return nil, nil
	}
	key, err := store.SchedulesKey(c.PaymentID)
	if err != nil {
		return nil, err
	}
	var all schedules
	if _, err := s.Load(ctx, now, key, &all); err != nil {
		return nil, fmt.Errorf("read schedules of an order number: %w", err)
	}
	all.Chains++
	c.Schedule = all.Chains
	return []store.Record{store.Encode(key, all.version, all)}, nil
}

// ScheduledNumber is the order number of the chain's latest scheduled charge.
func (c *Chain) ScheduledNumber() string {
	end := fmt.Sprintf("-%d", c.OrderSuffix)
	if c.Schedule > 1 {
		end = fmt.Sprintf("-s%d%s", c.Schedule, end)
	}
	number := []rune(c.Order.Number)
	return string(number[:min(len(number), maxNumber-len(end))]) + end
}

// maxNumber is the most characters of an order number.
const maxNumber = 255

// Stop ends the chain's schedule and the payer's consent. Charges that the merchant requests stay possible.
func (c *Chain) Stop() {
	c.NextAt = time.Time{}
	if c.ConsentState != "" {
		c.ConsentState = payment.ConsentCancelled
	}
}

// stoppedChain stops the chain that began with a payment which was voided or disputed, and returns its document, none
// if the payment began no chain.
func (s *Core) stoppedChain(ctx context.Context, now time.Time, p *payment.Payment) ([]store.Record, error) {
	if p.ConsentState != "" {
		p.ConsentState = payment.ConsentCancelled
	}
	if p.Chain != p.ID {
		return nil, nil
	}
	c, err := s.Chain(ctx, now, p.ID)
	if err != nil || c == nil {
		return nil, err
	}
	c.Stop()
	c.Cancelled = true
	return []store.Record{c.Record()}, nil
}

// dueDate returns the nth date of the chain's schedule.
func (c *Chain) dueDate(n int) time.Time { return c.Interval.Date(c.StartAt, n) }

// Advance sets NextAt to the date that follows. If the schedule's interval was changed, later dates are counted from
// NextAt by the new interval.
func (c *Chain) Advance(schedule *settings.Schedule) {
	if c.Interval != schedule.Interval {
		c.Interval, c.StartAt, c.Period = schedule.Interval, c.NextAt, 0
	}
	c.Period++
	c.NextAt = c.dueDate(c.Period)
}

// LaterPayment makes a payment of a chain, with its charge. Callers pass the chain's details with another order.
func (s *Core) LaterPayment(now time.Time, c *Chain, details request.Details) (*payment.Payment, error) {
	p := &payment.Payment{
		ID:      store.NewPaymentID(store.OrderHash(c.Owner.Text(), details.Order.Number), now, s.Random(4)),
		Details: details, ChargeTerms: c.ChargeTerms,
		ChainLink: payment.ChainLink{Recurring: true, Chain: c.PaymentID, RecurringToken: c.Token},
		Status:    payment.StatusPrepare, Times: payment.Times{CreatedAt: now, ChangedAt: now},
	}
	var err error
	if p.Amount, err = orderAmount(p.Order); err != nil {
		return nil, fmt.Errorf("later payment: %w", err)
	}
	p.Jobs = []payment.Job{{
		Kind: payment.JobCharge, Reference: p.ID, DueAt: now.Add(payment.NewJobGrace),
		ChargeInput: payment.ChargeInput{CardName: c.CardName},
	}}
	return p, nil
}

// MappingName returns the name of the chain's mapping, "" for nil.
func (c *Chain) MappingName() string {
	if c == nil {
		return ""
	}
	return c.Mapping
}

// Disabled reports whether the chain's MID was disabled or removed, or its mapping disabled.
func (c *Chain) Disabled(m *settings.Merchant) bool {
	mid, found := m.MID(c.Mapping, c.MID)
	return !found || mid.Disabled || m.MappingNamed(c.Mapping).Disabled
}
