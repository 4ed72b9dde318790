package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/local"
	shop "checkout/internal/local/client"
	"checkout/internal/settings"
)

// openEmbedded opens the service as `make run` has it, with its people and a shop.
func openEmbedded(t *testing.T) *app.Embedded {
	t.Helper()
	env := func(name string) string { return map[string]string{"BASE_URL": "https://pay.example"}[name] }
	e, err := app.InMemory(env, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	err = e.Merchants.Save(t.Context(), settings.Merchant{
		ID: "pens", Name: "The Pen Shop", LiveKey: "live", TestKey: "test", Password: "Pass-w0rd-of-the-shop",
		CallbackSecret: "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ==",
		Mappings: []settings.Mapping{{Name: "cards",
			MIDs: []settings.MID{{Name: "mid-1", Connector: "sandbox", Methods: []string{"card"}}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := local.GiveRoles(t.Context(), e.People, local.People); err != nil {
		t.Fatal(err)
	}
	return e
}

// pays pays an order with a key of the shop, and returns the payment's id.
func pays(t *testing.T, e *app.Embedded, key, order string) string {
	t.Helper()
	by := shop.Merchant{Key: key, Password: "Pass-w0rd-of-the-shop"}
	visit, err := shop.Open(func(r shop.Request) (int, []byte, error) {
		body, err := json.Marshal(r.Body)
		w := httptest.NewRecorder()
		e.Handler().ServeHTTP(w, httptest.NewRequest(r.Method, r.Path, bytes.NewReader(body)))
		return w.Code, w.Body.Bytes(), err
	}, "https://pay.example/", by.Sign(by.Session(order)))
	if err == nil {
		_, err = visit.Pay("01/38")
	}
	if err != nil {
		t.Fatal(err)
	}
	id := e.Queue.Pending()[0].Job.PaymentID
	e.Queue.Deliver(t.Context())
	return id
}

// The command finds, shows and refunds payments of the whole service with the rights of its people. A live payment is
// neither found nor refunded by who does not say that it is live.
func TestWholeService(t *testing.T) {
	e, f := openEmbedded(t), newAPI(t)
	test, live := pays(t, e, "test", "pen-1"), pays(t, e, "live", "pen-2")
	if err := e.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	defer running.Wait()
	defer stop()
	who := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Admin().ServeHTTP(w, r.WithContext(api.WithCaller(r.Context(), who, r.Header.Get("X-Admin-Via"))))
	}))
	defer server.Close()
	f.url = server.URL
	const refund = "payments refund --yes --reason why --amount "
	for _, line := range []struct {
		who, command, want string
		code               int
	}{
		{"local/support", "find pen-1", `"id":"` + test + `"`, exitDone},
		{"local/support", "find --live pen-2", `"id":"` + live + `"`, exitDone},
		{"local/support", "find --live pen-1", "", exitNotFound},
		{"local/support", "find pen-2", "", exitNotFound},
		{"local/support", "payments show " + test, `"state":"settled"`, exitDone},
		{"local/support", refund + "4.00 " + test, `"decided":true`, exitDone},
		{"local/support", refund + "6.01 " + test, "", exitFailed},
		{"local/support", refund + "4.00 " + live, "", exitMisused},
		{"local/admin", refund + "10.00 --live " + live, `"decided":true`, exitDone},
		{"local/admin", refund + "0.01 --live " + live, "", exitFailed},
		{"local/support", "payments show " + live, `"state":"refund"`, exitDone},
		{"local/support", "totals", "", exitNotAllowed},
		{"local/admin", "totals --live", `"returned":"10.00"`, exitDone},
		{"local/support", "audit verify", "", exitNotAllowed},
		{"local/admin", "audit verify", "", exitMisused}, // there is no bucket with copies
		{"local/nobody", "me", "", exitNotAllowed},
	} {
		who = line.who
		if err := e.IndexChanges(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := f.do(typing{}, "%s", line.command); got.code != line.code || !strings.Contains(got.out, line.want) {
			t.Errorf("%s, %s: %+v, want %s", line.who, line.command, got, line.want)
		}
	}
}
