package checkout

import (
	"cmp"
	"context"
	"crypto/subtle"
	"fmt"
	"time"
	"unicode/utf8"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// Recurring charges the card of a recurring chain without the payer, and
// answers the payment, decided if the provider answers soon.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeDuplicate, CodeNotFound.
func (s *Service) Recurring(ctx context.Context, call Call) (Response, error) {
	now := s.Now()
	in, err := request.Read(call.Body)
	if err != nil {
		return nil, err
	}
	m, owner, err := s.account(ctx, in.Required("merchant_key"), now)
	if err != nil {
		return nil, err
	}
	req, err := request.ReadRecurring(in, m.AnyNumber(), now)
	if err != nil {
		return nil, err
	}
	c, err := s.chainOfMerchant(ctx, now, owner, req)
	if err != nil {
		return nil, err
	}
	if err := s.authenticate(m, req.Hash, signedBy(req, m, c)); err != nil {
		return nil, err
	}
	answer, err := s.once(ctx, merchant.Caller{Merchant: m, Owner: owner}, call, func(first *firstCall) (Response, error) {
		p, err := s.newRecurring(now, m, req, c)
		if err != nil {
			return nil, err
		}
		return s.startPayment(ctx, m, p, first)
	})
	return answer, request.WithFirst(err, m.FirstErrors(""))
}

// chainOfMerchant reads the chain that a request names, nil if the merchant has none of that id and token. It is
// read for an unknown merchant too, who must not be told from a known one by time.
func (s *Service) chainOfMerchant(ctx context.Context, now time.Time, o request.Owner, req request.Recurring) (*Chain, error) {
	c, err := s.chain(ctx, now, req.First)
	if err != nil || c == nil || c.Owner != o || subtle.ConstantTimeCompare([]byte(c.Token), []byte(req.Token)) != 1 {
		return nil, err
	}
	return c, nil
}

// signed is what the hash of the request is made of. A JSON number may be
// signed as its literal or its formatted text (decisions.md 3).
func signedBy(r request.Recurring, m *merchant.Merchant, c *Chain) request.Signed {
	literal := request.SignedRecurring(r.First, r.Token, r.Order)
	if !r.Number || c == nil || merchant.VerifyHash(r.Hash, m, literal...) {
		return literal
	}
	amount, err := money.Parse(r.Order.Amount.Text, request.CurrencyOf(c.Order))
	if err != nil {
		return literal
	}
	r.Order.Amount.Text = amount.String()
	return request.SignedRecurring(r.First, r.Token, r.Order)
}

// newRecurring makes the payment of an authentic request.
func (s *Service) newRecurring(now time.Time, m *merchant.Merchant, req request.Recurring, c *Chain) (*Payment, error) {
	if c == nil {
		return nil, ErrPayment()
	}
	if c.disabled(m) {
		return nil, request.ErrDenied()
	}
	req.Order.Currency = c.Order.Currency
	currency := request.CurrencyOf(c.Order)
	if fault := request.AmountIn(currency)(req.Order.Amount.Text); fault != "" {
		return nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "order.amount", Text: fault}})
	}
	req.Order.Amount = req.Order.Amount.In(currency)
	if mid, _ := m.MID(c.Mapping, c.MID); mid.OutsideLimits(req.Order) || !s.Declarations[c.Connector].Recurring {
		return nil, merchant.ErrNoMapping()
	}
	if req.ScheduleID != "" && m.ScheduleNamed(req.ScheduleID) == nil {
		return nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "schedule_id", Text: method.TextNotChoice}})
	}
	details := c.Details
	details.Order = req.Order
	if req.CustomData != nil {
		details.CustomData = req.CustomData
	}
	details.Customer.Name = cmp.Or(req.Customer.Name, details.Customer.Name)
	details.Customer.Email = cmp.Or(req.Customer.Email, details.Customer.Email)
	p, err := s.laterPayment(now, c, details)
	if err != nil {
		return nil, err
	}
	p.ScheduleID, p.StartsSchedule = req.ScheduleID, req.ScheduleID != ""
	return p, nil
}

// disabled reports whether the MID that the chain belongs to takes nothing any more.
func (c *Chain) disabled(m *merchant.Merchant) bool {
	mid, found := m.MID(c.Mapping, c.MID)
	return !found || mid.Disabled || m.MappingNamed(c.Mapping).Disabled
}

// laterPayment makes a payment of a chain, with its charge. Its details are those of the chain, but for the order.
func (s *Service) laterPayment(now time.Time, c *Chain, details request.Details) (*Payment, error) {
	p := &Payment{
		ID:      store.NewPaymentID(store.OrderHash(c.Owner.Text(), details.Order.Number), now, s.Random(4)),
		Details: details, Terms: c.Terms, Recurring: true, Chain: c.PaymentID, RecurringToken: c.Token,
		Status: StatusPrepare, CreatedAt: now, ChangedAt: now,
	}
	var err error
	if p.Amount, err = amountOf(p.Order); err != nil {
		return nil, fmt.Errorf("later payment: %w", err)
	}
	p.Jobs = []Job{{Kind: JobCharge, Reference: p.ID, CardName: c.CardName, DueAt: now.Add(newJobGrace)}}
	return p, nil
}

// chargeDue makes the payment of a chain's schedule that is due, once: the
// chain and the payment are one write. While the schedule is paused, dates go
// by. When the first payment was voided or reversed, the schedule ends; when
// it is forgotten (Retain), it goes on. A date whose successor is due too is not
// charged any more, so that no payer is charged several times at once; the
// merchant is told of it as of a decline.
func (s *Service) chargeDue(ctx context.Context, firstID string) error {
	now := s.Now()
	c, err := s.chain(ctx, now, firstID)
	if err != nil || c == nil || c.NextAt.IsZero() || now.Before(c.NextAt) {
		return err
	}
	m, err := s.merchant(ctx, c.Merchant, now)
	if err != nil {
		return err
	}
	first, err := s.payment(ctx, now, c.PaymentID)
	if err != nil {
		return err
	}
	schedule := m.ScheduleNamed(c.ScheduleID)
	if schedule == nil || c.Undone || first != nil && (first.Status == StatusVoid || first.wasTakenBack()) {
		c.stop()
		return s.saveChain(ctx, now, c)
	}
	if schedule.PaymentsCount > 0 && c.Charges >= schedule.PaymentsCount {
		c.NextAt = time.Time{}
		return s.saveChain(ctx, now, c)
	}
	if schedule.Paused || m.Disabled || c.disabled(m) || !s.Declarations[c.Connector].Recurring {
		for !now.Before(c.NextAt) {
			c.advance(schedule)
		}
		return s.saveChain(ctx, now, c)
	}
	return s.chargeDate(ctx, now, m, c)
}

// chargeDate makes the payment of the date at NextAt.
func (s *Service) chargeDate(ctx context.Context, now time.Time, m *merchant.Merchant, c *Chain) error {
	schedule := m.ScheduleNamed(c.ScheduleID)
	c.Charges++
	c.Numbers++
	c.advance(schedule)
	details := c.Details
	details.Order.Amount = c.Amount
	details.Order.Number = scheduledNumber(details.Order.Number, c.Numbers)
	p, err := s.laterPayment(now, c, details)
	if err != nil {
		return err
	}
	p.ScheduleID = c.ScheduleID
	t, e := task{payment: p, reference: p.ID}, effects{save: true}
	if !now.Before(c.NextAt) {
		if e, err = decline(t, p.Jobs[0], reported{Result: declineFor(screen.ReasonMissed)}, now); err != nil {
			return err
		}
	}
	if schedule.PaymentsCount > 0 && c.Charges >= schedule.PaymentsCount {
		c.NextAt = time.Time{}
	}
	records, callback, err := s.recordsOf(ctx, now, t, e)
	if err != nil {
		return err
	}
	err = s.Store.Save(ctx, now, append(records, c.record())...)
	if store.IsConflict(err) {
		return nil // somebody else made it
	}
	if err != nil {
		return fmt.Errorf("store scheduled payment: %w", err)
	}
	s.report(ctx, now, p, e)
	s.outbox().Send(ctx, callback, 0)
	for _, job := range p.Jobs {
		s.sendJob(ctx, p.message(job.Reference), 0)
	}
	if !c.NextAt.IsZero() && !now.Before(c.NextAt) {
		s.sendJob(ctx, JobMessage{PaymentID: c.PaymentID, Chain: true}, 0)
	}
	return nil
}

// scheduledNumber is the order number of a chain's nth scheduled charge.
func scheduledNumber(number string, n int) string {
	end := fmt.Sprintf("-%d", n)
	return string([]rune(number)[:min(utf8.RuneCountInString(number), 255-len(end))]) + end
}

func (s *Service) saveChain(ctx context.Context, now time.Time, c *Chain) error {
	err := s.Store.Save(ctx, now, c.record())
	if err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store recurring chain: %w", err)
	}
	return nil
}
