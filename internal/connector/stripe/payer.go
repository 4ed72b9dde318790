package stripe

import (
	"cmp"
	"context"
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
		Line1: text(strings.TrimSpace(from.Address+" "+from.HouseNumber), 200), City: text(from.City, 100),
		State: text(from.State, 100), PostalCode: text(from.Zip, 20), Country: text(from.Country, 2),
	}
}
