package tokens

import (
	"errors"

	"checkout/internal/screen"
	"checkout/internal/wallet"
)

// tokenReasons are the reasons of the faults of tokens.
var tokenReasons = []struct {
	err    error
	reason screen.ReasonCode
}{
	{wallet.ErrSigningTime, screen.ReasonTokenExpired},
	{wallet.ErrExpired, screen.ReasonTokenExpired},
	{wallet.ErrUnknownKey, screen.ReasonTokenKey},
	{wallet.ErrRSA, screen.ReasonTokenKey},
	{wallet.ErrDecrypt, screen.ReasonTokenKey},
	{wallet.ErrAmount, screen.ReasonTokenAmount},
	{wallet.ErrCurrency, screen.ReasonTokenAmount},
	{wallet.ErrSize, screen.ReasonTokenInvalid},
	{wallet.ErrMalformed, screen.ReasonTokenInvalid},
	{wallet.ErrVersion, screen.ReasonTokenInvalid},
	{wallet.ErrSignature, screen.ReasonTokenInvalid},
	{wallet.ErrChain, screen.ReasonTokenInvalid},
	{wallet.ErrMarkers, screen.ReasonTokenInvalid},
	{wallet.ErrSession, screen.ReasonTokenInvalid},
	{wallet.ErrRecipient, screen.ReasonTokenInvalid},
	{wallet.ErrAuthMethod, screen.ReasonTokenInvalid},
}

// reasonOf returns the reason to decline a payment with a token, "" for an error that says nothing about the token.
func reasonOf(err error) screen.ReasonCode {
	for _, row := range tokenReasons {
		if errors.Is(err, row.err) {
			return row.reason
		}
	}
	return ""
}
