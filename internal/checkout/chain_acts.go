package checkout

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// ChainStop is that a person or the merchant has stopped a chain's schedule, until somebody resumes it.
type ChainStop struct {
	At     time.Time `json:"at"`
	NextAt time.Time `json:"next_at"` // when the next charge would have been due
}

// ChainAct is what a person or the merchant has done with a chain's schedule.
type ChainAct struct {
	At      time.Time `json:"at"`
	Do      ChainDeed `json:"do"`
	By      string    `json:"by,omitempty"`      // the name of an operator; "": the merchant
	Reason  string    `json:"reason,omitempty"`  // of an operator
	Request string    `json:"request,omitempty"` // the id of the API call
	Change  string    `json:"change,omitempty"`  // what it has changed, in words
}

// ChainDeed is a kind of ChainAct.
type ChainDeed string

// What is done with a schedule.
const (
	ChainStarted ChainDeed = "start" // by a payment that the merchant requested
	ChainStopped ChainDeed = "stop"
	ChainResumed ChainDeed = "resume"
	ChainMoved   ChainDeed = "move"
	ChainLowered ChainDeed = "lower"
	ChainRetried ChainDeed = "retry"
)

const (
	maxChainActs = 30 // that a chain's document has
	maxMove      = 366 * 24 * time.Hour
	movedTo      = 12 * time.Hour // of the day, UTC, as of schedule_start_date
)

// notNow refuses an act on a chain's schedule with a sentence.
func notNow(why string) *fault.Error { return fault.Refuse(fault.CodeNotAllowed, why) }

// Add stores an act with the chain, and forgets the oldest one if there are many.
func (c *Chain) Add(a ChainAct) {
	c.Acts = append(c.Acts, a)
	if over := len(c.Acts) - maxChainActs; over > 0 {
		c.Acts = slices.Delete(c.Acts, 0, over)
	}
}

// StoppedSince reports whether the schedule was stopped at or after a time, and not resumed.
func (c *Chain) StoppedSince(at time.Time) bool { return c.Stopped != nil && !c.Stopped.At.Before(at) }

// StopSchedule ends the schedule, and the payer's consent, until somebody resumes it. It returns what that changes, in
// words, and false if nothing was due anyway. Charges that the merchant requests stay possible.
func (c *Chain) StopSchedule(now time.Time) (change string, stopped bool) {
	if c.NextAt.IsZero() {
		return "", false
	}
	c.Stopped = &ChainStop{At: now, NextAt: c.NextAt}
	c.Stop()
	return "the schedule is stopped; the next charge of " + c.amountText() + " was due on " + day(c.Stopped.NextAt), true
}

// ResumeSchedule lets a stopped schedule charge again, and the payer's consent count again. The next date is the first
// one in the future: dates that have passed are not charged. It returns what that changes, in words.
// Errors: CodeNotAllowed with a sentence.
func (c *Chain) ResumeSchedule(m *settings.Merchant, initial *payment.Payment, now time.Time) (string, error) {
	if err := c.MayResume(m, initial, now); err != nil {
		return "", err
	}
	c.NextAt, c.Stopped = c.Stopped.NextAt, nil
	for schedule := m.ScheduleNamed(c.ScheduleID); !now.Before(c.NextAt); {
		c.Advance(schedule)
	}
	if c.ConsentState != "" {
		c.ConsentState = payment.ConsentActive
	}
	return "the schedule is resumed; the next charge of " + c.amountText() + " is due on " + day(c.NextAt), nil
}

// MayResume returns why ResumeSchedule is not possible, nil if it is. initial is nil if the initial payment is not
// stored any more.
func (c *Chain) MayResume(m *settings.Merchant, initial *payment.Payment, now time.Time) error {
	schedule := m.ScheduleNamed(c.ScheduleID)
	switch {
	case c.Cancelled, initial != nil && (initial.Status == payment.StatusVoid || initial.Disputed()):
		return notNow("The initial payment was voided or disputed: nothing is charged by a schedule after that.")
	case c.Stopped == nil:
		return notNow("The schedule is not stopped.")
	case schedule == nil:
		return notNow("The merchant's settings have no such schedule any more.")
	case schedule.PaymentsCount > 0 && c.Charges >= schedule.PaymentsCount:
		return notNow("All charges of the schedule were made.")
	case c.CardDeleted(now):
		return ErrCardDeleted()
	}
	return nil
}

// CardDeleted reports whether the saved card of the chain, if it has one, is stored no longer at a time. Its token is
// deleted then and no earlier: a card that the payer has removed stays stored for its chains.
func (c *Chain) CardDeleted(at time.Time) bool {
	return !c.CardUntil.IsZero() && !at.Before(c.CardUntil)
}

// ErrCardDeleted refuses an act because of CardDeleted.
func ErrCardDeleted() *fault.Error { return notNow("The card has expired, and its token is deleted.") }

// MayChange returns why the next charge can't be moved or lowered, nil if it can.
func (c *Chain) MayChange() error {
	switch {
	case c.Stopped != nil:
		return notNow("The schedule is stopped: resume it first.")
	case c.NextAt.IsZero():
		return notNow("No schedule charges it again.")
	}
	return nil
}

// MoveNext moves the next charge to noon UTC of a day. Later ones follow by the interval from there; with a day of the
// month they are on that day again. It returns what that changes, in words.
// Errors: CodeNotAllowed with a sentence; CodeInvalid for the day.
func (c *Chain) MoveNext(to time.Time, now time.Time) (string, error) {
	to = to.UTC().Truncate(24 * time.Hour)
	switch {
	case c.MayChange() != nil:
		return "", c.MayChange()
	case !to.After(now):
		return "", fault.At("day", "It should be a day in the future.")
	case to.Sub(now) > maxMove:
		return "", fault.At("day", "It should be a day of the next 366 days.")
	case c.CardDeleted(to):
		return "", fault.At("day", "The card has expired by then, and its token is deleted.")
	}
	from := c.NextAt
	c.NextAt = to.Add(movedTo)
	c.StartAt, c.Period = c.NextAt, 0
	return "the next charge of " + c.amountText() + " is moved from " + day(from) + " to " + day(c.NextAt), nil
}

// Lower lowers the amount of each scheduled charge. It is never raised: the payer has agreed to what was asked for. It
// returns what that changes, in words. Errors: CodeNotAllowed with a sentence; CodeInvalid for the amount.
func (c *Chain) Lower(m *settings.Merchant, amount string) (string, error) {
	if err := c.MayChange(); err != nil {
		return "", err
	}
	currency := request.CurrencyOf(c.Order)
	if wrong := request.AmountIn(currency)(amount); wrong != "" {
		return "", fault.At("amount", wrong)
	}
	to := request.ReadAmount(amount, currency)
	if c.Amount.Value.IsZero() {
		return "", notNow("It is not known what each charge takes.")
	}
	if to.Value.Cmp(c.Amount.Value) >= 0 {
		return "", fault.At("amount", "It should be less than "+c.amountText()+
			": the payer has agreed to that, so a charge is lowered and never raised.")
	}
	of := c.Order
	of.Amount = to
	if mid, found := m.MID(c.Mapping, c.MID); found && mid.OutsideLimits(of) {
		return "", fault.At("amount", "The MID takes no payment of this amount.")
	}
	was := c.amountText()
	c.Amount = to
	return "each charge is lowered from " + was + " to " + c.amountText(), nil
}

// amountText is the amount of each scheduled charge with its currency.
func (c *Chain) amountText() string { return c.Amount.Text + " " + c.Order.Currency }

// day is a date in a sentence.
func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// ChangeChain changes a chain, and stores it with the documents that change returns: on condition that nobody else has
// changed the chain meanwhile, else change is called again with the chain as it is by then. Nothing is stored if save
// is false. Errors: those of change; CodeNotFound if there is no chain.
func (s *Core) ChangeChain(
	ctx context.Context, id string, idem *IdempotencyRecord,
	change func(c *Chain, now time.Time) (records []store.Record, save bool, err error),
) (c *Chain, err error) {
	update := store.Update{Doing: "store recurring chain " + id, Store: s.Store, Now: s.Now, Final: idem.IsConflict}
	err = update.Do(ctx, func(now time.Time) ([]store.Record, error) {
		var err error
		if c, err = s.Chain(ctx, now, id); err != nil {
			return nil, err
		}
		if c == nil {
			return nil, ErrNoChain()
		}
		records, save, err := change(c, now)
		if err != nil || !save {
			return nil, err
		}
		return append(records, c.Record()), nil
	})
	return c, err
}

// ErrNoChain is the error for a chain that is not stored.
func ErrNoChain() *fault.Error { return fault.Refuse(fault.CodeNotFound, "Recurring chain not found") }
