package stripe

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/checkout"
	"checkout/internal/request"
)

// ipParam is the payer's IP address, which Stripe's Radar looks at. Stripe documents it among payment_method_data, of
// which it makes a PaymentMethod (docs.stripe.com/radar/integration); stripe-go does not have it.
const ipParam = "ip"

// createMethod makes a PaymentMethod of a card, with what is known of the payer. Without the IP address, where Stripe
// does not take that.
func (a account) createMethod(
	ctx context.Context, c checkout.Charge, card *stripe.PaymentMethodCreateCardParams,
) (*stripe.PaymentMethod, error) {
	params := &stripe.PaymentMethodCreateParams{Type: stripe.String("card"), BillingDetails: billing(c), Card: card}
	key := c.Reference + "-card"
	if c.PayerIP != "" && !c.Recurring {
		params.AddExtra(ipParam, c.PayerIP)
	}
	for {
		method := &stripe.PaymentMethod{}
		_, err := a.send(ctx, call{method: http.MethodPost, path: "/v1/payment_methods", key: key, params: params}, method)
		if r := refused(err); r != nil && r.cause.Param == ipParam && params.Extra != nil {
			params.Extra, key = nil, key+"-only"
			continue
		}
		if err == nil && method.ID == "" {
			err = errAbout
		}
		return method, err
	}
}

func billing(c checkout.Charge) *stripe.PaymentMethodCreateBillingDetailsParams {
	return &stripe.PaymentMethodCreateBillingDetailsParams{
		Name: text(cmp.Or(c.CardName, c.Customer.Name), 256), Email: text(c.Customer.Email, 512),
		Phone: text(c.BillingAddress.Phone, 20), Address: address(c.BillingAddress),
	}
}

func address(from request.Address) *stripe.AddressParams {
	return &stripe.AddressParams{
		Line1: text(strings.TrimSpace(from.Address+" "+from.HouseNumber), 200), City: text(from.City, 100),
		State: text(from.State, 100), PostalCode: text(from.Zip, 20), Country: text(from.Country, 2),
	}
}
