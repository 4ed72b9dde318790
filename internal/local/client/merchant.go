// Package client is the other side of the service in tests and measurements: a merchant's server, which signs requests
// and checks callbacks, and a payer's browser, which fills in forms. It makes hashes and encrypts cards by itself, so
// that service and client check each other, and reads screens with the service's own types.
package client

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"checkout/internal/local/demo"
	"checkout/internal/method"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Object is the body of a request.
type Object = map[string]any

// Merchant is what a merchant's server has of its settings.
type Merchant struct {
	Key            string // merchant_key of its requests
	Password       string
	SHA256         bool
	CallbackSecret string
}

// Hash computes the hash of protocol.md, Hashes, over parts and the password.
func (m Merchant) Hash(parts ...string) string { return m.HashOver(strings.ToUpper, parts...) }

// HashOver is Hash of a client that has another function for upper case.
func (m Merchant) HashOver(upper func(string) string, parts ...string) string {
	text := []byte(upper(strings.Join(parts, "") + m.Password))
	md := md5.Sum(text)
	inner := hex.EncodeToString(md[:])
	if m.SHA256 {
		sum := sha256.Sum256(text)
		inner = hex.EncodeToString(sum[:])
	}
	outer := sha1.Sum([]byte(inner))
	return hex.EncodeToString(outer[:])
}

// Sign sets the hash over what a request has of the texts that are signed: those of an order, of a chain, or of a
// payment. A number counts as its JSON, an absent text as "".
func (m Merchant) Sign(body Object) Object {
	order, _ := body["order"].(Object)
	var texts []string
	for _, value := range []any{body["recurring_init_trans_id"], body["recurring_token"],
		order["number"], order["amount"], order["currency"], order["description"],
		body["payment_id"], body["order_id"], body["amount"]} {
		texts = append(texts, asText(value))
	}
	body["hash"] = m.Hash(texts...)
	return body
}

func asText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// Session returns a session request, which has to be signed. Members of more replace the usual ones, in the order one
// by one; nil removes one.
func (m Merchant) Session(number string, more ...Object) Object {
	body := Object{"merchant_key": m.Key, "operation": "purchase",
		"success_url": "https://shop.example/paid", "cancel_url": "https://shop.example/cart"}
	order := Object{"number": number, "amount": "10.00", "currency": "USD", "description": "A pen"}
	for _, fields := range more {
		maps.Copy(body, fields)
		if changed, ok := fields["order"].(Object); ok {
			maps.Copy(order, changed)
		}
	}
	body["order"] = order
	maps.DeleteFunc(body, func(_ string, value any) bool { return value == nil })
	return body
}

// Parameters returns made-up values of what a merchant must send for a method.
func Parameters(m method.Method) Object {
	sent := Object{}
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.MustBeSent() && !set.Extra {
				sent[row.Name] = example(m, row, row.Name)
			}
		}
	}
	return sent
}

// example returns a good value of a row: an object with all its rows, a list with one.
func example(m method.Method, row method.Param, path string) any {
	if row.Type != method.TypeObject && row.Type != method.TypeList {
		return demo.Example(m.ID, path)
	}
	if row.Type == method.TypeList {
		path += "[]"
	}
	below := Object{}
	for _, in := range row.Rows {
		below[in.Name] = example(m, in, path+"."+in.Name)
	}
	if row.Type == method.TypeList {
		return []Object{below}
	}
	return below
}

// Payment returns a signed request about a payment, such as a refund; amount "" is all of it, or none.
func (m Merchant) Payment(id, amount string) Object {
	body := Object{"merchant_key": m.Key, "payment_id": id}
	if amount != "" {
		body["amount"] = amount
	}
	return m.Sign(body)
}

// Order returns a signed request for the status of an order.
func (m Merchant) Order(number string) Object {
	return m.Sign(Object{"merchant_key": m.Key, "order_id": number})
}

// Recurring returns a signed request for a later payment of the chain of a first one. order has no currency.
func (m Merchant) Recurring(first, token string, order Object) Object {
	return m.Sign(Object{"merchant_key": m.Key, "recurring_init_trans_id": first, "recurring_token": token,
		"order": order})
}

// Callback is a callback as it came.
type Callback struct {
	Header http.Header
	Body   []byte
	Fields url.Values // those of JSON under the names that a form has for them
}

// ReadCallback reads a callback.
func ReadCallback(header http.Header, body []byte) (c Callback, err error) {
	c = Callback{Header: header.Clone(), Body: body, Fields: url.Values{}}
	if header.Get("Content-Type") != "application/json" {
		c.Fields, err = url.ParseQuery(string(body))
		return c, err
	}
	var fields any
	err = json.Unmarshal(body, &fields)
	flatten(c.Fields, "", fields)
	return c, err
}

// flatten adds the values of JSON under the names that a form has for them.
func flatten(fields url.Values, name string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for inner, value := range v {
			if name != "" {
				inner = name + "[" + inner + "]"
			}
			flatten(fields, inner, value)
		}
	case []any:
		for i, value := range v {
			flatten(fields, fmt.Sprintf("%s[%d]", name, i), value)
		}
	default:
		fields.Add(name, fmt.Sprint(v))
	}
}

// ID is the same in every repeat of a callback.
func (c Callback) ID() string { return c.Header.Get("webhook-id") }

// Event is a callback in three words: type, status, order_status.
func (c Callback) Event() string {
	return c.Fields.Get("type") + " " + c.Fields.Get("status") + " " + c.Fields.Get("order_status")
}

// Signed returns the texts of which the hash of a callback is made.
func (c Callback) Signed() (texts []string) {
	for _, name := range []string{"id", "order_number", "order_amount", "order_currency", "order_description"} {
		texts = append(texts, c.Fields.Get(name))
	}
	return texts
}

// Check checks the hash of a form and the signature of a callback.
func (m Merchant) Check(c Callback) error {
	if got, want := c.Fields.Get("hash"), m.Hash(c.Signed()...); got != want {
		return fmt.Errorf("hash of the callback %q, want %q", got, want)
	}
	return m.CheckSignature(c)
}

// CheckSignature checks the signature of a callback with the reference library of Standard Webhooks.
func (m Merchant) CheckSignature(c Callback) error {
	standard, err := standardwebhooks.NewWebhook(m.CallbackSecret)
	if err == nil {
		err = standard.VerifyIgnoringTimestamp(c.Body, c.Header)
	}
	if err != nil {
		err = fmt.Errorf("signature of %s: %w", c.ID(), err)
	}
	return err
}

// SessionOf returns the id of a session, given the response to its request and the address of the checkout page. It is
// "" if the payer has nothing to do.
func SessionOf(created []byte, page string) (string, error) {
	var session struct {
		RedirectURL *string `json:"redirect_url"`
	}
	if err := json.Unmarshal(created, &session); err != nil || session.RedirectURL == nil {
		return "", err
	}
	return SessionAt(*session.RedirectURL, page)
}

// SessionAt returns the id of the session that a redirect_url opens on the checkout page, "" for one at any address.
func SessionAt(address, page string) (string, error) {
	at, err := url.Parse(address)
	if err != nil || page != "" && !strings.HasPrefix(at.String(), page+"?session=") {
		return "", fmt.Errorf("redirect_url %q", address)
	}
	return at.Query().Get("session"), nil
}
