package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/store"
)

// Charge charges with the outcome of the card, or of the MID's setting.
func (s *Sandbox) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	for range store.ConflictTries {
		result, err := s.charge(ctx, c)
		if !store.IsConflict(err) {
			return result, err
		}
	}
	return connector.Result{}, fmt.Errorf("write sandbox ledger: %w", store.ErrConflicts)
}

// charge adds a charge to the ledger. It fails with a conflict if another charge of the chain was added at the same
// time, because the outcome may then be another.
func (s *Sandbox) charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	o := outcomeOf(c)
	if o.fault == requestLost {
		if err := s.lose(ctx, connector.RequestCharge, c.Reference); err != nil {
			return connector.Result{}, err
		}
	}
	o, chain, err := s.laterOutcome(ctx, c, o)
	if err != nil {
		return connector.Result{}, err
	}
	e := s.entryOf(c, o)
	err = s.save(ctx, append(chain, s.record(e, 0))...)
	if store.IsConflict(err) {
		found, errFound := s.QueryStatus(ctx, c.ProviderRequest)
		if errFound != nil || found.Outcome != connector.OutcomeUnknown || len(chain) == 0 {
			return found, errFound
		}
	}
	if err != nil {
		return connector.Result{}, err
	}
	if o.returned {
		if _, err := s.Dispute(ctx, c.Reference, true); err != nil {
			return connector.Result{}, err
		}
	}
	return s.respond(ctx, e, o.fault)
}

// oneStep are the operations that cannot be only authorised.
var oneStep = []method.Operation{method.Debit, method.Credit, method.Transfer}

// entryOf returns the entry of a new charge.
func (s *Sandbox) entryOf(c connector.Charge, o outcome) entry {
	now := s.Now()
	e := entry{
		Kind: connector.RequestCharge, Reference: c.Reference, PaymentID: c.PaymentID, SessionID: c.SessionID,
		Operation: c.Operation, Method: c.Method, Amount: c.Amount, PayerEnters: c.PayerEntersAmount,
		Next: o.next, Outcome: o.outcome, Reason: o.reason, ReasonCode: o.code, Charges: 1,
		CreatedAt: now, DecidedAt: now, ReturnURL: c.ReturnURL, NoticeURL: c.NoticeURL, FollowUps: o.ends,
		Auth: o.auth || c.Auth && !slices.Contains(oneStep, c.Operation),
	}
	if o.fault == respondsLate || o.slow {
		e.DecidedAt = now.Add(lateBy)
	}
	if o.next != "" {
		e.Then, e.Outcome, e.Scene = o.outcome, connector.OutcomePending, o.scene
		e.EndsAt, e.PaysLate = now.Add(cmp.Or(o.limit, stepLimit)), o.pays == payLate
		if o.limit == sendLimit && !c.ExpiresAt.IsZero() {
			e.EndsAt = c.ExpiresAt
		}
		e.arriveByItself(o.pays)
	}
	if o.scene == "address" {
		e.Coin = coinOf(c)
	}
	if e.Outcome == connector.OutcomeApproved {
		e.take()
	}
	return e
}

// lose loses the first request of a reference. Later ones arrive.
func (s *Sandbox) lose(ctx context.Context, kind connector.RequestKind, reference string) error {
	lost := entry{Kind: kind, Reference: reference + "/lost"}
	records, err := s.get(ctx, ledgerKey(lost.Kind, lost.Reference))
	if err != nil || records[0].Version > 0 {
		return err
	}
	if err := s.save(ctx, s.record(lost, 0)); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// laterOutcome returns the outcome of a charge of a recurring chain. If the card of the chain has its first later
// charge declined, it also returns the record which marks that as done.
func (s *Sandbox) laterOutcome(ctx context.Context, c connector.Charge, o outcome) (outcome, []store.Record, error) {
	if !c.Recurring || o.later != firstOne {
		return o, nil, nil
	}
	key := store.Key{Partition: "sandbox-chain/" + c.InitialTransaction, Sort: "declined"}
	chain := store.Record{Key: key, Doc: []byte("{}"), ExpiresAt: s.Now().Add(ledgerTTL)}
	records, err := s.get(ctx, chain.Key)
	if err != nil || records[0].Version > 0 {
		return o, nil, err
	}
	return softDecline, []store.Record{chain}, nil
}

// respond returns the result of an operation, or the error of its fault.
func (s *Sandbox) respond(ctx context.Context, e entry, fault trouble) (connector.Result, error) {
	switch fault {
	case neverResponds, respondsLate:
		<-ctx.Done()
		return connector.Result{}, ctx.Err()
	case brokenResponse:
		return connector.Result{}, errors.New("the sandbox's response can't be read")
	case notifiesTwice:
		for range 2 {
			if err := s.notify(ctx, e, ""); err != nil {
				return connector.Result{}, err
			}
		}
	}
	return s.result(e), nil
}

// Continue reads the second form of a charge: the code, and the account where the method asks for one.
func (s *Sandbox) Continue(ctx context.Context, c connector.Charge) (connector.Result, error) {
	e, err := s.change(ctx, c.Reference, func(e *entry, now time.Time) bool {
		if *e = e.at(now); e.Next == "" || !scenes[e.Scene].asks {
			return false
		}
		e.fill(c.Parameters, now)
		return true
	})
	return s.result(e), err
}
