// Package sandbox is a provider that moves no money, so that everything can be tried and tested.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// Sandbox is the sandbox's connector and its provider. The card that the payer types decides the outcome, faults
// included (protocol.md, Test key and test cards, and the README's table of test cards). All operations are in its
// ledger. Like a real provider it executes nothing twice, captures no more than was authorised and refunds no more than
// was captured.
type Sandbox struct {
	provider.Setup
}

// New builds the sandbox.
func New(setup provider.Setup) connector.Connector { return &Sandbox{setup} }

var _ interface {
	connector.Connector
	connector.Capturer
	connector.Voider
	connector.Refunder
	connector.Continuer
	connector.StatusQuerier
	connector.NotificationHandler
	connector.Canceller
} = (*Sandbox)(nil)

// stepLimit is how long a payer may take for a required action. A late outcome is known lateBy after its charge.
const (
	stepLimit = 20 * time.Minute
	lateBy    = 20 * time.Second
)

// tooLate is the reason of a charge whose payer did not take the required action within stepLimit.
const tooLate = "The payer did not finish in time."

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

// QueryStatus returns what the ledger has of a reference of the request's kind.
func (s *Sandbox) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	e, version, err := s.read(ctx, r.Kind, r.Reference)
	if err != nil {
		return connector.Result{}, err
	}
	if version == 0 {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	return s.result(e), nil
}

// result is the current result of an entry. That of a follow-up has no ids of the provider, since the payment stores
// those of its charge.
func (s *Sandbox) result(e entry) connector.Result {
	e = e.at(s.Now())
	var r connector.Result
	if e.Kind == connector.RequestCharge {
		r.ProviderID, r.Received = "sandbox-"+e.Reference, e.received()
	}
	switch {
	case e.Next != "":
		r.Outcome, r.RequiredAction = connector.OutcomeActionRequired, s.requiredAction(e)
	case s.Now().Before(e.DecidedAt):
		r.Outcome = connector.OutcomePending
	case e.Outcome != connector.OutcomeApproved:
		r.Outcome, r.Reason, r.ReasonCode, r.ReasonLanguage = e.Outcome, e.Reason, e.reasonCode(), "en"
		r.Code = numberOf(r.ReasonCode)
	case e.Kind != connector.RequestCharge:
		r.Outcome, r.Code = e.Outcome, approvedNumber
	default:
		r.Outcome, r.Code, r.Authorised = e.Outcome, approvedNumber, e.Auth
		r.RRN, r.ApprovalCode = digits(e.Reference, 12), digits(e.Reference, 6)
		if e.PayerEnters {
			r.Amount = e.Amount
		}
		if e.Coin != nil {
			r.ExchangeRate, r.ExchangeBase, r.ExchangeCoin, r.ExchangeAmount = e.exchange()
		}
	}
	return r
}

// requiredAction is what the payer of an entry has to do.
func (s *Sandbox) requiredAction(e entry) *connector.RequiredAction {
	a := &connector.RequiredAction{Kind: e.Next, ExpiresAt: e.EndsAt}
	if e.Next != connector.ActionPending {
		a.URL = s.page(e.Reference)
		return a
	}
	a.Text, a.Show = scenes[e.Scene].text, e.shown(s.page(e.Reference))
	if scenes[e.Scene].asks {
		a.Fields = e.form()
	}
	if e.WrongCodes > 0 {
		a.Text = screen.TextCodeWrong
	}
	return a
}

// digits derives n digits from a reference, always the same ones.
func digits(reference string, n int) string {
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		out = append(out, '0'+reference[len(reference)-1-i%len(reference)]%10)
	}
	return string(out)
}
