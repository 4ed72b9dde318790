package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Refusal is the body of a refused request, for families whose specification prints no responses.
type Refusal struct {
	Error struct {
		Code  string `json:"code"`
		Field string `json:"field"` // that is wrong, for the operator, who finds it beside the code
	} `json:"error"`
}

// fieldName is the form of Field. What has another one may be a value that was sent, and secret.
var fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z_.]{0,39}$`)

// code is the code of the refusal, with the field if there is one.
func (f Refusal) code() string {
	if fieldName.MatchString(f.Error.Field) {
		return f.Error.Code + ": " + f.Error.Field
	}
	return f.Error.Code
}

// Refused returns the result of a request that moves money and ended with an error, or with another status than 200. It
// fails with connector.ErrNotSent where the provider did nothing: it did not take the MID's credentials, or had too
// many requests. It fails with another error if nobody can know what the provider did.
func (f Refusal) Refused(status int, err error) (connector.Result, error) {
	switch {
	case err != nil:
		return connector.Result{}, err
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return connector.Result{}, fmt.Errorf("%w: the provider refuses the MID's credentials: status %d",
			connector.ErrNotSent, status)
	case status == http.StatusTooManyRequests:
		return connector.Result{}, fmt.Errorf("%w: the provider has too many requests", connector.ErrNotSent)
	case f.Error.Code != "" && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity):
		return connector.Result{
			Outcome: connector.OutcomeDeclined, ReasonCode: reason.RequestRefused, Code: f.code(),
		}, nil
	}
	return connector.Result{}, fmt.Errorf("the provider responds with status %d", status)
}

// NotFound returns the result of a request that moves no money, such as a look-up, and ended with an error, or with
// another status than 200. It is known only if the provider says, in its own form, that it knows no such reference.
func (f Refusal) NotFound(status int, err error) (connector.Result, error) {
	switch {
	case err != nil:
		return connector.Result{}, err
	case status == http.StatusNotFound && f.Error.Code == "unknown_reference":
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	return connector.Result{}, fmt.Errorf("the provider responds with status %d", status)
}

// Reused reports whether a request was refused because its reference belongs to another one.
func (f Refusal) Reused(status int) bool {
	return status == http.StatusConflict && f.Error.Code == "reference_reused"
}

// Arrived reads the amount that a provider says has arrived, which may be zero: some say so until something has.
func Arrived(amount json.Number, currency money.Currency) (money.Amount, error) {
	arrived, err := money.Parse(amount.String(), currency)
	switch {
	case errors.Is(err, money.ErrNotPositive) && !strings.HasPrefix(amount.String(), "-"):
		return money.Zero(currency), nil
	case err != nil:
		return money.Amount{}, errors.New("what has arrived can't be read")
	}
	return arrived, nil
}

// SameAmount fails with an OtherAmountError if a provider says another amount than a request has, in a response by
// which that was approved or not. Amount and currency are as the provider wrote them.
func SameAmount(amount json.Number, currency string, r connector.ProviderRequest, approved bool) error {
	unit, found := money.Find(currency)
	said, err := money.Parse(amount.String(), unit)
	if !found || err != nil {
		return fmt.Errorf("the provider's amount can't be read")
	}
	if said != r.Amount {
		return connector.OtherAmountError{Moved: said, Requested: r.Amount, Approved: approved}
	}
	return nil
}
