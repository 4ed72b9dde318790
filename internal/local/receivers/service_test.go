package receivers

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/settings"
)

// shop is the merchant whose callbacks the samples get, with the key of its mode.
var shop = client.Merchant{Password: "pässword-Ü1", CallbackSecret: "whsec_cmVjZWl2ZXJzLXNlY3JldC0wMTIzNDU2Nzg5YWI="}

// description of an order has letters that only some languages put in upper case, and what JSON and forms escape.
const description = "Größe 10 % + \"it's\" & <b>\\ ı 咖啡 = 😀; a,b"

// callbacks pays, refunds and declines with callbacks as JSON and as forms. It returns these as they came, and what a
// receiver says of them.
func callbacks(t *testing.T) (sent []client.Callback, want []string) {
	t.Helper()
	page := t.TempDir()
	if err := os.WriteFile(filepath.Join(page, "index.html"), []byte("<!doctype html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	service, err := local.Start(t.Context(), local.Config{Root: "../../..", Page: page, Wallet: page, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Stop)
	came := make(chan client.Callback, 10)
	listener := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("callback: %v", err)
		}
		c, err := client.ReadCallback(r.Header, body)
		if err != nil {
			t.Errorf("callback: %v", err)
		}
		came <- c
	}))
	t.Cleanup(listener.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, asJSON := range map[string]bool{"json": true, "form": false} {
		merchant := settings.Merchant{ID: name, Name: name, LiveKey: name + "-live", TestKey: name + "-test",
			Password: shop.Password, CallbackSecret: shop.CallbackSecret, CallbackJSON: &asJSON,
			NotificationURL: listener.URL, TestNotificationURL: listener.URL,
			Mappings: []settings.Mapping{{Name: "default", MIDs: []settings.MID{
				{Name: "sandbox", Connector: settings.SandboxConnector, Methods: []string{"card"}}}}}}
		if err := service.App.Merchants.Save(ctx, merchant); err != nil {
			t.Fatal(err)
		}
		b := buyer{t: t, ctx: ctx, to: client.Service{URL: service.URL, HTTP: http.DefaultClient}, shop: shop}
		b.shop.Key = merchant.TestKey
		b.pay(name+"-paid", "01/38")
		paid := wait(ctx, t, came)
		b.call("/api/v1/payment/refund", b.shop.Payment(paid.Fields.Get("id"), "4.00"))
		refunded := wait(ctx, t, came)
		b.pay(name+"-declined", "02/38")
		sent = append(sent, paid, refunded, wait(ctx, t, came))
		want = append(want, "sale success settled "+name+"-paid 10.00", "refund success settled "+name+"-paid 4.00",
			"sale fail decline "+name+"-declined 10.00")
	}
	return sent, want
}

// buyer is a merchant's server and its payer.
type buyer struct {
	t    *testing.T
	ctx  context.Context
	to   client.Service
	shop client.Merchant
}

// call makes a request of body and returns its response.
func (b buyer) call(path string, body any) []byte {
	b.t.Helper()
	method := http.MethodPost
	if body == nil {
		method = http.MethodGet
	}
	status, response, err := b.to.Call(b.ctx, client.Request{Method: method, Path: path, Body: body})
	if err != nil || status != http.StatusOK {
		b.t.Fatalf("%s: %d %s %v", path, status, response, err)
	}
	return response
}

// pay pays an order with the test card of an expiry date, MM/YY.
func (b buyer) pay(number, expiry string) {
	b.t.Helper()
	visit, err := client.Open(b.to.In(b.ctx), b.to.URL+"/", b.shop.Sign(b.shop.Session(number, client.Object{
		"order":       client.Object{"description": description},
		"custom_data": client.Object{"order_amount": "1.00", "list": []string{"a,b", `"hash":"x"`}},
	})))
	if err == nil {
		_, err = visit.Pay(expiry)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
