package story

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/change"
)

// rotates replaces a key or secret of the shop, which uses the new one from then on. It returns the shop with the old
// one.
func (s *Shop) rotates(what string, overlap time.Duration) (old *Shop) {
	s.w.t.Helper()
	before := s.AsItIs()
	rotation := change.Rotation{Merchant: s.merchant.ID, What: what, Overlap: overlap}
	value, err := s.w.app.Merchants.Rotate(context.Background(), rotation)
	if err != nil {
		s.w.t.Fatalf("rotate %s: %v", what, err)
	}
	*map[string]*string{
		"key":             &s.merchant.LiveKey,
		"test-key":        &s.merchant.TestKey,
		"password":        &s.merchant.Password,
		"callback-secret": &s.merchant.CallbackSecret,
	}[what] = value
	return before
}

// statusOf requests the status of a payment and returns it in words: "200 settled".
func (s *Shop) statusOf(id string) string {
	s.w.t.Helper()
	return inWords(s.status("payment_id", id))
}

// Old keys and passwords are valid until the overlap ends, also in functions with cached settings. Without an overlap
// they are invalid as soon as cached settings expire, within a minute, and so is an earlier one with an overlap.
func TestRotationWithOverlap(t *testing.T) {
	for _, what := range []string{"test-key", "password"} {
		t.Run(what, func(t *testing.T) {
			w := open(t, operations)
			w.shop.visits("pen-1").pays("01/38")
			_, paid := w.shop.status("order_id", "pen-1")
			id := paid["payment_id"].(string)
			old := w.shop.rotates(what, 24*time.Hour)
			w.skip(time.Minute) // until cached settings expire
			for _, s := range []*Shop{old, w.shop} {
				if got := s.statusOf(id); got != "200 settled" {
					t.Errorf("during the overlap: %s", got)
				}
				if got := s.refunds(id, "1.00"); got != "200 accepted" {
					t.Errorf("refund during the overlap: %s", got)
				}
			}
			old.visits("pen-2").pays("01/38")
			w.skip(24*time.Hour - time.Minute - time.Millisecond)
			if got := old.statusOf(id); got != "200 settled" {
				t.Errorf("at the end of the overlap: %s", got)
			}
			w.skip(time.Millisecond)
			if got := old.statusOf(id); got != "401 100000 hash: Hash is not valid." {
				t.Errorf("after the overlap: %s", got)
			}
			first := w.shop.rotates(what, 24*time.Hour)
			w.skip(time.Minute)
			second := w.shop.rotates(what, 0)
			w.skip(time.Minute)
			for _, old := range []*Shop{first, second} {
				if got := old.statusOf(id); got != "401 100000 hash: Hash is not valid." {
					t.Errorf("replaced at once: %s", got)
				}
			}
			if got := w.shop.statusOf(id); got != "200 settled" {
				t.Errorf("the new one: %s", got)
			}
		})
	}
}

// A shop may use a new key or password at once, although functions have cached the old one a second ago: at every call,
// also if it has tried the new key too early.
func TestNewOneIsGoodAtOnce(t *testing.T) {
	for _, what := range []string{"test-key", "password"} {
		w := open(t, operations)
		w.shop.visits("pen-1").pays("01/38")
		_, paid := w.shop.status("order_id", "pen-1")
		id := paid["payment_id"].(string)
		for n, overlap := range []time.Duration{0, time.Hour} {
			early := w.shop.AsItIs()
			early.merchant.TestKey = fmt.Sprint("key-", n)
			early.statusOf(id)
			w.skip(time.Second)
			if _, err := w.app.Merchants.Rotate(t.Context(), change.Rotation{
				Merchant: w.shop.merchant.ID, What: what, Overlap: overlap, To: fmt.Sprint("key-", n),
			}); err != nil {
				t.Fatal(err)
			}
			if what == "password" {
				w.shop.merchant.Password = fmt.Sprint("key-", n)
			} else {
				w.shop.merchant.TestKey = fmt.Sprint("key-", n)
			}
			w.shop.visits(fmt.Sprint("new-", what, n)).pays("01/38")
			if got := w.shop.statusOf(id) + ", " + w.shop.refunds(id, "1.00"); got != "200 settled, 200 accepted" {
				t.Errorf("%s with an overlap of %s: %s", what, overlap, got)
			}
		}
	}
}

// The service signs with the new password: callbacks and returns, also of sessions that were open.
func TestPasswordRotatedSignsWithTheNewOne(t *testing.T) {
	w := open(t, func(m *settings.Merchant) { m.Mappings[0].ReturnParameters = true })
	payer := w.shop.visits("pen-1")
	w.shop.rotates("password", time.Hour)
	w.skip(time.Minute)
	payer.pays("01/38")
	w.shop.told("sale success settled")
	id := payer.paymentID()
	want := "hash=" + w.shop.Hash(id, "pen-1", "10.00", "USD", "A pen")
	if got := words(payer.screen()); !strings.Contains(got, want) {
		t.Errorf("the payer sees %s, want %s", got, want)
	}
}

// A due callback is signed with the current secret, and during an overlap with the old one, too.
func TestCallbackSecretRotated(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.shop.visits("pen-1").pays("01/38")
	first := w.shop.rotates("callback-secret", 10*time.Minute)
	signedBy := func() (signatures int, by []string) {
		all := w.shop.Received()
		last := all[len(all)-1]
		for name, s := range map[string]*Shop{"old": first, "new": w.shop} {
			if s.client().CheckSignature(last.Callback) == nil {
				by = append(by, name)
			}
		}
		return len(strings.Split(last.Header.Get("webhook-signature"), " ")), by
	}
	w.pass(2 * time.Minute)
	if n, by := signedBy(); n != 2 || len(by) != 2 {
		t.Errorf("during the overlap %d signatures, good for %v", n, by)
	}
	w.skip(10 * time.Minute)
	w.shop.responds(200)
	w.pass(30 * time.Minute)
	if n, by := signedBy(); n != 1 || fmt.Sprint(by) != "[new]" {
		t.Errorf("after the overlap %d signatures, good for %v", n, by)
	}
	w.shop.told("sale success settled")
}

// No document has a password, callback secret or credential in plain text or base64.
func TestNoSecretInAnyDocument(t *testing.T) {
	w := open(t, func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": "of-the-provider"}
	})
	w.shop.visits("pen-1").pays("01/38")
	w.shop.rotates("password", time.Hour)
	w.shop.rotates("callback-secret", time.Hour)
	secrets := []string{
		password, callbackSecret, "of-the-provider", w.shop.merchant.Password, w.shop.merchant.CallbackSecret,
	}
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	encrypted := 0
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Partition, "secret/") {
			encrypted++
		}
		for _, secret := range secrets {
			plain := strings.TrimPrefix(secret, "whsec_")
			for _, form := range []string{plain, encode(plain), encode(secret)} {
				if strings.Contains(string(record.Doc), strings.TrimRight(form, "=")) {
					t.Errorf("%s holds a secret: %s", record.Key.Partition, record.Doc)
				}
			}
		}
	}
	if encrypted != 3 {
		t.Errorf("%d documents of secrets, want one for each use", encrypted)
	}
}
