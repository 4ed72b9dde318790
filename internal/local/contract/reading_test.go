package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestFieldsAreReadForWhomTheDocumentNames sends a value that no field accepts in every field of a session request, for
// every operation, alone and beside each field on which reading depends.
func TestFieldsAreReadForWhomTheDocumentNames(t *testing.T) {
	d, w, requests := read(t), open(t, setting{
		`"name": "default",`, `"name": "default", "compatibility": {"notification_url": "read"},`}), 0
	beside := []members{{}, {"card_token": []any{strings.Repeat("t", 64)}}, {"recurring_init": true}}
	try := func(fields map[string]document, path string, within document, put func(name string) members) {
		for name, field := range fields {
			of := d.object("components", "schemas", "SessionRequest", "properties", "operation")
			for _, operation := range texts(of["enum"]) {
				for _, other := range beside {
					body := members{"merchant_key": w.merchant.TestKey, "operation": operation,
						"order": members{"currency": "USD"}} // an amount needs a currency
					w.sign(body) // some faults are for those alone who can sign
					maps.Copy(body, other)
					maps.Copy(body, put(name))
					requests++
					want := isRead(within, body) && isRead(d.resolve(field), body)
					read := w.reads(body, path+name)
					if name != "operation" && read != want {
						t.Errorf("%s%s of %s beside %v: read is %v, documented %v", path, name, operation, other, read, want)
					}
				}
			}
		}
	}
	try(d.properties(d.schema(t, "SessionRequest")), "", document{}, func(name string) members {
		return members{name: []any{1}}
	})
	for name, parameters := range d.properties(d.schema(t, "Parameters")) {
		try(d.properties(parameters), "parameters."+name+".", parameters, func(row string) members {
			return members{"parameters": members{name: members{row: []any{1}}}}
		})
	}
	if requests < 500 {
		t.Errorf("only %d requests", requests)
	}
}

// reads reports whether a request is refused for a field.
func (w *world) reads(body members, path string) bool {
	w.t.Helper()
	code, text := w.request("POST", "/api/v1/session/explain", body)
	var reply struct {
		Errors []struct {
			Message string `json:"error_message"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(text, &reply); err != nil || code != http.StatusBadRequest {
		w.t.Fatalf("%s: %d %s", path, code, text)
	}
	for _, fault := range reply.Errors {
		at, _, _ := strings.Cut(fault.Message, ": ")
		rest, found := strings.CutPrefix(at, path)
		if found && (rest == "" || rest[0] == '.' || rest[0] == '[') ||
			path == "checkout_language" && strings.Contains(at, path) {
			return true
		}
	}
	return false
}

// isRead is x-read-for: a list of operations, some with or without another field.
func isRead(field document, body members) bool {
	rules := texts(field["x-read-for"])
	return len(rules) == 0 || slices.ContainsFunc(rules, func(rule string) bool {
		operation, more, conditional := strings.Cut(rule, " ")
		word, other, _ := strings.Cut(more, " ")
		return operation == fmt.Sprint(body["operation"]) && (!conditional || (body[other] != nil) == (word == "with"))
	})
}
