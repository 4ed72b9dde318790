package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/card"
	"checkout/internal/local/client"
	"checkout/internal/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// tableService is the whole service in this process, with a merchant, on a table at the endpoint of AWS's own
// variables.
func tableService(t *testing.T, table string, m settings.Merchant) *app.Embedded {
	t.Helper()
	e, err := app.InMemory(func(name string) string { return map[string]string{"BASE_URL": "https://pay.example"}[name] },
		slog.New(slog.NewJSONHandler(io.Discard, nil)), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if e.Core.Store, err = app.OpenTable(t.Context(), func(name string) string {
		return map[string]string{"TABLE": table, "VAULT_TABLE": vaultTable(table)}[name]
	}); err != nil {
		t.Fatal(err)
	}
	e.Merchants.Store = e.Core.Store
	keys := card.Keys{Store: e.Core.Store, Vault: e.Worker.Vault, Cache: &card.KeyCache{}}
	if err := keys.RotateDayKeys(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := e.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return e
}

func shop() settings.Merchant {
	return settings.Merchant{
		ID: "shop", Name: "The Pen Shop", LiveKey: "live-key", TestKey: "test-key", Password: "Pass-w0rd-of-the-shop",
		CallbackSecret: "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ==",
		Mappings: []settings.Mapping{{Name: "cards",
			MIDs: []settings.MID{{Name: "mid-1", Connector: "sandbox", Methods: []string{"card"}}}}},
	}
}

// newSession creates a session and returns its id.
func newSession(t *testing.T, e *app.Embedded) string {
	t.Helper()
	by := client.Merchant{Key: "test-key", Password: shop().Password}
	body, err := json.Marshal(by.Sign(by.Session("pen-1")))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	e.API.Handler(api.All()).ServeHTTP(w, httptest.NewRequest("POST", "/api/v1/session", bytes.NewReader(body)))
	id, err := client.SessionOf(w.Body.Bytes(), "https://pay.example/")
	if err != nil || id == "" {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	return id
}

func TestShowPayment(t *testing.T) {
	_, table := newTable(t)
	e := tableService(t, table, shop())
	id := newSession(t, e)
	records, err := e.Core.Store.List(t.Context(), time.Now(),
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

// A refund that waits for a person is listed and settled once, and the next run of its job applies that.
func TestSettlePayment(t *testing.T) {
	_, table := newTable(t)
	e := tableService(t, table, shop())
	now := time.Now().UTC().Truncate(time.Millisecond)
	id := store.NewPaymentID(store.OrderHash("shop/test", "pen-1"), now, []byte("0123"))
	waiting := savePaymentThatWaits(t, e.Core.Store, id, now.Add(-80*time.Hour))
	var out bytes.Buffer
	call := func(args ...string) error {
		out.Reset()
		args = append(args, "-table", table)
		if args[0] == "settle" || args[0] == "look-up" { // no connector function runs here
			args = append(args, "-wait", "0s")
		}
		return run(t.Context(), append([]string{"payments"}, args...), none, &out)
	}
	if err := call("waiting"); err != nil || !strings.Contains(out.String(), "refund of 4.00 USD") ||
		!strings.Contains(out.String(), id) || !strings.HasSuffix(out.String(), "\n1 wait for a person\n") {
		t.Errorf("%v\n%s", err, &out)
	}
	other := store.NewPaymentID(store.OrderHash("shop/test", "pen-2"), now, []byte("4567"))
	savePaymentThatWaits(t, e.Core.Store, other, now.Add(-90*time.Hour))
	if err := call("waiting", "-limit", "1"); err != nil || !strings.HasPrefix(out.String(), other) {
		t.Errorf("%v\n%s", err, &out)
	}
	_, after, _ := strings.Cut(strings.TrimSpace(out.String()), "more with: -after ")
	if err := call("waiting", "-limit", "1", "-after", after); err != nil || !strings.HasPrefix(out.String(), id) ||
		strings.Contains(out.String(), "more with") {
		t.Errorf("after %q: %v\n%s", after, err, &out)
	}
	for name, args := range map[string][]string{
		"no name":       {"settle", "-reason", "Seen.", id, "approved"},
		"no outcome":    {"settle", "-by", "Ann", "-reason", "Seen.", id, "maybe"},
		"another job":   {"settle", "-by", "Ann", "-reason", "Seen.", id, "approved", "x"},
		"other payment": {"settle", "-by", "Ann", "-reason", "Seen.", strings.Repeat("0", 36), "approved"},
	} {
		if err := call(args...); err == nil {
			t.Errorf("%s: %s", name, &out)
		}
	}
	if err := call("look-up", id); err != nil || !strings.Contains(out.String(), "look-up: not executed yet") {
		t.Errorf("look-up: %v\n%s", err, &out)
	}
	if err := e.Worker.RunJob(t.Context(), payment.JobMessage{PaymentID: id}); err != nil {
		t.Fatal(err)
	}
	if err := call("waiting"); err != nil || !strings.Contains(out.String(), "the provider says: it never received") {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := call("settle", "-by", "Ann", "-reason", "Seen at the bank.", id, "approved"); err != nil {
		t.Fatal(err)
	}
	if err := call("settle", "-by", "Bo", "-reason", "Seen, too.", id, "declined", waiting); err == nil ||
		!strings.Contains(err.Error(), "Ann has decided it already.") {
		t.Errorf("settled twice: %v", err)
	}
	if err := e.Worker.RunJob(t.Context(), payment.JobMessage{PaymentID: id}); err != nil {
		t.Fatal(err)
	}
	if err := call("show", id); err != nil || !strings.Contains(out.String(), "approved by Ann, Seen at the bank.") ||
		!strings.Contains(out.String(), "refund of 4.00 at mid-1: success") {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := call("waiting"); err != nil || strings.Contains(out.String(), id) {
		t.Errorf("%v\n%s", err, &out)
	}
}

// savePaymentThatWaits stores a settled payment with a refund that waits for a person, and returns its reference.
func savePaymentThatWaits(t *testing.T, docs store.Store, id string, since time.Time) (reference string) {
	t.Helper()
	key, err := store.PaymentKey(id)
	if err != nil {
		t.Fatal(err)
	}
	at := `"` + since.Format(time.RFC3339Nano) + `"`
	doc := `{"id":"` + id + `","merchant":"shop","test":true,"operation":"purchase","mapping":"cards","mid":"mid-1",
		"connector":"sandbox","method":"card","order":{"number":"pen-1","amount":"10.00","currency":"USD"},
		"amount":"10.00","captured":"10.00","status":"settled","created_at":` + at + `,
		"transactions":[{"type":"sale","status":"success","date":` + at + `,"amount":"10.00"}],
		"jobs":[{"kind":"refund","reference":"refund-1","amount":"4.00","sent_at":` + at + `,"released":true,
			"unknown_since":` + at + `,"person":true}]}`
	record := store.Record{Key: key, Doc: []byte(doc), DueAt: since, DueKind: store.DuePerson}
	if err := docs.Save(t.Context(), time.Now(), record); err != nil {
		t.Fatal(err)
	}
	return "refund-1"
}
