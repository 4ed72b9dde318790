package tokens

import (
	"errors"
	"testing"

	"checkout/internal/reason"
	"checkout/internal/wallet"
)

// Each fault of a token declines a payment. What says nothing about the token does not.
func TestReasonOf(t *testing.T) {
	for want, faults := range map[reason.Code][]error{
		reason.TokenExpired: {wallet.ErrSigningTime, wallet.ErrExpired},
		reason.TokenKey:     {wallet.ErrUnknownKey, wallet.ErrRSA, wallet.ErrDecrypt},
		reason.TokenAmount:  {wallet.ErrAmount, wallet.ErrCurrency},
		reason.TokenInvalid: {
			wallet.ErrSize, wallet.ErrMalformed, wallet.ErrVersion, wallet.ErrSignature, wallet.ErrChain, wallet.ErrMarkers,
			wallet.ErrSession, wallet.ErrRecipient, wallet.ErrAuthMethod,
		},
		"": {nil, wallet.ErrNoRoot, errors.New("no network")},
	} {
		for _, err := range faults {
			if got := reasonOf(err); got != want {
				t.Errorf("%v: %q, want %q", err, got, want)
			}
		}
	}
}
