package story

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"checkout/internal/settings"
)

const (
	password       = "Pass-w0rd-of-the-shop"
	callbackSecret = "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ=="
)

// shop is a merchant and its callback receiver.
type shop struct {
	w        *world
	merchant settings.Merchant
	server   *httptest.Server
	live     bool // uses its live key

	mu       sync.Mutex
	respond  func(received) int // returns the HTTP status of the response; 0: no response; nil: always 200
	requests []received
}

// received is one request that came to a notification_url.
type received struct {
	header http.Header
	body   []byte
	fields url.Values // of a form
	status int        // of the response, 0 if there was none
	at     time.Time
}

// newShop adds a merchant whose keys end in suffix.
func (w *world) newShop(suffix string, changes ...func(*settings.Merchant)) *shop {
	w.t.Helper()
	s := &shop{w: w}
	s.server = httptest.NewServer(http.HandlerFunc(s.receive))
	w.t.Cleanup(s.server.Close)
	s.joins(suffix, changes...)
	return s
}

// liveShop returns a shop with live keys that has not joined, and no server of its own for callbacks.
func (w *world) liveShop() *shop { return &shop{w: w, server: w.server, live: true} }

// asItIs returns the shop with its keys and secrets as they are now.
func (s *shop) asItIs() *shop {
	return &shop{w: s.w, merchant: s.merchant, server: s.server, live: s.live}
}

// settings returns the merchant as the shop knows it, to be changed.
func (s *shop) settings() *settings.Merchant { return &s.merchant }

// joins adds the shop's merchant, whose keys end in suffix.
func (s *shop) joins(suffix string, changes ...func(*settings.Merchant)) {
	s.w.t.Helper()
	s.merchant = settings.Merchant{
		ID: "shop" + suffix, Name: "The Pen Shop" + suffix, LiveKey: "live-key" + suffix, TestKey: "test-key" + suffix,
		Password: password, CallbackSecret: callbackSecret,
		NotificationURL: s.server.URL + "/live", TestNotificationURL: s.server.URL + "/test",
		Mappings: []settings.Mapping{{
			Name: "cards",
			MIDs: []settings.MID{{Name: "mid-1", Connector: realBank, Methods: []string{"card"}}},
		}},
	}
	s.set(changes...)
}

// key is the merchant_key of the shop's requests.
func (s *shop) key() string {
	if s.live {
		return s.merchant.LiveKey
	}
	return s.merchant.TestKey
}

// set changes the merchant's settings. The service reads them again within a minute.
func (s *shop) set(changes ...func(*settings.Merchant)) {
	s.w.t.Helper()
	for _, change := range changes {
		change(&s.merchant)
	}
	if err := s.w.app.Merchants.Save(context.Background(), s.merchant); err != nil {
		s.w.t.Fatalf("save merchant: %v", err)
	}
}

func (s *shop) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := received{header: r.Header.Clone(), body: body, status: http.StatusOK, at: s.w.clock.Now()}
	got.fields, _ = url.ParseQuery(string(body))
	s.mu.Lock()
	respond := s.respond
	s.mu.Unlock()
	if respond != nil {
		got.status = respond(got)
	}
	s.add(got)
	switch {
	case got.status == 0:
		s.w.sender.giveUp(got.header.Get("webhook-id"))
		<-r.Context().Done()
	case got.status >= 300 && got.status < 400:
		http.Redirect(w, r, s.server.URL+"/elsewhere", got.status)
	default:
		w.WriteHeader(got.status)
	}
}

// add adds a request to those that the shop has received.
func (s *shop) add(got received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, got)
}

// responds sets the HTTP status of the responses to later callbacks; 0: no response.
func (s *shop) responds(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.respond = func(received) int { return status }
}

func (s *shop) received() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// taken returns the callbacks that got a 200, in order and without repeats.
func (s *shop) taken() []received {
	var taken []received
	for _, r := range s.received() {
		same := func(other received) bool { return other.header.Get("webhook-id") == r.header.Get("webhook-id") }
		if r.status == http.StatusOK && !slices.ContainsFunc(taken, same) {
			taken = append(taken, r)
		}
	}
	return taken
}

// event is a callback in three words: type, status, order_status.
func (r received) event() string {
	return r.fields.Get("type") + " " + r.fields.Get("status") + " " + r.fields.Get("order_status")
}

// told compares the events of the taken callbacks with what a story expects, and verifies each callback.
func (s *shop) told(want ...string) {
	s.w.t.Helper()
	var got []string
	for _, r := range s.taken() {
		got = append(got, r.event())
		s.verify(r)
	}
	if !slices.Equal(got, want) {
		s.w.t.Errorf("the shop was told %q, want %q", got, want)
	}
}

// verify checks the hash of a form callback, computed here as the specification says, and its signature, with the
// reference library of Standard Webhooks.
func (s *shop) verify(r received) {
	s.w.t.Helper()
	f := r.fields
	want := s.hash(f.Get("id"), f.Get("order_number"), f.Get("order_amount"), f.Get("order_currency"),
		f.Get("order_description"))
	if f.Get("hash") != want {
		s.w.t.Errorf("hash of the callback %q, want %q", f.Get("hash"), want)
	}
	s.verifySignature(r)
}

func (s *shop) verifySignature(r received) {
	s.w.t.Helper()
	standard, err := standardwebhooks.NewWebhook(s.merchant.CallbackSecret)
	if err != nil {
		s.w.t.Fatalf("secret: %v", err)
	}
	if err := standard.VerifyIgnoringTimestamp(r.body, r.header); err != nil {
		s.w.t.Errorf("signature of %s: %v", r.header.Get("webhook-id"), err)
	}
}

// hash computes the hash of protocol.md, Hashes, over parts and the password. All of them are ASCII.
func (s *shop) hash(parts ...string) string {
	text := []byte(strings.ToUpper(strings.Join(parts, "") + s.merchant.Password))
	md := md5.Sum(text)
	inner := hex.EncodeToString(md[:])
	if s.merchant.SHA256 {
		sum := sha256.Sum256(text)
		inner = hex.EncodeToString(sum[:])
	}
	outer := sha1.Sum([]byte(inner))
	return hex.EncodeToString(outer[:])
}

// status requests the status of a payment or an order and returns the HTTP status and the response's JSON.
func (s *shop) status(name, id string, more ...string) (int, map[string]any) {
	s.w.t.Helper()
	body := map[string]any{"merchant_key": s.key(), name: id, "hash": s.hash(id)}
	for i := 0; i+1 < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	code, text := s.w.call("POST", "/api/v1/payment/status", body)
	var response any
	if err := json.Unmarshal(text, &response); err != nil {
		s.w.t.Fatalf("status: %v: %s", err, text)
	}
	if list, ok := response.([]any); ok {
		return code, map[string]any{"list": list}
	}
	return code, response.(map[string]any)
}

// The card number and security code that stories pay with. The code occurs nowhere else in a story's data.
const (
	testCard     = "4111111111111111"
	securityCode = "9173"
)

var (
	cardNumber = regexp.MustCompile(strings.Join(strings.Split(testCard, ""), `[^0-9A-Za-z]{0,3}`))
	cardCode   = regexp.MustCompile(`(^|[^0-9A-Za-z_+/-])` + securityCode + `([^0-9A-Za-z_+/-]|$)`)
)

// findLeaks searches all data that a story leaves behind for card data and secrets.
func (w *world) findLeaks() {
	w.findSealedCards()
	for line := range strings.Lines(w.log.String()) {
		if !w.repeats && strings.Contains(line, "a provider repeats secret data") {
			w.t.Errorf("something was left out of what a provider reported, which repeats no secrets: %s", line)
		}
	}
	for place, text := range w.places(w.shop) {
		if found := cardNumber.FindString(text); found != "" {
			w.t.Errorf("the %s has the card number", place)
		}
		if found := cardCode.FindString(text); found != "" {
			w.t.Errorf("the %s has the security code", place)
		}
		w.hasNoToken(place, text)
		w.hasNoKey(text)
		for _, secret := range []string{password, callbackSecret, strings.TrimPrefix(callbackSecret, "whsec_")} {
			if strings.Contains(text, secret) {
				w.t.Errorf("the %s has a secret of the merchant", place)
			}
		}
	}
}

// places are all data that a story leaves behind, with the callbacks of these shops.
func (w *world) places(shops ...*shop) map[string]string {
	var stored, callbacks strings.Builder
	for _, record := range w.app.Store.Dump() {
		stored.WriteString(record.Key.Partition + " " + record.Key.Sort + " " + string(record.Doc) + "\n")
	}
	for _, s := range shops {
		for _, r := range s.received() {
			body, _ := url.QueryUnescape(string(r.body))
			callbacks.WriteString(string(r.body) + "\n" + body + "\n")
		}
	}
	return map[string]string{"log": w.log.String(), "queues": w.queue.messages(),
		"store": stored.String(), "callbacks": callbacks.String()}
}

// post posts a body and returns the HTTP status and the response's JSON object.
func (w *world) post(path string, body any) (int, map[string]any) {
	w.t.Helper()
	code, text := w.call("POST", path, body)
	var response map[string]any
	if err := json.Unmarshal(text, &response); err != nil {
		w.t.Fatalf("%s: %v: %s", path, err, text)
	}
	return code, response
}
