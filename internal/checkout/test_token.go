package checkout

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// TestTokenRequest asks the sandbox's test wallet for a payment token. With a session, the token is for its order, and
// Amount and Currency do not count.
type TestTokenRequest struct {
	Session  string `json:"session"` // "" for a token that a merchant's own page could have
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Method   string `json:"method"`   // method.ApplePay or method.GooglePay
	Card     string `json:"card"`     // digits
	Expiry   string `json:"expiry"`   // MM/YY
	PANOnly  bool   `json:"pan_only"` // W2: the card's own number, for which 3-D Secure is due
	Fault    string `json:"fault"`    // what is wrong with the token, "" for nothing
}

// TestToken is what the sandbox's test wallet makes a token of.
type TestToken struct {
	TestTokenRequest
	ID     string // another one for each token
	At     time.Time
	Amount money.Amount
	// ExpiryMonth and ExpiryYear are Expiry, read.
	ExpiryMonth, ExpiryYear int
	Recurring               bool // the card is charged again without the payer
}

// TestToken checks a request for a token of the test wallet. It returns what the token is made of.
// Errors: CodeInvalid, CodeNotFound for a session that does not exist or has the live key.
func (s *Service) TestToken(ctx context.Context, r TestTokenRequest) (TestToken, error) {
	t := TestToken{TestTokenRequest: r, ID: hex.EncodeToString(s.Random(16)), At: s.Now()}
	var faults []request.Fault
	add := func(path, text string) {
		faults = append(faults, request.Fault{Code: request.FaultInvalid, Path: path, Text: text})
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
		t.ExpiryMonth, t.ExpiryYear = int(expiry.Month()), expiry.Year()
	}
	order := request.Order{Currency: r.Currency}
	if r.Session != "" {
		sess, err := s.session(ctx, t.At, r.Session)
		if err != nil {
			return t, err
		}
		if !sess.Request.Test {
			return t, errSessionNotFound()
		}
		order, t.Recurring = sess.Request.Order, sess.Request.RecurringInit
	}
	currency, found := money.Find(order.Currency)
	if !found || currency.Numeric == "" {
		add("currency", method.TextNotChoice)
	}
	if t.Amount = order.Amount.Value; t.Amount.IsZero() && found {
		if t.Amount = request.ReadAmount(r.Amount, currency).Value; t.Amount.IsZero() {
			add("amount", method.NotValid("It should be an amount of the currency."))
		}
	}
	if len(faults) > 0 {
		return t, request.Invalid(faults)
	}
	return t, nil
}
