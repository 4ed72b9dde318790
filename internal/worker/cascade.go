package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/reason"
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
		x.recorder().logNotReached(ctx, cause)
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

// walletAt returns how a MID takes the tokens of the payment's wallet, the zero value without a wallet.
func (x execution) walletAt(mid settings.MID) walletAt {
	p := x.task.Payment
	if !method.IsWallet(p.Method) {
		return walletAt{}
	}
	settings := x.merchant.WalletsFor(p.Owner, &mid)
	return walletAt{settings, x.core.Declarations.WalletFlow(p.Owner, settings, mid.ConnectorFor(p.Owner), p.Method)}
}

// takesWallet reports whether a charge may go to a MID that is not its first one: only cards go to other MIDs than the
// one that a token was made for.
func (x execution) takesWallet(mid settings.MID) bool {
	return !method.IsWallet(x.task.Payment.Method) || x.walletAt(mid).flow.Cascades()
}

// authenticates reports whether a card that the wallet has not authenticated the payer for may be charged at a MID: its
// connector sends payers to 3-D Secure, or the merchant takes the risk.
func (s *Runner) authenticates(connector string, at walletAt) bool {
	takesRisk := at.settings.GooglePay != nil && at.settings.GooglePay.WithoutThreeDSecure
	return takesRisk || s.core.Declarations[connector].ThreeDSecure
}

// maySend reports whether the charge may be sent at a MID: one with a card that the wallet has not authenticated the
// payer for may not everywhere.
func (x execution) maySend(mid settings.MID) bool {
	wallet := x.charge.Wallet
	return wallet == nil || !wallet.Unauthenticated || x.runner.authenticates(mid.Connector, x.walletAt(mid))
}

// moveToAuthenticate moves a charge to another of its MIDs if its card is one that the wallet has not authenticated the
// payer for and that its own MID can't charge. That shows only when the token is decrypted, so an open circuit breaker
// may have moved the charge here. The reason declines it where no other MID can charge the card either, or where a
// provider may have an earlier request of it.
func (x *execution) moveToAuthenticate(
	ctx context.Context, c *payment.DecryptedCard,
) (reason.Code, error) {
	p, job := x.task.Payment, x.task.Job()
	if c == nil || c.Wallet == nil || !c.Wallet.Unauthenticated || x.runner.authenticates(p.Connector, x.wallet) {
		return "", nil
	}
	if job.LookUps > 0 || p.Status != payment.StatusPrepare || p.Action != nil {
		return reason.NotAuthenticated, nil
	}
	x.charge.Wallet = c.Wallet
	to, ok := x.nextMID(ctx)
	if !ok {
		return reason.NotAuthenticated, nil
	}
	x.core.Log.InfoContext(ctx, "3-D Secure is due", "payment", p.ID, "mid", p.MID, "next_mid", to.mid.Name)
	return "", x.moveTo(ctx, to)
}
