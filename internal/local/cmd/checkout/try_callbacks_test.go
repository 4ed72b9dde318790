package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"checkout/internal/app"
)

// Whoever adds a merchant with an address is offered test callbacks, and is told what came of each. Programs say it
// with a flag. Without an address, or without a yes, nothing is sent.
func TestNewMerchantTriesItsCallbacks(t *testing.T) {
	s := newEditing(t)
	var calls atomic.Int32
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1); r.FormValue("hash") == "" {
			http.Error(w, "no hash", http.StatusBadRequest)
		}
	}))
	t.Cleanup(shop.Close)
	const add = "merchants new --reason why --for plugin "
	for line, reply := range map[string]string{
		add + "no-address": "y\n", add + "no-reply --url " + shop.URL: "", add + "no-yes --url " + shop.URL: "n\n",
	} {
		if got := s.do(typing{terminal: true, reply: reply}, "%s", line); got.code != exitDone || calls.Load() != 0 {
			t.Errorf("%s: %d callbacks, %+v", line, calls.Load(), got)
		}
	}
	got := s.do(typing{terminal: true, reply: "y\n"}, "%s", add+"asked --url "+shop.URL)
	want := regexp.MustCompile(`(?m)^Test callbacks of the order test-callback-[0-9a-f]{8}, a decline of 1.00 EUR, ` +
		`sent from this machine:\n  JSON  not delivered  status 400  \d+ ms\n  form  delivered      status 200  \d+ ms\n` +
		`The shop seems to read form\..* The service sends it forms; the setting callback_json changes that\.$`)
	if got.code != exitDone || calls.Load() != 2 || !want.MatchString(got.out) {
		t.Errorf("%d callbacks, %+v", calls.Load(), got)
	}
	if strings.Contains(got.out+got.notes, "no hash") {
		t.Error("the body of a response is shown")
	}
	got = s.do(typing{}, "%s", add+"told --yes --try-callback --url "+shop.URL)
	var tried app.CallbackTrials
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &tried); err != nil || len(lines) != 2 ||
		len(tried.Tried) != 2 || !tried.Tried[1].Delivered || tried.Tried[0].Status != http.StatusBadRequest {
		t.Errorf("%v, %+v", err, got)
	}
}

// No address of this machine is tried for a service elsewhere.
func TestCallbacksAreTriedByTheRules(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080": true, "http://[::1]:8080": true,
		"https://api.example": false, "https://127.0.0.1.example": false, "https://10.0.0.1": false, "": false,
	} {
		c := &call{getenv: func(name string) string { return map[string]string{"CHECKOUT_URL": address}[name] }}
		if got := c.isHere(t.Context()); got != want {
			t.Errorf("%q: %v", address, got)
		}
		signedIn := &call{config: filepath.Join(t.TempDir(), "config.json"), getenv: func(string) string { return "" }}
		if address == "" {
			continue
		}
		if err := signedIn.store(session{URL: address}); err != nil {
			t.Fatal(err)
		}
		if got := signedIn.isHere(t.Context()); got != want {
			t.Errorf("signed in at %q: %v", address, got)
		}
	}
}
