package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"checkout/internal/connector/adapter"
)

// How long the service waits for a response, and for that of a look-up.
const (
	responseLimit = 15 * time.Second
	lookUpLimit   = 5 * time.Second
)

// options are the flags.
type options struct {
	url, key, secret             string
	method, parameters, currency string
	wait                         time.Duration
	listen, public               string // of the notices
}

// check is one row of the table.
type check struct {
	name string
	run  func(*checker) error
}

// errNotSupported is returned by a check of what the adapter may refuse, and does.
var errNotSupported = errors.New("not supported")

// checker sends requests to an adapter.
type checker struct {
	options
	notices *notices
	client  *http.Client
}

func newChecker(o options) (*checker, error) {
	if o.parameters != "" && !json.Valid([]byte(o.parameters)) {
		return nil, errors.New("-parameters is no JSON")
	}
	n, err := newNotices(o)
	return &checker{o, n, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, err
}

// body is a request or a part of it.
type body map[string]any

// with returns a copy with other members. A nil value leaves a member out.
func (b body) with(changed body) body {
	all := body{}
	for name, value := range b {
		all[name] = value
	}
	for name, value := range changed {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	return all
}

// newReference makes a reference that no request had.
func newReference() string { return "check-" + strings.ToLower(rand.Text()) }

// money is an amount of the currency, which has two decimals.
func (c *checker) money(value string) body {
	return body{"value": value, "currency": c.currency, "exponent": 2}
}

// charge is the body of a new charge.
func (c *checker) charge(value string) body {
	reference := newReference()
	b := body{
		"kind": "charge", "reference": reference, "payment": reference, "session": "session-" + reference,
		"operation": "purchase", "amount": c.money(value), "method": c.method, "description": "A check",
		"customer":        body{"name": "Jane Doe", "email": "jane@shop.example"},
		"billing_address": body{"country": "DE", "city": "Berlin", "address": "Street 1", "zip": "10115"},
		"browser": body{
			"user_agent": "Mozilla/5.0", "accept_header": "*/*", "language": "de-DE", "screen_width": 1920,
			"screen_height": 1080, "color_depth": 24, "time_zone_offset": -60, "java_enabled": false,
			"javascript_enabled": true,
		},
		"payer_ip": "192.0.2.7", "return_url": "https://shop.example/return", "notice_url": c.notices.url,
	}
	if c.method == "card" {
		b["card"] = body{
			"number": "4111111111111111", "expiry_month": 12, "expiry_year": 2035, "security_code": "123", "holder": "Jane Doe",
		}
	}
	if c.parameters != "" {
		b["parameters"] = json.RawMessage(c.parameters)
	}
	return b
}

// follow is the body of a new capture, void or refund.
func (c *checker) follow(kind string, charge body, value string) body {
	b := body{
		"kind": kind, "reference": newReference(), "payment": charge["payment"], "notice_url": c.notices.url,
		"charge": body{"reference": charge["reference"]},
	}
	if value != "" {
		b["amount"] = c.money(value)
	}
	return b
}

// result is what became of a request, as far as it is checked.
type result struct {
	Kind      string          `json:"kind"`
	Reference string          `json:"reference"`
	Payment   string          `json:"payment"`
	Session   string          `json:"session"`
	Status    string          `json:"status"`
	Requested json.RawMessage `json:"requested"`
	Amount    json.RawMessage `json:"amount"`
	Decline   struct {
		Reason string `json:"reason"`
	} `json:"decline"`
	Action   json.RawMessage `json:"action"`
	Provider struct {
		ID        string `json:"id"`
		NetworkID string `json:"network_transaction_id"`
	} `json:"provider"`
	Authentication struct {
		ECI            string `json:"eci"`
		LiabilityShift *bool  `json:"liability_shift"`
		ThreeDSVersion string `json:"three_ds_version"`
		DSTransaction  string `json:"ds_transaction_id"`
	} `json:"authentication"`
	Error struct {
		Reason string `json:"reason"`
	} `json:"error"`
	FoundAfter *int `json:"found_after"` // of /describe

	status int
}

// message is a request to be sent, in a form that may be wrong.
type message struct {
	path, signedPath, key, text, changed string
	at                                   time.Time
	unsigned, signedTwice                bool
}

// send sends a request, and checks form and signature of the response.
func (c *checker) send(path string, b body) (result, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return result{}, err
	}
	m := message{path: path, signedPath: path, text: string(text), key: c.key, at: time.Now()}
	if reference, ok := b["reference"].(string); ok {
		m.key = c.key + "\n" + reference
	}
	return c.deliver(m)
}

// deliver sends a message. Its key has the reference after a line break.
func (c *checker) deliver(m message) (r result, err error) {
	sent := m.text
	if m.changed != "" {
		sent = m.changed
	}
	limit := responseLimit
	if m.path == "/lookup" || m.path == "/describe" {
		limit = lookUpLimit
	}
	late := fmt.Errorf("no response to %s within %s", m.path, limit)
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, late)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", c.url+m.path, bytes.NewReader([]byte(sent)))
	if err != nil {
		return r, err
	}
	key, reference, _ := strings.Cut(m.key, "\n")
	id, at := "req_"+strings.ToLower(rand.Text()), strconv.FormatInt(m.at.Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Adapter-Key", key)
	if reference != "" && m.path != "/lookup" {
		request.Header.Set("Idempotency-Key", reference)
	}
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", at)
	if !m.unsigned {
		signed := signature(c.secret, id, at, "POST "+m.signedPath+"."+m.text)
		if m.signedTwice {
			signed = signature("the secret before", id, at, "POST "+m.signedPath+"."+m.text) + " " + signed
		}
		request.Header.Set("webhook-signature", signed)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return r, cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return r, err
	}
	r.status = response.StatusCode
	if r.status == 401 || r.status == 429 || r.status >= 500 {
		return r, nil
	}
	if response.Header.Get("webhook-id") != id {
		return r, errors.New("expected the webhook-id of the request in the response")
	}
	if err := verify(c.secret, response.Header, strconv.Itoa(r.status)+"."+string(text)); err != nil {
		return r, fmt.Errorf("response: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("expected a JSON body of the contract: %w", err)
	}
	if r.Status == "action_required" {
		if err := adapter.CheckAction(r.Action, c.method); err != nil {
			return r, fmt.Errorf("%w: %s", err, r.Action)
		}
	}
	return r, nil
}

// actionType is the type of the required action.
func (r result) actionType() string {
	var action struct{ Type string }
	_ = json.Unmarshal(r.Action, &action) // which was checked
	return action.Type
}

// signature is that of a message.
func signature(secret, id, at, content string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(id + "." + at + "." + content))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// verify checks the headers of a message from the adapter.
func verify(secret string, header http.Header, content string) error {
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("expected a webhook-id, and a webhook-timestamp of now in seconds")
	}
	for one := range strings.FieldsSeq(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(signature(secret, id, at, content))) {
			return nil
		}
	}
	return errors.New("expected a right webhook-signature")
}

// same reports whether an amount is the one that was sent.
func same(got json.RawMessage, want any) bool {
	var a, b any
	text, err := json.Marshal(want)
	if err != nil || json.Unmarshal(got, &a) != nil || json.Unmarshal(text, &b) != nil {
		return false
	}
	one, _ := json.Marshal(a) // what was read can be written, with its members in order
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}
