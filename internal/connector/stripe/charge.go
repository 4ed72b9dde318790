package stripe

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
)

// Charge charges a card in steps, of which only the last one moves money: it adds card and details to the PaymentIntent
// that Begin has created, and confirms it.
func (s *Stripe) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	a, err := s.account(c.Credentials)
	if err != nil {
		return connector.Result{}, err
	}
	if !isIntent(c.ProviderID) {
		begun, err := s.Begin(ctx, c)
		if err != nil || begun.Outcome != connector.OutcomePending {
			return begun, err
		}
		c.ProviderID = begun.ProviderID
	}
	p, err := a.complete(ctx, c)
	if refused(err) != nil { // perhaps because it was confirmed before
		if found, errFound := a.readAgain(ctx, c.ProviderID); errFound != nil || confirmed(found) {
			p, err = found, errFound
		}
	}
	if err != nil {
		return refusedCharge(c.ProviderID, err)
	}
	return chargeResult(p, c.ProviderRequest)
}

// complete adds card and details to a PaymentIntent and confirms it.
func (a account) complete(ctx context.Context, c connector.Charge) (*stripe.PaymentIntent, error) {
	confirm, err := a.prepare(ctx, c)
	if err != nil {
		return nil, beforeConfirmation(err)
	}
	now, replayed, err := a.intent(ctx, call{
		method: http.MethodPost, path: intents + "/" + c.ProviderID + "/confirm", key: c.Reference + "-confirm",
		params: confirm,
	})
	switch {
	case err != nil:
		return nil, err
	case now.ID != c.ProviderID:
		return nil, errAbout
	case replayed: // the response is as old as the first confirmation
		return a.readAgain(ctx, now.ID)
	}
	return now, nil
}

// prepare adds the details to a PaymentIntent, and returns how to confirm it.
func (a account) prepare(ctx context.Context, c connector.Charge) (*stripe.PaymentIntentConfirmParams, error) {
	confirm := &stripe.PaymentIntentConfirmParams{Expand: withCharge()}
	details := &stripe.PaymentIntentUpdateParams{
		CaptureMethod: stripe.String("automatic"), Description: text(c.Description, 1000),
		StatementDescriptorSuffix: suffix(c),
	}
	if c.Auth {
		details.CaptureMethod = stripe.String("manual")
	}
	if c.Recurring {
		confirm.OffSession = stripe.Bool(true)
		initial, err := a.initial(ctx, c.InitialTransaction)
		if err != nil {
			return nil, err
		}
		if initial != nil {
			details.Customer, confirm.PaymentMethod = &initial.Customer.ID, &initial.PaymentMethod.ID
		}
	}
	if c.StartsChain {
		customer, err := a.customer(ctx, c)
		if err != nil {
			return nil, err
		}
		details.Customer, details.SetupFutureUsage = &customer, stripe.String("off_session")
	}
	if confirm.PaymentMethod == nil {
		id, err := a.card(ctx, c)
		if err != nil {
			return nil, err
		}
		confirm.PaymentMethod = text(id, len(id))
		if c.Recurring && c.InitialNetworkID != "" {
			details.AddExtra(networkIDParam, c.InitialNetworkID)
		}
	}
	if c.ReturnURL != "" {
		confirm.ReturnURL = &c.ReturnURL
	} else if !c.Recurring { // nobody could act
		confirm.ErrorOnRequiresAction = stripe.Bool(true)
	}
	return confirm, a.update(ctx, c.ProviderID, details)
}

// networkIDParam is the scheme's id of the payment by which the payer agreed to a charge, where Stripe has no customer
// for that. Stripe takes it of accounts that it was switched on for.
const networkIDParam = "payment_method_options[card][mit_exemption][network_transaction_id]"

// update adds details to a PaymentIntent. A suffix of the statement, or a scheme's id, that Stripe does not take is
// left out.
func (a account) update(ctx context.Context, id string, details *stripe.PaymentIntentUpdateParams) error {
	_, _, err := a.intent(ctx, call{method: http.MethodPost, path: intents + "/" + id, params: details})
	switch r := refused(err); {
	case r == nil:
		return err
	case r.cause.Param == "statement_descriptor_suffix" && details.StatementDescriptorSuffix != nil:
		details.StatementDescriptorSuffix = nil
	case strings.HasPrefix(r.cause.Param, "payment_method_options") && details.Extra != nil:
		details.Extra = nil
	default:
		return err
	}
	return a.update(ctx, id, details)
}

// initial reads the first payment of a chain, nil if its card can't be charged by its id.
func (a account) initial(ctx context.Context, id string) (*stripe.PaymentIntent, error) {
	if !isIntent(id) {
		return nil, nil
	}
	p, err := a.read(ctx, id)
	if err != nil || p == nil || p.Customer == nil || p.PaymentMethod == nil {
		return nil, err
	}
	return p, nil
}

// customer creates the customer whose card a chain is charged by.
func (a account) customer(ctx context.Context, c connector.Charge) (id string, err error) {
	customer := &stripe.Customer{}
	_, err = a.send(ctx, call{method: http.MethodPost, path: "/v1/customers", key: c.Reference + "-customer",
		params: &stripe.CustomerCreateParams{
			Name: text(cmp.Or(c.CardName, c.Customer.Name), 256), Email: text(c.Customer.Email, 512),
			Address: address(c.BillingAddress), Metadata: map[string]string{metaReference: c.Reference},
		}}, customer)
	if err == nil && customer.ID == "" {
		err = errAbout
	}
	return customer.ID, err
}
