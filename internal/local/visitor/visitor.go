// Package visitor does a checkout over HTTP, as a merchant's server and a payer's browser do, so that a program can
// measure it. Except for the loading of merchants and the test wallet it shares no code with the service: it makes
// hashes and encrypts cards by itself.
package visitor

import (
	"bytes"
	"context"
	"crypto/rand"
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
	"checkout/internal/local/cloud"
)

// Visitor is the first merchant of infra/merchants.json and any payer. It is safe for concurrent use.
type Visitor struct {
	Browser bool // loads the page's files before the first screen of a checkout

	base     string
	merchant merchant
	client   *http.Client
	server   *http.Server

	change    func(merchants []byte) ([]byte, error) // nil for the test key
	providers *http.Server                           // simulated ones, nil for the sandbox

	mu    sync.Mutex
	event map[string]chan event // by order number
}

// event has the fields of a callback that a visit needs.
type event struct{ payment, status, card, chain string }

type merchant struct{ key, password string }

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
		base: c.BaseURL(), client: &http.Client{Timeout: patience}, event: map[string]chan event{}, change: change,
	}
	v.server = &http.Server{Handler: http.HandlerFunc(v.callback), ReadHeaderTimeout: patience}
	go v.server.Serve(listener)
	if err := v.loadMerchants(ctx, c, root, "http://"+listener.Addr().String()); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// Password is what the merchant signs its requests with.
func (v *Visitor) Password() string { return v.merchant.password }

// Close ends the visitor's servers.
func (v *Visitor) Close() {
	v.client.CloseIdleConnections()
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
	v.merchant = merchant{key: stored[0].TestKey, password: stored[0].Password}
	if v.change != nil {
		v.merchant.key = stored[0].LiveKey
	}
	return nil
}

// callback receives callbacks.
func (v *Visitor) callback(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxResponse)
	number := r.PostFormValue("order_number")
	got := event{r.PostFormValue("id"), r.PostFormValue("order_status"), r.PostFormValue("card_token"),
		r.PostFormValue("recurring_token")}
	io.WriteString(w, "OK")
	v.mu.Lock()
	defer v.mu.Unlock()
	if waiting := v.event[number]; waiting != nil {
		waiting <- got
		delete(v.event, number)
	}
}

// expect returns a channel for the next callback of an order.
func (v *Visitor) expect(number string) chan event {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.event[number] = make(chan event, 1)
	return v.event[number]
}

// waitForCallback waits for a callback.
func waitForCallback(ctx context.Context, waiting chan event) (event, error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case got := <-waiting:
		return got, nil
	case <-late.C:
		return event{}, fmt.Errorf("no callback within %v", patience)
	case <-ctx.Done():
		return event{}, ctx.Err()
	}
}

// call sends a request and reads the JSON of the response into response. Without a request it is a GET.
func (v *Visitor) call(ctx context.Context, path string, request, response any) error {
	return v.send(ctx, call{path: path, request: request}, response)
}

// call is a request that may have an Idempotency-Key.
type call struct {
	path    string
	key     string
	request any
}

func (v *Visitor) send(ctx context.Context, c call, response any) error {
	method, body := http.MethodGet, []byte(nil)
	if c.request != nil {
		method = http.MethodPost
		var err error
		if body, err = json.Marshal(c.request); err != nil {
			return err
		}
	}
	out, err := http.NewRequestWithContext(ctx, method, v.base+c.path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	out.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		out.Header.Set("Idempotency-Key", c.key)
	}
	in, err := v.client.Do(out)
	if err != nil {
		return err
	}
	defer in.Body.Close()
	text, err := io.ReadAll(io.LimitReader(in.Body, maxResponse))
	if err != nil {
		return err
	}
	if in.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s %s", method, c.path, in.Status, text)
	}
	return json.Unmarshal(text, response)
}

// uuid is a random one, of version 4.
func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
