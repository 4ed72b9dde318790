package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// stripeClient sends requests to the simulated Stripe. In paths and forms, $name is the id of an earlier response.
type stripeClient struct {
	*testing.T
	*Simulator
	ids map[string]string
}

func (c stripeClient) send(method, path, form string, header ...string) (int, map[string]any, http.Header) {
	for name, id := range c.ids {
		path, form = strings.ReplaceAll(path, "$"+name, id), strings.ReplaceAll(form, "$"+name, id)
	}
	r := httptest.NewRequest(method, "/stripe/v1/"+path, strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("sk_test_1", "")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		c.Fatalf("%s %s: %v", method, path, err)
	}
	return w.Code, body, w.Header()
}

// want sends a request and compares members of the response, such as "status=succeeded data.0.id=$one". It stores the
// id of the response by its name.
func (c stripeClient) want(name, method, path, form string, status int, members string) {
	c.Helper()
	got, body, _ := c.send(method, path, form)
	if got != status {
		c.Errorf("%s: %d %v", name, got, body)
	}
	for id, value := range c.ids {
		members = strings.ReplaceAll(members, "$"+id, value)
	}
	for _, member := range strings.Fields(members) {
		at, want, _ := strings.Cut(member, "=")
		if value := memberOf(body, at); value != want {
			c.Errorf("%s: %s is %s, not %s", name, at, value, want)
		}
	}
	c.ids[name], _ = body["id"].(string)
}

// memberOf is a value in JSON by its path; # is the length of a list.
func memberOf(value any, path string) string {
	for _, part := range strings.Split(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[part]
		case []any:
			n := 0
			if _, err := fmt.Sscan(part, &n); err != nil {
				value = float64(len(at))
			} else if n < len(at) {
				value = at[n]
			}
		}
	}
	if n, is := value.(float64); is {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(value)
}

// TestStripeCalls makes the usual first calls, as Stripe documents them. The test of Stripe's own library in
// internal/local/contract makes more.
func TestStripeCalls(t *testing.T) {
	c := stripeClient{t, New(Options{URL: "http://localhost"}), map[string]string{}}
	const card = "amount=2000&currency=usd&confirm=true&automatic_payment_methods[enabled]=true" +
		"&automatic_payment_methods[allow_redirects]=never&payment_method="
	for _, call := range []struct {
		name, method, path, form string
		status                   int
		want                     string
	}{
		{"paid", "POST", "payment_intents", card + "pm_card_visa", 200, "status=succeeded amount_received=2000"},
		{"plain", "POST", "payment_intents", "amount=500&currency=eur&metadata[a]=b", 200,
			"status=requires_payment_method automatic_payment_methods.enabled=true latest_charge=<nil>"},
		{"redirects", "POST", "payment_intents/$plain/confirm", "payment_method=pm_card_visa", 400,
			"error.type=invalid_request_error"},
		{"confirmed", "POST", "payment_intents/$plain/confirm", "payment_method=pm_card_visa&return_url=https://a.example",
			200, "status=succeeded"},
		{"changed", "POST", "payment_intents/$plain", "amount=700", 400, "error.code=payment_intent_unexpected_state"},
		{"expanded", "GET", "payment_intents/$paid?expand[]=latest_charge.balance_transaction", "", 200,
			"latest_charge.object=charge latest_charge.balance_transaction.fee=88"},
		{"page", "GET", "payment_intents?limit=1", "", 200, "has_more=true data.#=1 data.0.id=$plain"},
		{"next", "GET", "payment_intents?limit=1&starting_after=$plain", "", 200, "has_more=false data.0.id=$paid"},
		{"before", "GET", "payment_intents?ending_before=$paid", "", 200, "has_more=false data.0.id=$plain"},
		{"created", "GET", "payment_intents?created[gt]=9999999999", "", 200, "data.#=0"},
		{"search", "GET", "payment_intents/search?query=currency:'eur'+AND+metadata['a']:'b'", "", 200, "data.#=1"},
		{"amounts", "GET", "payment_intents/search?query=amount>600", "", 200, "data.0.id=$paid"},
		{"query", "GET", "payment_intents/search?query=all", "", 400, "error.param=query"},

		{"declined", "POST", "payment_intents", card + "pm_card_chargeDeclinedLostCard", 402,
			"error.code=card_declined error.decline_code=lost_card error.payment_intent.status=requires_payment_method " +
				"error.payment_intent.last_payment_error.decline_code=lost_card"},
		{"3ds", "POST", "payment_intents", card + "pm_card_threeDSecure2Required", 200,
			"status=requires_action next_action.type=use_stripe_sdk"},
		{"cancelled", "POST", "payment_intents/$3ds/cancel", "cancellation_reason=duplicate", 200,
			"status=canceled cancellation_reason=duplicate"},
		{"small", "POST", "payment_intents", "amount=49&currency=usd", 400, "error.code=amount_too_small error.param=amount"},
		{"crypto", "POST", "payment_intents", "amount=4900&currency=usdt", 400, "error.param=currency"},
		{"expand", "GET", "payment_intents/$paid?expand[]=amount", "", 400, "error.param=expand"},
		{"none", "GET", "payment_intents/pi_1", "", 404, "error.code=resource_missing"},

		{"customer", "POST", "customers", "name=Jenny&address[city]=Ely", 200, "address.city=Ely email=<nil>"},
		{"attached", "POST", "payment_methods/pm_card_mastercard/attach", "customer=$customer", 200,
			"customer=$customer card.brand=mastercard"},
		{"methods", "GET", "customers/$customer/payment_methods", "", 200, "data.0.id=$attached"},
		{"saved", "POST", "payment_intents", card + "$attached&customer=$customer&off_session=true", 200, "status=succeeded"},
		{"gone", "DELETE", "customers/$customer", "", 200, "deleted=true"},
		{"unattached", "POST", "payment_methods/pm_card_visa/attach", "customer=$customer", 400, "error.param=customer"},
		{"setup", "POST", "setup_intents", "payment_method=pm_card_visa&confirm=true&return_url=https://a.example", 200,
			"status=succeeded"},
		{"of a wallet", "POST", "payment_methods", "type=card&card[token]=tok_of_a_wallet", 200, "card.last4=4242"},
		{"used", "POST", "payment_methods", "type=card&card[token]=tok_of_a_wallet", 400, "error.code=token_already_used"},
		{"no token", "POST", "payment_methods", "type=card&card[token]=tok_1", 400, "error.code=resource_missing"},

		{"refund", "POST", "refunds", "payment_intent=$paid&amount=500", 200, "status=succeeded amount=500"},
		{"refunds", "GET", "refunds?payment_intent=$paid", "", 200, "data.0.id=$refund"},
		{"more", "POST", "refunds", "payment_intent=$paid&amount=1501", 400, "error.param=amount"},
		{"rest", "POST", "refunds", "payment_intent=$paid", 200, "amount=1500"},
		{"again", "POST", "refunds", "payment_intent=$paid", 400, "error.code=charge_already_refunded"},
		{"charges", "GET", "charges?payment_intent=$paid", "", 200, "data.0.refunded=true data.0.amount_refunded=2000"},
		{"balance", "GET", "balance", "", 200, "available.0.currency=eur available.1.amount=1824"},
		{"transactions", "GET", "balance_transactions?type=refund", "", 200, "data.#=2"},
		{"events", "GET", "events?type=payment_intent.succeeded", "", 200, "data.#=3"},
		{"products", "GET", "products", "", 404, "error.type=invalid_request_error"},
	} {
		c.want(call.name, call.method, call.path, call.form, call.status, call.want)
	}
}

// TestStripeDisputes has a charge disputed, of which a part is, and wins that. Another dispute is lost.
func TestStripeDisputes(t *testing.T) {
	c := stripeClient{t, New(Options{URL: "http://localhost"}), map[string]string{}}
	const paid = "amount=2000&currency=usd&confirm=true&payment_method_types[]=card&payment_method=pm_card_visa"
	c.want("one", "POST", "payment_intents", paid, 200, "status=succeeded")
	c.Act(c.Operations()[0].ID, Part)
	c.ids["dispute"] = "dp_" + c.Operations()[0].ID
	c.want("list", "GET", "disputes", "", 200, "data.0.id=$dispute data.0.amount=1000 data.0.status=needs_response")
	c.want("refund", "POST", "refunds", "payment_intent=$one", 400, "error.code=charge_disputed")
	c.want("won", "POST", "disputes/$dispute", "evidence[uncategorized_text]=winning_evidence", 200, "status=won")
	c.want("refund", "POST", "refunds", "payment_intent=$one", 200, "amount=2000")
	c.want("two", "POST", "payment_intents", paid, 200, "status=succeeded")
	c.Act(c.Operations()[2].ID, Dispute)
	c.ids["dispute"] = "dp_" + c.Operations()[2].ID
	c.want("lost", "POST", "disputes/$dispute", "evidence[uncategorized_text]=losing_evidence", 200,
		"status=lost amount=2000")
}

// TestStripeKeys sends wrong keys, and the same Idempotency-Key with another request.
func TestStripeKeys(t *testing.T) {
	c := stripeClient{t, New(Options{URL: "http://localhost"}), map[string]string{}}
	for key, says := range map[string]string{
		"": "You did not provide an API key", "Bearer sk_live_abcdef": "Invalid API Key provided: sk_l****cdef",
		"Bearer x": "Invalid API Key provided: x****",
	} {
		status, body, header := c.send("GET", "balance", "", "Authorization", key)
		if status != 401 || !strings.Contains(memberOf(body, "error.message"), says) || header.Get("Request-Id") == "" {
			t.Errorf("%q: %d %v", key, status, body)
		}
	}
	_, first, _ := c.send("POST", "customers", "name=A", "Idempotency-Key", "k")
	_, again, header := c.send("POST", "customers", "name=A", "Idempotency-Key", "k")
	if first["id"] != again["id"] || header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v, then %v", first, again)
	}
	status, other, _ := c.send("POST", "customers", "name=B", "Idempotency-Key", "k")
	if status != 400 || memberOf(other, "error.type") != "idempotency_error" {
		t.Errorf("another request: %d %v", status, other)
	}
	if _, mine, _ := c.send("GET", "customers", "", "Authorization", "Bearer sk_test_2"); memberOf(mine, "data.#") != "0" {
		t.Errorf("another account has %v", mine)
	}
}

// TestStripeReset forgets what Stripe has, also where its events go to.
func TestStripeReset(t *testing.T) {
	c := stripeClient{t, New(Options{URL: "http://localhost"}), map[string]string{}}
	c.want("endpoint", "POST", "webhook_endpoints", "url=https://a.example&enabled_events[]=*", 200, "secret="+Secret)
	c.want("made", "POST", "payment_intents", "amount=500&currency=eur", 200, "")
	c.Reset()
	c.want("none", "GET", "payment_intents", "", 200, "data.#=0")
	c.want("nowhere", "GET", "webhook_endpoints", "", 200, "data.#=0")
}
