package stripe_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// TestAddressLeftOut charges although Stripe does not take the payer's IP address and browser. Of a payment without the
// payer none are sent.
func TestAddressLeftOut(t *testing.T) {
	addresses, takes := []string{}, false
	r := behind(t, simulator.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		err := r.ParseForm()
		r.Body = io.NopCloser(strings.NewReader(r.PostForm.Encode()))
		if err != nil || r.URL.Path != "/stripe/v1/payment_methods" {
			return false
		}
		addresses = append(addresses, r.Form.Get("ip")+" "+r.Form.Get("user_agent"))
		if takes || r.Form.Get("ip") == "" {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":{"type":"invalid_request_error","code":"parameter_unknown","param":"ip"}}`))
		return true
	})
	r.send(t, r.charge(t, "one"))
	takes = true
	r.send(t, r.charge(t, "two"))
	later := r.charge(t, "later")
	later.Recurring, later.ReturnURL = true, ""
	r.send(t, later)
	const want = "203.0.113.7 Mozilla/5.0, ,203.0.113.7 Mozilla/5.0, "
	if got := strings.Join(addresses, ","); got != want || len(r.Operations()) != 3 {
		t.Errorf("%d charges with %s", len(r.Operations()), got)
	}
}

// TestDisputes reads the events of disputes, by their statuses.
func TestDisputes(t *testing.T) {
	r := start(t)
	id := r.send(t, r.charge(t, "one")).ProviderID
	for _, test := range []struct {
		event, status, currency string
		want                    connector.Outcome
		amount                  string
	}{
		{"created", "needs_response", "usd", connector.OutcomeChargeback, "4.00"},
		{"funds_withdrawn", "warning_needs_response", "usd", connector.OutcomeChargeback, "4.00"},
		{"closed", "lost", "usd", connector.OutcomeChargeback, "4.00"},
		{"closed", "won", "usd", connector.OutcomeDisputeWon, "4.00"},
		{"funds_reinstated", "won", "usd", connector.OutcomeDisputeWon, "4.00"},
		{"created", "needs_response", "???", connector.OutcomeChargeback, ""},
	} {
		n, err := r.read(t, signed(simulator.Secret, time.Now(), false, "charge.dispute."+test.event, map[string]any{
			"id": "dp_1", "payment_intent": id, "status": test.status, "reason": "fraudulent", "amount": 400,
			"currency": test.currency,
		}))
		if (n.Result.Stage == connector.StageLost) != (test.status == "lost") {
			t.Errorf("%s %s: the stage is %q", test.event, test.status, n.Result.Stage)
		}
		if err != nil || n.Reference != "one" || n.Result.Outcome != test.want || n.Result.OperationID != "dp_1" ||
			n.Result.Amount.String() != test.amount {
			t.Errorf("%s %s: %+v, %v", test.event, test.status, n, err)
		}
	}
}

// TestRefundElsewhere reads events of a refund without a request of ours, as it is when they arrive: old ones say what
// it is by then.
func TestRefundElsewhere(t *testing.T) {
	r := start(t)
	id := r.send(t, r.charge(t, "one")).ProviderID
	post(t, r.Simulator, "/stripe/v1/refunds", "payment_intent="+id+"&amount=300")
	all := r.Operations()
	refund := all[len(all)-1]
	event := func(kind string) connector.Notification {
		return signed(simulator.Secret, time.Now(), false, kind, map[string]any{
			"id": "re_" + refund.ID, "object": "refund", "amount": 300, "status": "succeeded", "metadata": map[string]string{},
		})
	}
	r.wantNotice(t, event("refund.created"), "one", connector.OutcomeRefundedElsewhere)
	r.wantNotice(t, signed(simulator.Secret, time.Now(), false, "charge.refunded", map[string]any{
		"id": "ch_1", "object": "charge", "payment_intent": id,
	}), "one", connector.OutcomeRefundedElsewhere)
	r.Act(refund.ID, simulator.Fail)
	r.wantNotice(t, event("refund.created"), "re_"+refund.ID, connector.OutcomeDeclined)
}

// TestAuthorisationElsewhere reads what becomes of an authorisation without a request of ours.
func TestAuthorisationElsewhere(t *testing.T) {
	for name, test := range map[string]struct {
		happens func(r running, intent, charge string)
		event   string
		want    connector.Result
	}{
		"captured": {func(r running, intent, _ string) {
			post(t, r.Simulator, "/stripe/v1/payment_intents/"+intent+"/capture", "amount_to_capture=800")
		}, "", connector.Result{Outcome: connector.OutcomeCapturedElsewhere}},
		"cancelled": {func(r running, intent, _ string) {
			post(t, r.Simulator, "/stripe/v1/payment_intents/"+intent+"/cancel", "cancellation_reason=abandoned")
		}, "", connector.Result{Outcome: connector.OutcomeVoidedElsewhere}},
		"expired": {func(r running, _, charge string) { r.Act(charge, simulator.Lapse) }, "charge.expired",
			connector.Result{Outcome: connector.OutcomeVoidedElsewhere, ReasonCode: reason.Expired}},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t)
			c := r.charge(t, "one")
			c.Auth = true
			id := r.send(t, c).ProviderID
			o, _ := r.Find(family, "one")
			test.happens(r, id, o.ID)
			event := notification(r.Notice(family, "one"))
			if test.event != "" {
				event = signed(simulator.Secret, time.Now(), false, test.event, map[string]any{
					"id": "ch_1", "object": "charge", "payment_intent": id,
				})
			}
			r.wantNotice(t, event, "one", test.want.Outcome)
			n, _ := r.read(t, event)
			if n.Result.OperationID != id || n.Result.ReasonCode != test.want.ReasonCode {
				t.Errorf("read %+v", n)
			}
			// A look-up still says that the charge was authorised.
			r.query(t, c.ProviderRequest, connector.OutcomeApproved)
		})
	}
}

// TestBegin has a charge begin, which moves nothing, and then looks it up and charges it by its id alone: Stripe has
// forgotten the key of the first request, and its search finds nothing.
func TestBegin(t *testing.T) {
	later := time.Duration(0)
	r := behind(t, simulator.Options{Now: func() time.Time { return time.Now().Add(later) }},
		func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/search") {
				return false
			}
			_, _ = w.Write([]byte(`{"object":"search_result","has_more":false,"data":[]}`))
			return true
		})
	c := r.charge(t, "one")
	begin := func(want connector.Outcome) connector.Result {
		t.Helper()
		begun, err := r.connector.(connector.Beginner).Begin(t.Context(), c)
		if err != nil || begun.Outcome != want || begun.ProviderID == "" {
			t.Errorf("begun: %+v, %v", begun, err)
		}
		return begun
	}
	c.ProviderID = begin(connector.OutcomePending).ProviderID
	r.query(t, c.ProviderRequest, connector.OutcomeUnknown)
	if n := len(r.Operations()); n != 0 {
		t.Errorf("%d operations", n)
	}
	later = 25 * time.Hour
	begin(connector.OutcomePending)
	if got := r.send(t, c); got.Outcome != connector.OutcomeApproved || got.ProviderID != c.ProviderID {
		t.Errorf("charged: %+v", got)
	}
	later = 50 * time.Hour
	r.query(t, c.ProviderRequest, connector.OutcomeApproved)
	begin(connector.OutcomeApproved)
	r.send(t, c)
	if n := len(r.Operations()); n != 1 {
		t.Errorf("%d operations", n)
	}
}
