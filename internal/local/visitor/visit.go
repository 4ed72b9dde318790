package visitor

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Order is what a merchant remembers of a session.
type Order struct {
	Number  string
	Session string
	Payment string // its id, once it is paid
	paid    chan string
}

// Session creates the session of a new order, with customer and billing address.
func (v *Visitor) Session(ctx context.Context) (*Order, error) {
	order := &Order{Number: "order-" + rand.Text()}
	const amount, currency, description = "100.99", "USD", "Important gift"
	request := map[string]any{
		"merchant_key": v.merchant.key,
		"operation":    "purchase",
		"order":        map[string]string{"number": order.Number, "amount": amount, "currency": currency, "description": description},
		"success_url":  "https://shop.example/paid", "cancel_url": "https://shop.example/cancelled",
		"customer": map[string]string{"name": "John Doe", "email": "john@example.com"},
		"billing_address": map[string]string{
			"country": "US", "state": "CA", "city": "Los Angeles", "address": "Moor Building 35274", "zip": "123456", "phone": "347771112233",
		},
		"hash": v.merchant.hash(order.Number, amount, currency, description),
	}
	order.paid = v.expect(order.Number)
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	if err := v.call(ctx, "/api/v1/session", request, &created); err != nil {
		return nil, err
	}
	to, err := url.Parse(created.RedirectURL)
	if err != nil || to.Query().Get("session") == "" {
		return nil, fmt.Errorf("redirect_url %q", created.RedirectURL)
	}
	order.Session = to.Query().Get("session")
	return order, nil
}

func (m merchant) hash(parts ...string) string { return Hash(m.password, parts...) }

// Hash is sha1_hex(md5_hex(upper(parts and password))), which signs a merchant's request.
func Hash(password string, parts ...string) string {
	inner := md5.Sum([]byte(strings.ToUpper(strings.Join(parts, "") + password)))
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hex.EncodeToString(outer[:])
}

// Screen is as much of the checkout page's screen as a visit needs.
type Screen struct {
	Kind string
	Seal struct {
		KeyID string `json:"key_id"`
		Key   string
		Info  string
	}
}

func path(order *Order) string { return "/page/v1/" + url.PathEscape(order.Session) }

// Screen asks once what the page has to show, and fails unless it is of that kind.
func (v *Visitor) Screen(ctx context.Context, order *Order, kind string) (Screen, error) {
	var screen Screen
	err := v.call(ctx, path(order), nil, &screen)
	if err == nil && screen.Kind != kind {
		err = fmt.Errorf("screen %q instead of %q", screen.Kind, kind)
	}
	return screen, err
}

// Pay fills the form in with a card that is paid at once, and waits for the callback.
func (v *Visitor) Pay(ctx context.Context, order *Order, form Screen) error {
	sealed, err := seal(form)
	if err != nil {
		return err
	}
	request := map[string]any{"attempt": uuid(), "method": "card", "fields": map[string]string{}, "sealed": sealed}
	var next Screen
	if err := v.call(ctx, path(order)+"/pay", request, &next); err != nil {
		return err
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case order.Payment = <-order.paid:
		return nil
	case <-late.C:
		return fmt.Errorf("no callback within %v", patience)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seal does to a card what the page does.
func seal(form Screen) (map[string]string, error) {
	text := base64.RawURLEncoding
	point, err := text.DecodeString(form.Seal.Key)
	if err != nil {
		return nil, err
	}
	key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	info := []byte(form.Seal.Info)
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), info)
	if err != nil {
		return nil, err
	}
	card, err := json.Marshal(map[string]any{"number": "4111111111111111", "expiry_month": 1, "expiry_year": 2038, "security_code": "123"})
	if err != nil {
		return nil, err
	}
	ciphertext, err := sender.Seal(info, card)
	return map[string]string{"key_id": form.Seal.KeyID, "enc": text.EncodeToString(enc), "ciphertext": text.EncodeToString(ciphertext)}, err
}

// StatusByPayment asks for a paid order by its payment_id.
func (v *Visitor) StatusByPayment(ctx context.Context, order *Order) error {
	return v.status(ctx, "payment_id", order.Payment)
}

// StatusByOrder asks for a paid order by its order_id.
func (v *Visitor) StatusByOrder(ctx context.Context, order *Order) error {
	return v.status(ctx, "order_id", order.Number)
}

func (v *Visitor) status(ctx context.Context, name, value string) error {
	var payment struct{ Status string }
	request := map[string]string{"merchant_key": v.merchant.key, name: value, "hash": v.merchant.hash(value)}
	if err := v.call(ctx, "/api/v1/payment/status", request, &payment); err != nil {
		return err
	}
	if payment.Status != "settled" {
		return fmt.Errorf("the payment is %q and not settled", payment.Status)
	}
	return nil
}

// Checkout is a whole one: session, form, payment, callback, and the screen that sends the payer back.
func (v *Visitor) Checkout(ctx context.Context) (*Order, error) {
	order, err := v.Session(ctx)
	if err != nil {
		return nil, err
	}
	form, err := v.Screen(ctx, order, "form")
	if err != nil {
		return nil, err
	}
	if err := v.Pay(ctx, order, form); err != nil {
		return nil, err
	}
	_, err = v.Screen(ctx, order, "go")
	return order, err
}
