package adapter

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/local/contract/border"
	"checkout/internal/method"
)

// reading is what an adapter may say: the schema of its body, a good one, and how the service reads that.
type reading struct {
	schema string
	good   map[string]any
	read   func(body []byte) (connector.Result, error)
}

// more are bodies with what the document's examples lack.
var more = map[string]string{
	"Result refunded": `{"kind":"refund","reference":"r-1","status":"approved",
		"requested":` + ten + `,"amount":` + ten + `}`,
	"Result authorised": `{"kind":"charge","reference":"r-1","status":"authorised","provider":{"id":"bank-1"},
		"requested":` + ten + `,"amount":` + ten + `}`,
	"Result select": `{"kind":"charge","reference":"r-1","status":"action_required","action":{"type":"wait","fields":[
		{"id":"account","kind":"select","label":{"en":"Account"},"options":[{"value":"a-1","label":{"en":"Savings"}}]}]}}`,
	"Notice chargeback": `{"kind":"charge","reference":"r-1","payment":"p-1","status":"pending","elsewhere":
		{"what":"chargeback","id":"dp-1","stage":"lost","at":"2030-01-02T03:04:05Z"}}`,
	"Notice expired": `{"kind":"charge","reference":"r-1","payment":"p-1","status":"pending","elsewhere":
		{"what":"expired","id":"v-1"}}`,
}

// saysMore are places where the text of the document says more than its schema: the value has to be that of the
// request, or to fit what stands beside it. What the schema allows there may be refused.
var saysMore = regexp.MustCompile(`^(kind|reference|status|((elsewhere\.)?amount|requested)\b.*|` +
	`elsewhere\.(what|stage)$|` +
	`action\.(type|url|show\.0\.type|fields\.0\.(label$|(kind|options|pattern)\b.*))$)`)

// isRead reports whether the service reads what stands at a place: of a body's members those that its status needs,
// and of what was done elsewhere nothing else.
func isRead(good map[string]any, v border.Value) bool {
	switch first := v.Place[0]; {
	case good[first] == nil:
		return false
	case good["elsewhere"] != nil:
		return slices.Contains([]string{"elsewhere", "kind", "reference", "payment"}, first)
	case len(v.Place) > 1 && v.Place[1] == "fields":
		return good["action"].(map[string]any)["fields"] != nil
	}
	return true
}

// readings are the examples of the document, and more, each with the request that it is about.
func readings(d *border.Document) map[string]reading {
	all := map[string]reading{}
	add := func(schema, pointer string, read func(good map[string]any, body []byte) (connector.Result, error)) {
		examples, _ := d.At(pointer).(map[string]any)
		for name, example := range examples {
			good := example.(map[string]any)["value"].(map[string]any)
			all[schema+" "+name] = reading{border.Pointer("components", "schemas", schema), good,
				func(body []byte) (connector.Result, error) { return read(good, body) }}
		}
	}
	examples := border.Pointer("content", "application/json", "examples")
	add("Result", "/components/responses/Result"+examples, readResult)
	notice := border.Pointer("paths", "/charge", "post", "callbacks", "notice", "{$request.body#/notice_url}", "post")
	add("Notice", notice+"/requestBody"+examples, readSigned)
	add("Refusal", "/components/responses/Invalid"+examples, readRefusal)
	add("Description", "/components/responses/Description"+examples, readDescription)
	delete(all, "Result form") // its field has no description
	for name, text := range more {
		var good map[string]any
		if err := json.Unmarshal([]byte(text), &good); err != nil {
			panic(name + ": " + err.Error())
		}
		schema, _, _ := strings.Cut(name, " ")
		read := map[string]func(map[string]any, []byte) (connector.Result, error){"Result": readResult, "Notice": readSigned}
		all[name] = reading{border.Pointer("components", "schemas", schema), good,
			func(body []byte) (connector.Result, error) { return read[schema](good, body) }}
	}
	return all
}

// readResult returns what the service takes from a response: what can be stored of it, and shown.
func readResult(good map[string]any, body []byte) (connector.Result, error) {
	b := &bank{status: http.StatusOK, body: string(body)}
	a, c := b.connector()
	c.Reference = good["reference"].(string)
	var r connector.Result
	var err error
	switch c.Kind = connector.RequestKind(good["kind"].(string)); {
	case good["status"] == statusUnknown:
		r, err = a.QueryStatus(context.Background(), c.ProviderRequest)
	case c.Kind == connector.RequestRefund:
		r, err = a.Refund(context.Background(), c.ProviderRequest)
	default:
		r, err = a.Charge(context.Background(), c)
	}
	return stored(r, err, good)
}

// stored returns what the service stores of a result, of a charge by the method that takes what the good one asks for.
func stored(r connector.Result, err error, good map[string]any) (connector.Result, error) {
	r = r.Bounded()
	if r.Received != nil {
		if _, err := payment.ParseReceipt(r.Received, nil); err != nil {
			r.Received = nil // it counts as nothing
		}
	}
	if err != nil || r.RequiredAction == nil {
		return r, err
	}
	by := "card"
	if text, _ := json.Marshal(good); strings.Contains(string(text), "bankDetails.otp") {
		by = "pull_bank"
	}
	action, err := r.RequiredAction.Showable(by, method.Purchase, true)
	r.RequiredAction = &action
	return r, err
}

// readSigned returns what the service takes from a notice.
func readSigned(good map[string]any, body []byte) (connector.Result, error) {
	a := &Adapter{provider.Setup{Now: time.Now}}
	at := seconds(time.Now())
	header := http.Header{headerID: {"notice_1"}, headerTime: {at}}
	header.Set(headerSignature, sign("secret-1", "notice_1", at, string(body)))
	n, err := a.HandleNotification(context.Background(), connector.Notification{
		Header: header, Body: body, Credentials: map[string]string{"secret": "secret-1"},
	})
	return stored(n.Result, err, good)
}

// readRefusal returns what the service takes from a response to a request that was refused.
func readRefusal(_ map[string]any, body []byte) (connector.Result, error) {
	b := &bank{status: http.StatusBadRequest, body: string(body)}
	a, c := b.connector()
	r, err := a.Charge(context.Background(), c)
	return r.Bounded(), err
}

// readDescription reads what an adapter says of its account.
func readDescription(_ map[string]any, body []byte) (connector.Result, error) {
	b := &bank{status: http.StatusOK, body: string(body)}
	a, c := b.connector()
	_, err := a.FoundAfter(context.Background(), c.ProviderRequest)
	return connector.Result{}, err
}

// Of what the document does not allow an adapter nothing is believed: the response or notice tells no outcome, or goes
// without the text that is wrong, which decides nothing. What is at the border is read.
func TestBordersOfTheDocument(t *testing.T) {
	text, err := os.ReadFile(documentPath)
	if err != nil {
		t.Fatal(err)
	}
	differ, tried := differences(t, text)
	for _, one := range differ {
		t.Error(one)
	}
	if tried < 1000 {
		t.Errorf("only %d values were tried", tried)
	}
	for _, planted := range []struct{ right, wrong string }{
		{"minLength: 1\n          maxLength: 255", "minLength: 1\n          maxLength: 256"},
		{"enum: [received, arbitration, lost]", "enum: [received, arbitration]"},
		{"pattern: '^[0-9]{2}$'", "pattern: '^[0-9]{3}$'"},
		{"minimum: 0\n          maximum: 86400", "minimum: 0\n          maximum: 86401"},
		{"type: array\n          maxItems: 20", "type: array\n          maxItems: 21"},
		{"maxProperties: 40", "maxProperties: 39"},
		{"required: [id, type, value]", "required: [id, type, value, currency]"},
	} {
		if !strings.Contains(string(text), planted.right) {
			t.Fatalf("the document has no %s", planted.right)
		}
		wrong := strings.Replace(string(text), planted.right, planted.wrong, 1)
		if differ, _ := differences(t, []byte(wrong)); len(differ) == 0 {
			t.Errorf("a document with %s agrees with the service, too", planted.wrong)
		}
	}
}

// differences returns where the service and a document differ, and how many values were tried.
func differences(t *testing.T, text []byte) (found []string, tried int) {
	t.Helper()
	d, err := border.New(text)
	if err != nil {
		t.Fatal(err)
	}
	all := readings(d)
	differ := func(text string, a ...any) { found = append(found, fmt.Sprintf(text, a...)) }
	for _, name := range slices.Sorted(maps.Keys(all)) {
		one := all[name]
		if broken := d.Broken(one.schema, one.good); len(broken) > 0 {
			differ("%s breaks %s", name, broken)
		}
		for _, v := range d.Values(one.schema, one.good) {
			place := strings.Join(v.Place, ".")
			if !isRead(one.good, v) {
				continue
			}
			tried++
			body, err := json.Marshal(v.Body)
			if err != nil {
				t.Fatal(err)
			}
			broken := d.Broken(one.schema, v.Body)
			result, err := one.read(body)
			switch {
			case v.Place[0] == "provider" && (v.Gone || v.Value == ""):
				// An approval without the provider's id counts, as the document says.
			case v.Value == "" && len(d.Broken(one.schema, v.Without())) == 0:
				// An empty text counts as absent.
			case len(broken) > 0 && err == nil && believes(result, v):
				differ("%s: %s %.40v breaks %s, and is believed", name, place, v.Value, broken[0])
			case len(broken) == 0 && err == nil && !believes(result, v) && !saysMore.MatchString(place):
				differ("%s: %s %.40v is left out", name, place, v.Value)
			case len(broken) == 0 && err != nil && !saysMore.MatchString(place):
				differ("%s: %s %.40v is refused: %v", name, place, v.Value, err)
			}
		}
	}
	for _, rule := range d.Untried() {
		differ("nothing breaks %s", rule)
	}
	return found, tried
}

// believes reports whether a result has the text of a value, or may come without that text.
func believes(r connector.Result, v border.Value) bool {
	if v.Place[0] == "received" && v.Gone {
		return r.Received != nil == (len(v.Place) > 1)
	}
	wrong, isText := v.Value.(string)
	text, _ := json.Marshal(r)
	quoted, _ := json.Marshal(wrong)
	return !isText || strings.Contains(string(text), string(quoted))
}
