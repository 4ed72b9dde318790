package story

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"

	"checkout/internal/local/client"
	"checkout/internal/settings"
)

// realBank is the connector of the shop's MIDs, anotherBank one that a story can choose instead.
const (
	realBank    = "a-real-bank"
	anotherBank = "another-bank"
)

const (
	password       = "Pass-w0rd-of-the-shop"
	callbackSecret = "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ=="
)

// newShop adds a merchant whose keys end in suffix.
func (w *World) newShop(suffix string, changes ...func(*settings.Merchant)) *Shop {
	w.t.Helper()
	s := &Shop{w: w}
	s.server = httptest.NewServer(http.HandlerFunc(s.receive))
	w.t.Cleanup(s.server.Close)
	s.Joins(suffix, changes...)
	return s
}

// LiveShop returns a shop with live keys that has not joined, and no server of its own for callbacks.
func (w *World) LiveShop() *Shop { return &Shop{w: w, server: w.server, live: true} }

// TestShop returns a shop with test keys that has not joined, and no server of its own for callbacks.
func (w *World) TestShop() *Shop { return &Shop{w: w, server: w.server} }

// AsItIs returns the shop with its keys and secrets as they are now.
func (s *Shop) AsItIs() *Shop {
	return &Shop{w: s.w, merchant: s.merchant, server: s.server, live: s.live}
}

// Settings returns the merchant as the shop knows it, to be changed.
func (s *Shop) Settings() *settings.Merchant { return &s.merchant }

// Joins adds the shop's merchant, whose keys end in suffix.
func (s *Shop) Joins(suffix string, changes ...func(*settings.Merchant)) {
	s.w.t.Helper()
	s.merchant = settings.Merchant{
		ID: "shop" + suffix, Name: "The Pen Shop" + suffix, LiveKey: "live-key" + suffix, TestKey: "test-key" + suffix,
		Password: password, CallbackSecret: callbackSecret,
		NotificationURL: s.server.URL + "/live", TestNotificationURL: s.server.URL + "/test",
		CallbackJSON: new(false),
		RateLimit:    100_000, // a story's clock stands still while it sends
		Mappings: []settings.Mapping{{
			Name: "cards",
			MIDs: []settings.MID{{Name: "mid-1", Connector: realBank, Methods: []string{"card"}}},
		}},
	}
	s.set(changes...)
}

// key is the merchant_key of the shop's requests.
func (s *Shop) key() string {
	if s.live {
		return s.merchant.LiveKey
	}
	return s.merchant.TestKey
}

// client is the shop's server.
func (s *Shop) client() client.Merchant {
	m := s.merchant
	return client.Merchant{Key: s.key(), Password: m.Password, SHA256: m.SHA256, CallbackSecret: m.CallbackSecret}
}

// set changes the merchant's settings. The service reads them again within a minute.
func (s *Shop) set(changes ...func(*settings.Merchant)) {
	s.w.t.Helper()
	for _, change := range changes {
		change(&s.merchant)
	}
	if err := s.w.app.Merchants.Save(context.Background(), s.merchant); err != nil {
		s.w.t.Fatalf("save merchant: %v", err)
	}
}

func (s *Shop) receive(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	callback, _ := client.ReadCallback(r.Header, body)
	got := Received{callback, http.StatusOK, s.w.clock.Now()}
	s.mu.Lock()
	respond := s.respond
	s.mu.Unlock()
	if respond != nil {
		got.Status = respond(got)
	}
	s.Add(got)
	switch {
	case got.Status == 0:
		s.w.sender.giveUp(got.ID())
		<-r.Context().Done()
	case got.Status >= 300 && got.Status < 400:
		http.Redirect(w, r, s.server.URL+"/elsewhere", got.Status)
	default:
		w.WriteHeader(got.Status)
	}
}

// Add adds a request to those that the shop has received.
func (s *Shop) Add(got Received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, got)
}

// responds sets the HTTP status of the responses to later callbacks; 0: no response.
func (s *Shop) responds(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.respond = func(Received) int { return status }
}

// Received returns all requests that came to the notification_url.
func (s *Shop) Received() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Taken returns the callbacks that got a 200, in order and without repeats.
func (s *Shop) Taken() []Received {
	var taken []Received
	for _, r := range s.Received() {
		same := func(other Received) bool { return other.ID() == r.ID() }
		if r.Status == http.StatusOK && !slices.ContainsFunc(taken, same) {
			taken = append(taken, r)
		}
	}
	return taken
}

// told compares the events of the taken callbacks with what a story expects, and verifies each callback.
func (s *Shop) told(want ...string) {
	s.w.t.Helper()
	var got []string
	for _, r := range s.Taken() {
		got = append(got, r.Event())
		s.verify(r)
	}
	if !slices.Equal(got, want) {
		s.w.t.Errorf("the shop was told %q, want %q", got, want)
	}
}

// verify checks the hash of a form callback, and its signature.
func (s *Shop) verify(r Received) {
	s.w.t.Helper()
	if err := s.client().Check(r.Callback); err != nil {
		s.w.t.Errorf("%v", err)
	}
}

// Hash computes the hash over parts and the password. All of them are ASCII.
func (s *Shop) Hash(parts ...string) string { return s.client().Hash(parts...) }

// status requests the status of a payment or an order and returns the HTTP status and the response's JSON.
func (s *Shop) status(name, id string, more ...string) (int, map[string]any) {
	s.w.t.Helper()
	body := map[string]any{"merchant_key": s.key(), name: id, "hash": s.Hash(id)}
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
	TestCard     = client.TestCard
	securityCode = client.SecurityCode
)

// post posts a body and returns the HTTP status and the response's JSON object.
func (w *World) post(path string, body any) (int, map[string]any) {
	w.t.Helper()
	code, text := w.call("POST", path, body)
	var response map[string]any
	if err := json.Unmarshal(text, &response); err != nil {
		w.t.Fatalf("%s: %v: %s", path, err, text)
	}
	return code, response
}
