package demo_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/demo"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// TestOutcomesAreTheSandboxes compares the shop's choices with the sandbox's table of e-mail addresses.
func TestOutcomesAreTheSandboxes(t *testing.T) {
	text, err := os.ReadFile("../../connector/sandbox/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, addresses, _ := strings.Cut(string(text), "\n| E-mail |")
	var table, shop []string
	for _, found := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(addresses, -1) {
		table = append(table, found[1])
	}
	for _, outcome := range demo.TestOutcomes {
		shop = append(shop, outcome.Value)
	}
	if len(table) == 0 || !slices.Equal(table, shop) {
		t.Errorf("the sandbox has %v, the shop %v", table, shop)
	}
	var codes, offered []string
	for _, row := range reason.All {
		if row.Code.OfProvider() {
			codes = append(codes, "decline-"+string(row.Code)+"@shop.example")
		}
	}
	for _, decline := range demo.TestDeclines() {
		offered = append(offered, decline.Email())
	}
	if !slices.Equal(codes, offered) {
		t.Errorf("providers decline with %v, the shop offers %v", codes, offered)
	}
}

// TestOutcome pays by QR code with outcomes that the shop offers.
func TestOutcome(t *testing.T) {
	server := start(t)
	for outcome, events := range map[string]string{"settled": "sale success", "declined": "sale fail"} {
		choice := url.Values{"method": {"instant_qr"}, "customer": {"yes"}, "outcome": {outcome + "@shop.example"}}
		bought, _ := request(t, http.MethodPost, server.URL+"/demo/buy", choice)
		page := strings.Replace(bought.Header.Get("Location"), "/?session=", "/page/v1/", 1)
		_, body := request(t, http.MethodGet, page, nil)
		var shown screen.Screen
		if err := json.Unmarshal([]byte(body), &shown); err != nil {
			t.Fatalf("%v %s", err, body)
		}
		response, err := http.Post(page+"/pay", "application/json", strings.NewReader(
			`{"attempt":"123e4567-e12b-42d1-a456-426655440000","method":"instant_qr","fields":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		var got string
		for deadline := time.Now().Add(5 * time.Minute); got == "" && time.Now().Before(deadline); {
			time.Sleep(20 * time.Millisecond)
			_, body = request(t, http.MethodGet, server.URL+"/demo/callbacks?order="+shown.Order.Number, nil)
			var all []struct{ Body struct{ Type, Status string } }
			if err := json.Unmarshal([]byte(body), &all); err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				got = c.Body.Type + " " + c.Body.Status
			}
		}
		if got != events {
			t.Errorf("%s: %q, want %q", outcome, got, events)
		}
	}
}
