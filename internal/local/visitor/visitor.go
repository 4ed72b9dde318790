// Package visitor does whole checkouts in a local cloud, as a merchant's server and a payer's browser do, so that a
// program can measure them.
package visitor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"checkout/internal/app"
	"checkout/internal/local/client"
	"checkout/internal/local/cloud"
)

// Visitor is the first merchant of infra/merchants.json and any payer. It is safe for concurrent use.
type Visitor struct {
	Browser bool // loads the page's files before the first screen of a checkout

	service  client.Service
	merchant client.Merchant
	server   *http.Server

	change    func(merchants []byte) ([]byte, error) // nil for the test key
	providers *http.Server                           // simulated ones, nil for the sandbox

	mu    sync.Mutex
	event map[string]chan received // by order number
}

// received is a callback, and what is wrong with it.
type received struct {
	client.Callback
	err error
}

const (
	patience    = 5 * time.Minute // for a response or a callback
	maxResponse = 1 << 20         // bytes of one
)

// Start stores the merchants of the repository at root in a running cloud, with a callback address of the visitor's
// own. The cloud must let callbacks go to loopback. Close ends it.
func Start(ctx context.Context, c *cloud.Cloud, root string) (*Visitor, error) {
	return start(ctx, c, root, nil)
}

// start starts a visitor. change, unless it is nil, changes the list of merchants, whose live key is used then.
func start(
	ctx context.Context, c *cloud.Cloud, root string, change func([]byte) ([]byte, error),
) (*Visitor, error) {
	if err := c.Fire(ctx, "sweep"); err != nil { // it makes the keys of the day
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	v := &Visitor{
		service: client.Service{URL: c.BaseURL(), HTTP: &http.Client{Timeout: patience}},
		event:   map[string]chan received{}, change: change,
	}
	v.server = &http.Server{Handler: http.HandlerFunc(v.callback), ReadHeaderTimeout: patience}
	go v.server.Serve(listener)
	if err := v.loadMerchants(ctx, c, root, "http://"+listener.Addr().String()); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Close ends the visitor's servers.
func (v *Visitor) Close() {
	v.service.HTTP.CloseIdleConnections()
	v.server.Close()
	if v.providers != nil {
		v.providers.Close()
	}
}

// loadMerchants stores the merchants, without the counting endpoint.
func (v *Visitor) loadMerchants(ctx context.Context, c *cloud.Cloud, root, callbacks string) error {
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	if err == nil && v.change != nil {
		text, err = v.change(text)
	}
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	operator, err := app.OpenMerchants(ctx, c.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		return err
	}
	stored, err := app.LoadMerchants(ctx, operator, text, callbacks)
	if err != nil {
		return err
	}
	if len(stored) == 0 {
		return fmt.Errorf("no merchant in infra/merchants.json")
	}
	v.merchant = client.Merchant{Key: stored[0].TestKey, Password: stored[0].Password,
		CallbackSecret: stored[0].CallbackSecret}
	if v.change != nil {
		v.merchant.Key = stored[0].LiveKey
	}
	return nil
}

// callback receives callbacks.
func (v *Visitor) callback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxResponse))
	got := received{err: err}
	if err == nil {
		got.Callback, got.err = client.ReadCallback(r.Header, body)
	}
	if got.err == nil {
		got.err = v.merchant.Check(got.Callback)
	}
	number := got.Fields.Get("order_number")
	io.WriteString(w, "OK")
	v.mu.Lock()
	defer v.mu.Unlock()
	if waiting := v.event[number]; waiting != nil {
		waiting <- got
		delete(v.event, number)
	}
}

// expect returns a channel for the next callback of an order.
func (v *Visitor) expect(number string) chan received {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.event[number] = make(chan received, 1)
	return v.event[number]
}

// waitForCallback waits for a callback.
func waitForCallback(ctx context.Context, waiting chan received) (received, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case got := <-waiting:
		return got, got.err
	case <-late.C:
		return received{}, fmt.Errorf("no callback within %v", patience)
	case <-ctx.Done():
		return received{}, ctx.Err()
	}
}

// call sends a request and reads the JSON of the response into response. Without a request it is a GET.
func (v *Visitor) call(ctx context.Context, path string, request, response any) error {
	return v.send(ctx, client.Request{Path: path, Body: request}, response)
}

func (v *Visitor) send(ctx context.Context, r client.Request, response any) error {
	r.Method = http.MethodGet
	if r.Body != nil {
		r.Method = http.MethodPost
	}
	status, text, err := v.service.Call(ctx, r)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", r.Method, r.Path, status, text)
	}
	return json.Unmarshal(text, response)
}
