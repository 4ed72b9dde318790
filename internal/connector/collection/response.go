package collection

import (
	"encoding/json"
	"errors"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// response is what the provider says of a payment, in responses and notices.
type response struct {
	ID         string      `json:"id"`
	Reference  string      `json:"reference"`
	Status     string      `json:"status"`
	Amount     json.Number `json:"amount"`
	Currency   string      `json:"currency"`
	Received   json.Number `json:"received"` // of a transfer: what has arrived
	Code       string      `json:"code"`     // of a decline or reversal
	Message    string      `json:"message"`
	ExpiryDate string      `json:"expiryDate"`
	waiting
	provider.Refusal // of a refused request
}

// waiting is what the payer of a pending payment needs.
type waiting struct {
	PaymentURL string `json:"paymentUrl"` // the provider's widget
	QR         string `json:"qr"`
	Transfer   *struct {
		AccountName   string `json:"accountName"`
		AccountNumber string `json:"accountNumber"`
		BankName      string `json:"bankName"`
		Concept       string `json:"concept"` // what the payer writes into the transfer
	} `json:"transfer"`
	Voucher *struct {
		Number  string `json:"number"`
		Barcode string `json:"barcode"`
	} `json:"voucher"`
	Form *form `json:"form"`
}

// form is what the payer of a pull has to enter.
type form struct {
	OTP      string   `json:"otp"` // required, optional or none
	OTPWrong bool     `json:"otpWrong"`
	Accounts []string `json:"accounts"`
}

// reasons are the provider's codes of declines.
var reasons = map[string]reason.Code{
	"insufficient_funds": reason.InsufficientFunds,
	"do_not_honor":       reason.DoNotHonor,
	"try_again_later":    reason.TryAgainLater,
	"exceeds_limit":      reason.ExceedsLimit,
	"payer_refused":      reason.PayerRefused,
	"payer_too_slow":     reason.PayerTooSlow,
	"wrong_code":         reason.PINInvalid,
	"too_many_pins":      reason.TooManyPINs,
	"account_invalid":    reason.AccountInvalid,
	"account_closed":     reason.AccountClosed,
	"account_blocked":    reason.AccountBlocked,
	"name_mismatch":      reason.NameMismatch,
	"fraud_suspected":    reason.FraudSuspected,
	"not_allowed":        reason.NotAllowed,
}

// result returns the result of a payment that was sent or looked up.
func (r response) result(of connector.ProviderRequest) (connector.Result, error) {
	result, err := r.noticed(of)
	return provider.NeverApproved(result), err
}

// noticed returns the result of a payment that a notice tells of.
func (r response) noticed(of connector.ProviderRequest) (connector.Result, error) {
	if r.ID == "" || r.Reference != of.Reference {
		return connector.Result{}, errors.New("the provider responds about another payment")
	}
	if err := provider.SameAmount(r.Amount, r.Currency, of, r.Status == "PAID"); err != nil {
		return connector.Result{}, err
	}
	result := connector.Result{ProviderData: connector.ProviderData{ProviderID: r.ID}}
	arrived, err := r.receive(&result, of)
	if err != nil {
		return connector.Result{}, err
	}
	switch r.Status {
	case "PENDING":
		err = r.require(&result, of)
	case "PAID":
		result.Outcome = connector.OutcomeApproved
		if r.Received != "" && arrived.Cmp(of.Amount) < 0 {
			err = connector.OtherAmountError{Moved: arrived, Requested: of.Amount, Approved: true}
		}
	case "REJECTED", "EXPIRED":
		r.decline(&result)
	case "REVERSED":
		r.decline(&result)
		result.Outcome = provider.Reversed(r.Code)
	default:
		err = errors.New("the provider's status is not known")
	}
	if err != nil {
		return connector.Result{}, err
	}
	return result, nil
}

// receive sets what has arrived of a transfer.
func (r response) receive(result *connector.Result, of connector.ProviderRequest) (money.Amount, error) {
	if r.Received == "" {
		return money.Amount{}, nil
	}
	arrived, err := provider.Arrived(r.Received, of.Amount.Currency())
	if err != nil || arrived.IsZero() {
		return arrived, err
	}
	result.Received = &connector.Received{
		Currency: r.Currency, Amount: arrived.String(), Due: of.Amount.String(),
	}
	return arrived, nil
}

// decline sets why a payment was declined. Of one that expired after money has arrived, that says enough.
func (r response) decline(result *connector.Result) {
	result.Outcome, result.Code, result.ReasonCode = connector.OutcomeDeclined, r.Code, reasons[r.Code]
	if result.Received == nil {
		result.Reason = r.Message
	}
	if r.Status == "EXPIRED" && result.ReasonCode == "" {
		result.ReasonCode = reason.PayerTooSlow
	}
}

// require sets what the payer has to do.
func (r response) require(result *connector.Result, of connector.ProviderRequest) error {
	action := &connector.RequiredAction{Kind: connector.ActionPending}
	if r.ExpiryDate != "" {
		var err error
		if action.ExpiresAt, err = time.Parse(time.RFC3339, r.ExpiryDate); err != nil {
			return errors.New("the provider's expiry date can't be read")
		}
	}
	switch {
	case r.Form != nil:
		if err := r.ask(action); err != nil {
			return err
		}
	case r.QR != "" || r.Transfer != nil || r.Voucher != nil:
		r.show(action, of)
	case r.PaymentURL != "":
		action.Kind, action.URL = connector.ActionRedirect, r.PaymentURL
	default: // the provider itself decides
		return nil
	}
	result.Outcome, result.RequiredAction = connector.OutcomeActionRequired, action
	return nil
}

// ask adds the second form of a pull.
func (r response) ask(action *connector.RequiredAction) error {
	action.Text = screen.TextEnterCode
	if r.Form.OTPWrong {
		action.Text = screen.TextCodeWrong
	}
	if len(r.Form.Accounts) > 0 {
		account := connector.FormField{ID: "bankDetails.account"}
		for _, name := range r.Form.Accounts {
			account.Options = append(account.Options, connector.FieldOption{Value: name})
		}
		action.Fields = append(action.Fields, account)
	}
	if r.Form.OTP == "required" || r.Form.OTP == "optional" {
		action.Fields = append(action.Fields, connector.FormField{ID: "bankDetails.otp"})
	}
	if len(action.Fields) == 0 {
		return errors.New("the provider asks for a form without fields")
	}
	return nil
}

// show adds what the payer needs to pay elsewhere.
func (r response) show(action *connector.RequiredAction, of connector.ProviderRequest) {
	add := func(id string, kind screen.ShownType, value string) {
		if value != "" {
			action.Show = append(action.Show, screen.Shown{ID: id, Type: kind, Value: value})
		}
	}
	switch {
	case r.QR != "":
		action.Text = screen.TextScanQR
		add("qr_code", screen.ShownQR, r.QR)
	case r.Transfer != nil:
		action.Text = screen.TextTransferDetails
		add("account_name", screen.ShownCopy, r.Transfer.AccountName)
		add("account_number", screen.ShownCopy, r.Transfer.AccountNumber)
		add("bank_name", screen.ShownText, r.Transfer.BankName)
		add("payment_reference", screen.ShownCopy, r.Transfer.Concept)
	default:
		action.Text = screen.TextVoucherIssued
		add("voucher_number", screen.ShownCopy, r.Voucher.Number)
		add("voucher_barcode", screen.ShownBarcode, r.Voucher.Barcode)
	}
	action.Show = append(action.Show, screen.ShowAmount("amount_due", of.Amount))
	if !action.ExpiresAt.IsZero() && r.QR == "" {
		action.Show = append(action.Show, screen.ShowDeadline(action.ExpiresAt))
	}
	add("app_link", screen.ShownLink, r.PaymentURL)
}
