package sandbox

import (
	"context"
	"time"

	"checkout/internal/connector"
	"checkout/internal/store"
)

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
