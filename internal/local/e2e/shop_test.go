package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/internal/local/client"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// Secrets that must not be found anywhere.
const (
	password       = "Pass-w0rd-of-the-shop"
	credential     = "the-providers-token"
	callbackSecret = "whsec_dGhlIHNob3AncyBvd24gc2VjcmV0IGtleQ=="
	testCard       = client.TestCard
	secureCard     = "4000002760003184" // needs 3-D Secure at simulated providers
	refusedCard    = "4000000000000002" // is declined there
	securityCode   = client.SecurityCode
)

// shop is a merchant with a server for callbacks.
type shop struct {
	merchant settings.Merchant

	mu  sync.Mutex
	got []client.Callback
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the function was killed
		}
		got, err := client.ReadCallback(r.Header, body)
		if err != nil {
			t.Errorf("a callback is no form: %v", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = append(s.got, got)
	}))
	t.Cleanup(server.Close)
	s.merchant = settings.Merchant{
		ID: "shop", Name: "The Pen Shop", LiveKey: "live-key", TestKey: "test-key", Password: password,
		CallbackSecret:  callbackSecret,
		NotificationURL: server.URL, TestNotificationURL: server.URL,
		Schedules: []settings.Schedule{{ID: "once-more", Name: "Once more",
			Interval: settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitDay}, PaymentsCount: 1}},
		Mappings: []settings.Mapping{{
			Name: "cards", MaxDeclines: 3,
			MIDs: []settings.MID{{Name: "mid-1", Connector: "adapter", Methods: []string{"card"},
				Operations: []method.Operation{"purchase", "debit", "credit", "transfer"},
				Credentials: map[string]string{
					"url": "https://adapter.example", "key": "shop", "secret": credential}}},
		}},
	}
	return s
}

// tests is the shop's server with its test key, and live with its live key.
var (
	tests = client.Merchant{Key: "test-key", Password: password, CallbackSecret: callbackSecret}
	live  = client.Merchant{Key: "live-key", Password: password, CallbackSecret: callbackSecret}
)

func (s *shop) received() []client.Callback {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// reported compares the callbacks of an order, without repeats, with what a story expects: type, status and
// order_status. It verifies hash and signature of each.
func (v *visit) reported(want ...string) {
	v.w.t.Helper()
	var ids, events []string
	for _, r := range v.w.shop.received() {
		if r.Fields.Get("order_number") != v.order {
			continue
		}
		v.w.verify(r)
		if !slices.Contains(ids, r.ID()) {
			ids = append(ids, r.ID())
			events = append(events, r.Event())
		}
	}
	if !slices.Equal(events, want) {
		v.w.t.Errorf("the callbacks %q of %s, want %q", events, v.order, want)
	}
}

// verify checks hash and signature of a callback.
func (w *world) verify(r client.Callback) {
	w.t.Helper()
	if err := tests.Check(r); err != nil {
		w.t.Errorf("%v: %s", err, r.Body)
	}
}

var (
	cardNumber = regexp.MustCompile(spread(testCard) + "|" + spread(secureCard) + "|" + spread(refusedCard))
	cardCode   = regexp.MustCompile(`(^|[^0-9A-Za-z_+/.-])` + securityCode + `([^0-9A-Za-z_+/.-]|$)`)
	numbers    = regexp.MustCompile(`":[0-9]+`) // of JSON: durations and sizes, where four digits mean nothing
)

// spread is a regular expression of a number whose digits may stand apart.
func spread(number string) string {
	return strings.Join(strings.Split(number, ""), `[^0-9A-Za-z]{0,3}`)
}

// leakFree searches all output of the functions for card data and secrets.
func (w *world) leakFree() {
	w.t.Helper()
	places := map[string]string{"requests to DynamoDB and SQS": w.wire.all()}
	for function, log := range w.cloud.AllLogs() {
		places["log of "+function] = numbers.ReplaceAllString(log, `":`)
	}
	var table, callbacks strings.Builder
	for _, one := range slices.Concat(w.items(), w.itemsOf("VaultTable"), w.itemsOf("Listing")) {
		table.WriteString(one.pk + "\n" + one.sk + "\n" + one.doc + "\n")
	}
	for _, r := range w.shop.received() {
		callbacks.Write(r.Body)
		for name, values := range r.Header {
			callbacks.WriteString("\n" + name + ": " + strings.Join(values, "\n"))
		}
	}
	places["table"], places["callbacks"] = table.String(), callbacks.String()
	for place, text := range places {
		if text == "" && strings.HasPrefix(place, "requests") {
			w.t.Error("no request was kept")
		}
		if cardNumber.MatchString(text) {
			w.t.Errorf("the %s: a card number", place)
		}
		if found := cardCode.FindStringIndex(text); found != nil {
			w.t.Errorf("the %s: a security code: %q", place, text[max(0, found[0]-40):min(len(text), found[1]+40)])
		}
		for _, secret := range []string{password, credential, callbackSecret, strings.TrimPrefix(callbackSecret, "whsec_")} {
			if strings.Contains(text, secret) {
				w.t.Errorf("the %s: a secret of the merchant", place)
			}
		}
		for _, part := range w.private.all() {
			if strings.Contains(text, part) {
				w.t.Errorf("the %s: a part of a wallet's token or key, or a cryptogram", place)
			}
		}
	}
}
