package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/card"
	"checkout/internal/local/client"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// world is the embedded service on a port of its own, with the merchants of infra/merchants.json. Jobs and callbacks
// are delivered only after each request, or while one waits for them, so that the same requests have the same
// responses.
type world struct {
	t        *testing.T
	app      *app.Embedded
	server   *httptest.Server
	merchant settings.Merchant
	handler  http.Handler

	mu          sync.Mutex // one request at a time
	callbacksMu sync.Mutex
	callbacks   []callback // that the merchant received
}

// callback is a callback that was sent, with the fields of its media type.
type callback struct {
	client.Callback
	media  string
	fields members
}

// setting replaces a text of infra/merchants.json.
type setting struct{ old, new string }

func open(t *testing.T, settings ...setting) *world {
	t.Helper()
	w := &world{t: t}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(w.serve))
	base := "http://" + w.server.Listener.Addr().String()
	env := map[string]string{"BASE_URL": base, "ALLOW_LOOPBACK_CALLBACKS": "true"}
	var err error
	getenv := func(name string) string { return env[name] }
	if w.app, err = app.InMemory(getenv, app.Logger(io.Discard), time.Now); err != nil {
		t.Fatal(err)
	}
	w.app.Core.Pause = func(ctx context.Context, _ time.Duration) error { w.app.Queue.Deliver(ctx); return nil }
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
	// the examples have forms; a test may have it in another way
	settings = append([]setting{{`"id": "demo",`, `"id": "demo", "callback_json": false,`}}, settings...)
	for _, s := range settings {
		if !bytes.Contains(text, []byte(s.old)) {
			t.Fatalf("merchants.json has no %s", s.old)
		}
		text = bytes.Replace(text, []byte(s.old), []byte(s.new), 1)
	}
	text = bytes.ReplaceAll(text, []byte("{SIMULATOR_URL}"), []byte("https://simulator.example"))
	merchants, err := app.LoadMerchants(t.Context(), w.app.Merchants, text, base)
	if err != nil || len(merchants) == 0 {
		t.Fatalf("%d merchants, %v", len(merchants), err)
	}
	w.merchant, w.handler = merchants[0], w.app.Handler()
	w.server.Start()
	t.Cleanup(w.server.Close)
	return w
}

// testCardHeader of a request for a session is the expiry date of the test card that pays it, MM/YY.
const testCardHeader = "Test-Card"

// serve is the service and the merchant's notification_url. A new session whose request names a card is paid before the
// response, so that there is something to capture, to refund and to void.
func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/demo/") { // a callback arrives while w.mu is locked below
		w.receive(r)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	reply := httptest.NewRecorder()
	w.handler.ServeHTTP(reply, r)
	w.app.Queue.Deliver(context.WithoutCancel(r.Context()))
	if r.URL.Path == "/api/v1/session" && reply.Code == http.StatusOK {
		w.pay(w.pageOf(reply.Body.Bytes()), r.Header.Get(testCardHeader))
	}
	for name, values := range reply.Header() {
		out.Header()[name] = values
	}
	out.WriteHeader(reply.Code)
	_, _ = out.Write(reply.Body.Bytes())
}

// receive stores a callback.
func (w *world) receive(r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Errorf("callback: %v", err)
	}
	got, err := client.ReadCallback(r.Header, body)
	if err == nil {
		err = w.shop().CheckSignature(got)
	}
	c := callback{Callback: got, fields: members{}}
	c.media, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
	if c.media == "application/json" {
		err = errors.Join(err, json.Unmarshal(body, &c.fields))
	} else {
		for name, values := range got.Fields {
			c.fields[name] = values[0]
		}
	}
	if err != nil {
		w.t.Errorf("callback: %v", err)
	}
	w.callbacksMu.Lock()
	defer w.callbacksMu.Unlock()
	w.callbacks = append(w.callbacks, c)
}

// pay pays on the page of a new session, if it has one.
func (w *world) pay(page, expiry string) {
	if page == "" || expiry == "" {
		return
	}
	request, err := w.fill(page, expiry)
	if err != nil {
		w.t.Errorf("fill in: %v", err)
		return
	}
	if code, body := w.request("POST", page+"/pay", request); code != http.StatusOK {
		w.t.Errorf("pay: %d %s", code, body)
	}
}

// fill fills in the form of a page, with the test card of an expiry date, MM/YY.
func (w *world) fill(page, expiry string) (form.Request, error) {
	filled, err := client.Screen(w.request("GET", page, nil))
	if err != nil {
		return form.Request{}, err
	}
	if len(filled.Methods) == 0 {
		return form.Request{}, errors.New("no form but " + client.Words(filled))
	}
	hidden, err := cardFor(filled.Methods[0], expiry)
	if filled.Methods[0].Wallet != nil {
		hidden.Token, err = w.walletToken(strings.TrimPrefix(page, "/page/v1/"), filled.Methods[0].ID, expiry)
	}
	if err != nil {
		return form.Request{}, err
	}
	pay, err := client.Fill(filled, hidden)
	if asks(filled.Methods[0], "recurring_consent") {
		pay.Fields["recurring_consent"] = "true"
	}
	return pay, err
}

// walletToken is a token of the test wallet for a session.
func (w *world) walletToken(session, method, expiry string) (string, error) {
	code, body := w.request("POST", "/sandbox/wallet", map[string]string{
		"session": session, "method": method, "card": client.TestCard, "expiry": expiry,
	})
	var made struct{ Token string }
	if err := json.Unmarshal(body, &made); err != nil || made.Token == "" {
		return "", fmt.Errorf("test wallet: %d %s", code, body)
	}
	return made.Token, nil
}

// payoutCard is the sandbox's card of payouts.
const payoutCard = "4601541833776519"

// cardFor is the card that a method asks for, if it does.
func cardFor(way screen.Method, expiry string) (card.Card, error) {
	if !asks(way, "payer_card") {
		return card.Card{}, nil
	}
	c, err := client.Card(expiry)
	if asks(way, "payee_card") {
		c.PayeeNumber = payoutCard
	} else if !asks(way, "payer_cvv") {
		c.Number, c.SecurityCode = payoutCard, ""
	}
	return c, err
}

func asks(way screen.Method, id string) bool {
	return slices.ContainsFunc(way.Fields, func(f screen.Field) bool { return f.ID == id })
}

// pageOf is the path of a new session in the page's API, "" if it has no page.
func (w *world) pageOf(created []byte) string {
	id, err := client.SessionOf(created, w.server.URL+"/")
	if err != nil {
		w.t.Errorf("created: %v", err)
	}
	if id == "" {
		return ""
	}
	return "/page/v1/" + id
}

// request makes a request of the payer, without the network.
func (w *world) request(method, path string, body any) (int, []byte) {
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Errorf("%s: %v", path, err)
	}
	reply := httptest.NewRecorder()
	w.handler.ServeHTTP(reply, httptest.NewRequest(method, path, bytes.NewReader(text)))
	w.app.Queue.Deliver(w.t.Context())
	return reply.Code, reply.Body.Bytes()
}
