package tokens

import (
	"errors"

	"checkout/internal/reason"
	"checkout/internal/wallet"
)

// tokenReasons are the reasons of the faults of tokens.
var tokenReasons = []struct {
	err    error
	reason reason.Code
}{
	{wallet.ErrSigningTime, reason.TokenExpired},
	{wallet.ErrExpired, reason.TokenExpired},
	{wallet.ErrUnknownKey, reason.TokenKey},
	{wallet.ErrRSA, reason.TokenKey},
	{wallet.ErrDecrypt, reason.TokenKey},
	{wallet.ErrAmount, reason.TokenAmount},
	{wallet.ErrCurrency, reason.TokenAmount},
	{wallet.ErrSize, reason.TokenInvalid},
	{wallet.ErrMalformed, reason.TokenInvalid},
	{wallet.ErrVersion, reason.TokenInvalid},
	{wallet.ErrSignature, reason.TokenInvalid},
	{wallet.ErrChain, reason.TokenInvalid},
	{wallet.ErrMarkers, reason.TokenInvalid},
	{wallet.ErrSession, reason.TokenInvalid},
	{wallet.ErrRecipient, reason.TokenInvalid},
	{wallet.ErrAuthMethod, reason.TokenInvalid},
}

// reasonOf returns the reason to decline a payment with a token, "" for an error that says nothing about the token.
func reasonOf(err error) reason.Code {
	for _, row := range tokenReasons {
		if errors.Is(err, row.err) {
			return row.reason
		}
	}
	return ""
}
