package sandbox

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/store"
)

// page is the address of the sandbox's own page of a charge.
func (s *Sandbox) page(reference string) string { return s.BaseURL + "/sandbox/" + reference }

// notice is what the sandbox sends. It has no outcome, so a forged notice only makes the connector read the ledger.
type notice struct {
	Kind      connector.RequestKind `json:"kind,omitempty"` // absent: a charge
	Reference string                `json:"reference"`
	Event     string                `json:"event,omitempty"` // eventDisputed if a settled charge was disputed
}

// kinds are the kinds of requests that a notice may be about.
var kinds = append([]connector.RequestKind{"", connector.RequestCharge}, followUps...)

// eventDisputed is the event of a chargeback or reversal.
const eventDisputed = "taken back"

func (s *Sandbox) notify(ctx context.Context, e entry, event string) error {
	body, err := json.Marshal(notice{e.Kind, e.Reference, event})
	if err != nil {
		return err
	}
	return s.Notify(ctx, e.NoticeURL, body)
}

// HandleNotification reads a notice and returns what the ledger has of its reference.
func (s *Sandbox) HandleNotification(ctx context.Context, received connector.Notification) (connector.Notice, error) {
	n, e, err := s.readNotice(ctx, received.Body)
	if err != nil || e.Reference == "" {
		return connector.Notice{}, err
	}
	known := connector.Notice{
		PaymentID: e.PaymentID, SessionID: e.SessionID, Kind: e.Kind, Reference: e.Reference, Result: s.result(e),
	}
	if n.Event == eventDisputed && e.Disputed != 0 {
		known.Result = connector.Result{Outcome: e.Disputed}
	}
	return known, nil
}

// readNotice reads a notice and its entry, which has no reference if the ledger has none.
func (s *Sandbox) readNotice(ctx context.Context, body []byte) (n notice, e entry, err error) {
	if err := json.Unmarshal(body, &n); err != nil || n.Reference == "" || !slices.Contains(kinds, n.Kind) {
		return notice{}, entry{}, nil
	}
	e, _, err = s.read(ctx, n.Kind, n.Reference)
	return n, e, err
}

// Report sends the notice with this body again, as a provider does that got no response to it. It fails with
// CodeNotFound, and with the errors of the service, which handles the notice.
func (s *Sandbox) Report(ctx context.Context, body []byte) error {
	n, e, err := s.readNotice(ctx, body)
	if err != nil {
		return err
	}
	if e.Reference == "" {
		return errUnknown
	}
	return s.notify(ctx, e, n.Event)
}

// The kinds of pages that the sandbox has beside those of required actions with an address, and of disputes.
const (
	stepPay     = "pending" // the payer sends money
	stepPartly  = "partly"  // and a part of it has arrived
	stepOver    = "over"    // the time is over, and the payer can still pay too late
	stepConfirm = "confirm" // the payer confirms, in an app or on a page
	stepCode    = "code"    // the payer gets a code and fills it in
	stepPaidOut = "paid_out"
)

// Step returns what the sandbox's own page shows of a charge. kind is "3ds" or "redirect" (of a card), stepPay,
// stepPartly, stepConfirm or stepCode while there is a required action, stepOver after it, "settled" or stepPaidOut
// while the charge can be disputed, "chargeback" or "reversal" after that, and otherwise "". amount is "" until the
// payer has entered it. Step fails with CodeNotFound.
func (s *Sandbox) Step(ctx context.Context, reference string) (kind, amount, currency string, err error) {
	e, _, err := s.known(ctx, reference)
	if err != nil {
		return "", "", "", err
	}
	if !e.PayerEnters || !e.Amount.IsZero() {
		amount = e.Amount.String()
	}
	return e.at(s.Now()).step(s.Now()), amount, e.Amount.Currency().Code, nil
}

// step returns the kind of the page.
func (e entry) step(now time.Time) string {
	acts, scene := e.Next != "", scenes[e.Scene]
	switch {
	case acts && scene.asks:
		return stepCode
	case acts && scene.sends && !e.Received.IsZero():
		return stepPartly
	case acts && scene.sends:
		return stepPay
	case acts && e.Scene != "":
		return stepConfirm
	case acts:
		return string(e.Next)
	case e.payable():
		return stepOver
	case e.Disputed == connector.OutcomeChargeback:
		return "chargeback"
	case e.Disputed == connector.OutcomeReversal:
		return "reversal"
	case e.settled(now) && e.paidOut():
		return stepPaidOut
	case e.settled(now):
		return "settled"
	}
	return ""
}

// known reads the entry of a charge. It fails with CodeNotFound if there is none.
func (s *Sandbox) known(ctx context.Context, reference string) (entry, int64, error) {
	e, version, err := s.read(ctx, connector.RequestCharge, reference)
	if err == nil && version == 0 {
		err = errUnknown
	}
	return e, version, err
}

var errUnknown = &fault.Error{
	Code: fault.CodeNotFound, Faults: []fault.Fault{{Number: fault.NumberPaymentNotFound, Text: "Payment not found"}},
}

// Finish completes the payer's required action. If confirmed, the charge gets the outcome of its card, or what is due
// arrives, and otherwise it is declined. Finish sends a notice and returns the address that the payer returns to. It
// fails with CodeNotFound, and with CodeInvalid for a payment without an amount.
func (s *Sandbox) Finish(ctx context.Context, reference string, confirmed bool) (url string, err error) {
	return s.finish(ctx, reference, func(e *entry) (changed bool, err error) {
		switch {
		case e.Next == "":
			return false, nil
		case !confirmed:
			e.decline(payerRefused, s.Now())
		case scenes[e.Scene].sends:
			err = e.arrive(payAll, "", s.Now())
		default:
			e.settle(s.Now())
		}
		return true, err
	})
}

// Expire ends the time for the payer's required action. Otherwise it is like Finish.
func (s *Sandbox) Expire(ctx context.Context, reference string) (url string, err error) {
	return s.finish(ctx, reference, func(e *entry) (bool, error) {
		if e.Next == "" {
			return false, nil
		}
		e.EndsAt = s.Now()
		*e = e.at(e.EndsAt)
		return true, nil
	})
}

// Pay sends a part of what is due: payAll, payHalf, payRest, payDouble, or payLate, which is counted as sent after the
// time limit. Where the order has no amount, amount is sent instead. Pay sends a notice and returns the address that
// the payer returns to. It fails with CodeNotFound, and with CodeInvalid for a wrong amount.
func (s *Sandbox) Pay(ctx context.Context, reference, part, amount string) (url string, err error) {
	return s.finish(ctx, reference, func(e *entry) (bool, error) {
		if !e.payable() {
			return false, nil
		}
		return true, e.arrive(part, amount, s.Now())
	})
}

// finish changes the entry of a charge, unless change reports that nothing changed, and sends a notice.
func (s *Sandbox) finish(
	ctx context.Context, reference string, change func(*entry) (changed bool, err error),
) (url string, err error) {
	stored, version, err := s.known(ctx, reference)
	if err != nil {
		return "", err
	}
	e := stored.at(s.Now())
	changed, err := change(&e)
	if err != nil {
		return "", err
	}
	if changed || e.Next != stored.Next {
		if err := s.save(ctx, s.record(e, version)); err != nil && !store.IsConflict(err) {
			return "", err
		}
	}
	url = e.ReturnURL
	stays := scenes[e.Scene].next == connector.ActionPending // the payer's checkout is open elsewhere
	if url == "" || stays && (changed || e.payable()) {
		url = s.page(reference)
	}
	return url, s.notify(ctx, e, "")
}

// Dispute makes the payer's bank charge a settled charge back or, with reversed, the provider reverse it. It returns
// the address of the sandbox's page. Only the first dispute of a charge has an effect. Before the notice of the
// dispute, Dispute repeats those of the charge and its capture, because a chargeback of a payment that is not known
// to be settled is refused. It fails with CodeNotFound.
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
		capture := entry{Kind: connector.RequestCapture, Reference: e.CapturedBy, NoticeURL: e.NoticeURL}
		if err := s.notify(ctx, capture, ""); err != nil {
			return "", err
		}
	}
	return s.page(reference), s.notify(ctx, e, eventDisputed)
}

// enterDispute adds a dispute to the entry of a settled charge, and returns the entry.
func (s *Sandbox) enterDispute(ctx context.Context, reference string, reversed bool) (entry, error) {
	return s.change(ctx, reference, func(e *entry, now time.Time) bool {
		if !e.settled(now) {
			return false
		}
		e.Disputed = connector.OutcomeChargeback
		if reversed {
			e.Disputed = connector.OutcomeReversal
		}
		return true
	})
}

// change changes the entry of a charge, unless f reports that nothing changes, and returns it as it is then. Errors:
// errUnknown; ErrConflicts.
func (s *Sandbox) change(
	ctx context.Context, reference string, f func(e *entry, now time.Time) (changed bool),
) (e entry, err error) {
	err = s.update().Do(ctx, func(now time.Time) ([]store.Record, error) {
		known, version, err := s.known(ctx, reference)
		if e = known; err != nil || !f(&e, now) {
			return nil, err
		}
		return []store.Record{s.record(e, version)}, nil
	})
	return e, err
}
