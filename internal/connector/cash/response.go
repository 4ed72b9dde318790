package cash

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// response is the body of a response about a reference or a payment, or a refusal.
type response struct {
	provider.Refusal
	ID       string `json:"id"` // the provider's, of a payment
	PublicID string `json:"public_id"`
	Order    struct {
		Amount   json.Number `json:"amount"`
		Currency string      `json:"currency"` // of a payment
	} `json:"order"`
	Status     string      `json:"status"`
	Received   json.Number `json:"received"` // what has arrived, if anything has
	Number     string      `json:"number"`   // of the reference, for the payer
	Barcode    string      `json:"barcode"`  // digits
	VoucherURL string      `json:"voucher_url"`
	ExpiresAt  string      `json:"expires_at"` // RFC 3339
	Code       string      `json:"code"`       // of a decline
	Message    string      `json:"message"`    // of a decline, for the payer
}

// reasons are the provider's codes of declines.
var reasons = map[string]reason.Code{
	"payer_refused":      reason.PayerRefused,
	"payer_too_slow":     reason.PayerTooSlow,
	"limit_exceeded":     reason.ExceedsLimit,
	"amount_not_allowed": reason.AmountInvalid,
	"gateway_closed":     reason.ProviderProblem,
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"fraud_suspected":    reason.FraudSuspected,
	"not_allowed":        reason.NotAllowed,
}

// about fails unless a response is about a request, in that currency.
func (p response) about(r connector.ProviderRequest, currency string) error {
	if p.PublicID != r.Reference {
		return errors.New("the provider responds about another reference")
	}
	return provider.SameAmount(p.Order.Amount, currency, r, p.Status == "paid")
}

// result returns the result of a payment for the request that it has to be about.
func (p response) result(r connector.ProviderRequest) (connector.Result, error) {
	if err := p.about(r, p.Order.Currency); err != nil {
		return connector.Result{}, err
	}
	result := connector.Result{ProviderData: connector.ProviderData{ProviderID: p.ID}}
	arrived, err := p.arrived(r.Amount)
	if err != nil {
		return connector.Result{}, err
	}
	if !arrived.IsZero() {
		result.Received = &connector.Received{
			Currency: p.Order.Currency, Amount: arrived.String(), Due: r.Amount.String(),
		}
	}
	switch p.Status {
	case "paid":
		result.Outcome = connector.OutcomeApproved
		if arrived.Cmp(r.Amount) < 0 {
			return connector.Result{}, connector.OtherAmountError{Moved: arrived, Requested: r.Amount, Approved: true}
		}
	case "waiting":
		result.Outcome = connector.OutcomeActionRequired
		result.RequiredAction, err = p.voucher(r.Amount)
	case "pending":
		result.Outcome = connector.OutcomePending
	case "declined", "expired":
		result.Outcome, result.Code, result.ReasonCode = connector.OutcomeDeclined, p.Code, reasons[p.Code]
		if p.Status == "expired" {
			result.ReasonCode = cmp.Or(result.ReasonCode, reason.PayerTooSlow)
		}
		if result.Received == nil { // which explains it
			result.Reason = p.Message
		}
	case "reversed":
		result.Outcome, result.Code = connector.OutcomeReversal, p.Code
	default:
		err = errors.New("the provider's status is not known")
	}
	if err != nil {
		return connector.Result{}, err
	}
	return result, nil
}

// arrived is what has arrived, zero if nothing has.
func (p response) arrived(due money.Amount) (money.Amount, error) {
	if p.Received == "" {
		return money.Zero(due.Currency()), nil
	}
	return provider.Arrived(p.Received, due.Currency())
}

// voucher is what the payer takes to the till: a number, a barcode, an amount and until when.
func (p response) voucher(due money.Amount) (*connector.RequiredAction, error) {
	until, err := time.Parse(time.RFC3339, p.ExpiresAt)
	if err != nil || p.Number == "" {
		return nil, errors.New("the provider's response has no number to pay with, or no time to pay")
	}
	a := &connector.RequiredAction{Kind: connector.ActionPending, Text: screen.TextVoucherIssued, ExpiresAt: until}
	a.Show = append(a.Show, screen.Shown{ID: "voucher_number", Type: screen.ShownCopy, Value: p.Number})
	if p.Barcode != "" {
		a.Show = append(a.Show, screen.Shown{ID: "voucher_barcode", Type: screen.ShownBarcode, Value: p.Barcode})
	}
	a.Show = append(a.Show, screen.ShowAmount("amount_due", due), screen.ShowDeadline(until))
	if p.VoucherURL != "" {
		a.Show = append(a.Show, screen.Shown{ID: "app_link", Type: screen.ShownLink, Value: p.VoucherURL})
	}
	return a, nil
}
