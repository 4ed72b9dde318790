package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// parsedResult is a provider's result with what has arrived, read.
type parsedResult struct {
	Result
	receipt receipt
}

// read compares what a provider says has arrived with what is known of the
// payment. Where that can't be read, nothing has.
func (s *Service) parseResult(ctx context.Context, p *Payment, result Result) parsedResult {
	if result.Received == nil {
		return parsedResult{Result: result}
	}
	r, err := receiptOf(result.Received, p.Received)
	if err != nil {
		s.Log.ErrorContext(ctx, "what arrived can't be read", "payment", p.ID, "connector", p.Connector, "error", err)
		return parsedResult{Result: result}
	}
	return parsedResult{result, r}
}

// setReceived stores what arrived, if that could be read.
func (p *Payment) setReceived(result parsedResult) {
	if !result.receipt.arrived.IsZero() {
		p.Received = result.Received
	}
}

// maxTold is how often a merchant is told of a payment's money that arrives bit by bit, in time and too late:
// anybody can send it, and what is stored has to stay small. What arrives afterwards is noted alone.
const maxNotified = 100

// partlyPaid notes that a part of what is due has arrived: the payment waits for the rest.
func partlyPaid(t task, result parsedResult) effects {
	t.payment.Received = result.Received
	if t.session != nil {
		t.session.Received = result.Received
	}
	if t.payment.Callbacks >= maxNotified {
		return effects{save: true, saveSession: true}
	}
	r := result.receipt
	reason := named(r.arrived) + " of " + named(r.due) + " arrived, " + named(r.missing()) + " are missing."
	return effects{save: true, saveSession: true, event: &Event{Type: t.payment.EventType(JobCharge), Status: Waiting, Reason: reason}}
}

// paidLate notes money that arrived after the payment was declined. It stays
// declined (decisions.md 5 has no way back), and merchant and payer are told.
// No other payment is asked for in its session while nobody knows what the
// merchant does with the money, but one that was made counts.
func paidLate(t task, result parsedResult, now time.Time) effects {
	p, sess := t.payment, t.session
	reason := arrivedReason(screen.ReasonPaidTooLate, result.receipt.news, money.Amount{})
	p.Received, p.Reason = result.Received, reason.Text()
	if p.tried() >= maxNotified {
		return effects{save: true}
	}
	p.Transactions = append(p.Transactions, Transaction{
		Type: p.EventType(JobCharge), Status: Fail, Date: now, Amount: p.Amount, Reference: p.ChargeReference, Reason: p.Reason,
	})
	if sess != nil && sess.State != SessionComplete {
		sess.Stray, sess.Reason = screen.TextPaidTooLate, reason
		if sess.State == SessionOpen {
			sess.State = SessionDeclined
		}
	}
	return effects{save: true, saveSession: true, event: &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: p.Reason}}
}

// lacksAmount fails for an approval of an amount that the payer entered at the provider, which the result does not name
// in the payment's currency: nobody knows then what was paid.
func (p *Payment) lacksAmount(r Result) error {
	if r.Outcome != OutcomeApproved || !p.Amount.IsZero() || !r.Amount.IsZero() && r.Amount.Currency().Code == p.Order.Currency {
		return nil
	}
	return fmt.Errorf("payment %s was approved without its amount", p.ID)
}
