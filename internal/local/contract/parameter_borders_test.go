package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/local/contract/border"
)

// parameter is one that an operation has in its path, query or headers.
type parameter struct {
	name, in, schema string // in: path, query, header; schema: its pointer
	required         bool
}

// parametersOf returns the parameters of an operation and of its path.
func parametersOf(d *border.Document, path, method string) (all []parameter) {
	for _, list := range []string{
		border.Pointer("paths", path, "parameters"), border.Pointer("paths", path, method, "parameters"),
	} {
		items, _ := d.At(list).([]any)
		for i := range items {
			at := d.Resolve(fmt.Sprint(list, "/", i))
			one, _ := d.At(at).(map[string]any)
			all = append(all, parameter{fmt.Sprint(one["name"]), fmt.Sprint(one["in"]), at + "/schema", one["required"] == true})
		}
	}
	return all
}

// request is a call that can have one value changed.
type request struct {
	method, path string // with places of parameters
	ids          map[string]string
	query        url.Values
	body         members
	key          string // Idempotency-Key
}

// with returns the HTTP request of a call with another value of a parameter.
func (r request) with(p parameter, value string) *http.Request {
	ids, query, key := maps.Clone(r.ids), maps.Clone(r.query), r.key
	switch p.in {
	case "path":
		ids[p.name] = url.PathEscape(value)
	case "query":
		query = maps.Clone(query)
		query.Set(p.name, value)
	case "header":
		key = value
	}
	path := r.path
	for name, id := range ids {
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	var text []byte
	if r.body != nil {
		text, _ = json.Marshal(r.body)
	}
	sent := httptest.NewRequest(r.method, path+"?"+query.Encode(), bytes.NewReader(text))
	sent.Header.Set("Idempotency-Key", key)
	return sent
}

// differences tries values at the borders of a parameter of a call, and returns where service and document differ.
func (r request) differences(d *border.Document, p parameter, good any, handler http.Handler) (found []string) {
	for _, v := range d.Values(p.schema, good) {
		text := fmt.Sprint(v.Value)
		if p.in == "path" && strings.Trim(text, ".") == "" {
			continue // another path
		}
		if text == "" && !p.required {
			continue // absent
		}
		out := httptest.NewRecorder()
		handler.ServeHTTP(out, r.with(p, text))
		broken := d.Broken(p.schema, v.Value)
		named := out.Code == http.StatusBadRequest && strings.Contains(out.Body.String(), `"`+p.name+": ")
		// What can't be is unknown, and a notice to an unknown address is not authentic.
		unknown := p.in == "path" && (out.Code == http.StatusNotFound || out.Code == http.StatusUnauthorized)
		ruled := v.Ruled || p.in == "header" // a key stands for one request
		if len(broken) > 0 && !named && !unknown || len(broken) == 0 && named && !ruled {
			found = append(found, fmt.Sprintf("%s %s %s %.60q in %s breaks %q: %d %.300s",
				r.method, r.path, p.name, text, p.in, broken, out.Code, out.Body))
		}
	}
	return found
}

// asAnn sends the requests of a person who may do everything.
type asAnn struct{ http.Handler }

func (a asAnn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.Handler.ServeHTTP(w, r.WithContext(api.WithCaller(r.Context(), "ann", "command")))
}

// TestBordersForOperators does for infra/admin.yaml what TestBordersOfTheDocument does for the merchants' document,
// also for the parameters.
func TestBordersForOperators(t *testing.T) {
	d := openBorders(t, "admin.yaml")
	_, w, paid := openForOperators(t)
	calls, handler := operatorCalls(paid, w.app.Core.Now().AddDate(0, 0, 7).Format(time.DateOnly)), asAnn{w.app.Admin()}
	for _, route := range api.Admin(&api.Services{}) {
		name := route.Method + " " + route.Path
		query, _ := calls[name].(string)
		values, _ := url.ParseQuery(query)
		body, _ := calls[name].(members)
		if calls[name] == nil {
			body = refusedCalls[name]
		}
		r := request{route.Method, route.Path, map[string]string{"id": paid, "seq": "1"}, values, body, "a-key"}
		for _, p := range parametersOf(d, route.Path, strings.ToLower(route.Method)) {
			good := map[string]any{
				"email": "joe@pens.example", "q": paid, "mode": "test", "id": paid, "seq": 1, "Idempotency-Key": "a-key",
			}[p.name]
			for _, differ := range r.differences(d, p, good, handler) {
				t.Error(differ)
			}
		}
		if body == nil {
			continue
		}
		one := tried{name: name, path: route.Path, good: body, send: func(body any) (int, []byte) {
			r.body, _ = body.(members)
			r.key = fmt.Sprint(r.body)
			r.key = r.key[:min(len(r.key), 255)]
			out := httptest.NewRecorder()
			handler.ServeHTTP(out, r.with(parameter{}, ""))
			return out.Code, out.Body.Bytes()
		}}
		for _, differ := range one.differences(d, map[string]bool{}) {
			t.Error(differ)
		}
	}
	for _, rule := range d.Untried() {
		t.Errorf("nothing breaks %s", rule)
	}
}

// TestBordersOfParameters tries those of the merchants' and the page's API.
func TestBordersOfParameters(t *testing.T) {
	d, w := openBorders(t, "openapi.yaml"), open(t)
	const unknown = "68e30489-5455-8c4e-8329-b11cd803a7f1"
	tried := 0
	for _, route := range api.All(&api.Services{}) {
		body := w.shop().Payment(unknown, "")
		for _, p := range parametersOf(d, route.Path, strings.ToLower(route.Method)) {
			if p.in == "header" && route.Path != "/api/v1/payment/refund" {
				continue // they all read it alike, of a call that is good
			}
			ids := map[string]string{"session": "none", "reference": "none", "connector": "adapter", "mid": demoMID}
			r := request{route.Method, route.Path, ids, url.Values{}, body, "a-key"}
			if strings.HasSuffix(route.Path, "/return") || route.Method+route.Path == "POST/sandbox/{reference}" {
				continue // it leads to the page, whatever it names; the button is refused first
			}
			tried++
			for _, differ := range r.differences(d, p, "none", w.handler) {
				t.Error(differ)
			}
		}
	}
	if tried < 12 {
		t.Errorf("only %d parameters", tried)
	}
}
