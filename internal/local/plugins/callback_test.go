package plugins

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"checkout/internal/local/client"
)

// edited is a callback as the service would send it with other fields and another webhook-id.
func edited(t *testing.T, c client.Callback, id string, fields map[string]string) client.Callback {
	t.Helper()
	changed := client.Callback{Header: c.Header.Clone(), Body: c.Body, Fields: maps.Clone(c.Fields)}
	if len(fields) > 0 {
		for name, value := range fields {
			changed.Fields.Set(name, value)
		}
		changed.Fields.Set("hash", merchant.Hash(changed.Signed()...))
		changed.Body = []byte(changed.Fields.Encode())
	}
	changed.Header.Set("webhook-id", id)
	return signed(t, changed, merchant.CallbackSecret, time.Now())
}

// signed signs a callback at a time with a secret.
func signed(t *testing.T, c client.Callback, secret string, at time.Time) client.Callback {
	t.Helper()
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := webhook.Sign(c.ID(), at, c.Body)
	if err != nil {
		t.Fatal(err)
	}
	c.Header, c.Body = c.Header.Clone(), slices.Clone(c.Body)
	c.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	c.Header.Set("webhook-signature", signature)
	return c
}

// forgeries: nobody else's callback changes an order, and two signatures are as good as one.
func forgeries(s *shop) {
	id, good := s.bought("01/38")
	now := time.Now()
	with := func(name, value string) client.Callback {
		c := good
		c.Header = good.Header.Clone()
		c.Header.Set(name, value)
		return c
	}
	body := with("x", "")
	body.Body = bytes.Replace(body.Body, []byte("10.50"), []byte("10.51"), 1)
	signature, at := good.Header.Get("webhook-signature"), good.Header.Get("webhook-timestamp")
	for what, c := range map[string]client.Callback{
		"changed body":      body,
		"wrong secret":      signed(s.t, good, "whsec_"+base64.StdEncoding.EncodeToString([]byte("another-secret")), now),
		"old":               signed(s.t, good, merchant.CallbackSecret, now.Add(-6*time.Minute)),
		"to come":           signed(s.t, good, merchant.CallbackSecret, now.Add(6*time.Minute)),
		"another timestamp": with("webhook-timestamp", at[:len(at)-1]+strconv.Itoa((int(at[len(at)-1]-'0')+1)%10)),
		"no time":           with("webhook-timestamp", "soon"),
		"another id":        with("webhook-id", good.ID()+"1"),
		"no signature":      with("webhook-signature", ""),
		"short signature":   with("webhook-signature", signature[:len(signature)-1]),
		"others' signature": with("webhook-signature", "v1,AAAA "+strings.Replace(signature, "v1,", "v2,", 1)),
	} {
		s.deliver(c, http.StatusBadRequest)
		s.is(id, "pending")
		if s.t.Failed() {
			s.t.Fatal(what)
		}
	}
	unknown := map[string]string{"order_number": fmt.Sprintf("%d-unknown1", id)}
	s.deliver(edited(s.t, good, "msg_unknown_1", unknown), http.StatusNotFound)
	unknown["order_number"] = "999999-unknown1"
	s.deliver(edited(s.t, good, "msg_unknown_2", unknown), http.StatusNotFound)
	s.is(id, "pending")
	s.deliver(with("webhook-signature", "v1,AAAA "+signature), http.StatusOK)
	s.is(id, isPaid)
}

// amounts: what does not agree with the shop's order is not sold.
func amounts(s *shop) {
	for _, different := range []map[string]string{
		{"order_amount": "0.01"}, {"order_amount": "10.501"}, {"order_amount": ""}, {"order_currency": "EUR"},
		{"transaction_amount": "10.49"}, {"order_amount": "1.05e1"},
	} {
		id, c := s.bought("01/38")
		s.deliver(edited(s.t, c, "msg_other_1", different), http.StatusOK)
		s.is(id, "odd stock >on-hold on-hold")
	}
	cheap, dear := s.order("1.00", "USD"), s.order("99.00", "USD")
	s.checkout(dear)
	s.pay(s.t, s.checkout(cheap), "01/38")
	c := s.callback(cheap)
	s.deliver(edited(s.t, c, c.ID(), map[string]string{"order_number": s.number(dear)}), http.StatusOK)
	s.is(dear, "odd stock >on-hold on-hold")
	s.is(cheap, "pending")
}

// withoutSecret: nothing is offered, and no callback is believed. A buyer who returns is.
func withoutSecret(s *shop) {
	if got := s.do("available"); got != "false" {
		s.t.Errorf("offered without a secret: %s", got)
	}
	id, c := s.bought("01/38")
	s.deliver(c, http.StatusBadRequest)
	s.is(id, "pending")
	s.back(id, buyersKey, "done")
	s.is(id, isPaid)
}

// lookedUp: the shop asks for an order whose callback and buyer never come.
func lookedUp(s *shop) {
	id, _ := s.bought("01/38")
	if got := s.do("scheduled"); got != "[]" {
		s.t.Errorf("planned after what is paid: %s", got)
	}
	s.is(id, isPaid)
	id, _ = s.bought("03/38")
	if got := s.do("scheduled"); got != "[1]" {
		s.t.Errorf("planned while it waits: %s", got)
	}
	s.is(id, "waits stock >on-hold on-hold")
	for _, want := range []string{"[24]", "[72]", "[]"} {
		if got := s.do("scheduled"); got != want {
			s.t.Errorf("planned: %s, want %s", got, want)
		}
	}
	id = s.order("10.50", "USD")
	s.respond("/api/v1/session", `400 {"error_message":"No."}`)
	s.checkout(id)
	if got := s.do("scheduled"); got != "[]" {
		s.t.Errorf("planned for an order without a session: %s", got)
	}
	s.is(id, "refused pending")
	id = s.order("10.50", "USD")
	s.checkout(id)
	s.do("delete?id=%d", id)
	if got := s.do("scheduled"); got != "[]" {
		s.t.Errorf("planned for an order that was deleted: %s", got)
	}
	s.checkout(s.order("10.50", "USD"))
	s.do("uninstall")
	if got := s.do("scheduled"); got != "[]" {
		s.t.Errorf("planned after the end of the plugin: %s", got)
	}
}

// settingsOfShop: what can't work is not stored, and nothing is offered before it is set up.
func settingsOfShop(s *shop) {
	save := func(fields string) string {
		request, err := http.NewRequest(http.MethodPost, s.url+"/test/settings", strings.NewReader(fields))
		if err == nil {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		_, body := s.ask(request, err)
		return string(body)
	}
	const p = "woocommerce_hosted_checkout_"
	for _, bad := range []string{"http://checkout.example", "checkout.example", "ftp://x", "https://",
		"javascript:alert(1)", "http://127.0.0.1.evil.example", "https://user@checkout.example"} {
		if got := save(p + "base_url=" + bad); !strings.Contains(got, "has to begin with https") {
			s.t.Errorf("%s: %s", bad, got)
		}
	}
	if got := save(p + "admin_url=checkout.example"); !strings.Contains(got, "Operators' page has to begin with https") &&
		!strings.Contains(got, "Operators&#039; page has to begin with https") {
		s.t.Errorf("an address without https: %s", got)
	}
	if got := save(p + "callback_secret=cGx1Z2lu"); !strings.Contains(got, "has to begin with whsec_") {
		s.t.Errorf("a secret without whsec_: %s", got)
	}
	const good = p + "enabled=yes&" + p + "base_url=https://checkout.example/&" + p + "merchant_key=k&" +
		p + "password=a%5Cb'c&" + p + "callback_secret=whsec_cGx1Z2lu"
	if got, offered := save(good), s.do("available"); got != "[]" || offered != "true" {
		s.t.Errorf("good settings: %s, offered: %s", got, offered)
	}
	got, offered := save(good+"&"+p+"test_mode=yes"), s.do("available")
	if !strings.Contains(got, "Missing: Test key.") || offered != "false" {
		s.t.Errorf("test mode without a test key: %s, offered: %s", got, offered)
	}
	got = s.do("links")
	if !strings.Contains(got, `section=hosted_checkout\">Settings`) || !strings.Contains(got, "another") {
		s.t.Errorf("links at the plugin: %s", got)
	}
}

// blocks: the block gets nothing that is secret.
func blocks(s *shop) {
	var method []json.RawMessage
	if err := json.Unmarshal([]byte(s.do("blocks")), &method); err != nil || len(method) != 4 {
		s.t.Fatalf("%s %v", method, err)
	}
	want := `"hosted_checkout" true ["hosted-checkout-blocks"] ` +
		`{"title":"Card & more","description":"You pay on a page.","supports":["products"]}`
	if got := string(bytes.Join([][]byte{method[0], method[1], method[2], method[3]}, []byte(" "))); got != want {
		s.t.Errorf("%s\nwant %s", got, want)
	}
}
