package visitor

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"

	"checkout/internal/local/client"
)

// response is the response to the merchant's requests about a payment.
type response struct {
	ID     string `json:"payment_id"`
	Result string `json:"result"`
	Status string `json:"status"`
}

// unless returns nil if the response has the status want, and otherwise an error.
func (a response) unless(want string, err error) error {
	if err == nil && cmp.Or(a.Result, a.Status) != want {
		err = fmt.Errorf("payment %s: answered %q and not %q", a.ID, cmp.Or(a.Result, a.Status), want)
	}
	return err
}

// Refund refunds all of a paid order, and waits for the callback.
func (v *Visitor) Refund(ctx context.Context, order *Order) error {
	event := v.expect(order.Number)
	got, err := v.followUp(ctx, "refund", order.Payment)
	if err := got.unless("accepted", err); err != nil {
		return err
	}
	return become(ctx, event, "refund")
}

// Capture captures all of an authorised order, and waits for the callback.
func (v *Visitor) Capture(ctx context.Context, order *Order) error {
	return v.decide(ctx, order, "capture", "settled")
}

// Void cancels an order, and waits for the callback.
func (v *Visitor) Void(ctx context.Context, order *Order) error {
	return v.decide(ctx, order, "void", "void")
}

// decide requests an operation whose response has the outcome, which becomes the payment's status.
func (v *Visitor) decide(ctx context.Context, order *Order, what, status string) error {
	event := v.expect(order.Number)
	got, err := v.followUp(ctx, what, order.Payment)
	if err := got.unless(status, err); err != nil {
		return err
	}
	return become(ctx, event, status)
}

// Recurring charges the chain that an order began, and waits for the callback. status is the final status of the new
// payment.
func (v *Visitor) Recurring(ctx context.Context, first *Order, status string) (*Order, error) {
	later := &Order{Number: "order-" + rand.Text()}
	event := v.expect(later.Number)
	request := v.merchant.Recurring(first.Payment, first.Chain,
		client.Object{"number": later.Number, "amount": amount, "description": description})
	var got response
	err := v.call(ctx, "/api/v1/payment/recurring", request, &got)
	if err := got.unless(status, err); err != nil {
		return nil, err
	}
	later.Payment = got.ID
	return later, become(ctx, event, status)
}

// Retry retries a softly declined charge, and waits for the callback, which reports that it is settled.
func (v *Visitor) Retry(ctx context.Context, declined *Order) error {
	event := v.expect(declined.Number)
	got, err := v.followUp(ctx, "retry", declined.Payment)
	if err := got.unless("accepted", err); err != nil {
		return err
	}
	return become(ctx, event, "settled")
}

func (v *Visitor) followUp(ctx context.Context, what, payment string) (response, error) {
	var got response
	err := v.call(ctx, "/api/v1/payment/"+what, v.merchant.Payment(payment, ""), &got)
	return got, err
}

// become waits for a callback with a status of the payment.
func become(ctx context.Context, waiting chan received, status string) error {
	got, err := waitForCallback(ctx, waiting)
	if is := got.Fields.Get("order_status"); err == nil && is != status {
		err = fmt.Errorf("the callback's status is %q, want %q", is, status)
	}
	return err
}

// StatusByPayment requests the status of a paid order by its payment_id.
func (v *Visitor) StatusByPayment(ctx context.Context, order *Order) error {
	return v.status(ctx, v.merchant.Payment(order.Payment, ""))
}

// StatusByOrder requests the status of a paid order by its order_id.
func (v *Visitor) StatusByOrder(ctx context.Context, order *Order) error {
	return v.status(ctx, v.merchant.Order(order.Number))
}

func (v *Visitor) status(ctx context.Context, request client.Object) error {
	var payment struct{ Status string }
	if err := v.call(ctx, "/api/v1/payment/status", request, &payment); err != nil {
		return err
	}
	if payment.Status != "settled" {
		return fmt.Errorf("the payment is %q and not settled", payment.Status)
	}
	return nil
}
