package story

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/api"
	"checkout/internal/page/form"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// recordingWriter records everything that a payer's browser is sent.
type recordingWriter struct {
	http.ResponseWriter
	seen *bytes.Buffer
}

func (s recordingWriter) Write(text []byte) (int, error) {
	s.seen.Write(text)
	return s.ResponseWriter.Write(text)
}

// recordsBrowsers returns a buffer for all that browsers are sent from now on: bodies and headers.
func (w *World) recordsBrowsers() *bytes.Buffer {
	var seen bytes.Buffer
	var mu sync.Mutex
	handler := w.server.Config.Handler
	w.server.Config.Handler = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			handler.ServeHTTP(out, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		handler.ServeHTTP(recordingWriter{out, &seen}, r)
		fmt.Fprintln(&seen, out.Header())
	})
	return &seen
}

// Nothing that the browser sees has a merchant key or a secret, and only a payer who paid gets a hash.
func TestWhatTheBrowserSees(t *testing.T) {
	const key = "a-key-that-turns-up-nowhere-else"
	for _, expiry := range []string{"01/38", "02/38", "05/38"} {
		w := open(t, func(m *settings.Merchant) {
			m.TestKey, m.Mappings[0].ReturnParameters, m.Mappings[0].MaxDeclines = key, true, 1
		})
		seen := w.recordsBrowsers()
		payer := w.shop.visits("pen-1")
		payer.pays(expiry)
		if expiry == "05/38" {
			payer.comesBack(payer.presses("confirm"))
			w.work()
		}
		screen := payer.screen()
		text := seen.String() + payer.Session
		if strings.Contains(text, key) || strings.Contains(text, w.shop.merchant.LiveKey) {
			t.Errorf("%s: the browser saw a merchant key", expiry)
		}
		for _, secret := range []string{password, callbackSecret} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the browser saw a secret", expiry)
			}
		}
		to, err := url.Parse(screen.Go.URL)
		if err != nil || to.Query().Get("payment_id") != payer.paymentID() {
			t.Fatalf("%s: redirected to %s, %v", expiry, screen.Go.URL, err)
		}
		if declined := expiry == "02/38"; (to.Query().Get("hash") == "") != declined {
			t.Errorf("%s: redirected to %s", expiry, to)
		}
	}
}

// A paid order stays paid after any number of further sessions with its number.
func TestPaidOrderStaysPaid(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	for i := range 320 {
		w.skip(15 * time.Second)
		last := w.shop.visits("pen-1", with("session_expiry", 720))
		if i == 310 {
			last.pays("02/38")
		}
	}
	if _, response := w.shop.status("order_id", "pen-1"); response["payment_id"] != id || response["status"] != "settled" {
		t.Errorf("status of the order: %v", response)
	}
}

// With one_payment_per_order, a session for a paid order is refused. Without the setting no more of
// the order is read than its first session, which has the lock against duplicates.
func TestOnePaymentPerOrder(t *testing.T) {
	w := open(t)
	counted := &countingStore{Store: w.store}
	w.app.Core.Store = counted
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.skip(16 * time.Second)
	before := counted.calls()
	w.shop.visits("pen-1")
	if got := counted.since(before); got != "Save 1, Get 1, Save 2" {
		t.Errorf("without the setting: %s", got)
	}
	w.shop.set(func(m *settings.Merchant) { m.Mappings[0].OnePaymentPerOrder = true })
	w.skip(61 * time.Second)
	got := inWords(w.post("/api/v1/session", w.shop.Sign(w.shop.Order("pen-1"))))
	if got != "400 100000 order.number: This value is not valid. This order is paid already." {
		t.Errorf("a paid order: %s", got)
	}
	declined := w.shop.visits("pen-2")
	declined.pays("02/38")
	w.skip(16 * time.Second)
	w.shop.visits("pen-2").pays("01/38")
}

// countingStore records the calls of the store.
type countingStore struct {
	store.Store
	mu   sync.Mutex
	made []string
}

func (s *countingStore) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made = append(s.made, what)
}

func (s *countingStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	s.count(fmt.Sprintf("Get %d", len(keys)))
	return s.Store.Get(ctx, now, keys...)
}

func (s *countingStore) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	s.count("List")
	return s.Store.List(ctx, now, query)
}

func (s *countingStore) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	s.count(fmt.Sprintf("Save %d", len(records)))
	return s.Store.Save(ctx, now, records...)
}

func (s *countingStore) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.made)
}

func (s *countingStore) since(n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.made[n:], ", ")
}

// An unknown merchant key and a known one with a wrong hash get the same response after the same reads and writes, at
// every call of the API, with cached settings and without. Only a test key gets a hint, too.
func TestKeysCantBeProbed(t *testing.T) {
	w := open(t, operations)
	c := w.shop.begins("pen-1", "01/38")
	counted := &countingStore{Store: w.store}
	w.app.Core.Store = counted
	unused := w.shop.visits("pen-2").paymentID()
	bodies := map[string]map[string]any{
		"session":                   w.shop.Order("pen-3"),
		"session/explain":           w.shop.Order("pen-3"),
		"payment/status":            {"payment_id": c.initial},
		"payment/status?prepare":    {"payment_id": unused},
		"payment/status?order":      {"order_id": "pen-1"},
		"payment/status?many":       {"order_id": "pen-1", "size": 5},
		"payment/capture":           {"payment_id": c.initial},
		"payment/refund":            {"payment_id": c.initial, "amount": "1.00"},
		"payment/refund?prepare":    {"payment_id": unused},
		"payment/refund?number":     {"payment_id": c.initial, "amount": 1},
		"payment/void":              {"payment_id": c.initial},
		"payment/retry":             {"payment_id": c.initial},
		"payment/recurring":         w.shop.RecurringBody(c.initial, c.token, "pen-4", "5.00"),
		"payment/recurring/stop":    {"recurring_init_trans_id": c.initial, "recurring_token": c.token},
		"payment/recurring?unknown": w.shop.RecurringBody(unused, c.token, "pen-4", "5.00"),
	}
	for _, route := range api.All(&api.Services{}) {
		name, ours := strings.CutPrefix(route.Path, "/api/v1/")
		if ours && !strings.Contains(name, "{") && bodies[name] == nil {
			t.Errorf("bodies has no call of %s", route.Path)
		}
	}
	for path, body := range bodies {
		for _, cached := range []bool{false, true} {
			work := map[string]string{}
			for _, key := range []string{w.shop.merchant.LiveKey, w.shop.merchant.TestKey, "a-key-of-nobody"} {
				name, _, _ := strings.Cut(path, "?")
				body["merchant_key"], body["hash"] = key, strings.Repeat("0", 40)
				w.skip(time.Hour) // longer than settings are cached
				if cached {
					w.call("POST", "/api/v1/"+name, body)
				}
				before := counted.calls()
				code, text := w.call("POST", "/api/v1/"+name, body)
				if code != http.StatusUnauthorized {
					t.Fatalf("%s: %d %s", path, code, text)
				}
				text, _, _ = bytes.Cut(text, []byte(`,"hint":`)) // of the test key
				work[key] = counted.since(before) + " " + strings.TrimRight(string(text), "}\n")
			}
			unknown := work["a-key-of-nobody"]
			for key, known := range work {
				if known != unknown {
					t.Errorf("%s, cached %v: %s %s; an unknown key %s", path, cached, key, known, unknown)
				}
			}
		}
	}
}

// An order's status shows a settled payment, rather than an address without money or a second payment that was
// refunded.
func TestPaidOrderStaysPaidBesideOthers(t *testing.T) {
	w := open(t, operations, coins)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.skip(16 * time.Second)
	second := w.shop.visits("pen-1")
	second.send(second.attempt("01/38"))
	w.work()
	_, all := w.shop.status("order_id", "pen-1", "size", "1")
	newest := all["list"].([]any)[0].(map[string]any)["payment_id"].(string)
	if got := w.shop.refunds(newest, ""); newest == id || got != "200 accepted" {
		t.Fatalf("refund of the second payment: %s", got)
	}
	w.work()
	if _, response := w.shop.status("order_id", "pen-1"); response["payment_id"] != id || response["status"] != "settled" {
		t.Errorf("beside a payment that was refunded: %v", response)
	}
	w.skip(16 * time.Second)
	bitcoin := map[string]any{"number": "pen-1", "amount": "0.001", "currency": "BTC", "description": "A pen"}
	elsewhere := w.shop.visits("pen-1", with("order", bitcoin), cryptoBTC)
	elsewhere.send(form.Request{Attempt: uuid.NewString(), Method: "crypto"})
	w.work()
	if _, response := w.shop.status("order_id", "pen-1"); response["payment_id"] != id || response["status"] != "settled" {
		t.Errorf("beside an address that nobody paid: %v", response)
	}
}

// An order is not paid while an address of it has got no money: further sessions are possible.
func TestOnePaymentPerOrderBesideAnAddress(t *testing.T) {
	w := open(t, coins, func(m *settings.Merchant) { m.Mappings[0].OnePaymentPerOrder = true })
	payer := w.shop.opensCrypto("0.001", 60)
	id := payer.paymentID()
	w.skip(16 * time.Second)
	w.shop.visits("pen-1")
	payer.sends(id, "pay")
	payer.is("settled")
	w.skip(16 * time.Second)
	got := inWords(w.post("/api/v1/session", w.shop.Sign(w.shop.Order("pen-1"))))
	if got != "400 100000 order.number: This value is not valid. This order is paid already." {
		t.Errorf("a paid order: %s", got)
	}
}

// The id of a session's first payment stays known after any number of further sessions with its order number.
func TestPreparedPaymentStaysKnown(t *testing.T) {
	w := open(t)
	first := w.shop.visits("pen-1", with("session_expiry", 720))
	id := first.paymentID()
	for range 301 {
		w.skip(15 * time.Second)
		w.shop.visits("pen-1", with("session_expiry", 720))
	}
	if code, response := w.shop.status("payment_id", id); code != http.StatusOK || response["status"] != "prepare" {
		t.Errorf("status: %d %v", code, response)
	}
	if got := w.shop.refunds(id, "1.00"); !strings.HasPrefix(got, "400 ") {
		t.Errorf("refund: %s", got)
	}
}
