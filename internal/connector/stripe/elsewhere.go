package stripe

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
)

// expiredNotice reads the event that a charge has expired, by its PaymentIntent.
func (a account) expiredNotice(ctx context.Context, e event) (connector.Notice, error) {
	var c stripe.Charge
	if err := e.read(&c); err != nil {
		return connector.Notice{}, err
	}
	if c.PaymentIntent == nil || !isIntent(c.PaymentIntent.ID) {
		return ignored(), nil
	}
	p, err := a.read(ctx, c.PaymentIntent.ID)
	if err != nil || p == nil {
		return ignored(), err
	}
	return noticeOfIntent(p)
}

// refundElsewhere is a notice about a refund that nobody asked for, as it is at this moment: events come in any order.
// One that has failed is named by its id.
func (a account) refundElsewhere(ctx context.Context, id string) (connector.Notice, error) {
	if !sendable(id) {
		return ignored(), nil
	}
	var r stripe.Refund
	_, err := a.send(ctx, call{method: http.MethodGet, path: "/v1/refunds/" + id, params: &stripe.RefundParams{
		Expand: []*string{stripe.String("payment_intent")},
	}}, &r)
	if refusal := refused(err); refusal != nil && refusal.missing() {
		return ignored(), nil
	}
	if err != nil || r.ID != id || r.PaymentIntent == nil {
		return ignored(), err
	}
	p := r.PaymentIntent
	if p.Status != stripe.PaymentIntentStatusSucceeded { // the end of an authorisation, which is an event of its own
		return ignored(), nil
	}
	switch r.Status {
	case stripe.RefundStatusSucceeded:
		return noticeOf(p.Metadata, connector.RequestCharge, p.Metadata[metaReference], connector.Result{
			Outcome: connector.OutcomeRefundedElsewhere, OperationID: id, Code: string(r.Reason),
			Amount: amountOf(r.Amount, string(r.Currency)),
		}), nil
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		return noticeOf(p.Metadata, connector.RequestRefund, id, failedRefund(&r)), nil
	}
	return ignored(), nil // undecided; another event follows
}

// disputeNotice reads an event of a dispute that takes money back, or that was won. An inquiry, which may become a
// dispute, does not take money yet.
func (a account) disputeNotice(ctx context.Context, e event) (connector.Notice, error) {
	var d stripe.Dispute
	if err := e.read(&d); err != nil {
		return connector.Notice{}, err
	}
	if d.PaymentIntent == nil || !isIntent(d.PaymentIntent.ID) {
		return ignored(), nil
	}
	result := connector.Result{
		Outcome: connector.OutcomeChargeback, OperationID: d.ID, Amount: amountOf(d.Amount, string(d.Currency)),
		Code: string(d.Reason), Reason: "Dispute: " + strings.ReplaceAll(string(d.Reason), "_", " ") + ".",
	}
	if e.Created > 0 {
		result.StageAt = time.Unix(e.Created, 0).UTC()
	}
	switch d.Status {
	case stripe.DisputeStatusNeedsResponse, stripe.DisputeStatusUnderReview:
	case stripe.DisputeStatusLost:
		result.Stage = connector.StageLost
	case stripe.DisputeStatusWon:
		result.Outcome, result.Reason = connector.OutcomeDisputeWon, ""
	default:
		if e.Type != "charge.dispute.funds_withdrawn" {
			return ignored(), nil
		}
	}
	p, err := a.read(ctx, d.PaymentIntent.ID)
	if err != nil || p == nil {
		return ignored(), err
	}
	return noticeOf(p.Metadata, connector.RequestCharge, p.Metadata[metaReference], result), nil
}
