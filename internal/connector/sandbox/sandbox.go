// Package sandbox is a provider that moves no money, so that everything can be tried and tested.
package sandbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector/provider"
	"checkout/internal/method"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// Sandbox is the sandbox's connector and provider in one. What the payer
// types chooses what happens (decisions.md 8 and the README's table of test
// cards), faults included. Everything that it does is in its ledger, and like a
// real provider it does nothing twice, takes no more than was authorised and
// refunds no more than was taken.
type Sandbox struct {
	provider.Setup
}

// New builds the sandbox.
func New(setup provider.Setup) checkout.Connector { return &Sandbox{setup} }

var _ interface {
	checkout.Connector
	checkout.Capturer
	checkout.Voider
	checkout.Refunder
	checkout.StatusQuerier
	checkout.NotificationHandler
} = (*Sandbox)(nil)

// How long a payer may take for a step, and how much later than the time limit a late outcome comes.
const (
	stepLimit = 20 * time.Minute
	lateBy    = 20 * time.Second
)

// tooLate is why a payment is declined whose payer took no step within stepLimit.
const tooLate = "The payer did not finish in time."

// Charge does what the card, or the MID's setting, says.
func (s *Sandbox) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	for range store.ConflictTries {
		result, err := s.charge(ctx, c)
		if !isConflict(err) {
			return result, err
		}
	}
	return checkout.Result{}, conflicts()
}

// charge enters a charge in the ledger. It fails with a conflict where another
// charge of the chain came first, so that the outcome may be another.
func (s *Sandbox) charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	o := outcomeOf(c)
	if o.fault == requestLost {
		if err := s.lose(ctx, checkout.JobCharge, c.Reference); err != nil {
			return checkout.Result{}, err
		}
	}
	o, chain, err := s.laterOutcome(ctx, c, o)
	if err != nil {
		return checkout.Result{}, err
	}
	e := s.entryOf(c, o)
	err = s.save(ctx, append(chain, s.record(e, 0))...)
	if isConflict(err) {
		found, errFound := s.QueryStatus(ctx, c.ProviderRequest)
		if errFound != nil || found.Outcome != checkout.OutcomeUnknown || len(chain) == 0 {
			return found, errFound
		}
	}
	if err != nil {
		return checkout.Result{}, err
	}
	return s.respond(ctx, e, o.fault)
}

// oneStep are the operations that are never only authorised.
var oneStep = []method.Operation{method.Debit, method.Credit, method.Transfer}

// entryOf is the entry of a charge that is made now.
func (s *Sandbox) entryOf(c checkout.Charge, o outcome) entry {
	now := s.Now()
	e := entry{
		Kind: checkout.JobCharge, Reference: c.Reference, PaymentID: c.PaymentID, SessionID: c.SessionID,
		Operation: c.Operation, Amount: c.Amount, PayerEnters: c.PayerEntersAmount,
		Next: o.next, Outcome: o.outcome, Reason: o.reason, Soft: o.soft, Charges: 1,
		CreatedAt: now, DecidedAt: now, ReturnURL: c.ReturnURL, NoticeURL: c.NoticeURL, FollowUps: o.ends,
		Auth: o.auth || c.Auth && !slices.Contains(oneStep, c.Operation),
	}
	if o.fault == respondsLate {
		e.DecidedAt = now.Add(lateBy)
	}
	if o.next == checkout.StatusPending {
		e.Coin = coinOf(c)
	}
	if o.next != "" {
		e.Then, e.Outcome = o.outcome, checkout.OutcomePending
	}
	if e.Outcome == checkout.OutcomeApproved {
		e.take()
	}
	return e
}

// lose loses the first request of a reference on its way; later ones arrive.
func (s *Sandbox) lose(ctx context.Context, kind checkout.JobKind, reference string) error {
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

// laterOutcome declines the first later charge of a chain if its card says
// so, and then returns what has to be stored of the chain.
func (s *Sandbox) laterOutcome(ctx context.Context, c checkout.Charge, o outcome) (outcome, []store.Record, error) {
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

// respond returns the result of what was done, or fails to.
func (s *Sandbox) respond(ctx context.Context, e entry, fault fault) (checkout.Result, error) {
	switch fault {
	case neverResponds, respondsLate:
		<-ctx.Done()
		return checkout.Result{}, ctx.Err()
	case brokenResponse:
		return checkout.Result{}, errors.New("the sandbox's response can't be read")
	case notifiesTwice:
		for range 2 {
			if err := s.notify(ctx, e, ""); err != nil {
				return checkout.Result{}, err
			}
		}
	}
	return s.result(e), nil
}

// QueryStatus returns what the ledger has of a reference of the request's kind.
func (s *Sandbox) QueryStatus(ctx context.Context, r checkout.ProviderRequest) (checkout.Result, error) {
	e, version, err := s.read(ctx, r.Kind, r.Reference)
	if err != nil {
		return checkout.Result{}, err
	}
	if version == 0 {
		return checkout.Result{Outcome: checkout.OutcomeUnknown}, nil
	}
	return s.result(e), nil
}

// result is what an entry leads to now. That of a follow-up has no names of the
// provider's, since the payment has those of its charge.
func (s *Sandbox) result(e entry) checkout.Result {
	var r checkout.Result
	if e.Kind == checkout.JobCharge {
		r.ProviderID, r.Received = "sandbox-"+e.Reference, e.received()
	}
	switch {
	case e.Next != "" && e.over(s.Now()):
		r.Outcome, r.Reason, r.Code = checkout.OutcomeDeclined, e.lateReason(), codeOf(e.lateReason())
		r.ReasonCode, r.ReasonLanguage = reasonCodeOf(r.Reason), "en"
	case e.Next == checkout.StatusPending:
		r.Outcome = checkout.OutcomeActionRequired
		r.RequiredAction = &checkout.RequiredAction{Kind: e.Next, Show: e.shown(), ExpiresAt: e.CreatedAt.Add(stepLimit)}
	case e.Next != "":
		r.Outcome = checkout.OutcomeActionRequired
		ends := e.CreatedAt.Add(stepLimit)
		r.RequiredAction = &checkout.RequiredAction{Kind: e.Next, URL: s.page(e.Reference), ExpiresAt: ends}
	case s.Now().Before(e.DecidedAt):
		r.Outcome = checkout.OutcomePending
	case e.Outcome != checkout.OutcomeApproved:
		r.Outcome, r.Reason, r.Code, r.Soft = e.Outcome, e.Reason, codeOf(e.Reason), e.Soft
		r.ReasonCode, r.ReasonLanguage = reasonCodeOf(r.Reason), "en"
	case e.Kind != checkout.JobCharge:
		r.Outcome, r.Code = e.Outcome, codeApproved
	default:
		r.Outcome, r.Code, r.Authorised = e.Outcome, codeApproved, e.Auth
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

// codeApproved is the sandbox's own code of an approval.
const codeApproved = "00"

// codeOf is the sandbox's own code of a decline, in the numbers that card schemes use (ISO 8583, field 39).
func codeOf(reason string) string {
	switch reason {
	case notATestCard:
		return "14" // no such card
	case insufficientFunds:
		return "51"
	case providerProblem:
		return "91" // the issuer can't be reached
	}
	return "05" // do not honour
}

// reasonCodeOf is the service's code of a decline, "" where it has none for the sandbox's words.
func reasonCodeOf(reason string) screen.ReasonCode {
	switch reason {
	case insufficientFunds:
		return screen.ReasonInsufficientFunds
	case providerProblem:
		return screen.ReasonProviderProblem
	case payerRefused:
		return screen.ReasonPayerRefused
	case tooLate:
		return screen.ReasonPayerTooSlow
	}
	return ""
}

// digits makes n digits of a reference, the same every time.
func digits(reference string, n int) string {
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		out = append(out, '0'+reference[len(reference)-1-i%len(reference)]%10)
	}
	return string(out)
}
