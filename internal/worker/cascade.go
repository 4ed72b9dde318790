package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// cascade moves a charge that was softly declined to its next MID, with the card that is still in memory: the security
// code is not stored. ok is false where the result stays: any other outcome, a payer whom this MID has redirected or
// shown something, no MID left, or a payment that was changed meanwhile.
func (x execution) cascade(
	ctx context.Context, result connector.Result,
) (next execution, ok bool, err error) {
	p, job := x.task.Payment, x.task.Job()
	reason := payment.ReasonOf(result)
	soft := result.Outcome == connector.OutcomeDeclined && reason.Code.Soft()
	if !soft || job.Kind != payment.JobCharge || p.Status != payment.StatusPrepare {
		return x, false, nil
	}
	next, ok, err = x.sendTo(ctx, func() (choice, bool) { return x.nextMID(ctx) }, func(job *payment.Job) {
		end := payment.Ended(payment.Fail, x.core.Now(), result, reason)
		p.Transactions = append(p.Transactions, p.TransactionOf(*job, end))
		job.ToNextMID(fmt.Sprintf("%s-%d", p.ID, p.DeclinedCharges()+1))
	})
	if ok {
		x.core.Log.InfoContext(ctx, "cascade", "payment", p.ID, "mid", p.MID, "reason", p.Masker().Mask(reason.Text()),
			"reason_code", reason.Code)
	}
	return next, ok, err
}

// bypass moves a charge whose provider was not reached to another of its MIDs that was not tried in this run. Nothing
// was sent, so the reference and the stored card stay, and the charge goes round all MIDs until it is declined. ok is
// false where the result stays: a charge of which a provider may have an earlier request, a payer who was shown
// something, no MID that may take the card and whose circuit breaker lets it through, or a payment that was changed
// meanwhile.
func (x execution) bypass(
	ctx context.Context, cause error, notReached []string,
) (next execution, ok bool, err error) {
	p, job := x.task.Payment, x.task.Job()
	if job.Kind != payment.JobCharge || job.LookUps > 0 || p.Status != payment.StatusPrepare || p.Action != nil {
		return x, false, nil
	}
	others := slices.DeleteFunc(x.eligibleMIDs(), func(mid settings.MID) bool {
		return slices.Contains(notReached, mid.Name)
	})
	to := func() (choice, bool) {
		i, probe := x.runner.firstUsable(ctx, p, others)
		if i < 0 {
			return choice{}, false
		}
		x.logNotReached(ctx, cause)
		rest := slices.DeleteFunc(slices.Clone(x.task.Job().MIDs), func(name string) bool { return name == others[i].Name })
		return choice{others[i], append(rest, p.MID), probe}, true
	}
	next, ok, err = x.sendTo(ctx, to, func(job *payment.Job) {
		job.Tries-- // a round through all MIDs is one try
	})
	if ok {
		x.core.Log.InfoContext(ctx, "bypass", "payment", p.ID, "mid", p.MID, "connector", p.Connector)
	}
	return next, ok, err
}

// sendTo moves a charge to the MID that choose returns and stores that it is being sent there, with what change does to
// its job. Where another charge becomes the probe of that MID, it calls choose again. ok is false, and the payment is
// as it was, if there is no MID or the payment was changed meanwhile.
func (x execution) sendTo(
	ctx context.Context, choose func() (choice, bool), change func(*payment.Job),
) (next execution, ok bool, err error) {
	p := x.task.Payment
	for range store.ConflictTries {
		to, ok := choose()
		if !ok {
			return x, false, nil
		}
		before := *p
		before.Transactions, before.Jobs = slices.Clone(p.Transactions), slices.Clone(p.Jobs)
		job := x.task.Job()
		change(job)
		next = x
		next.task.Reference = job.Reference
		if err = next.moveTo(ctx, to); err == nil {
			err = next.saveSending(ctx)
		}
		if err == nil {
			return next, true, nil
		}
		*p = before
		if !errors.Is(err, errProbed) {
			break
		}
	}
	if store.IsConflict(err) || errors.Is(err, errProbed) {
		err = nil
	}
	return x, false, err
}

// choice is the MID that a charge goes to.
type choice struct {
	mid   settings.MID
	rest  []string // the names of the MIDs to try after it
	probe bool     // the charge is to be the probe of the MID's circuit breaker
}

// choose makes a MID the one that the charge goes to. What another provider has told of it does not count there.
func (x *execution) choose(c choice) {
	x.task.Payment.MID, x.task.Payment.Connector = c.mid.Name, c.mid.Connector
	x.task.Payment.ProviderData = connector.ProviderData{}
	x.task.Job().MIDs, x.probe = c.rest, c.probe
}

// moveTo moves a charge to another MID, with a request of its own: it has the decrypted card of the request before it,
// and all that a wallet told of that.
func (x *execution) moveTo(ctx context.Context, c choice) error {
	x.choose(c)
	x.connector, x.wallet = x.runner.Connectors[c.mid.Connector], x.walletAt(c.mid)
	before := x.charge
	charge, err := x.newCharge(ctx, c.mid)
	charge.Card, charge.Wallet, charge.CardName = before.Card, before.Wallet, before.CardName
	x.charge = charge
	return err
}

// nextMID returns the first MID that a charge may go to next and that has no open circuit breaker. If all circuit
// breakers are open, it returns the first MID. ok is false if there is none.
func (x execution) nextMID(ctx context.Context) (next choice, ok bool) {
	mids := x.eligibleMIDs()
	if len(mids) == 0 {
		return choice{}, false
	}
	i, probe := 0, false
	if len(mids) > 1 { // else it makes no difference
		i, probe = x.runner.firstUsable(ctx, x.task.Payment, mids)
		i = max(i, 0)
	}
	return choice{mids[i], tryLater(mids, i), probe}, true
}

// timeLeft reports whether there is time for another provider request before the function ends.
func (s *Runner) timeLeft(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return !limited || s.core.Now().Add(s.ProviderTimeout*4/3).Before(deadline)
}
