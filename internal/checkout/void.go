package checkout

import (
	"cmp"
	"context"
	"strings"
	"time"

	"checkout/internal/money"
)

// VoidAnswer is the answer to a void. Status and PaymentStatus are both the payment's.
type VoidAnswer struct {
	PaymentID     string      `json:"payment_id"`
	Status        Status      `json:"status"`
	TransStatus   string      `json:"trans_status"` // SUCCESS, FAIL, or WAITING while the outcome is not known
	PaymentStatus Status      `json:"payment_status"`
	Date          string      `json:"date"` // YYYY-MM-DD hh:mm:ss, UTC
	Reason        string      `json:"reason,omitempty"`
	Order         OrderObject `json:"order"`
}

// Void cancels a payment that is authorised and not captured, or was settled
// on this UTC day and nothing of it refunded (decisions.md 2). It answers
// when the provider has, and with WAITING if that takes long.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound, CodeNotAllowed.
func (s *Service) Void(ctx context.Context, call Call) (Response, error) {
	r, err := readFollowUpOf(JobVoid, call.Body)
	if err != nil {
		return nil, err
	}
	return s.followUp(ctx, r, call)
}

func (p *Payment) allowVoid(now time.Time) (money.Amount, error) {
	today := p.settledAt().UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly)
	settled := p.Status == StatusSettled && today && p.reversible() && len(p.GivenBack()) == 0
	if len(p.Jobs) > 0 || p.Status != StatusPending && !settled {
		return money.Amount{}, errNotAllowed(JobVoid)
	}
	return cmp.Or(p.Captured, p.Amount), nil
}

// settledAt is when the money was taken, zero if it was not.
func (p *Payment) settledAt() time.Time {
	var at time.Time
	for _, t := range p.Transactions {
		if t.Status == Success && (t.Type == p.EventType(JobCharge) || t.Type == EventCapture) {
			at = t.Date
		}
	}
	return at
}

func voidAnswer(p *Payment, end Transaction) VoidAnswer {
	status := p.Status
	if end.Status == Success {
		status = StatusVoid
	}
	return VoidAnswer{p.ID, status, transStatus(end), status, timestamp(end.Date), end.Reason, orderObject(p.Order)}
}

// transStatus is how an answer names the end of a transaction.
func transStatus(end Transaction) string {
	if end.Status == "" {
		return "WAITING"
	}
	return strings.ToUpper(string(end.Status))
}

func timestamp(t time.Time) string { return t.UTC().Format(time.DateTime) }
