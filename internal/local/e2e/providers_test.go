package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
	"checkout/internal/local/simulator"
	"checkout/internal/merchant"
	"checkout/internal/settings"
)

// providerWorld is a world whose shop has the MIDs of the demo merchant, which lead to simulated providers.
type providerWorld struct {
	*world
	sim   *simulator.Simulator
	ahead atomic.Int64 // of the functions' clock, which is the providers' too: their signatures have a time limit
}

// openProviders opens a world whose functions are those of tests, and those of the older release at old beside them.
func openProviders(t *testing.T, old string) *providerWorld {
	folder, declared := functionsOfTests(t, root)
	if old != "" {
		old, _ = functionsOfTests(t, old)
	}
	w := &providerWorld{world: open(t, func(c *cloud.Config) { c.BinaryDir, c.OldDir = folder, old })}
	w.operator.Connectors[plain] = declared
	w.givesFinance()
	w.publishesRoots()
	running, err := local.StartSimulator(context.Background(), 0, "SIMULATOR_PORT", w.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	w.sim = running.Providers
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	var samples []settings.Merchant
	if err == nil {
		err = json.Unmarshal(text, &samples)
	}
	if err != nil {
		t.Fatal(err)
	}
	bare := w.shop.merchant // a file leaves mappings that it does not name
	bare.Mappings = nil
	if err := w.operator.Save(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	w.shop.merchant.Mappings = samples[0].Mappings
	w.takesWallets(running.URL)
	if text, err = json.Marshal([]settings.Merchant{w.shop.merchant}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "merchants.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	at := local.Addresses{Base: w.cloud.BaseURL(), Simulator: running.URL}
	if _, err := local.LoadShop(t.Context(), w.operator, file, at); err != nil {
		t.Fatal(err)
	}
	return w
}

// asks sends a request, again with the same Idempotency-Key as long as no function lives long enough to respond. It
// may be called by goroutines.
func (w *providerWorld) asks(method, path, key string, body any) (int, []byte) {
	service := client.Service{URL: w.cloud.BaseURL(), HTTP: &browser}
	request := client.Request{Method: method, Path: path, Key: key, Body: body}
	return w.repeats(method+" "+path, func() (int, []byte, error) { return service.Call(w.t.Context(), request) })
}

// repeats sends a request until a function has responded to it.
func (w *providerWorld) repeats(what string, send func() (int, []byte, error)) (int, []byte) {
	for end := time.Now().Add(patience); ; time.Sleep(150 * time.Millisecond) {
		code, reply, err := send()
		if err == nil && code < http.StatusInternalServerError && code != http.StatusConflict {
			return code, reply
		}
		if time.Now().After(end) {
			w.t.Errorf("%s has no response for %s: %d %s %v", what, patience, code, reply, err)
			return 0, nil
		}
	}
}

// patience is how long a request is repeated while functions are killed.
const patience = 5 * time.Minute

// payments are the payments of an order as the merchant's API says, the newest first. There may be none yet.
func (w *providerWorld) payments(order string) []merchant.PaymentObject {
	body := live.Order(order)
	body["size"] = 10
	code, text := w.asks("POST", "/api/v1/payment/status", "", body)
	var all []merchant.PaymentObject
	if err := json.Unmarshal(text, &all); err != nil || code != http.StatusOK {
		w.t.Errorf("status of %s: %d %s", order, code, text)
	}
	return all
}

// ends waits until everything that is due was done, with the functions' clock moved to what is due next. What is still
// unknown then is looked up for days: the clock is moved to the time when that is over. elsewhere is what other people
// do before each step.
func (w *providerWorld) ends(elsewhere func()) {
	w.t.Helper()
	for round := range 20 {
		elsewhere()
		w.idle()
		last := time.Time{}
		for _, item := range w.items() {
			if item.due.After(last) {
				last = item.due
			}
		}
		if last.IsZero() {
			return
		}
		if round == 6 {
			last = last.Add(31 * 24 * time.Hour)
		}
		w.setsClock(last.Add(time.Second))
		w.sweep()
	}
	for _, item := range w.items() {
		if !item.due.IsZero() {
			w.t.Errorf("%s %s stays due, however often the sweep is called: %s", item.pk, item.sk, item.doc)
		}
	}
}

// setsClock moves the functions' clock and the providers' forward.
func (w *providerWorld) setsClock(to time.Time) {
	w.setClock(to)
	w.ahead.Store(int64(w.world.ahead))
}

// now is the time by these clocks.
func (w *providerWorld) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// idle waits until no message can be received: those with a delay are for times that ends moves to.
func (w *providerWorld) idle() {
	w.t.Helper()
	w.until("no message can be received", func() bool { d := w.waiting(); return d.Visible+d.Hidden == 0 })
}
