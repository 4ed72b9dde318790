package connector

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/request"
	"checkout/internal/store"
)

// page is the address of the sandbox's own page of a charge.
func (s *Sandbox) page(reference string) string { return s.BaseURL + "/sandbox/" + reference }

// notice is what the sandbox sends. It says no outcome: whoever sends a false
// notice only makes us look into the books.
type notice struct {
	Kind      checkout.JobKind `json:"kind,omitempty"` // absent: a charge
	Reference string           `json:"reference"`
	Event     string           `json:"event,omitempty"` // of what became of a charge later
}

// kinds are all that a notice may be about.
var kinds = append([]checkout.JobKind{"", checkout.JobCharge}, followUps...)

// eventTakenBack is a chargeback or reversal.
const eventTakenBack = "taken back"

func (s *Sandbox) notify(ctx context.Context, e entry, event string) error {
	body, err := json.Marshal(notice{e.Kind, e.Reference, event})
	if err != nil {
		return err
	}
	return s.Notify(ctx, body)
}

// Notice reads a notice and answers what the books say.
func (s *Sandbox) Notice(ctx context.Context, body []byte) (checkout.Notice, error) {
	var n notice
	if err := json.Unmarshal(body, &n); err != nil || n.Reference == "" || !slices.Contains(kinds, n.Kind) {
		return checkout.Notice{}, nil // names no payment
	}
	e, version, err := s.read(ctx, n.Kind, n.Reference)
	if err != nil || version == 0 {
		return checkout.Notice{}, err
	}
	known := checkout.Notice{PaymentID: e.PaymentID, SessionID: e.SessionID, Reference: e.Reference, Result: s.result(e)}
	if n.Event == eventTakenBack && e.TakenBack != 0 {
		known.Result = checkout.Result{Outcome: e.TakenBack}
	}
	return known, nil
}

// Step is what the sandbox's own page shows of a charge. kind is "3ds",
// "redirect" or "pending" (a crypto payment; "partly" once a part has arrived)
// while the payer has something to do, "over" where a crypto payment can still
// be paid too late, "settled" while a bank could take the money back, "chargeback" or
// "reversal" once it did, and else "". amount is "" where the payer enters it.
// Errors: CodeNotFound.
func (s *Sandbox) Step(ctx context.Context, reference string) (kind, amount, currency string, err error) {
	e, _, err := s.known(ctx, reference)
	if err != nil {
		return "", "", "", err
	}
	kind = string(e.Next)
	switch {
	case e.over(s.Now()) && e.Coin != nil:
		if kind = ""; !e.Late {
			kind = "over"
		}
	case e.Next == checkout.StatusPending && e.Received != "":
		kind = "partly"
	case e.TakenBack == checkout.OutcomeChargeback:
		kind = string(checkout.StatusChargeback)
	case e.TakenBack == checkout.OutcomeReversal:
		kind = string(checkout.StatusReversal)
	case e.settled(s.Now()):
		kind = string(checkout.StatusSettled)
	}
	return kind, e.Amount, e.Currency, nil
}

// known reads a charge that there has to be.
func (s *Sandbox) known(ctx context.Context, reference string) (entry, int64, error) {
	e, version, err := s.read(ctx, checkout.JobCharge, reference)
	if err == nil && version == 0 {
		err = &request.Error{Code: request.CodeNotFound, Faults: []request.Fault{{Code: request.FaultPaymentNotFound, Text: "Payment not found"}}}
	}
	return e, version, err
}

// Finish takes the payer's step: confirmed leads to the card's outcome, else
// the payment is declined. A crypto payment it lets expire, or pays. It
// notifies and answers where the payer goes back to.
// Errors: CodeNotFound, and CodeInvalid for a crypto payment without an amount.
func (s *Sandbox) Finish(ctx context.Context, reference string, confirmed bool) (url string, err error) {
	return s.finish(ctx, reference, func(e *entry) (bool, error) {
		if e.Next == "" {
			return false, nil
		}
		return true, e.step(confirmed, s.Now())
	})
}

// Pay sends a part of what is due to the address of a crypto payment: PayAll,
// PayHalf, PayRest, PayDouble, or PayLate, for which the time passes first.
// amount is sent instead where the order has none. It notifies and answers the
// address of the sandbox's page.
// Errors: CodeNotFound, and CodeInvalid for a wrong amount.
func (s *Sandbox) Pay(ctx context.Context, reference, part, amount string) (url string, err error) {
	return s.finish(ctx, reference, func(e *entry) (bool, error) {
		if e.Coin == nil || e.Outcome == checkout.OutcomeApproved || e.Late {
			return false, nil
		}
		return true, e.arrive(part, amount, s.Now())
	})
}

// finish changes an entry, if there is something to change.
func (s *Sandbox) finish(ctx context.Context, reference string, change func(*entry) (changed bool, err error)) (url string, err error) {
	e, version, err := s.known(ctx, reference)
	if err != nil {
		return "", err
	}
	changed, err := change(&e)
	if err != nil {
		return "", err
	}
	if changed {
		if err := s.save(ctx, s.record(e, version)); err != nil && !isConflict(err) {
			return "", err
		}
	}
	url = e.ReturnURL
	if url == "" || e.Coin != nil { // whoever pays with a crypto coin never left the checkout
		url = s.page(reference)
	}
	return url, s.notify(ctx, e, "")
}

// over reports whether the time for the payer's step has passed.
func (e *entry) over(now time.Time) bool {
	return e.Next != "" && now.Sub(e.CreatedAt) >= stepLimit || e.Coin != nil && e.Outcome == checkout.OutcomeDeclined
}

// step ends the payer's step in an entry.
func (e *entry) step(confirmed bool, now time.Time) error {
	late := e.over(now) // then it was declined already
	if confirmed && !late && e.Coin != nil {
		return e.arrive(PayAll, "", now)
	}
	e.Next, e.Outcome, e.DecidedAt = "", e.Then, now
	switch {
	case late, !confirmed && e.Coin != nil:
		e.Outcome, e.Reason = checkout.OutcomeDeclined, e.lateReason()
	case !confirmed:
		e.Outcome, e.Reason = checkout.OutcomeDeclined, "The payer refused."
	case e.Outcome == checkout.OutcomeApproved:
		e.take()
	}
	return nil
}

// TakeBack has the payer's bank take a settled charge back, or with reversed
// the provider itself, and answers the address of the sandbox's page. The
// first one counts. It notifies again how the charge came to be settled
// before, since a chargeback of what is not known to be settled says nothing.
// Errors: CodeNotFound.
func (s *Sandbox) TakeBack(ctx context.Context, reference string, reversed bool) (url string, err error) {
	e, err := s.bookTakeBack(ctx, reference, reversed)
	if err != nil {
		return "", err
	}
	if e.TakenBack == 0 {
		return s.page(reference), nil
	}
	if err := s.notify(ctx, e, ""); err != nil {
		return "", err
	}
	if e.CapturedBy != "" {
		if err := s.notify(ctx, entry{Kind: checkout.JobCapture, Reference: e.CapturedBy}, ""); err != nil {
			return "", err
		}
	}
	return s.page(reference), s.notify(ctx, e, eventTakenBack)
}

// bookTakeBack books what TakeBack does, where the charge is settled, and answers the charge.
func (s *Sandbox) bookTakeBack(ctx context.Context, reference string, reversed bool) (entry, error) {
	for range store.ConflictTries {
		e, version, err := s.known(ctx, reference)
		if err != nil || !e.settled(s.Now()) {
			return e, err
		}
		e.TakenBack = checkout.OutcomeChargeback
		if reversed {
			e.TakenBack = checkout.OutcomeReversal
		}
		if err := s.save(ctx, s.record(e, version)); !isConflict(err) {
			return e, err
		}
	}
	return entry{}, fmt.Errorf("write sandbox books: %w", store.ErrConflicts)
}
