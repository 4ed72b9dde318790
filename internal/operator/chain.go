package operator

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/store"
)

// ChainDone is what became of an act on the schedule of a recurring chain.
type ChainDone struct {
	ID     string    `json:"id"` // of the chain
	Text   string    `json:"text"`
	NextAt time.Time `json:"next_at,omitzero"` // when the next charge is due
	Amount string    `json:"amount"`           // of each scheduled charge
}

// ChainChange is an act on the schedule of a recurring chain.
type ChainChange struct {
	ID     string // of the chain: that of its initial payment
	Do     checkout.ChainDeed
	Day    time.Time // of a move
	Amount string    // of lowered charges
}

// ChangeChain stops or resumes a chain's schedule, or moves or lowers its charges. To stop a schedule that has stopped
// or ended is a success. The chain is stored on condition that nothing has changed it meanwhile, as each scheduled
// charge is: of both one is made, and the other is decided by what is stored then.
// Errors: CodeInvalid, CodeNotAllowed, CodeNotFound.
func (s *Actor) ChangeChain(ctx context.Context, ch ChainChange) (ChainDone, error) {
	return once(ctx, s.core, s.act, call[ChainDone]{
		name: "chain", args: []string{ch.ID, string(ch.Do), ch.Day.UTC().Format(time.DateOnly), ch.Amount},
		do: func(idem *checkout.IdempotencyRecord) (done ChainDone, err error) {
			_, err = s.core.ChangeChain(ctx, ch.ID, idem, func(
				c *checkout.Chain, now time.Time,
			) (records []store.Record, save bool, err error) {
				change, err := s.changed(ctx, c, ch, now)
				if err != nil {
					return nil, false, err
				}
				done = ChainDone{ID: c.PaymentID, NextAt: c.NextAt, Amount: c.Amount.Text}
				if change == "" {
					done.Text = "Nothing was due: no schedule charges it."
					return nil, false, nil
				}
				done.Text = cmp.Or(chainTexts[ch.Do], "Done.") + " " + nextCharge(c)
				return idem.With(nil, done, s.actOnChain(c, ch.Do, change, now)...), true, nil
			})
			return done, err
		},
	})
}

// chainTexts say what was done.
var chainTexts = map[checkout.ChainDeed]string{
	checkout.ChainStopped: "The schedule is stopped.", checkout.ChainResumed: "The schedule goes on.",
	checkout.ChainMoved:   "The next charge is moved, and later ones follow by the interval from there.",
	checkout.ChainLowered: "Each charge is lowered.",
}

// changed makes a change of a chain and returns it in words, "" if nothing is to be stored.
func (s *Actor) changed(ctx context.Context, c *checkout.Chain, ch ChainChange, now time.Time) (string, error) {
	switch ch.Do {
	case checkout.ChainStopped:
		change, _ := c.StopSchedule(now)
		return change, nil
	case checkout.ChainMoved:
		return c.MoveNext(ch.Day, now)
	}
	if ch.Do == checkout.ChainResumed {
		return resumed(ctx, s.core, c, now)
	}
	m, err := s.core.Merchant(ctx, c.Merchant, now)
	if err != nil {
		return "", err
	}
	return c.Lower(m, ch.Amount)
}

func resumed(ctx context.Context, core *checkout.Core, c *checkout.Chain, now time.Time) (string, error) {
	m, err := core.Merchant(ctx, c.Merchant, now)
	if err != nil {
		return "", err
	}
	initial, err := core.Payment(ctx, now, c.PaymentID)
	if err != nil {
		return "", err
	}
	return c.ResumeSchedule(m, initial, now)
}

// actOnChain adds an act to a chain, and returns its document of the audit log.
func (s *Actor) actOnChain(c *checkout.Chain, do checkout.ChainDeed, change string, now time.Time) []store.Record {
	c.Add(checkout.ChainAct{
		At: now, Do: do, By: fault.Printable(cmp.Or(s.act.By, s.act.Who), maxDecision), Reason: s.act.Reason,
		Request: s.act.RequestID, Change: change,
	})
	return s.act.Records(now, "chain/"+c.PaymentID, change)
}

// nextCharge says when a chain is charged next.
func nextCharge(c *checkout.Chain) string {
	if c.NextAt.IsZero() {
		return "It charges nothing more."
	}
	return "The next charge of " + c.Amount.Text + " " + c.Order.Currency + " is due on " +
		c.NextAt.UTC().Format("2006-01-02 15:04 UTC") + "."
}

// chainAfter says what becomes of the schedule of a payment's chain, "" if the payment has no chain.
func chainAfter(ctx context.Context, core *checkout.Core, p *payment.Payment) (string, error) {
	if p.Chain == "" {
		return "", nil
	}
	c, err := core.Chain(ctx, core.Now(), p.Chain)
	switch {
	case err != nil || c == nil:
		return "", err
	case c.Stopped != nil:
		return " The schedule is stopped: it charges nothing more.", nil
	case c.NextAt.IsZero():
		return "", nil
	}
	return " The schedule goes on: " + lowerFirst(nextCharge(c)), nil
}

func lowerFirst(text string) string { return string(text[0]|0x20) + text[1:] }

// stopWith stops the schedule of the chain of a payment that is refunded, in the same write. A schedule that has
// stopped or ended stays so. Errors: CodeInvalid if the payment has no chain.
func (s *Actor) stopWith(ctx context.Context, p *payment.Payment, now time.Time) ([]store.Record, error) {
	if p.Chain == "" {
		return nil, fault.At("stop_schedule", "The payment belongs to no recurring chain: there is no schedule.")
	}
	c, err := s.core.Chain(ctx, now, p.Chain)
	if err != nil || c == nil {
		return nil, err
	}
	change, stopped := c.StopSchedule(now)
	if !stopped {
		return nil, nil
	}
	return append(s.actOnChain(c, checkout.ChainStopped, change, now), c.Record()), nil
}
