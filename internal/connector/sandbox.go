// Package connector holds one file per provider family, and the list of them.
package connector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
)

// Sandbox is a provider that moves no money. What the payer types chooses
// what happens (decisions.md 8 and the README's table of test cards), faults
// included. It keeps books of every reference it was charged for, and like a
// real provider never charges one twice.
type Sandbox struct {
	Store   checkout.Store
	Now     func() time.Time
	BaseURL string // where Step and Finish are served, without a trailing slash

	// Notify delivers a notice, as a provider would over HTTP.
	Notify func(ctx context.Context, body []byte) error
}

// entry is what the books say of one reference.
type entry struct {
	PaymentID string           `json:"payment_id"`
	SessionID string           `json:"session_id"`
	Amount    string           `json:"amount"`
	Currency  string           `json:"currency"`
	Next      checkout.Status  `json:"next,omitempty"` // the step that the payer has to take, "" if none is left
	Outcome   checkout.Outcome `json:"outcome"`        // once decided
	Reason    string           `json:"reason,omitempty"`
	Soft      bool             `json:"soft,omitempty"`
	Auth      bool             `json:"auth,omitempty"` // only authorised
	Charges   int              `json:"charges"`        // how often it was carried out: never more than 1
	CreatedAt time.Time        `json:"created_at"`
	DecidedAt time.Time        `json:"decided_at"` // nothing is known before
	ReturnURL string           `json:"return_url"`
}

// How long the sandbox keeps its books, how long a payer may take for a step,
// and how much later than the time limit a late outcome comes.
const (
	booksKept = 30 * 24 * time.Hour
	stepLimit = 20 * time.Minute
	lateBy    = 20 * time.Second
)

// tooLate is why a payment is declined whose payer took no step within stepLimit.
const tooLate = "The payer did not finish in time."

func booksKey(reference string) checkout.Key {
	return checkout.Key{Partition: "sandbox/" + reference, Sort: "charge"}
}

// maxReference bounds what is looked for in the books, since anybody may name
// a reference. Ours are UUIDs.
const maxReference = 64

func (s *Sandbox) read(ctx context.Context, reference string) (e entry, version int64, err error) {
	if len(reference) > maxReference {
		return e, 0, nil
	}
	records, err := s.Store.Get(ctx, s.Now(), booksKey(reference))
	if err != nil {
		return e, 0, fmt.Errorf("read sandbox books: %w", err)
	}
	if records[0].Version == 0 {
		return e, 0, nil
	}
	return e, records[0].Version, json.Unmarshal(records[0].Doc, &e)
}

func (s *Sandbox) write(ctx context.Context, reference string, e entry, version int64) error {
	doc, err := json.Marshal(e)
	if err != nil {
		return err
	}
	now := s.Now()
	return s.Store.Save(ctx, now, checkout.Record{Key: booksKey(reference), Version: version, Doc: doc, ExpiresAt: now.Add(booksKept)})
}

// Charge does what the card's outcome says.
func (s *Sandbox) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	o := outcomeOf(c.Card)
	if o.fault == neverArrives {
		_, version, err := s.read(ctx, c.Reference+"/lost")
		if err != nil {
			return checkout.Result{}, err
		}
		if version == 0 { // the first time only
			if err := s.write(ctx, c.Reference+"/lost", entry{}, 0); err != nil {
				return checkout.Result{}, err
			}
			<-ctx.Done()
			return checkout.Result{}, ctx.Err()
		}
	}
	now := s.Now()
	e := entry{
		PaymentID: c.PaymentID, SessionID: c.SessionID, Amount: c.Amount, Currency: c.Currency, Next: o.next,
		Outcome: o.outcome, Reason: o.reason, Soft: o.soft, Auth: o.auth, Charges: 1, CreatedAt: now, DecidedAt: now, ReturnURL: c.ReturnURL,
	}
	if o.fault == answersLate {
		e.DecidedAt = now.Add(lateBy)
	}
	var taken *checkout.ConflictError
	err := s.write(ctx, c.Reference, e, 0)
	if errors.As(err, &taken) {
		return s.Lookup(ctx, c)
	}
	if err != nil {
		return checkout.Result{}, err
	}
	return s.answer(ctx, c.Reference, e, o.fault)
}

// answer gives the answer to a charge that was carried out, or fails to.
func (s *Sandbox) answer(ctx context.Context, reference string, e entry, fault fault) (checkout.Result, error) {
	switch fault {
	case neverAnswers, answersLate:
		<-ctx.Done()
		return checkout.Result{}, ctx.Err()
	case brokenAnswer:
		return checkout.Result{}, errors.New("the sandbox's answer can't be read")
	case answersTwice:
		for range 2 {
			if err := s.notify(ctx, reference); err != nil {
				return checkout.Result{}, err
			}
		}
	}
	return s.result(reference, e), nil
}

// result is what the books say now.
func (s *Sandbox) result(reference string, e entry) checkout.Result {
	r := checkout.Result{ProviderID: "sandbox-" + reference}
	switch {
	case e.Next != "" && s.Now().Sub(e.CreatedAt) >= stepLimit:
		r.Outcome, r.Reason = checkout.OutcomeDeclined, tooLate
	case e.Next != "":
		r.Outcome = checkout.OutcomeNext
		r.Next = &checkout.NextStep{Kind: e.Next, URL: s.BaseURL + "/sandbox/" + reference}
	case s.Now().Before(e.DecidedAt):
		r.Outcome = checkout.OutcomePending
	case e.Outcome == checkout.OutcomeApproved:
		r.Outcome, r.Authorised = e.Outcome, e.Auth
		r.RRN, r.ApprovalCode = digits(reference, 12), digits(reference, 6)
	default:
		r.Outcome, r.Reason, r.Soft = e.Outcome, e.Reason, e.Soft
	}
	return r
}

// digits makes n digits of a reference, the same every time.
func digits(reference string, n int) string {
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		out = append(out, '0'+reference[len(reference)-1-i%len(reference)]%10)
	}
	return string(out)
}

// Lookup tells what the books say of a reference.
func (s *Sandbox) Lookup(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	e, version, err := s.read(ctx, c.Reference)
	if err != nil {
		return checkout.Result{}, err
	}
	if version == 0 {
		return checkout.Result{Outcome: checkout.OutcomeUnknown}, nil
	}
	return s.result(c.Reference, e), nil
}

// notice is what the sandbox sends. It says no outcome: whoever sends a false
// notice only makes us look into the books.
type notice struct {
	Reference string `json:"reference"`
}

func (s *Sandbox) notify(ctx context.Context, reference string) error {
	body, err := json.Marshal(notice{reference})
	if err != nil {
		return err
	}
	return s.Notify(ctx, body)
}

// Notice reads a notice and answers what the books say.
func (s *Sandbox) Notice(ctx context.Context, body []byte) (checkout.Notice, error) {
	var n notice
	if err := json.Unmarshal(body, &n); err != nil || n.Reference == "" {
		return checkout.Notice{}, nil // names no payment
	}
	e, _, err := s.read(ctx, n.Reference)
	if err != nil {
		return checkout.Notice{}, err
	}
	return checkout.Notice{PaymentID: e.PaymentID, SessionID: e.SessionID, Result: s.result(n.Reference, e)}, nil
}

// Step is what the sandbox's own page shows to a payer who has to do
// something first: kind is "3ds", "redirect", or "" when nothing is left to do.
func (s *Sandbox) Step(ctx context.Context, reference string) (kind, amount, currency string, err error) {
	e, version, err := s.read(ctx, reference)
	if err != nil {
		return "", "", "", err
	}
	if version == 0 {
		return "", "", "", &checkout.Error{Code: checkout.CodeNotFound, Faults: []checkout.Fault{{Code: checkout.FaultPaymentNotFound, Text: "Payment not found"}}}
	}
	return string(e.Next), e.Amount, e.Currency, nil
}

// Finish takes the payer's step: confirmed leads to the card's outcome, else
// the payment is declined. It notifies and answers where the payer goes back to.
func (s *Sandbox) Finish(ctx context.Context, reference string, confirmed bool) (returnURL string, err error) {
	e, version, err := s.read(ctx, reference)
	if err != nil {
		return "", err
	}
	if version == 0 {
		_, _, _, err := s.Step(ctx, reference)
		return "", err
	}
	if e.Next != "" {
		now := s.Now()
		late := now.Sub(e.CreatedAt) >= stepLimit // then it was declined already
		e.Next, e.DecidedAt = "", now
		switch {
		case late:
			e.Outcome, e.Reason = checkout.OutcomeDeclined, tooLate
		case !confirmed:
			e.Outcome, e.Reason = checkout.OutcomeDeclined, "The payer refused."
		}
		var taken *checkout.ConflictError
		if err := s.write(ctx, reference, e, version); err != nil && !errors.As(err, &taken) {
			return "", err
		}
	}
	return e.ReturnURL, s.notify(ctx, reference)
}
