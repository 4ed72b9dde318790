package story

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// hinted is an error with the hint of a hash.
type hinted struct {
	Errors []struct {
		Text string `json:"error_message"`
	}
	Hint *struct{ Signed, Algorithm, Differs, Text string }
}

// With a test key every call tells what it would have to sign, and in what a wrong hash differs; with a live key it
// tells nothing but that it is wrong.
func TestHintsOfHashes(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "01/38")
	for path, call := range map[string]struct {
		body   map[string]any
		signed string
	}{
		"session":         {w.shop.Order("pen-3"), "pen-310.00USDA pen"},
		"session/explain": {w.shop.Order("pen-3"), "pen-310.00USDA pen"},
		"payment/status":  {map[string]any{"payment_id": c.initial}, c.initial},
		"payment/capture": {map[string]any{"payment_id": c.initial, "amount": 1}, c.initial + "1"},
		"payment/refund":  {map[string]any{"payment_id": c.initial}, c.initial},
		"payment/void":    {map[string]any{"payment_id": c.initial}, c.initial},
		"payment/retry":   {map[string]any{"payment_id": c.initial}, c.initial},
		"payment/recurring": {w.shop.RecurringBody(c.initial, c.token, "pen-4", "5.00"),
			c.initial + c.token + "pen-45.00A pen again"},
	} {
		for hash, differs := range map[string]string{
			strings.Repeat("0", 40): "text or password", strings.Repeat("0", 32): "hash",
			w.shop.Hash(w.shop.merchant.TestKey, call.signed): "key",
		} {
			for _, key := range []string{w.shop.merchant.TestKey, w.shop.merchant.LiveKey} {
				call.body["merchant_key"], call.body["hash"] = key, hash
				code, text := w.call("POST", "/api/v1/"+path, call.body)
				var got hinted
				if err := json.Unmarshal(text, &got); err != nil || code != http.StatusUnauthorized ||
					len(got.Errors) != 1 || got.Errors[0].Text != "hash: Hash is not valid." {
					t.Fatalf("%s: %d %s %v", path, code, text, err)
				}
				live := key == w.shop.merchant.LiveKey
				if live != (got.Hint == nil) {
					t.Errorf("%s: %s", path, text)
				}
				if !live && (got.Hint.Signed != call.signed+"<password>" || got.Hint.Differs != differs) {
					t.Errorf("%s: %s", path, text)
				}
				if strings.Contains(string(text), password) || strings.Contains(string(text), w.shop.Hash(call.signed)) {
					t.Errorf("%s: the response has a secret: %s", path, text)
				}
			}
		}
	}
}

// A hint names what differs, and a valid explain tells what was signed, with a test key alone.
func TestHintOfExplain(t *testing.T) {
	w := open(t)
	explain := func(live bool, hash string) (int, string) {
		w.shop.live = live
		body := w.shop.Order("pen-1")
		body["hash"] = hash
		code, text := w.call("POST", "/api/v1/session/explain", body)
		return code, string(text)
	}
	right := w.shop.Hash("pen-1", "10.00", "USD", "A pen")
	code, text := explain(false, right)
	if code != http.StatusOK || !strings.Contains(text,
		`"hint":{"signed":"pen-110.00USDA pen<password>","algorithm":"sha1_hex(md5_hex(upper(signed)))"}`) {
		t.Errorf("a valid hash: %d %s", code, text)
	}
	if code, text = explain(true, right); code != http.StatusOK || strings.Contains(text, `"hint"`) {
		t.Errorf("a live key: %d %s", code, text)
	}
	w.shop.set(func(m *settings.Merchant) { m.SHA256 = true })
	w.skip(time.Hour)
	code, text = explain(false, right)
	if code != http.StatusUnauthorized || !strings.Contains(text, `"text":"It is sha1_hex(md5_hex(text))."`) ||
		!strings.Contains(text, `"algorithm":"sha1_hex(sha256_hex(upper(signed)))"`) {
		t.Errorf("MD5 with sha256: %d %s", code, text)
	}
}
