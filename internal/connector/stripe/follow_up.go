package stripe

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// Capture captures all or a part of what was authorised, once.
func (s *Stripe) Capture(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, r, func(a account, p *stripe.PaymentIntent, amount int64) (connector.Result, error) {
		p, _, err := a.intent(ctx, call{method: http.MethodPost, path: intents + "/" + p.ID + "/capture", key: r.Reference,
			params: &stripe.PaymentIntentCaptureParams{
				AmountToCapture: &amount, Expand: withCharge(),
				Metadata: map[string]string{metaCapture: r.Reference, metaCaptured: fmt.Sprint(amount)},
			}})
		if err != nil {
			return connector.Result{}, err
		}
		if p.Metadata[metaCapture] != r.Reference {
			return connector.Result{}, errAbout
		}
		return captured(p)
	})
}

// Refund refunds all or a part of what was captured.
func (s *Stripe) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, r, func(a account, p *stripe.PaymentIntent, amount int64) (connector.Result, error) {
		return a.refund(ctx, p, amount, r)
	})
}

// Void cancels an authorisation that is not captured, or else refunds all.
func (s *Stripe) Void(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return s.followUp(ctx, r, func(a account, p *stripe.PaymentIntent, _ int64) (connector.Result, error) {
		switch {
		case voidedBy(p, r.Reference):
			return connector.Result{Outcome: connector.OutcomeApproved}, nil
		case p.Status == stripe.PaymentIntentStatusSucceeded:
			return a.refund(ctx, p, p.AmountReceived, r)
		case p.Status == stripe.PaymentIntentStatusRequiresCapture:
			if err := a.note(ctx, p.ID, metaVoid, r.Reference); err != nil {
				return connector.Result{}, beforeConfirmation(err)
			}
		}
		p, err := a.cancel(ctx, p.ID, r.Reference, "requested_by_customer")
		if err == nil && p.Metadata[metaVoid] != r.Reference { // another void was noted at the same moment
			err = sent(a.note(ctx, p.ID, metaVoid, r.Reference))
		}
		if err != nil {
			return connector.Result{}, err
		}
		return connector.Result{Outcome: connector.OutcomeApproved}, nil
	})
}

// Cancel ends a charge whose payer still has to act.
func (s *Stripe) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	a, err := s.account(r.Credentials)
	if err != nil {
		return connector.Result{}, err
	}
	p, err := a.findCharge(ctx, r)
	if err != nil {
		return connector.Result{}, err
	}
	if p != nil && ends(p.Status) {
		if err := a.note(ctx, p.ID, metaEnded, r.Reference); err != nil {
			return connector.Result{}, err
		}
		ended, err := a.cancel(ctx, p.ID, r.Reference+"-cancel", "abandoned")
		if refused(err) != nil { // decided meanwhile
			ended, err = a.read(ctx, p.ID)
		}
		if err != nil {
			return connector.Result{}, err
		}
		p = ended
	}
	return chargeResult(p, r)
}

// ends reports whether a charge can be ended, or was ended. The response to a repeated request is that to the first.
func ends(status stripe.PaymentIntentStatus) bool {
	return status == stripe.PaymentIntentStatusRequiresAction || status == stripe.PaymentIntentStatusCanceled
}

// cancel cancels a PaymentIntent.
func (a account) cancel(ctx context.Context, id, key, reason string) (*stripe.PaymentIntent, error) {
	p, _, err := a.intent(ctx, call{method: http.MethodPost, path: intents + "/" + id + "/cancel", key: key,
		params: &stripe.PaymentIntentCancelParams{CancellationReason: &reason, Expand: withCharge()}})
	if err == nil && (p.ID != id || p.Status != stripe.PaymentIntentStatusCanceled) {
		return nil, errAbout
	}
	return p, err
}

// note writes a value into the metadata of a PaymentIntent.
func (a account) note(ctx context.Context, id, name, value string) error {
	return a.update(ctx, id, &stripe.PaymentIntentUpdateParams{Metadata: map[string]string{name: value}})
}

// followUp finds the charge of a capture, void or refund, and executes it. What Stripe declines is noted in the
// metadata of the charge, so that a look-up finds it.
func (s *Stripe) followUp(
	ctx context.Context, r connector.ProviderRequest,
	execute func(account, *stripe.PaymentIntent, int64) (connector.Result, error),
) (connector.Result, error) {
	a, err := s.account(r.Credentials)
	if err != nil {
		return connector.Result{}, err
	}
	amount, why := units(r.Amount)
	if why != "" && r.Kind != connector.RequestVoid {
		return declinedFor(why), nil
	}
	p, err := a.known(ctx, r.ProviderID, r.OriginalReference)
	if err != nil {
		return connector.Result{}, beforeConfirmation(err)
	}
	if p == nil || !sendable(r.Reference) {
		return noCharge(), nil
	}
	if r.Kind != connector.RequestVoid && string(p.Currency) != strings.ToLower(r.Amount.Currency().Code) {
		return declinedFor(reason.CurrencyNotSupported), nil
	}
	result, err := execute(a, p, amount)
	refusal := refused(err)
	switch {
	case refusal == nil:
		return result, err
	case refusal.repeated(): // the same reference is the same request
		found, errFound := a.followUpStatus(ctx, r)
		if errFound != nil || found.Outcome == connector.OutcomeUnknown {
			return connector.Result{}, err // a refusal, after which nobody knows
		}
		return found, nil
	}
	code := declinedBy(refusal.cause).Code
	if err := a.note(ctx, p.ID, string(r.Kind)+metaDeclined, r.Reference+" "+code); err != nil {
		return connector.Result{}, sent(err)
	}
	return declinedFollowUp(code), nil
}

// refund refunds an amount.
func (a account) refund(
	ctx context.Context, p *stripe.PaymentIntent, amount int64, r connector.ProviderRequest,
) (connector.Result, error) {
	refund := &stripe.Refund{}
	_, err := a.send(ctx, call{method: http.MethodPost, path: "/v1/refunds", key: r.Reference,
		params: &stripe.RefundCreateParams{
			PaymentIntent: &p.ID, Amount: &amount, Metadata: metadata(r, amount),
			Reason: stripe.String("requested_by_customer"),
		}}, refund)
	if err != nil {
		return connector.Result{}, err
	}
	if refund.Metadata[metaReference] != r.Reference {
		return connector.Result{}, errAbout
	}
	return refundResult(refund)
}
