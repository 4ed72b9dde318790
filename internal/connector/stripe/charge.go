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

// suffix is what the payer's statement shows after the account's own text: the parameter descriptor of the method,
// without what Stripe does not allow there. Nil: nothing.
func suffix(c connector.Charge) *string {
	var parameters struct {
		Descriptor string `json:"descriptor"`
	}
	if len(c.Parameters) > 0 && json.Unmarshal(c.Parameters, &parameters) != nil {
		return nil
	}
	clean := strings.NewReplacer("<", "", ">", "", `\`, "", "'", "", `"`, "", "*", "").Replace(parameters.Descriptor)
	if !strings.ContainsFunc(clean, isLetter) {
		return nil
	}
	return text(strings.TrimSpace(clean), 22)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// text is a text of at most that many characters, nil for none.
func text(value string, most int) *string {
	runes := []rune(value)
	if len(runes) == 0 {
		return nil
	}
	return stripe.String(string(runes[:min(len(runes), most)]))
}
