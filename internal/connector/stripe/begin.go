package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// Begin creates a PaymentIntent from nothing but the reference, which a look-up can repeat.
func (s *Stripe) Begin(ctx context.Context, c connector.Charge) (connector.Result, error) {
	a, err := s.account(c.Credentials)
	if err != nil {
		return connector.Result{}, err
	}
	if !sendable(c.Reference) {
		return connector.Result{}, errReference
	}
	if _, reason := units(c.Amount); reason != "" {
		return declinedFor(reason), nil
	}
	if c.Wallet != nil && !c.Recurring && tokenID(c.Wallet.Token) == "" {
		return declinedFor(reason.TokenInvalid), nil
	}
	p, err := a.begin(ctx, c.ProviderRequest)
	switch {
	case err != nil:
		return refusedCharge("", err)
	case confirmed(p):
		return chargeResult(p, c.ProviderRequest)
	}
	return connector.Result{ProviderData: connector.ProviderData{ProviderID: p.ID}}, nil
}

// begin returns the PaymentIntent of a charge that has begun before, or else creates it.
func (a account) begin(ctx context.Context, r connector.ProviderRequest) (*stripe.PaymentIntent, error) {
	if p, err := a.named(ctx, r.ProviderID, r.Reference); err != nil || p != nil {
		return p, sent(err)
	}
	p, replayed, err := a.create(ctx, r)
	if err != nil {
		return nil, beforeConfirmation(err)
	}
	if replayed {
		return a.readAgain(ctx, p.ID)
	}
	return p, nil
}

// errReference is the error of a reference that can't be a key of a request. The service has none.
var errReference = fmt.Errorf("%w: the reference has other characters than letters and digits", connector.ErrNotSent)

// beforeConfirmation is the error of a step before the confirmation: a refusal, or one after which nothing is charged.
func beforeConfirmation(err error) error {
	if refused(err) != nil || errors.Is(err, connector.ErrNotSent) || errors.Is(err, errNoWallet) {
		return err
	}
	return fmt.Errorf("%w: %v", connector.ErrNotSent, err)
}

// create creates the PaymentIntent of a charge, once for each reference.
func (a account) create(
	ctx context.Context, r connector.ProviderRequest,
) (p *stripe.PaymentIntent, replayed bool, err error) {
	amount, _ := units(r.Amount)
	return a.intent(ctx, call{method: http.MethodPost, path: intents, key: r.Reference,
		params: &stripe.PaymentIntentCreateParams{
			Amount: &amount, Currency: stripe.String(strings.ToLower(r.Amount.Currency().Code)),
			PaymentMethodTypes: []*string{stripe.String("card")}, Metadata: metadata(r, amount),
		}})
}
