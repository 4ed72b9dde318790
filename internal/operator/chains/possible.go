package chains

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// chainNow is a chain with all that its acts depend on.
type chainNow struct {
	c       *checkout.Chain
	initial *payment.Payment // nil: not stored any more
	m       *settings.Merchant
	now     time.Time
}

// possibleActs returns the acts of a chain, each with why it is not possible now.
func possibleActs(by grant.Person, in chainNow) []ChainPossible {
	stop := error(nil)
	if in.c.NextAt.IsZero() {
		stop = fault.Refuse(fault.CodeNotAllowed, "No schedule charges it again.")
	}
	all := []ChainPossible{
		possible(checkout.ChainStopped, stop),
		possible(checkout.ChainResumed, in.c.MayResume(in.m, in.initial, in.now)),
		possible(checkout.ChainMoved, in.c.MayChange()), possible(checkout.ChainLowered, in.c.MayChange()),
	}
	for i := range all {
		if by.Level(grant.Money, in.c.Owner) == grant.None {
			all[i].Allowed, all[i].Why = false, notAllowed
		}
	}
	return all
}

// notAllowed is why a person may not act.
const notAllowed = "Your role does not allow it."

func possible(act checkout.ChainDeed, why error) ChainPossible {
	p := ChainPossible{Act: act, Label: deeds[act][0], Does: deeds[act][1], Allowed: why == nil}
	if why != nil {
		p.Why = why.Error()
	}
	return p
}

// deeds are the label of each act, and what it does.
var deeds = map[checkout.ChainDeed][2]string{
	checkout.ChainStopped: {"Stop the schedule", "The schedule charges nothing more until somebody resumes it. " +
		"A charge that has begun goes on. Charges that the shop requests stay possible."},
	checkout.ChainResumed: {"Resume the schedule", "The schedule charges again from its first date in the future. " +
		"Dates that have passed are not charged. The payer has to agree: say in the reason how you know."},
	checkout.ChainMoved: {"Move the next charge", "The next charge is made at noon UTC of another day. Later ones " +
		"follow by the interval from there; with a day of the month they are on that day again."},
	checkout.ChainLowered: {"Lower the amount", "Each charge takes less from now on. It can't be raised again: the " +
		"payer has agreed to no more than what was asked for."},
}

// MayRetryNow returns why a declined payment of a chain can't be charged again for an operator now, nil if it can: its
// chain is stopped, its next charge is due, its card is gone, or its order was paid otherwise.
func MayRetryNow(ctx context.Context, core *checkout.Core, p *payment.Payment, c *checkout.Chain) error {
	refuse := func(why string) error { return fault.Refuse(fault.CodeNotAllowed, why) }
	switch now := core.Now(); {
	case c.Cancelled:
		return refuse("The initial payment was voided or disputed: nothing more is charged for it.")
	case c.Stopped != nil:
		return refuse("The schedule is stopped: resume it first.")
	case !c.NextAt.IsZero() && !now.Before(c.NextAt):
		return refuse("The next charge of the schedule is due now, and two are not made at once. Look again in a minute.")
	case c.CardDeleted(now):
		return checkout.ErrCardDeleted()
	}
	hash, _, err := store.SplitPaymentID(p.ID)
	if err != nil {
		return payment.ErrNotFound()
	}
	all, err := paymentsOf(ctx, core, hash)
	for _, other := range all {
		if other.ID != p.ID && other.Status != payment.StatusDecline {
			return refuse("Another payment of this order is " + string(other.Status) + ": see " + other.ID + ".")
		}
	}
	return err
}
