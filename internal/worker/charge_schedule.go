package worker

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// chargeSchedule makes the payment of a chain's schedule that is due. It stores chain and payment in one write, so the
// payment is made once. While the schedule is paused, dates pass without a charge. The schedule ends when the initial
// payment is voided or disputed; it goes on if that payment is deleted because its retention has ended.
func (s *Runner) chargeSchedule(ctx context.Context, paymentID string) error {
	now := s.core.Now()
	c, err := s.core.Chain(ctx, now, paymentID)
	if err != nil || c == nil || c.NextAt.IsZero() || now.Before(c.NextAt) {
		return err
	}
	m, err := s.core.Merchant(ctx, c.Merchant, now)
	if err != nil {
		return err
	}
	initial, err := s.core.Payment(ctx, now, c.PaymentID)
	if err != nil {
		return err
	}
	schedule := m.ScheduleNamed(c.ScheduleID)
	if schedule == nil || c.Cancelled || initial != nil && (initial.Status == payment.StatusVoid || initial.Disputed()) {
		c.Stop()
		return s.saveChain(ctx, now, c)
	}
	if schedule.PaymentsCount > 0 && c.Charges >= schedule.PaymentsCount {
		c.NextAt = time.Time{}
		return s.saveChain(ctx, now, c)
	}
	if schedule.Paused || m.Disabled || c.Disabled(m) || !s.core.Declarations[c.Connector].Recurring {
		for !now.Before(c.NextAt) {
			c.Advance(schedule)
		}
		return s.saveChain(ctx, now, c)
	}
	return s.makeScheduledPayment(ctx, now, m, c)
}

// makeScheduledPayment makes the payment of the date at NextAt. If the next date is due too, the payment is stored as
// declined without a provider request, so that no payer is charged several times at once.
func (s *Runner) makeScheduledPayment(
	ctx context.Context, now time.Time, m *settings.Merchant, c *checkout.Chain,
) error {
	schedule := m.ScheduleNamed(c.ScheduleID)
	c.Charges++
	c.OrderSuffix++
	c.Advance(schedule)
	details := c.Details
	details.Order.Amount = c.Amount
	details.Order.Number = c.ScheduledNumber()
	p, err := s.core.LaterPayment(now, c, details)
	if err != nil {
		return err
	}
	p.ScheduleID = c.ScheduleID
	t, e := checkout.Task{Payment: p, Reference: p.ID}, payment.Effects{Save: true}
	if !now.Before(c.NextAt) {
		missed := payment.ParsedResult{Result: payment.DeclineFor(reason.Missed)}
		if e, err = p.Decline(p.Jobs[0], missed, now); err != nil {
			return err
		}
	}
	if schedule.PaymentsCount > 0 && c.Charges >= schedule.PaymentsCount {
		c.NextAt = time.Time{}
	}
	records, made, err := s.core.ChangeRecords(ctx, now, t, e)
	if err != nil {
		return err
	}
	err = s.core.Store.Save(ctx, now, append(records, c.Record())...)
	if store.IsConflict(err) {
		return nil // another worker made it
	}
	if err != nil {
		return fmt.Errorf("store scheduled payment: %w", err)
	}
	s.core.MeasureChange(ctx, now, p, e)
	made.Send(ctx, s.core.Log, s.results.callbacks, 0)
	for _, job := range p.Jobs {
		s.jobs.Send(ctx, p.Message(job.Reference), 0)
	}
	if !c.NextAt.IsZero() && !now.Before(c.NextAt) {
		s.jobs.Send(ctx, payment.JobMessage{PaymentID: c.PaymentID, Chain: true, Test: c.Test, Merchant: c.Merchant}, 0)
	}
	return nil
}

func (s *Runner) saveChain(ctx context.Context, now time.Time, c *checkout.Chain) error {
	err := s.core.Store.Save(ctx, now, c.Record())
	if err != nil && !store.IsConflict(err) {
		return fmt.Errorf("store recurring chain: %w", err)
	}
	return nil
}
