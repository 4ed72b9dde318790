package stripe

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// tolerance is how much the time of a notice's signature may differ from ours.
const tolerance = 5 * time.Minute

// HandleNotification reads a signed event.
func (s *Stripe) HandleNotification(ctx context.Context, n connector.Notification) (connector.Notice, error) {
	if !s.authentic(n) {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	a, err := s.account(n.Credentials)
	if err != nil {
		return connector.Notice{}, err
	}
	var e event
	if json.Unmarshal(n.Body, &e) != nil || e.Object != "event" || e.Livemode != a.live {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	switch e.Type {
	case "payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled",
		"payment_intent.amount_capturable_updated":
		return intentNotice(e)
	case "refund.created", "refund.updated", "refund.failed":
		return a.refundNotice(ctx, e)
	case "charge.refunded":
		return a.refundedNotice(ctx, e)
	case "charge.expired":
		return a.expiredNotice(ctx, e)
	case "charge.dispute.created", "charge.dispute.funds_withdrawn",
		"charge.dispute.funds_reinstated", "charge.dispute.closed":
		return a.disputeNotice(ctx, e)
	}
	return ignored(), nil
}

// authentic reports whether the notice has a signature with the MID's secret that is not too old. There are several
// signatures for a day after the secret was changed.
func (s *Stripe) authentic(n connector.Notification) bool {
	secret, at := n.Credentials["webhook_secret"], ""
	var signatures []string
	for _, part := range strings.Split(http.Header(n.Header).Get("Stripe-Signature"), ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			at = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || secret == "" || s.Now().Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	right := provider.Sign(secret, at+"."+string(n.Body))
	return slices.ContainsFunc(signatures, func(one string) bool {
		return hmac.Equal([]byte(strings.ToLower(one)), []byte(right))
	})
}

// refundNotice reads an event of a refund.
func (a account) refundNotice(ctx context.Context, e event) (connector.Notice, error) {
	var r stripe.Refund
	if err := e.read(&r); err != nil {
		return connector.Notice{}, err
	}
	return a.noticeOfRefund(ctx, &r)
}

func (a account) noticeOfRefund(ctx context.Context, r *stripe.Refund) (connector.Notice, error) {
	if r.Metadata[metaReference] == "" {
		return a.refundElsewhere(ctx, r.ID)
	}
	// Without a kind, because a void of what was captured is a refund at Stripe.
	return noticeOf(r.Metadata, "", r.Metadata[metaReference], connector.Result{}).Telling(refundResult(r))
}

// refundedNotice reads the event that a charge was refunded, which does not tell by which refund: the newest one.
func (a account) refundedNotice(ctx context.Context, e event) (connector.Notice, error) {
	var c stripe.Charge
	if err := e.read(&c); err != nil {
		return connector.Notice{}, err
	}
	if c.PaymentIntent == nil || !isIntent(c.PaymentIntent.ID) {
		return ignored(), nil
	}
	var page list[stripe.Refund]
	_, err := a.send(ctx, call{method: http.MethodGet, path: "/v1/refunds", params: &stripe.RefundListParams{
		PaymentIntent: &c.PaymentIntent.ID, ListParams: stripe.ListParams{Limit: stripe.Int64(1)},
	}}, &page)
	if err != nil || len(page.Data) == 0 {
		return ignored(), err
	}
	return a.noticeOfRefund(ctx, page.Data[0])
}
