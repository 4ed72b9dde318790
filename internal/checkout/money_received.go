package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// parsedResult is a provider's result, with the money that arrived as a receipt.
type parsedResult struct {
	Result
	receipt receipt
}

// parseResult compares the money that a provider says has arrived with what is stored of the payment. If it can't be
// read, it counts as nothing.
func (s *Service) parseResult(ctx context.Context, p *Payment, result Result) parsedResult {
	if result.Received == nil {
		return parsedResult{Result: result}
	}
	r, err := parseReceipt(result.Received, p.Received)
	if err != nil {
		s.Log.ErrorContext(ctx, "what arrived can't be read", "payment", p.ID, "connector", p.Connector, "error", err)
		return parsedResult{Result: result}
	}
	return parsedResult{result, r}
}

// setReceived stores what has arrived, if it could be read.
func (p *Payment) setReceived(result parsedResult) {
	if !result.receipt.arrived.IsZero() {
		p.Received = result.Received
	}
}

// maxNotified limits the callbacks about money that arrives in parts, in time or too late: anybody can send such parts,
// and a payment's document has to stay small. Later parts are stored without a callback.
const maxNotified = 100

// partlyPaid stores that a part of what is due has arrived. The payment waits for the rest.
func partlyPaid(t task, result parsedResult) effects {
	t.payment.Received = result.Received
	if t.session != nil {
		t.session.Received = result.Received
	}
	if t.payment.Callbacks >= maxNotified {
		return effects{save: true, saveSession: true}
	}
	arrived, due := withCurrency(result.receipt.arrived), withCurrency(result.receipt.due)
	text := arrived + " of " + due + " arrived, " + withCurrency(result.receipt.missing()) + " are missing."
	reason := &screen.Reason{Code: screen.ReasonPartlyPaid, Words: text}
	event := &Event{Type: t.payment.EventType(JobCharge), Status: Waiting, Reason: reason}
	return effects{save: true, saveSession: true, event: event}
}

// paidLate stores money that arrived after the payment was declined. The payment stays declined (decisions.md 5); a
// callback and the page say that money arrived. The session takes no further attempt, since the merchant has to decide
// what becomes of the money; an attempt that was made already counts.
func paidLate(t task, result parsedResult, now time.Time) effects {
	p, sess := t.payment, t.session
	reason := arrivedReason(screen.ReasonPaidTooLate, result.receipt.added, money.Amount{})
	p.Received = result.Received
	p.setReason(reason)
	if p.declinedCharges() >= maxNotified {
		return effects{save: true}
	}
	late := Transaction{
		Type: p.EventType(JobCharge), Status: Fail, Date: now, Amount: p.Amount, Reference: p.ChargeReference,
	}
	p.Transactions = append(p.Transactions, late.because(reason))
	if sess != nil && sess.State != sessionComplete {
		sess.UnappliedMoney, sess.Reason = screen.TextPaidTooLate, reason
		if sess.State == sessionOpen {
			sess.State = sessionDeclined
		}
	}
	event := &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: reason}
	return effects{save: true, saveSession: true, event: event}
}

// lacksAmount returns an error for an approval without an amount in the payment's currency, if the payer entered the
// amount at the provider: it is unknown then what was paid.
func (p *Payment) lacksAmount(r Result) error {
	named := !r.Amount.IsZero() && r.Amount.Currency().Code == p.Order.Currency
	if r.Outcome != OutcomeApproved || !p.Amount.IsZero() || named {
		return nil
	}
	return fmt.Errorf("payment %s was approved without its amount", p.ID)
}
