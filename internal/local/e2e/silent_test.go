package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
)

// Charges to a provider that does not respond hold one environment of two, however many they are: another merchant's
// payment is settled before the first of them has ended. A machine that needs longer than that for the payment gets
// another try, with a provider of which nothing is known.
func TestSilentProviderLeavesPlaces(t *testing.T) {
	t.Parallel()
	w := open(t, func(c *cloud.Config) { c.Most = 2 })
	running, err := local.StartSimulator(t.Context(), 0, "SIMULATOR_PORT", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	at := local.Addresses{Base: w.cloud.BaseURL(), Simulator: running.URL}
	shop, err := local.LoadShop(t.Context(), w.operator, filepath.Join(root, "infra", "merchants.json"), at)
	if err != nil {
		t.Fatal(err)
	}
	other := client.Merchant{Key: shop.LiveKey, Password: shop.Password, CallbackSecret: shop.CallbackSecret}
	const tries = 5
	for try := range tries {
		if w.paidBesideSilence(other, fmt.Sprint("silent-", try)) {
			return
		}
	}
	t.Errorf("in %d tries no payment was settled before a silent charge ended", tries)
}

// paidBesideSilence reports whether another merchant's payment is settled before the first of many charges has ended
// to whom the provider of a new MID of the shop does not respond.
func (w *world) paidBesideSilence(other client.Merchant, mid string) bool {
	w.t.Helper()
	var reached, ended atomic.Int64
	release := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // else its end is not seen
		reached.Add(1)
		defer ended.Add(1)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer silent.Close()
	defer close(release)
	m := &w.shop.merchant.Mappings[0].MIDs[0]
	m.Name, m.Credentials["url"] = mid, silent.URL
	if err := w.operator.Save(w.t.Context(), w.shop.merchant); err != nil {
		w.t.Fatal(err)
	}
	for _, f := range w.cloud.Template().Functions {
		w.cloud.Kill(f.Name) // which know the merchant as it was
	}
	var sending sync.WaitGroup
	for range 30 {
		v := w.visitOf(live)
		pay := v.fill("01/38")
		sending.Go(func() { v.send(pay) })
	}
	sending.Wait()
	w.until("the provider was asked", func() bool { return reached.Load() > 0 })
	v := w.visitOf(other)
	v.send(v.fill("01/38"))
	w.until("the payment is settled", func() bool {
		code, body := w.call("POST", "/api/v1/payment/status", other.Order(v.order))
		var reply struct{ Status string }
		if err := json.Unmarshal(body, &reply); err != nil || code != http.StatusOK {
			w.t.Fatalf("status: %d %s", code, body)
		}
		return reply.Status == "settled"
	})
	return ended.Load() == 0
}
