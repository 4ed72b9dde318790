package contract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/local/demo"
	"checkout/internal/method"
	"checkout/internal/screen"
	"checkout/internal/settings"
	"checkout/internal/vault"
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
	header http.Header
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
	w.app.Merchant.Pause = func(ctx context.Context, _ time.Duration) error { w.app.Queue.Deliver(ctx); return nil }
	text, err := os.ReadFile(filepath.Join(root, "infra", "merchants.json"))
	if err != nil {
		t.Fatal(err)
	}
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
	w.merchant, w.handler = merchants[0], w.app.API.Handler(api.All())
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
		w.pay(reply.Body.Bytes(), r.Header.Get(testCardHeader))
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
	c := callback{header: r.Header, fields: members{}}
	c.media, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
	if c.media == "application/json" {
		err = json.Unmarshal(body, &c.fields)
	} else {
		var form url.Values
		form, err = url.ParseQuery(string(body))
		for name, values := range form {
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

// pay fills in the form of a new session, given as the response to POST /api/v1/session.
func (w *world) pay(created []byte, expiry string) {
	page := pageOf(created)
	if page == "" || expiry == "" {
		return
	}
	var form screen.Screen
	if code, body := w.request("GET", page, nil); json.Unmarshal(body, &form) != nil || form.Kind != screen.KindForm {
		w.t.Errorf("no form: %d %s", code, body)
		return
	}
	request, err := fill(form, expiry)
	if form.Methods[0].Wallet != nil {
		request.Sealed, err = w.sealedToken(strings.TrimPrefix(page, "/page/v1/"), form, expiry)
	}
	if err != nil {
		w.t.Errorf("fill in: %v", err)
		return
	}
	if code, body := w.request("POST", page+"/pay", request); code != http.StatusOK {
		w.t.Errorf("pay: %d %s", code, body)
	}
}

// sealedToken is a token of the test wallet for a session, sealed as the page does.
func (w *world) sealedToken(session string, form screen.Screen, expiry string) (*card.Sealed, error) {
	code, body := w.request("POST", "/sandbox/wallet", map[string]string{
		"session": session, "method": form.Methods[0].ID, "card": testCard, "expiry": expiry,
	})
	var made struct{ Token string }
	if err := json.Unmarshal(body, &made); err != nil || made.Token == "" {
		return nil, fmt.Errorf("test wallet: %d %s", code, body)
	}
	return seal(form.Seal, card.Card{Token: made.Token})
}

// seal encrypts a card or a token as the page does.
func seal(to *screen.Seal, c card.Card) (*card.Sealed, error) {
	point, err := base64.RawURLEncoding.DecodeString(to.Key)
	if err != nil {
		return nil, err
	}
	sealed, err := vault.Seal(point, to.KeyID, to.Info, c)
	return &sealed, err
}

// pageOf is the path of a new session in the page's API, "" if it has no page.
func pageOf(created []byte) string {
	var session struct {
		RedirectURL string `json:"redirect_url"`
	}
	_ = json.Unmarshal(created, &session) // then there is no page
	address, err := url.Parse(session.RedirectURL)
	if err != nil || !address.Query().Has("session") {
		return ""
	}
	return "/page/v1/" + address.Query().Get("session")
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

// values are what a payer fills in where the method has no example, by the field's kind.
var values = map[string]string{"card_name": "John Doe", "email": "john@example.com", "country": "DE", "state": "CA",
	"phone": "+49301234567", "text": "Berlin", "amount": "10.00", "consent": "true"}

// The sandbox's card of payers, and the one of payouts.
const testCard, payoutCard = "4111111111111111", "4601541833776519"

// fill fills in the form of the first method, with the test card of an expiry date, MM/YY.
func fill(filled screen.Screen, expiry string) (form.Request, error) {
	way := filled.Methods[0]
	request := form.Request{Attempt: uuid.NewString(), Method: way.ID, Fields: map[string]string{}}
	secret := card.Card{Values: map[string]string{}}
	for _, field := range way.Fields {
		value := cmp.Or(field.Value, demo.Example(way.ID, field.ID), firstOption(field), values[string(field.Kind)])
		switch {
		case !field.Sealed:
			request.Fields[field.ID] = value
		case !slices.Contains([]string{"payer_card", "payer_expiryDate", "payer_cvv", "payee_card"}, field.ID):
			secret.Values[field.ID] = value
		}
	}
	if err := fillCard(&secret, way, expiry); err != nil {
		return request, err
	}
	if secret.Number == "" && len(secret.Values) == 0 {
		return request, nil
	}
	sealed, err := seal(filled.Seal, secret)
	request.Sealed = sealed
	return request, err
}

// fillCard fills in the card that a method asks for, if it does.
func fillCard(secret *card.Card, way screen.Method, expiry string) error {
	asks := func(id string) bool {
		return slices.ContainsFunc(way.Fields, func(f screen.Field) bool { return f.ID == id })
	}
	switch {
	case !asks("payer_card"):
		return nil
	case asks("payee_card"):
		secret.Number, secret.SecurityCode, secret.PayeeNumber = testCard, "123", payoutCard
	case !asks("payer_cvv"):
		secret.Number = payoutCard
	default:
		secret.Number, secret.SecurityCode = testCard, "123"
	}
	_, err := fmt.Sscanf(expiry, "%d/%d", &secret.ExpiryMonth, &secret.ExpiryYear)
	secret.ExpiryYear += 2000
	return err
}

// firstOption is the first value of a list that a parameter offers, "" if the field is none.
func firstOption(f screen.Field) string {
	if f.Kind != method.FieldSelect || len(f.Options) == 0 {
		return ""
	}
	return f.Options[0].Value
}
