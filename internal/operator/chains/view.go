package chains

import (
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
)

// View returns all about a chain, which the id of its initial payment names. Its charges are read from the listing,
// which lags by some seconds, but for the initial payment and the latest scheduled one.
// Errors: CodeNotFound, also for a chain that the person may not see.
func (s *Reader) View(ctx context.Context, by grant.Person, id string) (Chain, error) {
	now := s.core.Now()
	c, err := s.core.Chain(ctx, now, id)
	if err != nil {
		return Chain{}, err
	}
	if c == nil || by.Level(grant.Find, c.Owner) == grant.None {
		return Chain{}, checkout.ErrNoChain()
	}
	initial, err := s.core.Payment(ctx, now, c.PaymentID)
	if err != nil {
		return Chain{}, err
	}
	m, err := s.core.Merchant(ctx, c.Merchant, now)
	if err != nil {
		return Chain{}, err
	}
	v := Chain{ChainItem: itemOf(c), Next: dates(c, m), CreatedAt: createdAt(c), Terms: terms(c, initial, m)}
	v.Means = means(c, m)
	if v.Charges, v.More, err = s.charges(ctx, c, initial); err != nil {
		return Chain{}, err
	}
	v.Events = events(c, initial)
	v.Possible = possibleActs(by, chainNow{c, initial, m, now})
	return v, nil
}

// means says what is charged next, or why nothing is.
func means(c *checkout.Chain, m *settings.Merchant) string {
	schedule := m.ScheduleNamed(c.ScheduleID)
	switch StateOf(c) {
	case Cancelled:
		return "The initial payment was voided or disputed: the schedule charges nothing more."
	case Stopped:
		return "The schedule was stopped on " + clock(c.Stopped.At) + ": it charges nothing until it is resumed."
	case OnRequest:
		return "There is no schedule: the shop requests each charge."
	case Ended:
		return "The schedule has ended: it charges nothing more."
	}
	text := "The schedule charges " + c.Amount.Text + " " + c.Order.Currency + " next on " + clock(c.NextAt) + "."
	switch {
	case schedule == nil:
		text += " The merchant's settings have no such schedule any more: it ends then, and nothing is charged."
	case schedule.Paused:
		text += " The schedule is paused in the merchant's settings: dates pass without a charge until it goes on."
	case m.Disabled || c.Disabled(m):
		text += " The merchant or the MID is disabled: dates pass without a charge until it is enabled."
	}
	return text
}

// terms are what is charged, when, where and by which card.
func terms(c *checkout.Chain, initial *payment.Payment, m *settings.Merchant) []Fact {
	all := []Fact{
		{"initial order", c.Order.Number + ", " + c.Order.Amount.Text + " " + c.Order.Currency},
		{"MID", c.MID + " (" + c.Connector + ")"}, {"method", c.Method},
	}
	if c.ScheduleID != "" {
		all = append(all, Fact{"each charge", c.Amount.Text + " " + c.Order.Currency + ", " + intervalText(c.Interval)})
		name := c.ScheduleID
		if schedule := m.ScheduleNamed(c.ScheduleID); schedule != nil {
			name = schedule.Name + " (" + c.ScheduleID + ")"
			if schedule.PaymentsCount > 0 {
				all = append(all, Fact{"charges", fmt.Sprintf("%d of %d were made", c.Charges, schedule.PaymentsCount)})
			}
		}
		all = append(all, Fact{"schedule", name})
	}
	if initial != nil && initial.Card != nil {
		all = append(all, Fact{"card", strings.TrimSpace(fmt.Sprintf("%s, expires %02d/%d", initial.Card.MaskText(),
			initial.Card.ExpiryMonth, initial.Card.ExpiryYear))})
	}
	if c.ConsentID != "" {
		all = append(all, Fact{"consent", c.ConsentState + ", " + c.ConsentID})
	}
	for i := range all {
		all[i].Text = fault.Printable(all[i].Text, fault.MaxHistoryText)
	}
	return all
}

// dates are the next ones of a schedule that goes on.
func dates(c *checkout.Chain, m *settings.Merchant) []string {
	next, ahead := []string{}, *c
	schedule := m.ScheduleNamed(c.ScheduleID)
	for n := 1; schedule != nil && n <= nextDates && !ahead.NextAt.IsZero(); n++ {
		if schedule.PaymentsCount > 0 && c.Charges+n > schedule.PaymentsCount {
			break
		}
		next = append(next, ahead.NextAt.UTC().Format(time.RFC3339))
		ahead.Advance(schedule)
	}
	return next
}

// events say who has started, stopped and changed the schedule.
func events(c *checkout.Chain, initial *payment.Payment) []ChainEvent {
	text := "The payer started the chain with payment " + c.PaymentID + "."
	if c.ConsentID != "" {
		text += " The payer agreed to later charges on the page."
	}
	at := createdAt(c)
	if initial != nil {
		at = initial.CreatedAt
	}
	all := []ChainEvent{{At: at, Text: text}}
	for _, act := range c.Acts {
		who := "The shop"
		if act.By != "" {
			who = act.By
		}
		text := who + ": " + act.Change + "."
		if act.By == "" && act.Request != "" {
			text = strings.TrimSuffix(text, ".") + ", by request " + act.Request + "."
		}
		all = append(all, ChainEvent{At: act.At, Text: fault.Printable(text, fault.MaxHistoryText), Reason: act.Reason})
	}
	return all
}
