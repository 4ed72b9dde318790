package contract

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// early is the sandbox, except that every notice is a chargeback of the payment that it names.
type early struct{ connector.Connector }

func (early) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	return connector.Notice{PaymentID: string(n.Body), Result: connector.Result{Outcome: connector.OutcomeChargeback}}, nil
}

// TestRefusalsAreAsDocumented causes every status that is no success, and checks that the operation documents it.
func TestRefusalsAreAsDocumented(t *testing.T) {
	d := read(t)
	named := map[string]example{}
	for _, one := range examples(d) {
		named[one.name] = one
	}
	for _, test := range []struct {
		name, example string
		status        int
		says          string
		setting       setting
		change        func(w *world, one *example)
	}{
		{"fields that are not sound", "createSession/purchase", 400, "success_url: ", setting{},
			func(_ *world, one *example) { delete(one.body, "success_url") }},
		{"the same order again", "createSession/purchase", 400, `"error_code":400`, setting{}, (*world).sendBefore},
		{"no MID", "createSession/purchase", 400, "Protocol mapping not found.", setting{}, func(_ *world, one *example) {
			one.body["channel_id"] = "nowhere"
		}},
		{"no MID for the operation", "createSession/purchase", 400, "204003", setting{`"purchase", "debit"`, `"debit"`},
			func(_ *world, one *example) {
				one.body["channel_id"] = "primary"
			}},
		{"an unknown card_token", "createSession/purchaseWithSavedCard", 400, "205005", setting{},
			func(_ *world, one *example) {
				one.body["card_token"] = []any{strings.Repeat("t", 64)}
			}},
		{"a wrong hash", "explainSession/purchase", 401, "hash: ", setting{},
			func(_ *world, one *example) { one.body["hash"] = strings.Repeat("0", 40) }},
		{"a disabled merchant", "createSession/purchase", 403, "Access denied.",
			setting{`"id": "demo",`, `"id": "demo", "disabled": true,`}, nil},
		{"too many requests", "explainSession/purchase", 429, "Too many requests.",
			setting{`"id": "demo",`, `"id": "demo", "rate_limit": 1,`}, (*world).sendBefore},
		{"another merchant's payment", "paymentStatus/byPayment", 404, "Payment not found", setting{}, (*world).name},
		{"an unknown order", "paymentStatus/byOrder", 404, "Order does not exist", setting{}, (*world).name},
		{"a capture of a settled payment", "capturePayment/all", 400, "208003", setting{}, (*world).sendBefore},
		{"a capture above the authorised amount", "capturePayment/part", 400, "208004", setting{},
			func(w *world, one *example) { w.wants(one, "10.01") }},
		{"a refund above the payment", "refundPayment/part", 400, "208006", setting{},
			func(w *world, one *example) { w.wants(one, "10.01") }},
		{"a refund of a refunded payment", "refundPayment/whatIsLeft", 400, "208005", setting{}, (*world).sendBefore},
		{"a second void", "voidPayment/void", 400, "Void is not allowed.", setting{}, (*world).sendBefore},
		{"a void of an unknown payment", "voidPayment/void", 404, "208001", setting{}, (*world).name},
		{"a chain with another token", "recurringPayment/later", 404, "208001", setting{}, (*world).anotherToken},
		{"a second retry", "retryPayment/retry", 400, "Retry is not allowed.", setting{}, (*world).sendBefore},
		{"an unknown session", "nextScreen", 404, "errors", setting{}, func(_ *world, one *example) { one.path += "0" }},
		{"a form that is not filled in", "pay/card", 400, "payer_card: ", setting{},
			func(_ *world, one *example) { delete(one.body, "sealed") }},
		{"too many attempts", "pay/card", 429, "Too many requests.",
			setting{`"max_declines": 3`, `"max_declines": 3, "pay_limit": 1`}, (*world).payBefore},
		{"a store that fails", "nextScreen", 500, "request_id", setting{},
			func(w *world, _ *example) { w.app.Core.Store = nil }},
		{"no sweep has run yet", "nextScreen", 503, "Try again in a moment.", setting{}, (*world).removeKeys},
		{"a notice of nothing", "notify/sandbox", 404, "208001", setting{},
			func(_ *world, one *example) { one.body["reference"] = "none" }},
		{"a notice that comes too early", "notify/sandbox", 409, "not settled yet", setting{}, (*world).noticeEarly},
		{"a notice that is not the provider's", "notify/sandbox", 401, "not authentic", setting{}, (*world).noticeForged},
		{"a notice again of nothing", "notifyAgain/sandbox", 404, "208001", setting{},
			func(_ *world, one *example) { one.body["reference"] = "none" }},
		{"an unknown button", "sandboxFinish/confirm", 400, "action: ", setting{},
			func(_ *world, one *example) { one.body["action"] = "none" }},
		{"a crypto payment of no amount", "sandboxFinish/payAnyAmount", 400, "amount: ", setting{},
			func(_ *world, one *example) { delete(one.body, "amount") }},
		{"an unknown reference", "sandboxStep", 404, "208001", setting{}, func(_ *world, one *example) { one.path += "0" }},
		{"an unknown reference's button", "sandboxFinish/confirm", 404, "208001", setting{},
			func(_ *world, one *example) { one.path += "0" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			var settings []setting
			if test.setting.old != "" {
				settings = append(settings, test.setting)
			}
			w, one := open(t, settings...), named[test.example]
			w.prepare(&one)
			if test.change != nil {
				test.change(w, &one)
			}
			reply, body := w.send(one)
			if reply.StatusCode != test.status || !strings.Contains(string(body), test.says) {
				t.Fatalf("returns %d %s", reply.StatusCode, body)
			}
			if found := d.responseFault(one.operation, reply, body); found != "" {
				t.Errorf("%s\n%s", found, body)
			}
		})
	}
}

// sendBefore sends an example once, so that it is a repeat the next time.
func (w *world) sendBefore(one *example) {
	w.t.Helper()
	if reply, body := w.send(*one); reply.StatusCode != http.StatusOK {
		w.t.Fatalf("the first time: %d %s", reply.StatusCode, body)
	}
}

// removeKeys removes the keys of the day, as if no sweep had made them yet.
func (w *world) removeKeys(*example) {
	w.t.Helper()
	for _, record := range w.app.Store.Dump() {
		if record.Key.InVault() {
			removed := store.Record{Key: record.Key, Delete: true}
			if err := w.app.Store.Save(w.t.Context(), w.app.Core.Now(), removed); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// name makes an example name a payment or an order that does not exist.
func (w *world) name(one *example) {
	w.t.Helper()
	for _, id := range []string{"payment_id", "order_id"} {
		if one.body[id] != nil {
			one.body[id] = "68e30489-5455-8c4e-8329-b11cd803a7f1"
			w.sign(one.body)
		}
	}
}

func (w *world) wants(one *example, amount string) {
	w.t.Helper()
	one.body["amount"] = amount
	w.sign(one.body)
}

func (w *world) anotherToken(one *example) {
	w.t.Helper()
	one.body["recurring_token"] = "none"
	w.sign(one.body)
}

// suspicious is the sandbox, but it takes every notice for forged.
type suspicious struct{ connector.Connector }

func (suspicious) HandleNotification(context.Context, connector.Notification) (connector.Notice, error) {
	return connector.Notice{}, connector.ErrNotAuthentic
}

func (w *world) noticeForged(*example) {
	connectors := w.app.Runner.Connectors
	connectors[settings.SandboxConnector] = suspicious{connectors[settings.SandboxConnector]}
}

// payBefore has the session of an example declined once.
func (w *world) payBefore(one *example) {
	w.t.Helper()
	session := strings.TrimSuffix(strings.TrimPrefix(one.path, "/page/v1/"), "/pay")
	w.pay("/page/v1/"+session, "02/38")
}

func (w *world) noticeEarly(one *example) {
	w.t.Helper()
	connectors := w.app.Runner.Connectors
	connectors[settings.SandboxConnector] = early{connectors[settings.SandboxConnector]}
	id := one.body["reference"].(string)
	one.body, one.media, one.text = nil, "text/plain", id
}
