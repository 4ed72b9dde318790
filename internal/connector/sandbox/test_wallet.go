package sandbox

import (
	"context"
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/wallet/testwallet"
)

// Token makes a payment token of the real format, by the keys of the test wallet: payments with the test key alone take
// it. It fails with CodeInvalid for what the wallet can't make.
func (s *Sandbox) Token(_ context.Context, t checkout.TestToken) (string, error) {
	kind, fault := testwallet.Kind(t.Method), testwallet.Fault(t.Fault)
	switch {
	case fault != "" && !slices.Contains(testwallet.Faults(kind), fault):
		return "", errNotChoice("fault")
	case t.PANOnly && kind != testwallet.GooglePay:
		return "", errNotChoice("pan_only")
	}
	return testwallet.Make(kind, testwallet.Content{
		ID: t.ID, At: t.At, Number: t.Card, ExpiryMonth: t.ExpiryMonth, ExpiryYear: t.ExpiryYear,
		Amount: t.Amount.Minor(), Currency: t.Amount.Currency().Numeric, SessionID: t.Session,
		Recurring: t.Recurring, PANOnly: t.PANOnly,
	}, fault)
}

func errNotChoice(path string) error {
	return request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: path, Text: method.TextNotChoice}})
}
