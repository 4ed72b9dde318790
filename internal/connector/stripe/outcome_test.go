package stripe_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/connector/stripe"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// behind starts a connector with a simulator behind a handler, which returns false for what the simulator handles.
func behind(t *testing.T, o simulator.Options, handle func(http.ResponseWriter, *http.Request) bool) running {
	t.Helper()
	s := simulator.New(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !handle(w, r) {
			s.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	now := o.Now
	if now == nil {
		now = time.Now
	}
	return running{s, stripe.New(provider.Setup{Now: now, Client: provider.NewClient()}), credentials(server.URL)}
}

func isConfirmation(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/confirm") }

// TestStatuses checks what each status of a confirmation means.
func TestStatuses(t *testing.T) {
	refusal := func(kind, code, more string) string {
		return fmt.Sprintf(`{"error":{"type":%q,"code":%q,"message":"4242424242424242 is wrong."%s}}`, kind, code, more)
	}
	for _, test := range []struct {
		status         int
		body           string
		want           connector.Outcome
		notSent, known bool
		reason         reason.Code
		code           string
	}{
		{402, refusal("card_error", "card_declined", `,"decline_code":"lost_card"`), connector.OutcomeDeclined, false, true,
			reason.CardLost, "lost_card"},
		{402, refusal("card_error", "card_declined", `,"decline_code":"new_one"`), connector.OutcomeDeclined, false, true,
			reason.Declined, "new_one"},
		{402, refusal("card_error", "expired_card", ""), connector.OutcomeDeclined, false, true,
			reason.CardExpired, "expired_card"},
		{400, refusal("invalid_request_error", "parameter_unknown", `,"param":"colour"`), connector.OutcomeDeclined,
			false, true, reason.NotPossible, "parameter_unknown colour"},
		{400, refusal("idempotency_error", "", ""), 0, false, false, "", ""},
		{401, refusal("invalid_request_error", "", ""), 0, true, false, "", ""},
		{403, refusal("invalid_request_error", "", ""), 0, true, false, "", ""},
		{429, refusal("invalid_request_error", "rate_limit", ""), 0, true, false, "", ""},
		{409, refusal("invalid_request_error", "idempotency_key_in_use", ""), 0, false, false, "", ""},
		{424, refusal("api_error", "", ""), 0, false, false, "", ""},
		{500, refusal("api_error", "", ""), 0, false, false, "", ""},
		{402, `{}`, 0, false, false, "", ""},
		{400, `<p>`, 0, false, false, "", ""},
	} {
		r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
			if !isConfirmation(r) {
				return false
			}
			w.WriteHeader(test.status)
			_, _ = w.Write([]byte(test.body))
			return true
		})
		got, err := r.connector.Charge(t.Context(), r.charge(t, "one"))
		if test.known != (err == nil) || test.notSent != errors.Is(err, connector.ErrNotSent) ||
			got.Outcome != test.want || got.ReasonCode != test.reason || got.Code != test.code {
			t.Errorf("%d %s: %+v, %v", test.status, test.body, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "4242") {
			t.Errorf("the error has what was sent: %v", err)
		}
		if got.Reason != "" {
			t.Errorf("the payer gets Stripe's English text: %s", got.Reason)
		}
	}
}

// TestNothingIsSent checks what is refused before anything is sent.
func TestNothingIsSent(t *testing.T) {
	r := start(t)
	odd := r.charge(t, "odd")
	odd.Amount = amount(t, "5.124", "KWD")
	result := r.send(t, odd)
	if result.Outcome != connector.OutcomeDeclined || result.ReasonCode != reason.AmountInvalid {
		t.Errorf("an amount that Stripe can't charge: %+v", result)
	}
	for _, name := range []string{"url", "key"} {
		c := r.charge(t, "one")
		c.Credentials = map[string]string{"url": r.credentials["url"], "key": "k"}
		delete(c.Credentials, name)
		_, err := r.connector.Charge(t.Context(), c)
		if !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("without the credential %s: %v", name, err)
		}
	}
	if sent := r.Requests(); len(sent) != 0 {
		t.Errorf("%d requests were sent", len(sent))
	}
	c := r.charge(t, "one")
	c.Credentials = map[string]string{"url": r.credentials["url"], "key": simulator.Key}
	if _, err := r.connector.Charge(t.Context(), c); !errors.Is(err, connector.ErrNotSent) ||
		!strings.Contains(err.Error(), "raw_cards") {
		t.Errorf("an account that may not send cards: %v", err)
	}
	for _, sent := range r.Requests() {
		if strings.Contains(sent.Body, c.Card.Number) {
			t.Error("a card was sent for an account that may not send cards")
		}
	}
}

// TestOtherAmount checks that another amount than was asked for is never taken for a success.
func TestOtherAmount(t *testing.T) {
	r := start(t)
	for _, auth := range []bool{false, true} {
		r.Expect(simulator.Next{Fault: simulator.OtherAmount})
		c := r.charge(t, fmt.Sprintf("one-%v", auth))
		c.Auth = auth
		if got, err := r.connector.Charge(t.Context(), c); err == nil || errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := r.connector.(connector.StatusQuerier).QueryStatus(t.Context(), c.ProviderRequest); err == nil {
			t.Errorf("looked up: %+v", got)
		}
	}
	held := r.charge(t, "held")
	held.Auth = true
	id := r.send(t, held).ProviderID
	capture := held.ProviderRequest
	capture.Kind, capture.Reference, capture.OriginalReference, capture.ProviderID = connector.RequestCapture, "c", "held",
		id
	r.Expect(simulator.Next{Fault: simulator.OtherAmount})
	if got, err := r.connector.(connector.Capturer).Capture(t.Context(), capture); err == nil {
		t.Errorf("captured: %+v", got)
	}
	paid := r.charge(t, "paid")
	refund := paid.ProviderRequest
	refund.Kind, refund.Reference, refund.OriginalReference = connector.RequestRefund, "r", "paid"
	refund.ProviderID = r.send(t, paid).ProviderID
	r.Expect(simulator.Next{Fault: simulator.OtherAmount})
	if got, err := r.connector.(connector.Refunder).Refund(t.Context(), refund); err == nil {
		t.Errorf("refunded: %+v", got)
	}
}

// TestFoundAgain looks up a charge of which nothing is known but its reference: while Stripe's search does not find it
// yet, and when Stripe has forgotten the keys of its requests. It is found, and sending it again charges nothing.
func TestFoundAgain(t *testing.T) {
	var mu sync.Mutex
	now, searchable := time.Now(), false
	r := behind(t, simulator.Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}}, func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if !strings.HasSuffix(r.URL.Path, "/search") || searchable {
			return false
		}
		_, _ = w.Write([]byte(`{"object":"search_result","has_more":false,"data":[]}`))
		return true
	})
	c := r.charge(t, "one")
	first := r.send(t, c)
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	if again := r.send(t, c); again != first {
		t.Errorf("sent again: %+v", again)
	}
	mu.Lock()
	now, searchable = now.Add(25*time.Hour), true
	mu.Unlock()
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	r.query(t, r.charge(t, "two").ProviderRequest, connector.OutcomeUnknown)
	if n := len(r.Operations()); n != 1 {
		t.Errorf("the ledger has %d operations", n)
	}
}

// TestWithoutSearch looks up charges for an account that can't search: for the day in which Stripe keeps the response.
func TestWithoutSearch(t *testing.T) {
	var later atomic.Int64
	r := behind(t, simulator.Options{Now: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }},
		func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/search") {
				return false
			}
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error","message":"Search is not available."}}`))
			return true
		})
	c := r.charge(t, "one")
	r.send(t, c)
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	later.Store(int64(25 * time.Hour))
	if got, err := r.connector.(connector.StatusQuerier).QueryStatus(t.Context(), c.ProviderRequest); err == nil {
		t.Errorf("after a day: %+v", got)
	}
}

// TestManyRefunds finds a refund on the second page of the list.
func TestManyRefunds(t *testing.T) {
	r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		query := r.URL.Query()
		switch {
		case r.Method != http.MethodGet || r.URL.Path != "/stripe/v1/refunds":
			return false
		case query.Get("starting_after") == "re_0": // which the simulator does not have
			query.Del("starting_after")
			r.URL.RawQuery = query.Encode()
			return false
		}
		_, _ = w.Write([]byte(`{"object":"list","has_more":true,"data":[{"id":"re_0","object":"refund"}]}`))
		return true
	})
	c := r.charge(t, "one")
	refund := r.follow(t, connector.RequestRefund, c, r.send(t, c).ProviderID, "refund", "1")
	r.query(t, refund, connector.OutcomeApproved)
}

// TestSuffixLeftOut charges although Stripe does not take the suffix of the statement.
func TestSuffixLeftOut(t *testing.T) {
	refusals := 0
	r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		if err := r.ParseForm(); err != nil || r.Form.Get("statement_descriptor_suffix") == "" {
			r.Body = io.NopCloser(strings.NewReader(r.PostForm.Encode()))
			return false
		}
		refusals++
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error","param":"statement_descriptor_suffix"}}`))
		return true
	})
	if result := r.send(t, r.charge(t, "one")); result.Outcome != connector.OutcomeApproved || refusals != 1 {
		t.Errorf("%+v after %d refusals", result, refusals)
	}
}

// TestCurrenciesOfEveryKind charges amounts that Stripe counts in another way, and reads them back.
func TestCurrenciesOfEveryKind(t *testing.T) {
	r := start(t)
	for code, text := range map[string]string{
		"JPY": "500", "ISK": "5", "UGX": "5000", "MGA": "1000", "KWD": "5.12", "HUF": "200.45", "TWD": "800.45",
	} {
		c := r.charge(t, code)
		c.Amount = amount(t, text, code)
		if result := r.send(t, c); result.Outcome != connector.OutcomeApproved {
			t.Errorf("%s: %+v", code, result)
		}
		if o, _ := r.Find(family, code); o.Moved != c.Amount {
			t.Errorf("%s %s: %s were charged", text, code, o.Moved)
		}
	}
}

// TestFaults charges with every fault of the simulator that leaves a charge behind, and looks it up.
func TestFaults(t *testing.T) {
	for _, fault := range []simulator.Fault{
		simulator.DropsConnection, simulator.BrokenJSON, simulator.ServerError, simulator.LosesRequest,
		simulator.TooManyRequests, simulator.ReportsTwice, simulator.NoticeFirst, simulator.NoticesDoubled,
	} {
		r := start(t)
		r.Expect(simulator.Next{Fault: fault})
		c := r.charge(t, "one")
		first, err := r.connector.Charge(t.Context(), c)
		want := connector.OutcomeApproved
		if fault == simulator.LosesRequest || fault == simulator.TooManyRequests {
			want = connector.OutcomeUnknown
		}
		if err == nil && first.Outcome != want {
			t.Errorf("%s: %+v", fault, first)
		}
		r.query(t, c.ProviderRequest, want)
		if again := r.send(t, c); again.Outcome != connector.OutcomeApproved {
			t.Errorf("%s: sent again: %+v", fault, again)
		}
		if n := len(r.Operations()); n != 1 {
			t.Errorf("%s: the ledger has %d operations", fault, n)
		}
	}
}

// TestPending looks up a charge that Stripe decides later.
func TestPending(t *testing.T) {
	r := start(t)
	r.Expect(simulator.Next{Waits: true})
	c := r.charge(t, "one")
	if result := r.send(t, c); result.Outcome != connector.OutcomePending {
		t.Fatalf("%+v", result)
	}
	o, _ := r.Find(family, "one")
	r.Act(o.ID, simulator.Approve)
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
}

// TestLaterPayments charges the card of a chain by its id at Stripe, and the card itself where Stripe has no id.
func TestLaterPayments(t *testing.T) {
	r := start(t)
	first := r.charge(t, "first")
	first.StartsChain = true
	initial := r.send(t, first).ProviderID
	for _, test := range []struct {
		initial string
		cards   int
	}{{initial, 1}, {"pi_unknown", 2}, {"sandbox-1", 3}} {
		c := r.charge(t, "later-"+test.initial)
		c.Recurring, c.InitialTransaction, c.ReturnURL, c.SessionID = true, test.initial, "", ""
		if result := r.send(t, c); result.Outcome != connector.OutcomeApproved {
			t.Errorf("%s: %+v", test.initial, result)
		}
		cards := 0
		for _, sent := range r.Requests() {
			if sent.Path == "/v1/payment_methods" {
				cards++
			}
		}
		if cards != test.cards {
			t.Errorf("%s: %d cards were sent, not %d", test.initial, cards, test.cards)
		}
	}
	secure := r.charge(t, "nobody-there")
	secure.Card, secure.ReturnURL = cardOf(conformance.RequiresAction), ""
	if result := r.send(t, secure); result.Outcome != connector.OutcomeDeclined {
		t.Errorf("3-D Secure without a page to return to: %+v", result)
	}
}
