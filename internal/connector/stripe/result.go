package stripe

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// confirmed reports whether Stripe has received the confirmation of a PaymentIntent, or its cancellation.
func confirmed(p *stripe.PaymentIntent) bool {
	switch p.Status {
	case stripe.PaymentIntentStatusRequiresPaymentMethod, stripe.PaymentIntentStatusRequiresConfirmation:
		return p.LastPaymentError != nil
	}
	return true
}

// authorised reports whether the card was authorised, whatever has followed.
func authorised(p *stripe.PaymentIntent) bool {
	switch p.Status {
	case stripe.PaymentIntentStatusSucceeded, stripe.PaymentIntentStatusRequiresCapture:
		return true
	case stripe.PaymentIntentStatusCanceled: // a void leaves the charge, and success clears the last error
		abandoned := p.CancellationReason == stripe.PaymentIntentCancellationReasonAbandoned
		ended := abandoned && p.Metadata[metaEnded] != "" // by Cancel, while the payer had to act
		return p.LatestCharge != nil && p.LastPaymentError == nil && !ended
	}
	return false
}

// chargeResult is what became of a charge, by its PaymentIntent. Nil: Stripe can't know the charge.
func chargeResult(p *stripe.PaymentIntent, r connector.ProviderRequest) (connector.Result, error) {
	if p == nil {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	amount, _ := units(r.Amount)
	if string(p.Currency) != strings.ToLower(r.Amount.Currency().Code) {
		return connector.Result{}, errOtherAmount
	}
	if p.Amount != amount {
		return connector.Result{}, otherAmount(p.Amount, fmt.Sprint(amount), p.Currency, false)
	}
	if p.Metadata[metaReference] != r.Reference {
		return connector.Result{}, errAbout
	}
	return intentResult(p)
}

// intentResult is what became of the charge of a PaymentIntent.
func intentResult(p *stripe.PaymentIntent) (connector.Result, error) {
	if !confirmed(p) {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	r := connector.Result{ProviderData: connector.ProviderData{ProviderID: p.ID}}
	switch {
	case authorised(p):
		r.Outcome, r.Authorised = connector.OutcomeApproved, p.CaptureMethod == stripe.PaymentIntentCaptureMethodManual
		addCharge(&r.ProviderData, p.LatestCharge)
		return r, chargedAmount(p)
	case p.LastPaymentError != nil:
		declined := declinedBy(p.LastPaymentError)
		declined.ProviderID = p.ID
		return declined, nil
	}
	switch p.Status {
	case stripe.PaymentIntentStatusProcessing:
		return r, nil
	case stripe.PaymentIntentStatusCanceled:
		r.Outcome, r.Code, r.ReasonCode = connector.OutcomeDeclined, string(p.CancellationReason), reason.PayerRefused
		return r, nil
	case stripe.PaymentIntentStatusRequiresAction:
		if p.NextAction == nil || p.NextAction.RedirectToURL == nil || p.NextAction.RedirectToURL.URL == "" {
			return connector.Result{}, errors.New("Stripe asks the payer for something that is no redirect")
		}
		r.Outcome = connector.OutcomeActionRequired
		r.RequiredAction = &connector.RequiredAction{Kind: connector.Action3DS, URL: p.NextAction.RedirectToURL.URL}
		return r, nil
	}
	return connector.Result{}, errors.New("the payment has a status at Stripe that is unknown")
}

// chargedAmount is an error if another amount was charged or authorised than was asked for.
func chargedAmount(p *stripe.PaymentIntent) error {
	got, want := p.Amount, p.Metadata[metaAmount]
	switch {
	case p.Status == stripe.PaymentIntentStatusRequiresCapture:
		got = p.AmountCapturable
	case p.Status == stripe.PaymentIntentStatusSucceeded && p.CaptureMethod != stripe.PaymentIntentCaptureMethodManual:
		got = p.AmountReceived
	case p.Status == stripe.PaymentIntentStatusSucceeded && p.Metadata[metaCapture] != "":
		got, want = p.AmountReceived, p.Metadata[metaCaptured]
	}
	if fmt.Sprint(got) != want {
		return otherAmount(got, want, p.Currency, true)
	}
	return nil
}

// addCharge adds what Stripe reports of the card's authorisation. A notice has only the charge's id.
func addCharge(d *connector.ProviderData, c *stripe.Charge) {
	if c == nil || c.PaymentMethodDetails == nil || c.PaymentMethodDetails.Card == nil {
		return
	}
	card := c.PaymentMethodDetails.Card
	d.ApprovalCode, d.IssuerCountry, d.IssuerBank = card.AuthorizationCode, card.Country, card.Issuer
	d.NetworkTransactionID = card.NetworkTransactionID
	if secure := card.ThreeDSecure; secure != nil { // Stripe does not say who is liable
		d.Authentication = connector.Authentication{
			ECI: string(secure.ElectronicCommerceIndicator), ThreeDSVersion: secure.Version, DSTransaction: secure.TransactionID,
		}
	}
}

// refusedCharge is the result of a charge that Stripe refused, or its error.
func refusedCharge(id string, err error) (connector.Result, error) {
	if errors.Is(err, errNoWallet) {
		result := declinedFor(reason.TokenInvalid)
		result.ProviderID = id
		return result, nil
	}
	r := refused(err)
	if r == nil || r.repeated() {
		return connector.Result{}, err
	}
	result := declinedBy(r.cause)
	result.ProviderID = id
	return result, nil
}

// declinedFor is a decline without a word of Stripe.
func declinedFor(reason reason.Code) connector.Result {
	return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason, Code: "not_sent"}
}

// declinedBy is a decline with the code of Stripe's error. Its text is left out: it is English, says less than the
// service's texts of the code, and may name what was sent.
func declinedBy(e *stripe.Error) connector.Result {
	code := string(e.DeclineCode)
	if code == "" {
		code = string(e.Code)
	}
	r := connector.Result{Outcome: connector.OutcomeDeclined, Code: code, ReasonCode: reasonOf(e.Type, code)}
	if e.Type == stripe.ErrorTypeInvalidRequest && e.Param != "" {
		r.Code += " " + e.Param // the name of a parameter, for whoever looks for the cause
	}
	return r
}

// declinedFollowUp is a capture, void or refund that Stripe declined with a code.
func declinedFollowUp(code string) connector.Result {
	return declinedBy(&stripe.Error{Type: stripe.ErrorTypeInvalidRequest, Code: stripe.ErrorCode(code)})
}

// noCharge is the result of a capture, void or refund of a charge that Stripe does not know.
func noCharge() connector.Result { return declinedFollowUp(string(stripe.ErrorCodeResourceMissing)) }

// refundResult is what became of a refund.
func refundResult(r *stripe.Refund) (connector.Result, error) {
	if fmt.Sprint(r.Amount) != r.Metadata[metaAmount] {
		return connector.Result{}, otherAmount(r.Amount, r.Metadata[metaAmount], r.Currency, false)
	}
	switch r.Status {
	case stripe.RefundStatusSucceeded:
		return connector.Result{Outcome: connector.OutcomeApproved}, nil
	case stripe.RefundStatusPending, stripe.RefundStatusRequiresAction:
		return connector.Result{Outcome: connector.OutcomePending}, nil
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		return failedRefund(r), nil
	}
	return connector.Result{}, errAbout
}

// failedRefund is the result of a refund that has failed.
func failedRefund(r *stripe.Refund) connector.Result {
	return declinedFollowUp(cmp.Or(string(r.FailureReason), string(r.Status)))
}

// capturedElsewhere reports whether an authorisation was captured without a request of ours, which would be noted.
func capturedElsewhere(p *stripe.PaymentIntent) bool {
	return p.Status == stripe.PaymentIntentStatusSucceeded && p.Metadata[metaCapture] == "" &&
		p.CaptureMethod == stripe.PaymentIntentCaptureMethodManual
}

// endedElsewhere reports whether an authorisation was cancelled without a request of ours, or has expired.
func endedElsewhere(p *stripe.PaymentIntent) bool {
	return p.Status == stripe.PaymentIntentStatusCanceled && p.Metadata[metaVoid] == "" && authorised(p)
}

// elsewhere is the result of a capture or void that nobody asked for. There is at most one of each.
func elsewhere(p *stripe.PaymentIntent) connector.Result {
	if p.Status == stripe.PaymentIntentStatusSucceeded {
		return connector.Result{
			Outcome: connector.OutcomeCapturedElsewhere, OperationID: p.ID,
			Amount: amountOf(p.AmountReceived, string(p.Currency)),
		}
	}
	r := connector.Result{
		Outcome: connector.OutcomeVoidedElsewhere, OperationID: p.ID, Code: string(p.CancellationReason),
	}
	switch p.CancellationReason {
	case stripe.PaymentIntentCancellationReasonAutomatic, stripe.PaymentIntentCancellationReasonExpired:
		r.ReasonCode = reason.Expired
	}
	return r
}
