package story

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/internal/settings"
)

// Order numbers and Idempotency-Keys belong to the merchant, not to its key.
func TestKeyReplacedBetweenRepeats(t *testing.T) {
	w := open(t, operations)
	w.shop.visits("pen-1").pays("01/38")
	_, paid := w.shop.status("order_id", "pen-1")
	id := paid["payment_id"].(string)
	refund := func() string {
		code, response := w.postWithKey("once", "/api/v1/payment/refund", w.shop.AmountBody(id, "4.00"))
		return fmt.Sprint(code, " ", response)
	}
	first := refund()
	w.shop.visits("pen-2")
	w.shop.set(func(m *settings.Merchant) { m.TestKey = "another-test-key" })
	if got := inWords(w.post("/api/v1/session", w.shop.Sign(w.shop.Order("pen-2")))); got != "400 400 Duplicate request." {
		t.Errorf("the same order at once: %s", got)
	}
	// The body of the repeat has another merchant_key.
	if got := refund(); !strings.Contains(got, "This key was used with another request.") {
		t.Errorf("the same Idempotency-Key: %s, at first %s", got, first)
	}
}

// A key belongs to one merchant and one mode. A merchant with the key of another one is refused, and nothing is stored.
func TestKeyOfAnotherMerchant(t *testing.T) {
	w := open(t)
	other := w.newShop("-2")
	save := func(m settings.Merchant) string {
		if err := w.app.Merchants.Save(t.Context(), m); err != nil {
			return err.Error()
		}
		return "stored"
	}
	before := fmt.Sprint(w.app.Store.Dump())
	const liveTaken = "live_key: This key belongs to another merchant."
	const testTaken = "test_key: This key belongs to another merchant."
	const otherMode = "live_key: This key belongs to the merchant's other mode."
	for _, test := range []struct {
		name   string
		change func(*settings.Merchant)
		want   string
	}{
		{"live key", func(m *settings.Merchant) { m.LiveKey = w.shop.merchant.LiveKey }, liveTaken},
		{"test key as the live one", func(m *settings.Merchant) { m.LiveKey = w.shop.merchant.TestKey }, liveTaken},
		{"test key", func(m *settings.Merchant) { m.TestKey, m.LiveKey = w.shop.merchant.TestKey, "new" }, testTaken},
		{"its own, exchanged", func(m *settings.Merchant) { m.LiveKey, m.TestKey = m.TestKey, m.LiveKey }, otherMode},
		{"of a new merchant", func(m *settings.Merchant) { m.ID, m.LiveKey = "new", "new" }, testTaken},
	} {
		m := other.merchant
		test.change(&m)
		if got := save(m); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", test.name, got)
		}
	}
	if after := fmt.Sprint(w.app.Store.Dump()); after != before {
		t.Errorf("a refused merchant changed the store: %s\nwas\n%s", after, before)
	}
	// Two merchants with one key are saved at once: one of them is stored, and nothing of the other.
	var wait sync.WaitGroup
	got := make([]string, 2)
	for i := range got {
		m := other.merchant
		m.ID, m.LiveKey, m.TestKey = fmt.Sprint("race-", i), "contended", fmt.Sprint("race-", i)
		wait.Go(func() { got[i] = save(m) })
	}
	wait.Wait()
	slices.Sort(got)
	if got[1] != "stored" || !strings.Contains(got[0], liveTaken) {
		t.Errorf("two at once: %q", got)
	}
}
