package plugins

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/settings"
)

// merchant is whose shop has the plugin, with the key of its mode.
var merchant = client.Merchant{Key: "woo-test", Password: "pässword-Ü1",
	CallbackSecret: "whsec_cGx1Z2lucy1zZWNyZXQtMDEyMzQ1Njc4OWFiY2Q="}

// otherKey is the key of a merchant with the same secrets, whose callbacks are JSON and whose hashes have SHA-256.
const otherKey = "woo-other"

// world is the service, with what it tells the shops.
type world struct {
	ctx     context.Context
	service client.Service
	skipped atomic.Int64
	plugin  string // another folder of the plugin

	mutex     sync.Mutex
	callbacks map[string]chan client.Callback // by order number
}

// start starts the service with the merchant.
func start(t *testing.T) *world {
	t.Helper()
	limit := time.Minute
	if os.Getenv("WORDPRESS") != "" {
		limit = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	w := &world{ctx: ctx, callbacks: map[string]chan client.Callback{}}
	page := t.TempDir()
	if err := os.WriteFile(filepath.Join(page, "index.html"), []byte("<!doctype html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return time.Now().Add(time.Duration(w.skipped.Load())) }
	service, err := local.Start(t.Context(), local.Config{Root: "../../..", Page: page, Wallet: page, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Stop)
	w.service = client.Service{URL: service.URL, HTTP: http.DefaultClient}
	receiver := httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(receiver.Close)
	for key, asJSON := range map[string]*bool{merchant.Key: nil, otherKey: new(true)} {
		err = service.App.Merchants.Save(w.ctx, settings.Merchant{ID: key, Name: key, LiveKey: key + "-live",
			TestKey: key, Password: merchant.Password, SHA256: key == otherKey,
			CallbackSecret: merchant.CallbackSecret, CallbackJSON: asJSON,
			NotificationURL: receiver.URL, TestNotificationURL: receiver.URL,
			Mappings: []settings.Mapping{{Name: "default", Compatibility: settings.Compatibility{"preset": "plugin"},
				MIDs: []settings.MID{{Name: "sandbox", Connector: settings.SandboxConnector, Methods: []string{"card"}}}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// front is the service at an address where responses can be lost.
type front struct {
	url string

	mutex   sync.Mutex
	await   func()              // what the next request waits for, nil for nothing
	instead map[string]string   // what the next response to a path is instead, its status before its body
	lost    map[string]int      // how many responses are to be lost, by path
	keys    map[string][]string // Idempotency-Keys of requests, by path
}

// newFront starts a front of the service.
func (w *world) newFront(t *testing.T) *front {
	t.Helper()
	target, err := url.Parse(w.service.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	f := &front{instead: map[string]string{}, lost: map[string]int{}, keys: map[string][]string{}}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		f.pass(proxy, out, in)
	}))
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

// pass sends a request of a shop on, and loses the response if it is to be lost.
func (f *front) pass(service http.Handler, out http.ResponseWriter, in *http.Request) {
	f.mutex.Lock()
	f.keys[in.URL.Path] = append(f.keys[in.URL.Path], in.Header.Get("Idempotency-Key"))
	lose := f.lost[in.URL.Path] > 0
	if lose {
		f.lost[in.URL.Path]--
	}
	await, other := f.await, f.instead[in.URL.Path]
	f.await = nil
	delete(f.instead, in.URL.Path)
	f.mutex.Unlock()
	if await != nil {
		await()
	}
	if status, body, ok := strings.Cut(other, " "); ok {
		code, _ := strconv.Atoi(status)
		out.WriteHeader(code)
		io.WriteString(out, body)
		return
	}
	if !lose {
		service.ServeHTTP(out, in)
		return
	}
	service.ServeHTTP(httptest.NewRecorder(), in)
	panic(http.ErrAbortHandler)
}

// respond has the next request to a path not sent on. The response is its status and its body.
func (f *front) respond(path, response string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.instead[path] = response
}

// hold has the next request wait for a function before it is sent on.
func (f *front) hold(await func()) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.await = await
}

// lose loses the next response to a path.
func (f *front) lose(path string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.lost[path]++
}

// sent returns the Idempotency-Keys of all requests to a path.
func (f *front) sent(path string) []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Clone(f.keys[path])
}

// skip lets time pass for the service, so that the same order may have another session.
func (w *world) skip() { w.skipped.Add(int64(16 * time.Second)) }

// of returns where the callbacks of an order arrive.
func (w *world) of(number string) chan client.Callback {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.callbacks[number] == nil {
		w.callbacks[number] = make(chan client.Callback, 20)
	}
	return w.callbacks[number]
}

// receive takes a callback of the service, to be delivered by a test.
func (w *world) receive(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	c, err := client.ReadCallback(r.Header, body)
	if err != nil {
		panic(err)
	}
	w.of(c.Fields.Get("order_number")) <- c
}

// call makes a request to the service and returns its response.
func (w *world) call(t *testing.T, path string, body any) []byte {
	t.Helper()
	status, response, err := w.service.Call(w.ctx, client.Request{Method: http.MethodPost, Path: path, Body: body})
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s %v", path, status, response, err)
	}
	return response
}

// visit returns the visit of a payer at an address of the page.
func (w *world) visit(t *testing.T, address string) client.Visit {
	t.Helper()
	session, err := client.SessionAt(address, w.service.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	return client.Visit{Session: session, Call: w.service.In(w.ctx)}
}

// pay pays at an address of the page with the test card of an expiry date, MM/YY.
func (w *world) pay(t *testing.T, address, expiry string) {
	t.Helper()
	if _, err := w.visit(t, address).Pay(expiry); err != nil {
		t.Fatal(err)
	}
}
