package story

import (
	"fmt"
	"testing"
	"time"

	"checkout/internal/callback"
)

// A settled payment is refunded in parts, and never more than its amount.
func TestRefunds(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	for _, step := range []struct {
		amount, response, status string
	}{
		{"3.00", "200 accepted", "settled"},
		{"3.5", "200 accepted", "settled"},
		{"3.51", "400 208006 amount: This value should be 3.50 or less.", "settled"},
		{"0", "400 100000 amount: This value should be greater than 0.", "settled"},
		{
			"1.234",
			"400 100000 amount: This value is not valid. It should be a number such as 10.00: USD has 2 decimals.",
			"settled",
		},
		{"", "200 accepted", "refund"},
		{"", "400 208005 Refund is not allowed.", "refund"},
	} {
		if got := w.shop.refunds(id, step.amount); got != step.response {
			t.Errorf("refund of %q: %s, want %s", step.amount, got, step.response)
		}
		w.work()
		payer.is(step.status)
	}
	w.shop.told("sale success settled", "refund success settled", "refund success settled", "refund success refund")
	w.ledgerIs("1 x 10.00 USD approved")
	ids := map[string]bool{}
	for id := range eventIDs(w) {
		ids[id] = true
	}
	if len(ids) != 4 {
		t.Errorf("webhook-ids %v", ids)
	}
}

// Refunds that are not allowed, each with its error.
func TestRefundNotAllowed(t *testing.T) {
	w := open(t, operations)
	other := w.newShop("-2", operations)
	paid := w.shop.visits("paid")
	paid.pays("01/38")
	declined := w.shop.visits("declined")
	declined.pays("02/38")
	authorised := w.shop.visits("authorised", with("auth", true))
	authorised.pays("01/38")
	unused := w.shop.visits("unused")
	const badHash = "401 100000 hash: Hash is not valid."
	const badAmount = "400 100000 amount: This value is not valid. It should be a number such as 10.00."
	wrongHash := func(id string) string {
		return w.shop.asks("refund", map[string]any{"merchant_key": "test-key", "payment_id": id, "hash": "x"})
	}
	id := paid.paymentID()
	amount := func(amount any, signed string) string {
		return w.shop.asks("refund", w.shop.Body(map[string]any{"payment_id": id, "amount": amount}, id, signed))
	}
	tests := []struct{ name, got, want string }{
		{"declined", w.shop.refunds(declined.paymentID(), ""), "400 208005 Refund is not allowed."},
		{"authorised", w.shop.refunds(authorised.paymentID(), ""), "400 208005 Refund is not allowed."},
		{"unused", w.shop.refunds(unused.paymentID(), ""), "400 208005 Refund is not allowed."},
		{"another merchant's", other.refunds(paid.paymentID(), ""), "404 208001 Payment not found"},
		{"unknown", w.shop.refunds("x", ""), "404 208001 Payment not found"},
		{"wrong hash", wrongHash(id), badHash},
		{"wrong hash of nothing", wrongHash("x"), badHash},
		{
			"nothing sent", w.shop.asks("refund", map[string]any{}),
			"400 100000 merchant_key: This value should not be blank.",
		},
		{"amount as list", amount([]string{}, ""), badAmount},
		{"amount as number", amount(2.5, "2.5"), "200 accepted"},
		{"amount as text, signed otherwise", amount("2.5", "2.50"), badHash},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", test.name, test.got, test.want)
		}
	}
}

// Many workers send the callbacks of one payment at the same moment: each arrives once, in order.
func TestCallbacksOfRefundsAtOnce(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.queue.lose = loseCallbacks
	for range 10 {
		w.shop.refunds(id, "1.00")
	}
	w.work()
	w.queue.lose = nil
	w.atOnce(30, func(i int) {
		if err := w.app.Callbacks.SendCallback(t.Context(), callback.Message{PaymentID: id, Seq: 2 + i%10}); err != nil {
			t.Errorf("callback %d: %v", 2+i%10, err)
		}
	})
	w.pass(3 * time.Minute)
	if got := len(w.shop.Received()); got != 11 {
		t.Errorf("%d callbacks arrived", got)
	}
	for i, r := range w.shop.Received() {
		if want := fmt.Sprintf("msg_%s_%d", id, i+1); r.Header.Get("webhook-id") != want {
			t.Errorf("callback %d is %s", i+1, r.Header.Get("webhook-id"))
		}
	}
}
