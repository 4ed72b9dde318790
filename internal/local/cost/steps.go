package cost

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"checkout/internal/local/visitor"
)

// step is an action, which is measured if it has a name.
type step struct {
	name  string
	do    func() error
	in    time.Duration // after the functions were warm
	waits string        // the function that waits for the outcome and loads the payment again and again
	reads int64         // of single documents, beside those loads
	only  string        // the function that is measured alone; "": all
}

// visit is a payer's checkout, and the merchant's requests for its status.
func (m *meter) visit(ctx context.Context) []step {
	var paid, open *visitor.Order
	v := m.visitor
	return []step{
		{name: paidCheckout, do: func() (err error) { paid, err = v.Checkout(ctx); return err }, in: addressKnown},
		{name: session, do: func() (err error) { open, err = v.Session(ctx); return err }, in: merchantKnown},
		{name: pageLoad, do: func() error { _, err := v.Open(ctx, open, "form"); return err }, in: merchantKnown},
		{name: statusPayment, do: func() error { return v.StatusByPayment(ctx, paid) }, in: merchantKnown},
		{name: statusOrder, do: func() error { return v.StatusByOrder(ctx, paid) }, in: merchantKnown},
	}
}

// followUps are the merchant's operations on a payment.
func (m *meter) followUps(ctx context.Context) []step {
	var sold, held, wrong *visitor.Order
	v, auth := m.visitor, map[string]any{"auth": true}
	return []step{
		{do: func() (err error) { sold, err = v.Checkout(ctx); return err }},
		{do: func() (err error) { held, err = v.CheckoutWith(ctx, visitor.Paid, auth); return err }},
		{do: func() (err error) { wrong, err = v.CheckoutWith(ctx, visitor.Paid, auth); return err }},
		{name: refund, do: func() error { return v.Refund(ctx, sold) }, in: addressKnown},
		{name: capture, do: func() error { return v.Capture(ctx, held) }, in: addressKnown, waits: "capture", reads: 1},
		{name: void, do: func() error { return v.Void(ctx, wrong) }, in: addressKnown, waits: "void", reads: 1},
	}
}

// chains charges a chain without the payer.
func (m *meter) chains(ctx context.Context) []step {
	var first, soft, declined *visitor.Order
	v, begin := m.visitor, map[string]any{"recurring_init": true}
	return []step{
		{do: func() (err error) { first, err = v.CheckoutWith(ctx, visitor.Paid, begin); return err }},
		{do: func() (err error) { soft, err = v.CheckoutWith(ctx, visitor.Softly, begin); return err }},
		{do: func() (err error) { declined, err = v.Recurring(ctx, soft, "decline"); return err }},
		{name: retry, do: func() error { return v.Retry(ctx, declined) }, in: addressKnown},
		{name: later, do: func() error { _, err := v.Recurring(ctx, first, "settled"); return err }, in: addressKnown,
			waits: "recurring", reads: 1},
	}
}

// savedCards saves a card and pays with it, repeats a request, and requests an explanation of one.
func (m *meter) savedCards(ctx context.Context) []step {
	var first, open *visitor.Order
	v, key := m.visitor, rand.Text()
	again := func() error {
		_, err := v.SessionWith(ctx, visitor.SessionOptions{Number: open.Number, IdempotencyKey: key})
		return err
	}
	return []step{
		{name: savingCheckout, do: func() (err error) {
			first, err = v.CheckoutWith(ctx, visitor.Paid, map[string]any{"req_token": true})
			return err
		}, in: addressKnown},
		{name: savedCheckout, do: func() error { _, err := v.CheckoutSaved(ctx, first.Card); return err }, in: addressKnown},
		{name: keySession, do: func() (err error) {
			open, err = v.SessionWith(ctx, visitor.SessionOptions{IdempotencyKey: key})
			return err
		}, in: merchantKnown},
		{name: keyAgain, do: again, in: merchantKnown},
		{name: explain, do: func() error { return v.Explain(ctx) }, in: addressKnown},
	}
}

// wallets pays with a wallet on the page in both flows, and with a token that the merchant's server sends.
func (m *meter) wallets(ctx context.Context) []step {
	return []step{
		{name: walletCheckout, do: func() error { _, err := m.visitor.CheckoutWallet(ctx); return err }, in: addressKnown},
		{name: walletFromServer, do: func() error { return m.visitor.PayFromServer(ctx) }, in: addressKnown,
			waits: "session"},
		{name: virtualCheckout, do: func() error { _, err := m.live.CheckoutVirtual(ctx); return err }, in: addressKnown},
	}
}

// listing lists a paid checkout for operators: its session, what has become of it, and once more when nothing is new.
func (m *meter) listing(ctx context.Context) []step {
	list := func(order *visitor.Order) error {
		const hash = 15 // digits of an order's hash in a session id, which has the UUID's version behind the first 12
		partition := "order/" + order.Session[:12] + order.Session[13:hash+1]
		const record = `{"Records":[{"dynamodb":{"Keys":{"pk":{"S":%q}},"SequenceNumber":"1"}}]}`
		result, err := m.cloud.Invoke(ctx, "index", fmt.Appendf(nil, record, partition))
		if err == nil && string(result.Payload) != `{"batchItemFailures":[]}` {
			err = fmt.Errorf("index: %s", result.Payload)
		}
		return err
	}
	return []step{{name: listing, in: addressKnown, only: "index", do: func() error {
		order, err := m.visitor.CheckoutAfter(ctx, list)
		if err != nil {
			return err
		}
		if err := m.quiet(ctx); err != nil { // that the callback was taken is stored after the receiver has taken it
			return err
		}
		return errors.Join(list(order), list(order))
	}}}
}
