package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/api"
	"checkout/internal/local/contract/border"
)

// tried is a good body of an operation, and how bodies like it are sent.
type tried struct {
	name string // of its places
	path string
	good members
	send func(body any) (code int, response []byte)
	page bool   // of the page's API, whose refusals need not name a place
	only string // the one place that is tried, "" for all
}

// call sends a body with the service's own hash.
func (w *world) call(path string) func(body any) (int, []byte) {
	return func(body any) (int, []byte) {
		signed := copied(body.(members))
		if hash, ok := signed["hash"].(string); ok && hash == goodHash {
			w.sign(signed)
		}
		return w.try(path, signed)
	}
}

// goodHash stands for the hash of a body.
const goodHash = "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8"

// try sends a body at once, without what follows from it.
func (w *world) try(path string, body any) (int, []byte) {
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	out := httptest.NewRecorder()
	w.handler.ServeHTTP(out, httptest.NewRequest(http.MethodPost, path, bytes.NewReader(text)))
	return out.Code, out.Body.Bytes()
}

// merchantCalls are good bodies of the merchants' API. A session is explained, which reads the same and stores nothing.
func (w *world) merchantCalls() (all []tried) {
	add := func(path string, body members) {
		body["merchant_key"], body["hash"] = w.merchant.TestKey, goodHash
		name := path
		if body["order_id"] != nil {
			name += " by order"
		}
		all = append(all, tried{name: name, path: path, good: body, send: w.call(path)})
	}
	for _, more := range []members{
		{"operation": "purchase"}, {"operation": "purchase", "recurring_init": true}, {"operation": "debit"},
		{"operation": "credit"}, {"operation": "credit", "card_token": []any{w.token()}}, {"operation": "transfer"},
	} {
		more["success_url"], more["payee"] = "https://shop.example/paid", members{"name": "Jane Doe"}
		more["methods"] = []any{"card"} // so that there is little to explain
		more["order"] = members{"number": "order-1", "amount": "10.00", "currency": "USD", "description": "A gift"}
		add("/api/v1/session/explain", more)
	}
	const id = "68e30489-5455-8c4e-8329-b11cd803a7f1"
	add("/api/v1/payment/status", members{"payment_id": id})
	add("/api/v1/payment/status", members{"order_id": "order-1"})
	for _, path := range []string{"capture", "refund", "void", "retry"} {
		add("/api/v1/payment/"+path, members{"payment_id": id})
	}
	add("/api/v1/payment/recurring", members{"recurring_init_trans_id": id, "recurring_token": "token",
		"order": members{"number": "order-1", "amount": "10.00", "description": "A gift"}})
	add("/api/v1/payment/recurring/stop", members{"recurring_init_trans_id": id, "recurring_token": "token"})
	return all
}

// pageCalls are good bodies of the page's API, each for a session of its own, and of the test wallet.
func (w *world) pageCalls() []tried {
	var card members
	_, page := w.session("", nil)
	form, err := w.fill(page, "01/38")
	if err != nil {
		w.t.Fatal(err)
	}
	text, _ := json.Marshal(form)
	if err := json.Unmarshal(text, &card); err != nil {
		w.t.Fatal(err)
	}
	card["browser"] = members{"screen_width": 1, "screen_height": 1, "color_depth": 24, "time_zone_offset": 0}
	toPage := func(last string) func(any) (int, []byte) {
		return func(body any) (int, []byte) {
			_, page := w.session("", nil)
			return w.try(page+last, body)
		}
	}
	toWallet := func(body any) (int, []byte) { return w.try("/sandbox/wallet", body) }
	token := members{"amount": "10.00", "currency": "USD", "method": "applepay", "fault": "used",
		"card": "4111111111111111", "expiry": "01/38"}
	return []tried{
		{"pay", "/page/v1/{session}/pay", card, toPage("/pay"), true, ""},
		{"remove-card", "/page/v1/{session}/remove-card", members{"saved": "1"}, toPage("/remove-card"), true, ""},
		{"applepay", "/page/v1/{session}/applepay", members{"domain": "shop.example"}, toPage("/applepay"), true, ""},
		{"wallet", "/sandbox/wallet", token, toWallet, true, ""},
	}
}

// refuses reports whether a response refuses the value at a place itself or what is around it, and whether it refuses
// that or what is within.
func (o tried) refuses(code int, response []byte, place string) (itself, within bool) {
	switch {
	case code == http.StatusUnauthorized && signed.MatchString(place),
		code == http.StatusNotFound && signed.MatchString(place): // what can't be is unknown
		return false, true
	case o.page || code != http.StatusBadRequest:
		return code == http.StatusBadRequest, code == http.StatusBadRequest
	}
	var reply struct {
		Errors []struct {
			Message string `json:"error_message"`
		}
	}
	_ = json.Unmarshal(response, &reply)
	for _, fault := range reply.Errors {
		at, _, _ := strings.Cut(fault.Message, ": ")
		at = strings.NewReplacer("[", ".", "]", "", "The ", "", " parameter is incorrect", "").Replace(at)
		itself, within = itself || isIn(place, at), within || isIn(place, at) || isIn(at, place)
	}
	return itself, within || place == "order_id" // without it a payment_id is missing
}

// untried are the operations whose bodies are not tried: one that is explained instead, and one that looks at a body
// only where a form of that number is shown.
var untried = map[string]bool{"/api/v1/session": true, "/page/v1/{session}/second-form": true}

// signed are members by which the service finds what a hash has to be made of, and what it is about.
var signed = regexp.MustCompile(`^(hash|merchant_key|.*_id|.*_token)$`)

func isIn(place, other string) bool { return place == other || strings.HasPrefix(place, other+".") }

// differences tries values at the borders of an operation's body, and returns where service and document differ. done
// has what was tried before, by operation and place.
func (o tried) differences(d *border.Document, done map[string]bool) (found []string) {
	pointer := border.Pointer("paths", o.path, "post", "requestBody", "content", "application/json", "schema")
	reads := map[string]bool{}
	for _, v := range d.Values(pointer, o.good) {
		place := strings.Join(v.Place, ".")
		key := o.name + " " + place
		body, ok := v.Body.(members)
		unread := slices.ContainsFunc(v.ReadFor, func(rules []string) bool {
			return !isRead(document{"x-read-for": anyOf(rules)}, body)
		})
		if !ok || unread || done[key] && !reads[key] || o.only != "" && place != o.only {
			continue
		}
		done[key], reads[key] = true, true
		broken := d.Broken(pointer, body)
		code, response := o.send(body)
		itself, within := o.refuses(code, response, place)
		switch {
		case code == http.StatusInternalServerError || code == http.StatusTooManyRequests:
			found = append(found, fmt.Sprintf("%s %.60v: %d %s", key, v.Value, code, response))
		case len(broken) > 0 && !within:
			found = append(found, fmt.Sprintf("%s %.60v breaks %s: %d %.300s", key, v.Value, broken[0], code, response))
		case len(broken) == 0 && itself && !v.Ruled:
			found = append(found, fmt.Sprintf("%s %.60v is in the document: %d %.300s", key, v.Value, code, response))
		}
	}
	return found
}

func anyOf(texts []string) (all []any) {
	for _, text := range texts {
		all = append(all, text)
	}
	return all
}

// TestWrongBordersAreFound tries a document with a wrong list, pattern, length, bound or required member.
func TestWrongBordersAreFound(t *testing.T) {
	w := open(t)
	calls := map[string]tried{}
	for _, one := range append(w.merchantCalls(), w.pageCalls()...) {
		if _, ok := calls[one.name]; !ok {
			calls[one.name] = one
		}
	}
	const explain, status = "/api/v1/session/explain", "/api/v1/payment/status by order"
	for _, planted := range []struct{ name, only, right, wrong string }{
		{explain, "session_expiry", "minimum: 1, maximum: 720", "minimum: 1, maximum: 721"},
		{explain, "session_expiry", "minimum: 1, maximum: 720", "minimum: 0, maximum: 720"},
		{explain, "success_url", "maxLength: 1024\n", "maxLength: 1023\n"},
		{explain, "url_target", "[_self, _parent, _top]", "[_self, _parent, _top, other]"},
		{explain, "order.number", "^[A-Za-z0-9!", "^[A-Za-z0-9~!"},
		{explain, "order.description", "minLength: 2, maxLength: 1024", "minLength: 1, maxLength: 1024"},
		{explain, "order.description", "required: [number, currency, description]", "required: [number, currency]"},
		{status, "size", "minimum: 1, maximum: 100", "minimum: 1, maximum: 99"},
		{"pay", "sealed.enc", "enc: { type: string, minLength: 1, maxLength: 16384", "enc: { type: string, maxLength: 16383"},
	} {
		d := openBorders(t, "openapi.yaml", planted.right, planted.wrong)
		one := calls[planted.name]
		if one.only = planted.only; len(one.differences(d, map[string]bool{})) == 0 {
			t.Errorf("a document with %s agrees with the service, too", planted.wrong)
		}
	}
}

// openBorders opens a document of infra, with a text replaced by another one.
func openBorders(t *testing.T, name string, replaced ...string) *border.Document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "infra", name))
	if err != nil {
		t.Fatal(err)
	}
	if len(replaced) > 0 && !bytes.Contains(text, []byte(replaced[0])) {
		t.Fatalf("%s has no %s", name, replaced[0])
	} else if len(replaced) > 0 {
		text = bytes.Replace(text, []byte(replaced[0]), []byte(replaced[1]), 1)
	}
	d, err := border.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestBordersOfTheDocument tries a value inside and one outside of each list, pattern, length and bound of the bodies
// that infra/openapi.yaml documents, and each without a member: the service refuses what the document refuses, and
// nothing else but by a rule beside the schemas.
func TestBordersOfTheDocument(t *testing.T) {
	d := openBorders(t, "openapi.yaml")
	w := open(t, setting{`"id": "demo",`, `"id": "demo", "rate_limit": 1000000,`})
	done, paths := map[string]bool{}, map[string]bool{}
	for _, one := range append(w.merchantCalls(), w.pageCalls()...) {
		paths[one.path] = true
		for _, differ := range one.differences(d, done) {
			t.Error(differ)
		}
	}
	for _, rule := range d.Untried() {
		t.Errorf("nothing breaks %s", rule)
	}
	for _, route := range api.All(&api.Services{}) {
		body := border.Pointer("paths", route.Path, "post", "requestBody", "content", "application/json", "schema")
		if schema, _ := d.At(body).(map[string]any); len(schema) > 0 && !paths[route.Path] && !untried[route.Path] {
			t.Errorf("no body of %s is tried", route.Path)
		}
	}
	if len(done) < 400 {
		t.Errorf("only %d places were tried", len(done))
	}
}
