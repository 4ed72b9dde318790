package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
)

// TestWrongFields plants actions whose fields can't be drawn.
func TestWrongFields(t *testing.T) {
	t.Parallel()
	sample := startSample(t)
	const text = `{"id":"a","kind":"text","label":{"en":"A"}}`
	edit := func(from, to string) string { return "[" + strings.Replace(text, from, to, 1) + "]" }
	for wrong, want := range map[string]string{
		`[{"id":"bankDetails.otp"}]`:                       "a kind, since the page has no field of its own",
		edit(`"kind":"text",`, ""):                         "a kind beside its description",
		edit(`"text"`, `"secret"`):                         "a kind of the contract, got secret",
		edit(`"a"`, `"a.b"`):                               "an id",
		edit(`,"label":{"en":"A"}`, ""):                    "a label",
		edit(`"en":"A"`, `"English":"A","e":"A"`):          "a label",
		edit(`"A"`, `" "`):                                 "a label",
		edit(`"kind"`, `"max":0,"kind"`):                   "a max",
		edit(`"kind"`, `"pattern":"(?=a)","kind"`):         "a pattern",
		edit(`"text"`, `"select"`):                         "options",
		edit(`"text"`, `"select","options":[{}]`):          "options",
		edit(`"text"`, `"date","options":[{"value":"1"}]`): "options",
		"[" + text + "," + text + "]":                      "an id of its own",
		"[" + strings.Repeat(text+",", 20) + text + "]":    "at most 20",
	} {
		var planted any
		if err := json.Unmarshal([]byte(wrong), &planted); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(flawed{sample: sample, response: func(_ string, _ http.Header, b body) {
			if b["action"] != nil {
				b["action"] = body{"type": "wait", "fields": planted}
			}
		}})
		c, err := newChecker(optionsFor(server.URL))
		if err != nil {
			t.Fatal(err)
		}
		err = requiredAction(c)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wrong, err)
		}
		c.notices.close()
		server.Close()
	}
}

// TestOwnFields compares the fields that need no description with the table of methods.
func TestOwnFields(t *testing.T) {
	for _, m := range method.Methods {
		var ids []string
		for _, f := range m.SecondFields(method.Purchase) {
			ids = append(ids, f.ID)
		}
		if !slices.Equal(ids, ownFields[m.ID]) {
			t.Errorf("%s: %q, the check knows %q", m.ID, ids, ownFields[m.ID])
		}
	}
}
