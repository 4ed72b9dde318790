package stripe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/request"
)

// The payer's IP address and the browser's header User-Agent, which Stripe's Radar looks at. Stripe documents them
// among payment_method_data, of which it makes a PaymentMethod (docs.stripe.com/radar/integration); stripe-go does not
// have them.
const (
	ipParam        = "ip"
	userAgentParam = "user_agent"
)

// createMethod makes a PaymentMethod of a card, with what is known of the payer. Without address and browser, where
// Stripe does not take them.
func (a account) createMethod(
	ctx context.Context, c connector.Charge, card *stripe.PaymentMethodCreateCardParams,
) (*stripe.PaymentMethod, error) {
	params := &stripe.PaymentMethodCreateParams{Type: stripe.String("card"), BillingDetails: billing(c), Card: card}
	key := c.Reference + "-card"
	for name, value := range map[string]string{ipParam: c.PayerIP, userAgentParam: c.Browser.UserAgent} {
		if value != "" && !c.Recurring {
			params.AddExtra(name, value)
		}
	}
	for {
		method := &stripe.PaymentMethod{}
		_, err := a.send(ctx, call{method: http.MethodPost, path: "/v1/payment_methods", key: key, params: params}, method)
		r := refused(err)
		if r != nil && params.Extra != nil && (r.cause.Param == ipParam || r.cause.Param == userAgentParam) {
			params.Extra, key = nil, key+"-only"
			continue
		}
		if err == nil && method.ID == "" {
			err = errAbout
		}
		return method, err
	}
}

func billing(c connector.Charge) *stripe.PaymentMethodCreateBillingDetailsParams {
	return &stripe.PaymentMethodCreateBillingDetailsParams{
		Name: text(cmp.Or(c.CardName, c.Customer.Name), 256), Email: text(c.Customer.Email, 512),
		Phone: text(c.BillingAddress.Phone, 20), Address: address(c.BillingAddress),
	}
}

func address(from request.Address) *stripe.AddressParams {
	return &stripe.AddressParams{
		Line1: text(strings.TrimSpace(from.Address+" "+from.HouseNumber), 200), Line2: text(from.District, 200),
		City:  text(from.City, 100),
		State: text(from.State, 100), PostalCode: text(from.Zip, 20), Country: text(from.Country, 2),
	}
}

// errRawCards is the error of a MID that may not send cards.
var errRawCards = fmt.Errorf("%w: the account may not send card numbers: the MID's credential %q is not %q",
	connector.ErrNotSent, "raw_cards", "true")

// errNoWallet is the error of a token that Stripe has not made of Google Pay's: everybody who has the account's public
// key can have one made of a number that was typed.
var errNoWallet = errors.New("Stripe did not make the token of the wallet's")

// card sends the card, or the token of a wallet, to Stripe and returns the id that it has there. A later payment with a
// wallet has neither, which Stripe refuses.
func (a account) card(ctx context.Context, c connector.Charge) (id string, err error) {
	if c.Wallet != nil && c.Wallet.Token == "" {
		return "", nil
	}
	card := &stripe.PaymentMethodCreateCardParams{
		Number: &c.Card.Number, CVC: text(c.Card.SecurityCode, 4),
		ExpMonth: stripe.Int64(int64(c.Card.ExpiryMonth)), ExpYear: stripe.Int64(int64(c.Card.ExpiryYear)),
	}
	switch {
	case c.Wallet != nil:
		card = &stripe.PaymentMethodCreateCardParams{Token: stripe.String(tokenID(c.Wallet.Token))}
	case !a.rawCards:
		return "", errRawCards
	}
	method, err := a.createMethod(ctx, c, card)
	switch {
	case err != nil:
		return "", err
	case c.Wallet != nil && !ofGooglePay(method):
		return "", errNoWallet
	}
	return method.ID, nil
}

// ofGooglePay reports whether a PaymentMethod is a card of Google Pay.
func ofGooglePay(m *stripe.PaymentMethod) bool {
	return m.Card != nil && m.Card.Wallet != nil && m.Card.Wallet.Type == stripe.PaymentMethodCardWalletTypeGooglePay
}

// tokenID returns the id of the token that Stripe, as the gateway of Google Pay, has made of the wallet's. "": it made
// none.
func tokenID(token string) string {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal([]byte(token), &made) != nil || !strings.HasPrefix(made.ID, "tok_") || !sendable(made.ID) {
		return ""
	}
	return made.ID
}
