package stripe_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/connector/stripe"
	"checkout/internal/local/simulator"
)

func (r running) read(t *testing.T, n connector.Notification) (connector.Notice, error) {
	t.Helper()
	n.Credentials = r.credentials
	return r.connector.(connector.NotificationHandler).HandleNotification(t.Context(), n)
}

func (r running) wantNotice(t *testing.T, n connector.Notification, reference string, outcome connector.Outcome) {
	t.Helper()
	first, err := r.read(t, n)
	if err != nil || first.Reference != reference || first.Result.Outcome != outcome || first.PaymentID != "p-one" {
		t.Errorf("read %+v, %v", first, err)
	}
	if again, err := r.read(t, n); err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("read %+v, then %+v, %v", first, again, err)
	}
}

// TestEvents reads the event of each step of a payment.
func TestEvents(t *testing.T) {
	r := start(t)
	c := r.charge(t, "one")
	c.Auth = true
	id := r.send(t, c).ProviderID
	event := func(reference string) connector.Notification { return notification(r.Notice(family, reference)) }
	old := event("one")
	r.wantNotice(t, old, "one", connector.OutcomeApproved)
	capture := r.follow(t, connector.RequestCapture, c, id, "capture", "10")
	capture.PaymentID = "p-one"
	r.wantNotice(t, event("capture"), "capture", connector.OutcomeApproved)
	r.follow(t, connector.RequestRefund, c, id, "refund", "4")
	r.wantNotice(t, event("refund"), "refund", connector.OutcomeApproved)
	r.wantNotice(t, old, "one", connector.OutcomeApproved) // late
	r.wantNotice(t, signed(simulator.Secret, time.Now(), false, "charge.refunded", map[string]any{
		"id": "ch_1", "object": "charge", "payment_intent": id,
	}), "refund", connector.OutcomeApproved)
	r.wantNotice(t, signed(simulator.Secret, time.Now(), false, "refund.failed", map[string]any{
		"id": "re_1", "object": "refund", "amount": 400, "status": "failed", "failure_reason": "lost_or_stolen_card",
		"metadata": map[string]string{"reference": "refund", "payment_id": "p-one", "amount": "400"},
	}), "refund", connector.OutcomeDeclined)
	o, _ := r.Find(family, "one")
	r.Act(o.ID, simulator.Dispute)
	r.wantNotice(t, event("one"), "one", connector.OutcomeChargeback)
}

// TestUnreadableEvents reads authentic events whose object is none of their type. They are refused, so that Stripe
// shows them as failed, and are no failure of ours.
func TestUnreadableEvents(t *testing.T) {
	r := start(t)
	for _, kind := range []string{
		"payment_intent.succeeded", "refund.created", "charge.refunded", "charge.expired", "charge.dispute.created",
	} {
		n := signed(simulator.Secret, time.Now(), false, kind, map[string]any{"amount": "ten", "payment_intent": "pi_1"})
		if got, err := r.read(t, n); !errors.Is(err, connector.ErrUnreadable) {
			t.Errorf("%s: read %+v, %v", kind, got, err)
		}
	}
}

// TestEventsArrive has the simulator send its events, with its faults, to the account's endpoint. Forged ones are
// refused and sent again, and all others say the same.
func TestEventsArrive(t *testing.T) {
	for fault, wantRefused := range map[simulator.Fault]int{
		simulator.NoFault: 0, simulator.NoticeFirst: 0, simulator.NoticesDoubled: 0, simulator.NoticesDisorder: 0,
		simulator.WrongSignature: 1,
	} {
		s := simulator.New(simulator.Options{After: func(_ time.Duration, f func()) { go f() }})
		arrived := make(chan connector.Notification, 10)
		refused := make(chan bool, 10)
		r := running{s, newConnector(), nil}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			if request.URL.Path != "/notices" {
				s.ServeHTTP(w, request)
				return
			}
			n := notification(request)
			n.Header = request.Header
			if _, err := r.read(t, n); err != nil {
				refused <- true
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			arrived <- n
		}))
		t.Cleanup(server.Close)
		s.URL, r.credentials = server.URL, credentials(server.URL)
		post(t, s, "/stripe/v1/webhook_endpoints", "url="+server.URL+"/notices&enabled_events[0]=*")
		s.Expect(simulator.Next{Fault: fault})
		r.send(t, r.charge(t, "one"))
		r.wantNotice(t, <-arrived, "one", connector.OutcomeApproved)
		if fault == simulator.NoticesDoubled {
			r.wantNotice(t, <-arrived, "one", connector.OutcomeApproved)
		}
		if len(refused) != wantRefused {
			t.Errorf("%s: %d were refused", fault, len(refused))
		}
	}
}

// TestVoidAndDecline reads the events of a void and of a decline.
func TestVoidAndDecline(t *testing.T) {
	r := start(t)
	c := r.charge(t, "one")
	c.Auth = true
	r.follow(t, connector.RequestVoid, c, r.send(t, c).ProviderID, "void", "10")
	r.wantNotice(t, notification(r.Notice(family, "void")), "void", connector.OutcomeApproved)

	declined := start(t)
	c = declined.charge(t, "one")
	c.Card.Number = "4000000000009995"
	declined.send(t, c)
	declined.wantNotice(t, notification(declined.Notice(family, "one")), "one", connector.OutcomeDeclined)
}

// TestIgnored acknowledges events that are about nothing of ours, or that move no money.
func TestIgnored(t *testing.T) {
	r := start(t)
	id := r.send(t, r.charge(t, "one")).ProviderID
	dispute := func(status string) map[string]any {
		return map[string]any{"id": "dp_1", "payment_intent": id, "status": status, "reason": "fraudulent"}
	}
	other := map[string]any{"id": "pi_2", "object": "payment_intent", "status": "succeeded"}
	for kind, object := range map[string]map[string]any{
		"customer.created": {"id": "cus_1"}, "invoice.paid": {"id": "in_1"}, "payment_intent.succeeded": other,
		"charge.dispute.created": dispute("warning_needs_response"), "charge.dispute.closed": dispute("warning_closed"),
		"charge.dispute.funds_reinstated": dispute("prevented"), "charge.dispute.updated": dispute("under_review"),
		"charge.expired": {"id": "ch_1", "object": "charge"},
		"refund.updated": {"id": "re_1", "object": "refund"}, "charge.refunded": {"id": "ch_1", "payment_intent": "pi_3"},
		"charge.dispute.funds_withdrawn": {"id": "dp_2", "payment_intent": "pi_3"},
	} {
		n, err := r.read(t, signed(simulator.Secret, time.Now(), false, kind, object))
		if err != nil || n.PaymentID != "" || n.Response.Status != http.StatusOK {
			t.Errorf("%s: %+v, %v", kind, n, err)
		}
	}
	taken := signed(simulator.Secret, time.Now(), false, "charge.dispute.funds_withdrawn", dispute("needs_response"))
	r.wantNotice(t, taken, "one", connector.OutcomeChargeback)
}

// TestSignatures reads an event at the edges of its time, and refuses those of another mode or with a wrong header.
func TestSignatures(t *testing.T) {
	at := time.Now()
	object := map[string]any{"id": "cus_1"}
	for _, test := range []struct {
		after time.Duration
		live  bool
		key   string
		want  bool
	}{
		{0, false, simulator.Key, true}, {0, false, "sk_test_1", true}, {0, true, "sk_live_1", true},
		{0, true, "rk_live_1", true}, {0, false, "sk_live_1", false}, {0, true, "sk_test_1", false},
		{5 * time.Minute, false, simulator.Key, true}, {5*time.Minute + time.Second, false, simulator.Key, false},
		{-4 * time.Minute, false, simulator.Key, true}, {-6 * time.Minute, false, simulator.Key, false},
	} {
		c := stripe.New(provider.Setup{Now: func() time.Time { return at.Truncate(time.Second).Add(test.after) }})
		r := running{connector: c, credentials: map[string]string{
			"url": "https://api.stripe.com", "key": test.key, "webhook_secret": "whsec_1",
		}}
		_, err := r.read(t, signed("whsec_1", at, test.live, "customer.created", object))
		if test.want != (err == nil) || err != nil && !errors.Is(err, connector.ErrNotAuthentic) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	r := start(t)
	good := signed(simulator.Secret, at, false, "customer.created", object)
	header := good.Header["Stripe-Signature"][0]
	for _, wrong := range []string{
		"", "t=", "v1=00", strings.Replace(header, "t=", "t=1", 1), strings.ReplaceAll(header, "v1=", "v0="),
		strings.Replace(header, "t=", "u=", 1), fmt.Sprintf("t=%d", at.Unix()),
	} {
		bad := good
		bad.Header = http.Header{"Stripe-Signature": {wrong}}
		if _, err := r.read(t, bad); !errors.Is(err, connector.ErrNotAuthentic) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
