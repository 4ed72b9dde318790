package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWrongActions plants actions that the service refuses, and wants to know what is wrong with them.
func TestWrongActions(t *testing.T) {
	t.Parallel()
	sample := startSample(t)
	const text = `{"id":"a","kind":"text","label":{"en":"A"}}`
	form := func(from, to string) string {
		return `{"type":"wait","fields":[` + strings.Replace(text, from, to, 1) + `]}`
	}
	for wrong, want := range map[string]string{
		`{"type":"dance"}`:                                                       "type is not redirect, 3ds or wait",
		`{"type":"redirect","url":"bank://pay/1"}`:                               "url is no https or http address",
		`{"type":"3ds","url":"https://jane@bank.example/"}`:                      "url is no https or http address",
		`{"type":"redirect","url":"https://bank.example:0/"}`:                    "url is no https or http address",
		`{"type":"redirect","url":"https://bank.example:65536/"}`:                "url is no https or http address",
		`{"type":"redirect","url":"https://./"}`:                                 "url is no https or http address",
		`{"type":"wait","url":"https://bank.example/"}`:                          "url does not belong",
		`{"type":"wait","text":"please_wait"}`:                                   "text is no text of the page",
		`{"type":"wait","expires_at":"2030-01-02T10:11:12"}`:                     "expires_at is no time",
		`{"type":"redirect","url":"https://bank.example","fields":[{"id":"a"}]}`: "fields belong",
		`{"type":"wait","fields":[{}]}`:                                          "fields[0].id",
		`{"type":"wait","fields":[{"id":"bankDetails.otp"}]}`:                    "fields[0].id is no parameter",
		form(`"text"`, `"secret"`):                                               "fields[0].kind",
		form(`,"label":{"en":"A"}`, ""):                                          "fields[0].label",
		form(`"kind"`, `"pattern":"(?=a)","kind"`):                               "fields[0].pattern",
		form(`"a"`, `"card_number"`):                                             "fields[0].id asks for",
		form(text, text+","+text):                                                "fields[1].id",
		`{"type":"wait","show":[{"id":"qr_code","type":"picture","value":"1"}]}`: "show[0].type",
		`{"type":"wait","show":[{"id":"qr_code","type":"qr","value":""}]}`:       "show[0].value",
		`{"type":"wait","show":[{"id":"a","type":"copy","value":"a\u202eb"}]}`:   "show[0].value",
		`{"type":"wait","expires_at":1}`:                                         "expires_at is of the JSON type number",
	} {
		var planted any
		if err := json.Unmarshal([]byte(wrong), &planted); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(flawed{sample: sample, response: func(_ string, _ http.Header, b body) {
			if b["action"] != nil {
				b["action"] = planted
			}
		}})
		err := runOne(t, optionsFor(server.URL), "required action")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wrong, err)
		}
		server.Close()
	}
}

// TestTimeLimits waits as long as the contract says that the service does.
func TestTimeLimits(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "infra", "adapter.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("**Respond within %d seconds, and to `/lookup` within %d seconds.**",
		responseLimit/time.Second, lookUpLimit/time.Second)
	if !strings.Contains(string(contract), said) {
		t.Errorf("the contract does not say %s", said)
	}
}
