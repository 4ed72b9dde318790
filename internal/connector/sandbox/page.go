package sandbox

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/request"
	"checkout/internal/store"
)

// page is the address of the sandbox's own page of a charge.
func (s *Sandbox) page(reference string) string { return s.BaseURL + "/sandbox/" + reference }

// notice is what the sandbox sends. It says no outcome: whoever sends a false
// notice only has us read the ledger.
type notice struct {
	Kind      checkout.JobKind `json:"kind,omitempty"` // absent: a charge
	Reference string           `json:"reference"`
	Event     string           `json:"event,omitempty"` // of what became of a charge later
}

// kinds are all that a notice may be about.
var kinds = append([]checkout.JobKind{"", checkout.JobCharge}, followUps...)

// eventDisputed is a chargeback or reversal.
const eventDisputed = "taken back"

func (s *Sandbox) notify(ctx context.Context, e entry, event string) error {
	body, err := json.Marshal(notice{e.Kind, e.Reference, event})
	if err != nil {
		return err
	}
	return s.Notify(ctx, e.NoticeURL, body)
}

// HandleNotification reads a notice and returns what the ledger says.
func (s *Sandbox) HandleNotification(ctx context.Context, received checkout.Notification) (checkout.Notice, error) {
	n, e, err := s.readNotice(ctx, received.Body)
	if err != nil || e.Reference == "" {
		return checkout.Notice{}, err
	}
	known := checkout.Notice{PaymentID: e.PaymentID, SessionID: e.SessionID, Reference: e.Reference, Result: s.result(e)}
	if n.Event == eventDisputed && e.Disputed != 0 {
		known.Result = checkout.Result{Outcome: e.Disputed}
	}
	return known, nil
}

// readNotice reads a notice and the entry that it is about; without a reference if there is none.
func (s *Sandbox) readNotice(ctx context.Context, body []byte) (n notice, e entry, err error) {
	if err := json.Unmarshal(body, &n); err != nil || n.Reference == "" || !slices.Contains(kinds, n.Kind) {
		return notice{}, entry{}, nil
	}
	e, _, err = s.read(ctx, n.Kind, n.Reference)
	return n, e, err
}

// Report sends a notice that has this body once more, as a provider does that got no response to it.
// Errors: CodeNotFound, and those of the service, which handles the notice.
func (s *Sandbox) Report(ctx context.Context, body []byte) error {
	n, e, err := s.readNotice(ctx, body)
	if err != nil {
		return err
	}
	if e.Reference == "" {
		return errUnknown()
	}
	return s.notify(ctx, e, n.Event)
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
	case e.Next == checkout.StatusPending && !e.Received.IsZero():
		kind = "partly"
	case e.Disputed == checkout.OutcomeChargeback:
		kind = string(checkout.StatusChargeback)
	case e.Disputed == checkout.OutcomeReversal:
		kind = string(checkout.StatusReversal)
	case e.settled(s.Now()):
		kind = string(checkout.StatusSettled)
	}
	if !e.PayerEnters || !e.Amount.IsZero() {
		amount = e.Amount.String()
	}
	return kind, amount, e.Amount.Currency().Code, nil
}

// known reads a charge that there has to be.
func (s *Sandbox) known(ctx context.Context, reference string) (entry, int64, error) {
	e, version, err := s.read(ctx, checkout.JobCharge, reference)
	if err == nil && version == 0 {
		err = errUnknown()
	}
	return e, version, err
}

func errUnknown() error {
	fault := request.Fault{Code: request.FaultPaymentNotFound, Text: "Payment not found"}
	return &request.Error{Code: request.CodeNotFound, Faults: []request.Fault{fault}}
}

// Finish does what the payer chose: confirmed leads to the card's outcome, else
// the payment is declined. A crypto payment it lets expire, or pays. It
// notifies and returns where the payer goes back to.
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
// amount is sent instead where the order has none. It notifies and returns the
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
func (s *Sandbox) finish(
	ctx context.Context, reference string, change func(*entry) (changed bool, err error),
) (url string, err error) {
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
		e.Outcome, e.Reason = checkout.OutcomeDeclined, payerRefused
	case e.Outcome == checkout.OutcomeApproved:
		e.take()
	}
	return nil
}

// Dispute has the payer's bank charge a settled charge back, or with reversed
// the provider itself reverse it, and returns the address of the sandbox's page.
// The first one counts. It notifies again how the charge came to be settled
// before, since a chargeback of what is not known to be settled says nothing.
// Errors: CodeNotFound.
func (s *Sandbox) Dispute(ctx context.Context, reference string, reversed bool) (url string, err error) {
	e, err := s.enterDispute(ctx, reference, reversed)
	if err != nil {
		return "", err
	}
	if e.Disputed == 0 {
		return s.page(reference), nil
	}
	if err := s.notify(ctx, e, ""); err != nil {
		return "", err
	}
	if e.CapturedBy != "" {
		capture := entry{Kind: checkout.JobCapture, Reference: e.CapturedBy, NoticeURL: e.NoticeURL}
		if err := s.notify(ctx, capture, ""); err != nil {
			return "", err
		}
	}
	return s.page(reference), s.notify(ctx, e, eventDisputed)
}

// enterDispute enters what Dispute does, where the charge is settled, and returns the charge.
func (s *Sandbox) enterDispute(ctx context.Context, reference string, reversed bool) (entry, error) {
	for range store.ConflictTries {
		e, version, err := s.known(ctx, reference)
		if err != nil || !e.settled(s.Now()) {
			return e, err
		}
		e.Disputed = checkout.OutcomeChargeback
		if reversed {
			e.Disputed = checkout.OutcomeReversal
		}
		if err := s.save(ctx, s.record(e, version)); !isConflict(err) {
			return e, err
		}
	}
	return entry{}, conflicts()
}
