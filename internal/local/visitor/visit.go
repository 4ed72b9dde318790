package visitor

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"checkout/internal/local/client"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/wallet/testwallet"

	"github.com/google/uuid"
)

// Order is what a merchant stores of a session.
type Order struct {
	Number  string
	Session string
	Payment string // its id, once it is paid
	Card    string // card_token, once it is paid, if the session requested one
	Chain   string // recurring_token, likewise
	event   chan received
}

const amount, description = "100.99", "An important gift"

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
	var created json.RawMessage
	request := client.Request{Path: "/api/v1/session", Key: options.IdempotencyKey,
		Body: v.sessionRequest(order.Number, options.Fields)}
	err := v.send(ctx, request, &created)
	if err == nil {
		order.Session, err = client.SessionOf(created, v.service.URL+"/")
	}
	if err == nil && order.Session == "" {
		err = fmt.Errorf("no session: %s", created)
	}
	return order, err
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

func (v *Visitor) sessionRequest(number string, fields client.Object) client.Object {
	return v.merchant.Sign(v.merchant.Session(number, client.Object{
		"order":      client.Object{"amount": amount, "description": description},
		"cancel_url": "https://shop.example/cancelled",
		"customer":   client.Object{"name": "John Doe", "email": "john@example.com"},
		"billing_address": client.Object{
			"country": "US", "state": "CA", "city": "Los Angeles", "address": "Moor Building 35274", "zip": "123456",
			"phone": "347771112233",
		},
	}, fields))
}

// Screen is a screen of the checkout page.
type Screen struct {
	screen.Screen
	script []byte // what Open has loaded with the page
}

func path(order *Order) string { return "/page/v1/" + url.PathEscape(order.Session) }

// Screen requests what the page has to show, and fails unless it is of that kind.
func (v *Visitor) Screen(ctx context.Context, order *Order, kind string) (Screen, error) {
	var shown Screen
	err := v.call(ctx, path(order), nil, &shown.Screen)
	if err == nil && string(shown.Kind) != kind {
		err = fmt.Errorf("screen %q instead of %q", shown.Kind, kind)
	}
	return shown, err
}

// Pay fills the form in with the test card of that expiry date, and waits for the callback.
func (v *Visitor) Pay(ctx context.Context, order *Order, form Screen, expiry Expiry) error {
	return v.paySealed(ctx, order, form, sealed{"card", client.Object{"number": client.TestCard,
		"expiry_month": expiry.Month, "expiry_year": expiry.Year, "security_code": "123"}})
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
func (v *Visitor) paySealed(ctx context.Context, order *Order, shown Screen, by sealed) error {
	text, err := client.Seal(shown.Seal, by.content)
	if err != nil {
		return err
	}
	return v.pay(ctx, order, form.Request{Attempt: uuid.NewString(), Method: by.method, Fields: map[string]string{},
		Sealed: text})
}

// walletToken makes a token of the test wallet for a session, "" for one of the merchant's own page.
func walletToken(session string, expiry Expiry) (string, error) {
	return testwallet.Make(testwallet.ApplePay, testwallet.Content{
		ID: uuid.NewString(), At: time.Now(), Number: client.TestCard, ExpiryMonth: expiry.Month, ExpiryYear: expiry.Year,
		Amount: strings.Replace(amount, ".", "", 1), Currency: currencyCode, SessionID: session,
	}, "")
}

// PaySaved chooses the first of the session's saved cards, and waits for the callback.
func (v *Visitor) PaySaved(ctx context.Context, order *Order) error {
	return v.pay(ctx, order, form.Request{Attempt: uuid.NewString(), Method: "card", Fields: map[string]string{},
		Saved: "1"})
}

func (v *Visitor) pay(ctx context.Context, order *Order, request form.Request) error {
	var next screen.Screen
	if err := v.call(ctx, path(order)+"/pay", request, &next); err != nil {
		return err
	}
	got, err := waitForCallback(ctx, order.event)
	f := got.Fields
	order.Payment, order.Card, order.Chain = f.Get("id"), f.Get("card_token"), f.Get("recurring_token")
	return err
}

// Expiry is the date of a test card.
type Expiry struct{ Month, Year int }

// The test cards that a visit pays with.
var (
	Paid   = Expiry{1, 2038}
	Softly = Expiry{2, 2041} // the first later charge of its chain is softly declined
)

// Checkout is a whole checkout: session, form, payment, callback, and the screen that redirects the payer to the shop.
func (v *Visitor) Checkout(ctx context.Context) (*Order, error) {
	return v.CheckoutWith(ctx, Paid, nil)
}

// CheckoutWith is a checkout whose session has more fields, paid with the test card of that expiry date.
func (v *Visitor) CheckoutWith(ctx context.Context, expiry Expiry, fields map[string]any) (*Order, error) {
	return v.checkout(ctx, fields, func(order *Order, form Screen) error { return v.Pay(ctx, order, form, expiry) })
}

// CheckoutAfter is a checkout in which something is done between the form and the payment.
func (v *Visitor) CheckoutAfter(ctx context.Context, do func(*Order) error) (*Order, error) {
	return v.checkout(ctx, nil, func(order *Order, form Screen) error {
		if err := do(order); err != nil {
			return err
		}
		return v.Pay(ctx, order, form, Paid)
	})
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
