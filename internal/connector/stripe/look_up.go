package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
)

// QueryStatus looks up what became of a request.
func (s *Stripe) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	a, err := s.account(r.Credentials)
	if err != nil {
		return connector.Result{}, err
	}
	if !sendable(r.Reference) {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	if r.Kind != connector.RequestCharge {
		return a.followUpStatus(ctx, r)
	}
	p, err := a.findCharge(ctx, r)
	if err != nil {
		return connector.Result{}, err
	}
	return chargeResult(p, r)
}

// findCharge finds the PaymentIntent of a charge by its id, which is stored before it is confirmed. Only without an id,
// such as after a table was restored, it searches, which does not find new ones for a while. Then it repeats Begin,
// which is a day long responded to with the same PaymentIntent. If that was never created, or a day ago and so found by
// the search, this creates one that nobody confirms and that moves no money. Nil: Stripe can't know the charge.
func (a account) findCharge(
	ctx context.Context, r connector.ProviderRequest,
) (*stripe.PaymentIntent, error) {
	p, errSearch := a.known(ctx, r.ProviderID, r.Reference)
	if p != nil || errSearch != nil && refused(errSearch) == nil { // not every country's accounts can search
		return p, errSearch
	}
	if _, reason := units(r.Amount); reason != "" {
		return nil, errSearch
	}
	p, replayed, err := a.create(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case replayed:
		return a.read(ctx, p.ID)
	}
	return p, errSearch
}

// isIntent reports whether an id has the form of a PaymentIntent's: the payment may have one of another provider.
func isIntent(id string) bool { return strings.HasPrefix(id, "pi_") && sendable(id) }

// readAgain reads a PaymentIntent that an earlier request may have confirmed.
func (a account) readAgain(ctx context.Context, id string) (*stripe.PaymentIntent, error) {
	p, err := a.read(ctx, id)
	if err == nil && p == nil {
		err = errAbout
	}
	return p, sent(err)
}

// sent returns an error without ErrNotSent, which would mean that an earlier request was not sent either.
func sent(err error) error {
	if !errors.Is(err, connector.ErrNotSent) {
		return err
	}
	return fmt.Errorf("after an earlier request: %v", err)
}

// named reads the PaymentIntent with an id, nil if it is not that of a charge with the reference.
func (a account) named(ctx context.Context, id, reference string) (*stripe.PaymentIntent, error) {
	if !isIntent(id) {
		return nil, nil
	}
	p, err := a.read(ctx, id)
	if err != nil || p == nil || p.Metadata[metaReference] != reference {
		return nil, err
	}
	return p, nil
}

// known finds the PaymentIntent of a charge by its id or by a search for its reference: of several the one that was
// confirmed. Nil: none was found.
func (a account) known(ctx context.Context, id, reference string) (*stripe.PaymentIntent, error) {
	if p, err := a.named(ctx, id, reference); err != nil || p != nil {
		return p, err
	}
	if !sendable(reference) {
		return nil, nil
	}
	var found list[stripe.PaymentIntent]
	_, err := a.send(ctx, call{method: http.MethodGet, path: intents + "/search",
		params: &stripe.PaymentIntentSearchParams{SearchParams: stripe.SearchParams{
			Query: "metadata['" + metaReference + "']:'" + reference + "'",
		}}}, &found)
	if err != nil {
		return nil, err
	}
	if found.Object != "search_result" {
		return nil, errAbout
	}
	var best *stripe.PaymentIntent
	for _, one := range found.Data {
		p, err := a.read(ctx, one.ID) // the search has them as they were
		if err != nil {
			return nil, err
		}
		if p != nil && p.Metadata[metaReference] == reference && (best == nil || confirmed(p)) {
			best = p
		}
	}
	return best, nil
}

// followUpStatus looks up a capture, void or refund.
func (a account) followUpStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	p, err := a.known(ctx, r.ProviderID, r.OriginalReference)
	if err != nil {
		return connector.Result{}, err
	}
	if p == nil {
		return noCharge(), nil
	}
	if r.Kind == connector.RequestCapture && p.Metadata[metaCapture] == r.Reference {
		return captured(p)
	}
	if r.Kind == connector.RequestVoid && voidedBy(p, r.Reference) {
		return connector.Result{Outcome: connector.OutcomeApproved}, nil
	}
	if r.Kind != connector.RequestCapture {
		refund, err := a.findRefund(ctx, p.ID, r.Reference)
		if err != nil {
			return connector.Result{}, err
		}
		if refund != nil {
			return refundResult(refund)
		}
	}
	reference, code, _ := strings.Cut(p.Metadata[string(r.Kind)+metaDeclined], " ")
	if reference == r.Reference {
		return declinedFollowUp(code), nil
	}
	return connector.Result{Outcome: connector.OutcomeUnknown}, nil
}

// captured is the result of a capture.
func captured(p *stripe.PaymentIntent) (connector.Result, error) {
	if p.Status != stripe.PaymentIntentStatusSucceeded {
		return connector.Result{}, errAbout
	}
	return connector.Result{Outcome: connector.OutcomeApproved}, chargedAmount(p)
}

// voidedBy reports whether a void has cancelled the authorisation.
func voidedBy(p *stripe.PaymentIntent, reference string) bool {
	return p.Status == stripe.PaymentIntentStatusCanceled && p.Metadata[metaVoid] == reference
}

// findRefund finds the refund with a reference among those of a PaymentIntent, nil if there is none.
func (a account) findRefund(ctx context.Context, id, reference string) (*stripe.Refund, error) {
	params := &stripe.RefundListParams{PaymentIntent: &id, ListParams: stripe.ListParams{Limit: stripe.Int64(100)}}
	for {
		var page list[stripe.Refund]
		_, err := a.send(ctx, call{method: http.MethodGet, path: "/v1/refunds", params: params}, &page)
		if err != nil {
			return nil, err
		}
		if page.Object != "list" {
			return nil, errAbout
		}
		for _, refund := range page.Data {
			if refund.Metadata[metaReference] == reference {
				return refund, nil
			}
		}
		if !page.HasMore || len(page.Data) == 0 {
			return nil, nil
		}
		params.StartingAfter = &page.Data[len(page.Data)-1].ID
	}
}
