package story

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/client"
	"checkout/internal/store"
)

// A request as existing clients send it (protocol.md, Requests) is paid like any other. One client sends its secret,
// which is neither logged nor stored.
func TestBodyOfAnExistingClient(t *testing.T) {
	w := open(t)
	hash := w.shop.Hash("1001", "10.5", "USD", "Order 1001")
	body := `{"merchant_key":"test-key","merchant_pass":"` + password + `","operation":"purchase","methods":[],
		"session_expiry":"15",
		"order":{"number":1001,"amount":10.5,"currency":"USD","description":"Order 1001"},
		"customer":[],"billing_address":{"country":"DE","house_number":305,"zip":10115,"state":"","phone":null},
		"parameters":[],"custom_data":[],"auth":"N","recurring_init":"false","req_token":0,
		"success_url":"https://shop.example/paid","cancel_url":"","url_target":null,
		"plugin":{"name":"x","version":[1,2]},"hash":"` + hash + `"}`
	payer := w.shop.opens("/api/v1/session", "1001", body)
	if got := payer.screen(); got.Order.Amount != "10.50" || got.LifetimeMS != (15*time.Minute).Milliseconds() {
		t.Errorf("the page shows %+v, %d ms", got.Order, got.LifetimeMS)
	}
	payer.pays("01/38")
	payer.is("settled")
	w.shop.told("sale success settled")
	if got := w.shop.Taken()[0].Fields.Get("order_amount"); got != "10.5" { // as the merchant sent it
		t.Errorf("order_amount %q", got)
	}
	w.ledgerIs("1 x 10.50 USD approved")
}

// Invalid requests are not logged either.
func TestRefusedBodiesAreNotLogged(t *testing.T) {
	w := open(t)
	for _, body := range []string{
		`{"merchant_pass":"` + password + `"`,
		`{"order":{"number":"` + password + `€"},"hash":"` + password + `"}`,
		`"` + password + `"`,
	} {
		code, response := w.call("POST", "/api/v1/session", body)
		if code != http.StatusBadRequest || strings.Contains(string(response), password) {
			t.Errorf("%d %s", code, response)
		}
	}
	if !strings.Contains(w.log.String(), `"route":"POST /api/v1/session"`) { // so that the leak check has lines to search
		t.Error("the requests were not logged")
	}
}

// The leak check of the harness finds every kind of leak.
func TestLeakCheckFindsLeaks(t *testing.T) {
	leaks := map[string]func(*World){
		"card number":     func(w *World) { w.app.Core.Log.Info("x", "card", TestCard) },
		"spaced number":   func(w *World) { w.app.Core.Log.Info("4111 1111 1111 1111") },
		"dashed number":   func(w *World) { w.app.Core.Log.Info("4111-1111-1111-1111") },
		"security code":   func(w *World) { w.app.Core.Log.Info("x", "c", securityCode) },
		"password":        func(w *World) { w.app.Core.Log.Info("x", "p", "a"+password+"b") },
		"callback secret": func(w *World) { w.app.Core.Log.Info("x", "p", callbackSecret) },
		"stored card": func(w *World) {
			doc := []byte(`{"number":"` + TestCard + `"}`)
			record := store.Record{Key: store.Key{Partition: "x", Sort: "x"}, Doc: doc}
			if err := w.app.Store.Save(t.Context(), w.clock.Now(), record); err != nil {
				t.Error(err)
			}
		},
		"queued card": func(w *World) {
			_ = w.queue.SendJob(t.Context(), payment.JobMessage{PaymentID: TestCard}, time.Hour)
		},
		"sent card": func(w *World) {
			w.shop.requests = append(w.shop.requests, Received{Callback: client.Callback{Body: []byte("a=4111+1111+1111+1111")}})
		},
		"sent code as JSON": func(w *World) {
			w.shop.requests = append(w.shop.requests, Received{Callback: client.Callback{Body: []byte(`{"a":"9173"}`)}})
		},
	}
	for name, leak := range leaks {
		found := &findings{}
		w := open(found)
		leak(w)
		for _, end := range found.cleanups {
			end()
		}
		if found.errors == 0 {
			t.Errorf("%s: the leak was not found", name)
		}
	}
}

// findings is a Tester that counts errors.
type findings struct {
	errors   int
	cleanups []func()
}

func (f *findings) Helper() {}

func (f *findings) Errorf(string, ...any) { f.errors++ }

func (f *findings) Fatalf(s string, a ...any) { panic(s) }

func (f *findings) Cleanup(end func()) { f.cleanups = append(f.cleanups, end) }

// custom_data of any size that the API accepts leads to a payment and callbacks that can be stored and sent.
func TestLargeCustomData(t *testing.T) {
	pairs := func(n int, value string) map[string]any {
		data := map[string]any{}
		for i := range n {
			data[string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676))] = value
		}
		return data
	}
	for name, data := range map[string]any{
		"marks":           map[string]any{"a": strings.Repeat("<&>", 80_000)},
		"line separators": map[string]any{"a": strings.Repeat("\u2028", 40_000)},
		"pairs":           pairs(4000, "x"),
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			var text strings.Builder
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(w.shop.Sign(w.shop.Order("pen-1", customData(data)))); err != nil {
				t.Fatal(err)
			}
			payer := w.shop.opens("/api/v1/session", "pen-1", text.String())
			payer.pays("01/38")
			payer.is("settled")
			w.shop.told("sale success settled")
		})
	}
	w := open(t)
	body := w.shop.Sign(w.shop.Order("pen-1", customData(pairs(15000, "x"))))
	if got := inWords(w.post("/api/v1/session", body)); !strings.HasPrefix(got, "400 100000 custom_data: ") {
		t.Errorf("too many pairs: %s", got)
	}
}
