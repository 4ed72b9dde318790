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

	"checkout/internal/api"
)

// outside returns values that a schema refuses: one for each of its lists, patterns, lengths and bounds.
func (d document) outside(schema document) (values []any) {
	for _, option := range d.options(schema) {
		var found []any
		if option["enum"] != nil || option["pattern"] != nil {
			found = append(found, "no~such")
		}
		if least, ok := option["minLength"].(int); ok && least > 0 {
			found = append(found, strings.Repeat("a", least-1))
		}
		if most, ok := option["maxLength"].(int); ok {
			found = append(found, strings.Repeat("a", most+1))
		}
		if least, ok := option["minimum"].(int); ok {
			found = append(found, least-1)
		}
		if most, ok := option["maximum"].(int); ok {
			found = append(found, most+1)
		}
		for _, value := range found {
			if d.fault(schema, value) != "" {
				values = append(values, value)
			}
		}
	}
	return values
}

// TestWhatTheDocumentRefusesOperators tries a value outside each list, pattern, length and bound of a parameter or
// member of infra/admin.yaml: the service refuses it and names the place.
func TestWhatTheDocumentRefusesOperators(t *testing.T) {
	d, w, paid := openForOperators(t)
	calls, tried := operatorCalls(paid), 0
	for _, route := range api.Admin() {
		name := route.Method + " " + route.Path
		call := calls[name]
		if call == nil {
			call = refusedCalls[name]
		}
		operation := d.object("paths", route.Path, strings.ToLower(route.Method))
		parameters, _ := operation["parameters"].([]any)
		for _, one := range parameters {
			object, _ := asObject(one)
			parameter := d.resolve(object)
			schema, _ := asObject(parameter["schema"])
			for _, value := range d.outside(schema) {
				tried++
				w.refuses(route, paid, outsideValue{fmt.Sprint(parameter["name"]), fmt.Sprint(parameter["in"]), value}, call)
			}
		}
		content := operation.object("requestBody", "content", "application/json")
		schema, _ := asObject(content["schema"])
		for member, schema := range d.properties(schema) {
			for _, value := range d.outside(schema) {
				tried++
				w.refuses(route, paid, outsideValue{member, "body", value}, call)
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d values were tried", tried)
	}
}

// outsideValue is a value that a document refuses, and its place.
type outsideValue struct {
	name, in string // in: query, path, header, body
	value    any
}

// refuses sends a call that would succeed but for one value.
func (w *world) refuses(route api.Route, paid string, o outsideValue, call any) {
	w.t.Helper()
	path := strings.NewReplacer("{id}", paid, "{seq}", "1").Replace(route.Path)
	query, _ := call.(string)
	values, _ := url.ParseQuery(query)
	body, _ := call.(members)
	body = maps.Clone(body)
	key, want := "a-key", http.StatusBadRequest
	switch text := fmt.Sprint(o.value); o.in {
	case "query":
		values.Set(o.name, text)
	case "path": // what can't be is unknown
		path = strings.NewReplacer("{"+o.name+"}", text, "{id}", paid).Replace(route.Path)
		want = http.StatusNotFound
	case "header":
		key = text
	case "body":
		body[o.name] = o.value
	}
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	r := httptest.NewRequest(route.Method, path+"?"+values.Encode(), bytes.NewReader(text))
	r.Header.Set("Idempotency-Key", key)
	out := httptest.NewRecorder()
	w.app.Admin().ServeHTTP(out, r.WithContext(api.WithCaller(r.Context(), "ann", "command")))
	named := want == http.StatusNotFound || strings.Contains(out.Body.String(), `"`+o.name+": ")
	if out.Code != want || !named {
		w.t.Errorf("%s %s: %s %q in %s: %d %s", route.Method, route.Path, o.name, o.value, o.in, out.Code, out.Body)
	}
}
