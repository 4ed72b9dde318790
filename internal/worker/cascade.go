package worker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// cascade moves a charge that was softly declined to its next MID, with the card that is still in memory: the security
// code is not stored. ok is false where the result stays: any other outcome, a payer whom this MID has redirected or
// shown something, no MID left, or a payment that was changed meanwhile.
func (s *Service) cascade(
	ctx context.Context, t execution, result connector.Result,
) (next execution, ok bool, err error) {
	p, job := t.Payment, t.Job()
	reason := checkout.ReasonOf(result)
	soft := result.Outcome == connector.OutcomeDeclined && reason.Code.Soft()
	if !soft || job.Kind != checkout.JobCharge || p.Status != checkout.StatusPrepare {
		return t, false, nil
	}
	m, err := s.Merchant(ctx, p.Merchant, s.Now())
	if err != nil {
		return t, false, err
	}
	mid, rest, probe, ok := s.nextMID(ctx, m, p, s.authenticating(m, t))
	if !ok {
		return t, false, nil
	}
	before, now := *p, s.Now()
	before.Transactions, before.Jobs = slices.Clone(p.Transactions), slices.Clone(p.Jobs)
	end := checkout.Ended(checkout.Fail, now, result, reason)
	p.Transactions = append(p.Transactions, p.TransactionOf(*job, end))
	p.MID, p.Connector = mid.Name, mid.Connector
	p.ProviderData = connector.ProviderData{}
	job.Reference, job.MIDs = fmt.Sprintf("%s-%d", p.ID, p.DeclinedCharges()+1), rest
	job.Sealed, job.Tries, job.LookUps, job.UnknownSince, job.Finding = false, 0, 0, time.Time{}, nil
	next = execution{
		Task:      checkout.Task{Payment: p, Session: t.Session, Reference: job.Reference},
		connector: s.Connectors[mid.Connector], probe: probe,
	}
	if next.charge, err = s.newCharge(ctx, next, mid); err != nil {
		*p = before
		return t, false, err
	}
	next.setCardOf(t)
	if err := s.saveSending(ctx, next); err != nil {
		*p = before
		if store.IsConflict(err) {
			return t, false, nil
		}
		return t, false, err
	}
	s.Log.InfoContext(ctx, "cascade", "payment", p.ID, "mid", p.MID, "reason", p.Masked(reason.Text()),
		"reason_code", reason.Code)
	return next, true, nil
}

// bypass moves a charge whose provider was not reached to another of its MIDs that was not tried in this run. Nothing
// was sent, so the reference and the stored card stay, and the charge goes round all MIDs until it is declined. ok is
// false where the result stays: a charge of which a provider may have an earlier request, a payer who was shown
// something, no MID that may take the card and whose circuit breaker lets it through, or a payment that was changed
// meanwhile.
func (s *Service) bypass(
	ctx context.Context, t execution, cause error, notReached []string,
) (next execution, ok bool, err error) {
	p, job := t.Payment, t.Job()
	if job.Kind != checkout.JobCharge || job.LookUps > 0 || p.Status != checkout.StatusPrepare || p.Action != nil {
		return t, false, nil
	}
	m, err := s.Merchant(ctx, p.Merchant, s.Now())
	if err != nil {
		return t, false, err
	}
	others := slices.DeleteFunc(s.eligibleMIDs(m, p, s.authenticating(m, t)), func(mid settings.MID) bool {
		return slices.Contains(notReached, mid.Name)
	})
	i, probe := s.firstUsable(ctx, p, others)
	if i < 0 {
		return t, false, nil
	}
	s.logNotReached(ctx, t, cause)
	before := *p
	before.Jobs = slices.Clone(p.Jobs)
	job.MIDs = append(slices.DeleteFunc(slices.Clone(job.MIDs), func(name string) bool {
		return name == others[i].Name
	}), p.MID)
	job.Tries-- // a round through all MIDs is one try
	p.ProviderData = connector.ProviderData{}
	p.MID, p.Connector = others[i].Name, others[i].Connector
	next = t
	next.connector, next.probe = s.Connectors[p.Connector], probe
	if next.charge, err = s.newCharge(ctx, next, others[i]); err == nil {
		next.setCardOf(t)
		err = s.saveSending(ctx, next)
	}
	if err != nil {
		*p = before
	}
	if store.IsConflict(err) {
		err = nil
	} else if err == nil {
		ok = true
		s.Log.InfoContext(ctx, "bypass", "payment", p.ID, "mid", p.MID, "connector", p.Connector)
	}
	return next, ok, err
}

// setCardOf gives the charge the decrypted card of the charge before it, and all that a wallet told of it.
func (t *execution) setCardOf(before execution) {
	c := before.charge
	t.charge.Card, t.charge.Wallet, t.charge.CardName = c.Card, c.Wallet, c.CardName
}

// nextMID returns the first of the named MIDs that is enabled, has a connector and no open circuit breaker, and the
// names of the others. If all circuit breakers are open, it returns the first MID. probe says that the charge is one.
func (s *Service) nextMID(
	ctx context.Context, m *settings.Merchant, p *checkout.Payment, names []string,
) (mid settings.MID, rest []string, probe, ok bool) {
	mids := s.eligibleMIDs(m, p, names)
	if len(mids) == 0 {
		return settings.MID{}, nil, false, false
	}
	i := 0
	if len(mids) > 1 { // else it makes no difference
		i, probe = s.firstUsable(ctx, p, mids)
		i = max(i, 0)
	}
	return mids[i], tryLater(mids, i), probe, true
}

// timeLeft reports whether there is time for another provider request before the function ends.
func (s *Service) timeLeft(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return !limited || s.Now().Add(s.ProviderTimeout*4/3).Before(deadline)
}
