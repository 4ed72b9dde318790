package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// example is one example of a request, ready to be sent.
type example struct {
	name      string
	operation document
	method    string
	path      string
	media     string
	body      map[string]any // nil: none
	text      string         // a body that is no JSON
}

// examples are those of all operations; an operation without a body is one itself.
func examples(d document) (list []example) {
	paths := d.object("paths")
	for _, path := range names(paths) {
		for _, verb := range names(paths.object(path)) {
			operation := paths.object(path, verb)
			id, ok := operation["operationId"].(string)
			if !ok {
				continue
			}
			one := example{name: id, operation: operation, method: strings.ToUpper(verb), path: path}
			content := operation.object("requestBody", "content")
			if len(content) == 0 {
				list = append(list, one)
			}
			for _, media := range names(content) {
				sent := content.object(media, "examples")
				for _, name := range names(sent) {
					object, _ := asObject(sent[name])
					one.name, one.media = id+"/"+name, media
					one.body, _ = asObject(d.resolve(object)["value"])
					list = append(list, one)
				}
			}
		}
	}
	return list
}

// outcome has what the response and a callback of an example must contain, as names of fields or name=value.
type outcome struct {
	reply    string // JSON members of the response
	callback string // fields of one of the callbacks
}

// outcomes are the outcomes of examples whose effects are checked. Of an example that is not listed only the response
// is compared with the document.
var outcomes = map[string]outcome{
	"createSession/purchase": {"redirect_url", "type=sale status=success order_status=settled card"},
	"createSession/purchaseWithEverything": {"redirect_url",
		"type=sale customer_name custom_data[basket]=17 custom_data[tags][1]=b"},
	"createSession/purchaseAsClientsSendIt":  {"redirect_url", "type=sale order_number order_amount=10.5"},
	"createSession/authorisation":            {"redirect_url", "type=sale status=success order_status=pending"},
	"createSession/purchaseThatSavesTheCard": {"redirect_url", "type=sale card_token"},
	"createSession/purchaseWithSavedCard":    {"redirect_url", "type=sale status=success"},
	"createSession/purchaseThatBeginsAChain": {"redirect_url", "type=sale recurring_token recurring_init_trans_id"},
	"createSession/purchaseOnASchedule": {"redirect_url",
		"recurring_token schedule_id=0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10 consent_id consent_state=active"},
	"createSession/purchaseWithVAT": {"redirect_url", "type=sale vat_amount=19.00"},
	"createSession/purchaseWithCrypto": {"redirect_url",
		"type=init order_status=pending crypto_address crypto_network=TRC20"},
	"createSession/purchaseWithCryptoOfAnyAmount": {"redirect_url", "type=init crypto_address"},
	"createSession/debit": {"redirect_url",
		"type=debit status=success card_token recurring_token"},
	"createSession/credit": {"redirect_url",
		"type=credit status=success payee_name payee_email payee_country=US payee_state=CA"},
	"createSession/creditToSavedCard":   {"payment_id status=settled", "type=credit status=success payee_name"},
	"createSession/transfer":            {"redirect_url", "type=transfer status=success payee_card payee_city=Berlin"},
	"createSession/transferOfAnyAmount": {"redirect_url", "type=transfer status=success order_amount=10.00"},

	"explainSession/purchase":              {"operation=purchase mapping=default", ""},
	"explainSession/purchaseWithSavedCard": {"saved_cards", ""},

	"capturePayment/all": {"status=settled trans_status=SUCCESS",
		"type=capture status=success order_status=settled"},
	"capturePayment/part": {"status=settled trans_status=SUCCESS",
		"type=capture status=success order_status=settled"},
	"refundPayment/part":       {"result=accepted", "type=refund status=success order_status=settled"},
	"refundPayment/whatIsLeft": {"result=accepted", "type=refund status=success order_status=refund"},
	"voidPayment/void": {"status=void trans_status=SUCCESS payment_status=void",
		"type=void status=success order_status=void"},
	"recurringPayment/later": {"status=settled recurring_token",
		"type=recurring status=success recurring_init_trans_id"},
	"recurringPayment/onASchedule": {"status=settled schedule_id=0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10",
		"type=recurring schedule_id=0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10 custom_data[basket]=18"},
	"retryPayment/retry":       {"result=accepted", "type=recurring status=success order_status=settled"},
	"paymentStatus/byPayment":  {"status=settled transactions", ""},
	"nextScreen":               {"kind=form methods seal", ""},
	"pay/card":                 {"kind=wait", "type=sale status=success"},
	"pay/savedCard":            {"kind=wait", "type=sale status=success"},
	"pay/saveCard":             {"kind=wait", "type=sale status=success card_token"},
	"removeCard/first":         {"kind=form methods", "type=card_removed status=removed card_token card"},
	"pay/crypto":               {"kind=wait", "type=init"},
	"pay/enteredAmount":        {"kind=wait", "type=transfer order_amount=25.00"},
	"pay/consent":              {"kind=wait", "consent_state=active"},
	"answer/code":              {"kind=form", ""}, // the form was not shown
	"moreTime":                 {"kind=form expires_in_ms", ""},
	"chooseAnother":            {"kind=form", ""}, // nothing is paid elsewhere
	"merchantSession/framed":   {"merchantSessionIdentifier", ""},
	"cancel":                   {"kind=message", ""},
	"notifyAgain/sandbox":      {"", "type=3ds status=success order_status=3ds"},
	"notify/sandbox":           {"", "type=3ds status=success order_status=3ds"},
	"sandboxWallet/deviceCard": {"token", ""},
	"sandboxWallet/cardItself": {"token", ""},
	"sandboxWallet/usedTwice":  {"token", ""},
	"sandboxFinish/confirm":    {"", "type=sale status=success"},
	"sandboxFinish/refuse":     {"", "type=sale status=fail reason"},
	"sandboxFinish/pay": {"",
		"type=sale status=success exchange_rate=2 exchange_rate_base=1 exchange_currency=USD exchange_amount=10.00"},
	"sandboxFinish/payAnyAmount": {"", "type=sale status=success exchange_amount=0.01500000"},
	"sandboxFinish/payHalf":      {"", "type=sale status=waiting order_status=pending reason"},
	"sandboxFinish/payDouble":    {"", "type=sale status=success order_status=settled exchange_amount=10.00 reason"},
	"sandboxFinish/payLate":      {"", "type=sale status=fail order_status=decline reason"},
	"sandboxFinish/expire":       {"", "type=sale status=fail reason"},
	"sandboxFinish/chargeback":   {"", "type=chargeback status=success order_status=chargeback"},
	"sandboxFinish/reverse":      {"", "type=reversal status=success order_status=reversal"},
}

func TestEveryExampleHasItsDocumentedResponse(t *testing.T) {
	d, sent := read(t), map[string]bool{}
	for _, one := range examples(d) {
		sent[one.name] = true
		t.Run(one.name, func(t *testing.T) {
			w := open(t)
			w.prepare(&one)
			want := http.StatusOK
			if one.operation.at("responses", "303") != nil {
				want = http.StatusSeeOther
			}
			w.tryKey(one, want)
			reply, body := w.send(one, testCardHeader, "01/38")
			if reply.StatusCode != want {
				t.Fatalf("returns %d %s", reply.StatusCode, body)
			}
			if found := d.responseFault(one.operation, reply, body); found != "" {
				t.Errorf("%s\n%s", found, body)
			}
			w.compare(d, one, body)
		})
	}
	for name := range outcomes {
		if !sent[name] {
			t.Errorf("there is no example %s", name)
		}
	}
}

// tryKey sends an example with an Idempotency-Key that is too long. Operations with that header refuse it and change
// nothing; others ignore it.
func (w *world) tryKey(one example, want int) {
	w.t.Helper()
	if w.knowsKey(one) {
		want = http.StatusBadRequest
	} else if one.method == http.MethodPost {
		return // the operation would be done
	}
	reply, body := w.send(one, "Idempotency-Key", strings.Repeat("k", 256))
	if reply.StatusCode != want || want == http.StatusBadRequest && !bytes.Contains(body, []byte("Idempotency-Key: ")) {
		w.t.Errorf("with a bad Idempotency-Key: %d %s", reply.StatusCode, body)
	}
}

func (w *world) knowsKey(one example) bool {
	parameters, _ := one.operation["parameters"].([]any)
	return slices.ContainsFunc(parameters, func(p any) bool {
		object, _ := asObject(p)
		return object["$ref"] == "#/components/parameters/IdempotencyKey"
	})
}

// compare compares the effects of an example with its outcome, and all callbacks and payments with the document.
func (w *world) compare(d document, one example, body []byte) {
	w.t.Helper()
	want := outcomes[one.name]
	var reply map[string]any
	_ = json.Unmarshal(body, &reply) // a list or a page is none
	if missing := missing(want.reply, reply); missing != "" {
		w.t.Errorf("the response has no %s: %s", missing, body)
	}
	if err := w.app.Sweeper.Sweep(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.app.Queue.Deliver(w.t.Context())
	w.callbacksMu.Lock()
	defer w.callbacksMu.Unlock()
	found := want.callback == ""
	for _, c := range w.callbacks {
		found = found || missing(want.callback, c.fields) == ""
		if fault := d.callbackFault(c); fault != "" {
			w.t.Errorf("callback: %s\n%v", fault, c)
		}
		if err := w.shop().Check(c.Callback); err != nil {
			w.t.Error(err)
		}
		if c.fields["type"] == "card_removed" {
			continue // of no payment
		}
		_, payment := w.post("/api/v1/payment/status", w.shop().Payment(c.fields["id"].(string), ""))
		if fault := d.fault(d.schema(w.t, "Payment"), payment); fault != "" {
			w.t.Errorf("payment: %s\n%v", fault, payment)
		}
	}
	if !found {
		w.t.Errorf("no callback has %s:\n%v", want.callback, w.callbacks)
	}
}

// missing returns the first of the wanted members that an object does not have.
func missing(wanted string, object map[string]any) string {
	for _, member := range strings.Fields(wanted) {
		name, value, given := strings.Cut(member, "=")
		if found, ok := object[name]; !ok || given && fmt.Sprint(found) != value {
			return member
		}
	}
	return ""
}

func TestCallbackExamplesAreAsDocumented(t *testing.T) {
	d := read(t)
	content := d.object("webhooks", "paymentEvent", "post", "requestBody", "content")
	for _, media := range names(content) {
		for name, value := range content.object(media, "examples") {
			object, _ := asObject(value)
			if found := d.fault(content.object(media, "schema"), object["value"]); found != "" {
				t.Errorf("%s, %s: %s", media, name, found)
			}
		}
	}
}

func TestJSONCallbacksAreAsDocumented(t *testing.T) {
	d, w := read(t), open(t, setting{`"callback_json": false,`, ""})
	w.paid("01/38", members{"custom_data": members{"basket": 17, "tags": []any{"a", true}}})
	if len(w.callbacks) != 1 || w.callbacks[0].media != "application/json" {
		t.Fatalf("callbacks %v", w.callbacks)
	}
	if found := d.callbackFault(w.callbacks[0]); found != "" {
		t.Errorf("%s\n%v", found, w.callbacks[0])
	}
}

// callbackFault says what of a callback is not as documented, "" if nothing.
func (d document) callbackFault(c callback) string {
	operation := d.object("webhooks", "paymentEvent", "post")
	parameters, _ := operation["parameters"].([]any)
	for _, parameter := range parameters {
		header, _ := asObject(parameter)
		name := fmt.Sprint(header["name"])
		schema, _ := asObject(header["schema"])
		if header["required"] == false && c.Header.Get(name) == "" {
			continue
		}
		if found := d.fault(schema, c.Header.Get(name)); found != "" || c.Header.Get(name) == "" {
			return "header " + name + ": " + found
		}
	}
	schema, ok := asObject(operation.at("requestBody", "content", c.media, "schema"))
	if !ok {
		return "the media type " + c.media + " is not documented"
	}
	return d.fault(schema, map[string]any(c.fields))
}

// responseFault says what of a response is not as documented, "" if nothing.
func (d document) responseFault(operation document, reply *http.Response, body []byte) string {
	response, _ := asObject(operation.at("responses", fmt.Sprint(reply.StatusCode)))
	documented := d.resolve(response)
	if len(documented) == 0 {
		return fmt.Sprintf("the status %d is not documented", reply.StatusCode)
	}
	for name, value := range documented.object("headers") {
		header, _ := asObject(value)
		schema, _ := asObject(d.resolve(header)["schema"])
		if found := d.fault(schema, headerValue(schema, reply.Header.Get(name))); found != "" {
			return "header " + name + ": " + found
		}
	}
	media, _, _ := strings.Cut(reply.Header.Get("Content-Type"), ";")
	content := documented.object("content")
	switch {
	case len(content) == 0:
		return ""
	case content[media] == nil:
		return "the media type " + media + " is not documented"
	case media != "application/json":
		return ""
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err.Error()
	}
	return d.fault(content.object(media, "schema"), value)
}

// headerValue is a header's value in the type of its schema.
func headerValue(schema document, text string) any {
	var value any = text
	if !isType(schema, "string") {
		_ = json.Unmarshal([]byte(text), &value) // a text that is no JSON is compared as it is
	}
	return value
}

// post sends a body and returns status and JSON of the response.
func (w *world) post(path string, body map[string]any) (int, map[string]any) {
	w.t.Helper()
	reply, text := w.send(example{method: "POST", path: path, media: "application/json", body: body})
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		w.t.Fatalf("%s: %v: %s", path, err, text)
	}
	return reply.StatusCode, object
}

// send sends an example over the network, with headers by name and value. It follows no redirect.
func (w *world) send(one example, headers ...string) (*http.Response, []byte) {
	w.t.Helper()
	var body io.Reader
	switch {
	case one.media == "application/x-www-form-urlencoded":
		form := url.Values{}
		for name, value := range one.body {
			form.Set(name, fmt.Sprint(value))
		}
		body = strings.NewReader(form.Encode())
	case one.text != "":
		body = strings.NewReader(one.text)
	case one.body != nil:
		text, err := json.Marshal(one.body)
		if err != nil {
			w.t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(w.t.Context(), one.method, w.server.URL+one.path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header.Set("Content-Type", one.media)
	for pair := range slices.Chunk(headers, 2) {
		request.Header.Set(pair[0], pair[1])
	}
	reply, err := w.server.Client().Transport.RoundTrip(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply, text
}

// copied is a body that may be changed, with the order in it.
func copied(body map[string]any) map[string]any {
	body = maps.Clone(body)
	if order, ok := asObject(body["order"]); ok {
		body["order"] = map[string]any(maps.Clone(order))
	}
	return body
}
