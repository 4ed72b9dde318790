package story

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/store"
)

// Calls with the same Idempotency-Key and body take effect once, and get the first response for a day.
func TestIdempotencyKey(t *testing.T) {
	w := open(t, operations)
	paid := w.shop.visits("paid")
	paid.pays("01/38")
	authorised := w.shop.visits("authorised", with("auth", true))
	authorised.pays("01/38")
	calls := map[string]any{
		"/api/v1/session":         w.shop.Sign(w.shop.Order("pen-1")),
		"/api/v1/payment/refund":  w.shop.AmountBody(paid.paymentID(), "4.00"),
		"/api/v1/payment/capture": w.shop.AmountBody(authorised.paymentID(), "5.00"),
	}
	for path, body := range calls {
		code, first := w.postWithKey("key of "+path, path, body)
		if code != http.StatusOK {
			t.Errorf("%s: %d %s", path, code, first)
		}
		w.pass(time.Minute)
		w.pass(23 * time.Hour)
		if code, again := w.postWithKey("key of "+path, path, body); code != http.StatusOK || again != first {
			t.Errorf("%s: first %s, again %d %s", path, first, code, again)
		}
	}
	paid.is("settled")
	if got := w.shop.refunds(paid.paymentID(), "6.01"); got != "400 208006 amount: This value should be 6.00 or less." {
		t.Errorf("refunded more than once: %s", got)
	}
	authorised.is("settled")
}

func TestIdempotencyKeyRefused(t *testing.T) {
	w := open(t, operations)
	body := w.shop.Sign(w.shop.Order("pen-1"))
	other := w.shop.Sign(w.shop.Order("pen-2"))
	if code, text := w.postWithKey("one", "/api/v1/session", body); code != http.StatusOK {
		t.Fatalf("%d %s", code, text)
	}
	for _, test := range []struct {
		name, key string
		body      any
		want      string
	}{
		{"another body", "one", other, "Idempotency-Key: This key was used with another request."},
		{"too long", strings.Repeat("x", 256), other, "Idempotency-Key: This value is not valid."},
		{"not ASCII", "schlüssel", other, "Idempotency-Key: This value is not valid."},
		{"another key, same order", "two", body, "Duplicate request."},
	} {
		code, text := w.postWithKey(test.key, "/api/v1/session", test.body)
		if code != http.StatusBadRequest || !strings.Contains(text, test.want) {
			t.Errorf("%s: %d %s", test.name, code, text)
		}
	}
	// A wrong hash doesn't get the key's first response. The same key of another merchant is another key.
	stolen := w.shop.Order("pen-1", with("hash", "x"))
	code, text := w.postWithKey("one", "/api/v1/session", stolen)
	if code != http.StatusUnauthorized || strings.Contains(text, "redirect_url") {
		t.Errorf("a wrong hash: %d %s", code, text)
	}
	neighbour := w.newShop("-2")
	body = neighbour.Sign(neighbour.Order("pen-1"))
	if code, text := w.postWithKey("one", "/api/v1/session", body); code != http.StatusOK {
		t.Errorf("the same key of another merchant: %d %s", code, text)
	}
	w.skip(24 * time.Hour)
	if code, text := w.postWithKey("one", "/api/v1/session", other); code != http.StatusOK {
		t.Errorf("a day later: %d %s", code, text)
	}
}

// hookedStore calls do once, after a document of a partition was read.
type hookedStore struct {
	store.Store
	prefix string
	once   sync.Once
	do     func()
}

func (h *hookedStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	records, err := h.Store.Get(ctx, now, keys...)
	if strings.HasPrefix(keys[0].Partition, h.prefix) {
		h.once.Do(h.do)
	}
	return records, err
}

// A key that expires while a request is under way never leads to an empty response.
func TestIdempotencyKeyAtItsEnd(t *testing.T) {
	w := open(t, operations)
	body := w.shop.Sign(w.shop.Order("pen-1"))
	w.postWithKey("one", "/api/v1/session", body)
	w.skip(24*time.Hour - time.Millisecond)
	expire := func() { w.clock.Move(5 * time.Millisecond) }
	w.app.Core.Store = &hookedStore{Store: w.store, prefix: "merchant/", do: expire}
	code, text := w.postWithKey("one", "/api/v1/session", body)
	if !(code == 200 && strings.Contains(text, "redirect_url")) && code != 500 {
		t.Errorf("%d %s", code, text)
	}
}
