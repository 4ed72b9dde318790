package visitor

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"checkout/internal/wallet/testwallet"
)

// Order is what a merchant stores of a session.
type Order struct {
	Number  string
	Session string
	Payment string // its id, once it is paid
	Card    string // card_token, once it is paid, if the session requested one
	Chain   string // recurring_token, likewise
	event   chan event
}

const amount, currency, description = "100.99", "USD", "An important gift"

// currencyCode is the currency's number, which wallets sign.
const currencyCode = "840"

// Session creates the session of a new order, with customer and billing address.
func (v *Visitor) Session(ctx context.Context) (*Order, error) {
	return v.SessionWith(ctx, SessionOptions{})
}

// SessionOptions change the usual session request. With the Number and the IdempotencyKey of an earlier order its
// request is repeated.
type SessionOptions struct {
	Number         string // "": a new one
	IdempotencyKey string
	Fields         map[string]any // added to the usual ones
}

// SessionWith creates a session.
func (v *Visitor) SessionWith(ctx context.Context, options SessionOptions) (*Order, error) {
	order := &Order{Number: cmp.Or(options.Number, "order-"+rand.Text())}
	order.event = v.expect(order.Number)
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	request := call{"/api/v1/session", options.IdempotencyKey, v.sessionRequest(order.Number, options.Fields)}
	if err := v.send(ctx, request, &created); err != nil {
		return nil, err
	}
	to, err := url.Parse(created.RedirectURL)
	if err != nil || to.Query().Get("session") == "" {
		return nil, fmt.Errorf("redirect_url %q", created.RedirectURL)
	}
	order.Session = to.Query().Get("session")
	return order, nil
}

// Explain requests the explanation of a session request, and fails unless a payer could pay.
func (v *Visitor) Explain(ctx context.Context) error {
	var explained struct{ Methods []struct{ ID string } }
	err := v.call(ctx, "/api/v1/session/explain", v.sessionRequest("order-"+rand.Text(), nil), &explained)
	if err == nil && len(explained.Methods) == 0 {
		err = errors.New("explain names no method")
	}
	return err
}

func (v *Visitor) sessionRequest(number string, fields map[string]any) map[string]any {
	request := map[string]any{
		"merchant_key": v.merchant.key,
		"operation":    "purchase",
		"order": map[string]string{"number": number, "amount": amount, "currency": currency,
			"description": description},
		"success_url": "https://shop.example/paid", "cancel_url": "https://shop.example/cancelled",
		"customer": map[string]string{"name": "John Doe", "email": "john@example.com"},
		"billing_address": map[string]string{
			"country": "US", "state": "CA", "city": "Los Angeles", "address": "Moor Building 35274", "zip": "123456",
			"phone": "347771112233",
		},
		"hash": v.merchant.hash(number, amount, currency, description),
	}
	maps.Copy(request, fields)
	return request
}

func (m merchant) hash(parts ...string) string { return Hash(m.password, parts...) }

// Hash is sha1_hex(md5_hex(upper(parts and password))), which signs a merchant's request.
func Hash(password string, parts ...string) string {
	inner := md5.Sum([]byte(strings.ToUpper(strings.Join(parts, "") + password)))
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hex.EncodeToString(outer[:])
}

// Screen has the fields of the checkout page's screen that a visit needs.
type Screen struct {
	Kind string
	Seal struct {
		KeyID string `json:"key_id"`
		Key   string
		Info  string
	}

	script []byte // what Open has loaded with the page
}

func path(order *Order) string { return "/page/v1/" + url.PathEscape(order.Session) }

// Screen requests what the page has to show, and fails unless it is of that kind.
func (v *Visitor) Screen(ctx context.Context, order *Order, kind string) (Screen, error) {
	var screen Screen
	err := v.call(ctx, path(order), nil, &screen)
	if err == nil && screen.Kind != kind {
		err = fmt.Errorf("screen %q instead of %q", screen.Kind, kind)
	}
	return screen, err
}

// Pay fills the form in with the test card of that expiry date, and waits for the callback.
func (v *Visitor) Pay(ctx context.Context, order *Order, form Screen, expiry Expiry) error {
	return v.paySealed(ctx, order, form, sealed{"card", map[string]any{"number": number, "expiry_month": expiry.Month,
		"expiry_year": expiry.Year, "security_code": "123"}})
}

// PayWallet pays with the test wallet, by the test card of that expiry date, and waits for the callback.
func (v *Visitor) PayWallet(ctx context.Context, order *Order, form Screen, expiry Expiry) error {
	if v.Browser {
		if err := v.openWallet(ctx, form); err != nil {
			return err
		}
	}
	token, err := walletToken(order.Session, expiry)
	if err != nil {
		return err
	}
	return v.paySealed(ctx, order, form, sealed{string(testwallet.ApplePay), map[string]any{"token": token}})
}

// sealed is a method of which all that is filled in is sealed.
type sealed struct {
	method  string
	content map[string]any
}

// paySealed pays by such a method, and waits for the callback.
func (v *Visitor) paySealed(ctx context.Context, order *Order, form Screen, by sealed) error {
	text, err := seal(form, by.content)
	if err != nil {
		return err
	}
	return v.pay(ctx, order, map[string]any{"attempt": uuid(), "method": by.method, "fields": map[string]string{},
		"sealed": text})
}

// walletToken makes a token of the test wallet for a session, "" for one of the merchant's own page.
func walletToken(session string, expiry Expiry) (string, error) {
	return testwallet.Make(testwallet.ApplePay, testwallet.Content{
		ID: uuid(), At: time.Now(), Number: number, ExpiryMonth: expiry.Month, ExpiryYear: expiry.Year,
		Amount: strings.Replace(amount, ".", "", 1), Currency: currencyCode, SessionID: session,
	}, "")
}

// PaySaved chooses the first of the session's saved cards, and waits for the callback.
func (v *Visitor) PaySaved(ctx context.Context, order *Order) error {
	return v.pay(ctx, order, map[string]any{"attempt": uuid(), "method": "card", "fields": map[string]string{},
		"saved": "1"})
}

func (v *Visitor) pay(ctx context.Context, order *Order, request map[string]any) error {
	var next Screen
	if err := v.call(ctx, path(order)+"/pay", request, &next); err != nil {
		return err
	}
	got, err := waitForCallback(ctx, order.event)
	order.Payment, order.Card, order.Chain = got.payment, got.card, got.chain
	return err
}

// Expiry is the date of a test card.
type Expiry struct{ Month, Year int }

// The test cards that a visit pays with.
var (
	Paid   = Expiry{1, 2038}
	Softly = Expiry{2, 2041} // the first later charge of its chain is softly declined
)

// number is that of every test card.
const number = "4111111111111111"

// seal encrypts a card or a wallet's token as the page does.
func seal(form Screen, content map[string]any) (map[string]string, error) {
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
	plaintext, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	ciphertext, err := sender.Seal(info, plaintext)
	return map[string]string{"key_id": form.Seal.KeyID, "enc": text.EncodeToString(enc),
		"ciphertext": text.EncodeToString(ciphertext)}, err
}

// Checkout is a whole checkout: session, form, payment, callback, and the screen that redirects the payer to the shop.
func (v *Visitor) Checkout(ctx context.Context) (*Order, error) {
	return v.CheckoutWith(ctx, Paid, nil)
}

// CheckoutWith is a checkout whose session has more fields, paid with the test card of that expiry date.
func (v *Visitor) CheckoutWith(ctx context.Context, expiry Expiry, fields map[string]any) (*Order, error) {
	return v.checkout(ctx, fields, func(order *Order, form Screen) error { return v.Pay(ctx, order, form, expiry) })
}

// CheckoutSaved is a checkout that is paid with a saved card.
func (v *Visitor) CheckoutSaved(ctx context.Context, token string) (*Order, error) {
	fields := map[string]any{"card_token": []string{token}}
	return v.checkout(ctx, fields, func(order *Order, _ Screen) error { return v.PaySaved(ctx, order) })
}

// CheckoutWallet is a checkout that is paid with a wallet.
func (v *Visitor) CheckoutWallet(ctx context.Context) (*Order, error) {
	return v.checkout(ctx, nil, func(order *Order, form Screen) error { return v.PayWallet(ctx, order, form, Paid) })
}

// PayFromServer pays with a wallet's token that the merchant's own page got, and waits for the callback.
func (v *Visitor) PayFromServer(ctx context.Context) error {
	token, err := walletToken("", Paid)
	if err != nil {
		return err
	}
	number := "order-" + rand.Text()
	event := v.expect(number)
	var paid struct{ Status string }
	request := v.sessionRequest(number, map[string]any{"methods": []testwallet.Kind{testwallet.ApplePay},
		"parameters": map[testwallet.Kind]any{testwallet.ApplePay: map[string]string{"payment_token": token}}})
	if err := v.call(ctx, "/api/v1/session", request, &paid); err != nil {
		return err
	}
	if paid.Status != "settled" {
		return fmt.Errorf("the payment is %q and not settled", paid.Status)
	}
	_, err = waitForCallback(ctx, event)
	return err
}

func (v *Visitor) checkout(ctx context.Context, fields map[string]any, pay func(*Order, Screen) error) (*Order, error) {
	order, err := v.SessionWith(ctx, SessionOptions{Fields: fields})
	if err != nil {
		return nil, err
	}
	open := v.Screen
	if v.Browser {
		open = v.Open
	}
	form, err := open(ctx, order, "form")
	if err != nil {
		return nil, err
	}
	if err := pay(order, form); err != nil {
		return nil, err
	}
	_, err = v.Screen(ctx, order, "go")
	return order, err
}
