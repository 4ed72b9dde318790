package sandbox

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/wallet/testwallet"
)

// tokenRequest asks the test wallet for a payment token. With a session, the token is for its order, and Amount and
// Currency do not count.
type tokenRequest struct {
	Session  string `json:"session"` // "" for a token that a merchant's own page could have
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Method   string `json:"method"`   // method.ApplePay or method.GooglePay
	Card     string `json:"card"`     // digits
	Expiry   string `json:"expiry"`   // MM/YY
	PANOnly  bool   `json:"pan_only"` // Google Pay: the card's own number, for which 3-D Secure is due
	Fault    string `json:"fault"`    // what is wrong with the token, "" for nothing
}

// Token makes a payment token of the real format, by the keys of the test wallet: payments with the test key alone take
// it. of is the session that the body names, nil for none; id is another one for each token. Errors: CodeInvalid, also
// for what the wallet can't make.
func (s *Sandbox) Token(_ context.Context, of *request.Session, id string, body []byte) (string, error) {
	var r tokenRequest
	if json.Unmarshal(body, &r) != nil {
		return "", fault.Refuse(fault.CodeInvalid, "Request data is invalid.")
	}
	content, err := r.read(of)
	if err != nil {
		return "", err
	}
	kind, fault := testwallet.Kind(r.Method), testwallet.Fault(r.Fault)
	switch {
	case fault != "" && !slices.Contains(testwallet.Faults(kind), fault):
		return "", errNotChoice("fault")
	case r.PANOnly && kind != testwallet.GooglePay:
		return "", errNotChoice("pan_only")
	}
	content.ID, content.At = id, s.Now()
	return testwallet.Make(kind, content, fault)
}

// read returns what the token is made of. Errors: CodeInvalid with every fault.
func (r tokenRequest) read(of *request.Session) (testwallet.Content, error) {
	c := testwallet.Content{Number: r.Card, SessionID: r.Session, PANOnly: r.PANOnly}
	var faults []fault.Fault
	add := func(path, text string) {
		faults = append(faults, fault.Of(path, text))
	}
	if !method.IsWallet(r.Method) {
		add("method", method.TextNotChoice)
	}
	if len(r.Card) < 12 || len(r.Card) > 19 || strings.Trim(r.Card, "0123456789") != "" {
		add("card", method.NotValid("It should be the digits of a card number."))
	}
	if expiry, err := time.Parse("01/06", r.Expiry); err != nil {
		add("expiry", method.NotValid("It should be in the format: MM/YY"))
	} else {
		c.ExpiryMonth, c.ExpiryYear = int(expiry.Month()), expiry.Year()
	}
	order := request.Order{Currency: r.Currency}
	if of != nil {
		order, c.Recurring = of.Order, of.RecurringInit
	}
	currency, found := money.Find(order.Currency)
	if !found || currency.Numeric == "" {
		add("currency", method.TextNotChoice)
	}
	amount := order.Amount.Value
	if amount.IsZero() && found {
		if amount = request.ReadAmount(r.Amount, currency).Value; amount.IsZero() {
			add("amount", method.NotValid("It should be an amount of the currency."))
		}
	}
	c.Amount, c.Currency = amount.Minor(), currency.Numeric
	if len(faults) > 0 {
		return c, fault.Invalid(faults)
	}
	return c, nil
}

func errNotChoice(path string) error {
	return fault.At(path, method.TextNotChoice)
}
