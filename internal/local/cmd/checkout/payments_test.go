package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/merchant"
	"checkout/internal/store"
)

// tableService is the whole service in this process, with a merchant, on a table at the endpoint of AWS's own
// variables.
func tableService(t *testing.T, table string, m merchant.Merchant) *app.Embedded {
	t.Helper()
	e, err := app.InMemory(func(name string) string { return map[string]string{"BASE_URL": "https://pay.example"}[name] },
		slog.New(slog.NewJSONHandler(io.Discard, nil)), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if e.Service.Store, err = app.OpenTable(t.Context(), func(name string) string {
		return map[string]string{"TABLE": table, "VAULT_TABLE": vaultTable(table)}[name]
	}); err != nil {
		t.Fatal(err)
	}
	e.Merchants.Store = e.Service.Store
	if err := e.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return e
}

func shop() merchant.Merchant {
	return merchant.Merchant{
		ID: "shop", Name: "The Pen Shop", LiveKey: "live-key", TestKey: "test-key", Password: "Pass-w0rd-of-the-shop",
		CallbackSecret: "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ==",
		Mappings: []merchant.Mapping{{Name: "cards",
			MIDs: []merchant.MID{{Name: "mid-1", Connector: "sandbox", Methods: []string{"card"}}}}},
	}
}

// newSession creates a session and returns its id. The hash is that of the specification over these texts and the
// password.
func newSession(t *testing.T, e *app.Embedded) string {
	t.Helper()
	body := `{"merchant_key":"test-key","operation":"purchase","success_url":"https://shop.example/paid",
		"order":{"number":"pen-1","amount":"10.00","currency":"USD","description":"A pen"},"hash":"` + penHash + `"}`
	w := httptest.NewRecorder()
	e.API.Handler(api.All()).ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/session", strings.NewReader(body)))
	_, id, found := strings.Cut(w.Body.String(), "?session=")
	if w.Code != http.StatusOK || !found {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return id[:64]
}

// penHash is sha1_hex(md5_hex(upper("pen-1" + "10.00" + "USD" + "A pen" + password))).
const penHash = "648ee8d86053971978890de2f8c68cb4033689bd"

func TestShowPayment(t *testing.T) {
	_, table := newTable(t)
	e := tableService(t, table, shop())
	id := newSession(t, e)
	records, err := e.Service.Store.List(t.Context(), time.Now(),
		store.Query{Partition: "order/" + id[:12] + id[13:16], Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	_, payment, _ := strings.Cut(string(records[0].Doc), `"first_payment_id":"`)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"payments", "show", "-table", table, payment[:36]}, none, &out); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"payment        " + payment[:36], "session        " + id[:32] + ", open",
		"created: purchase of 10.00 USD"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
	if strings.Contains(out.String(), id[32:]) {
		t.Error("it shows the part of the session id that opens the page")
	}
	err = run(t.Context(), []string{"payments", "show", "-table", table, strings.Repeat("0", 36)}, none, &out)
	if err == nil || !strings.Contains(err.Error(), "Payment not found") {
		t.Errorf("an unknown payment: %v", err)
	}
}
