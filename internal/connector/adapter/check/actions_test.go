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
	for wrong, want := range map[string]string{
		`{"type":"dance"}`:                                                       "type redirect, 3ds or wait",
		`{"type":"redirect","url":"bank://pay/1"}`:                               "action.url",
		`{"type":"3ds","url":"https://jane@bank.example/"}`:                      "action.url",
		`{"type":"wait","url":"https://bank.example/"}`:                          "action.url",
		`{"type":"wait","text":"please_wait"}`:                                   "action.text",
		`{"type":"wait","expires_at":"2030-01-02T10:11:12"}`:                     "time zone in action.expires_at",
		`{"type":"redirect","url":"https://bank.example","fields":[{"id":"a"}]}`: "action.fields",
		`{"type":"wait","fields":[{}]}`:                                          "action.fields[0]",
		`{"type":"wait","show":[{"id":"qr_code","type":"picture","value":"1"}]}`: "action.show[0]",
		`{"type":"wait","show":[{"id":"qr_code","type":"qr","value":""}]}`:       "action.show[0]",
		`{"type":"wait","expires_at":1}`:                                         "action.expires_at",
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
