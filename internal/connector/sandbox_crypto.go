package connector

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"checkout/internal/checkout"
)

// coin is what a crypto payment is paid with, and where to.
type coin struct {
	Type    string `json:"type"`
	Network string `json:"network,omitempty"`
	Address string `json:"address"`
}

// coinOf reads the parameters of M1 (methods.md). The address is made of the
// reference, and of a form that no network takes: nobody shall lose a coin to it.
func coinOf(c checkout.Charge) *coin {
	var parameters struct {
		Crypto struct {
			Type    string `json:"crypto_type"`
			Network string `json:"network_type"`
		} `json:"crypto"`
	}
	_ = json.Unmarshal(c.Parameters, &parameters) // the service has checked them; what can't be read is not there
	hash := sha256.Sum256([]byte(c.Reference))
	return &coin{
		Type:    cmp.Or(parameters.Crypto.Type, c.Currency),
		Network: cmp.Or(c.Network, parameters.Crypto.Network),
		Address: "sandbox" + hex.EncodeToString(hash[:16]),
	}
}

// shown is what the payer needs to pay elsewhere.
func (e entry) shown() []checkout.ScreenShown {
	all := []checkout.ScreenShown{{ID: "crypto_address", Value: e.Coin.Address}}
	if e.Coin.Type != "" {
		all = append(all, checkout.ScreenShown{ID: "crypto_coin", Value: e.Coin.Type})
	}
	if e.Coin.Network != "" {
		all = append(all, checkout.ScreenShown{ID: "crypto_network", Value: e.Coin.Network})
	}
	if e.Amount != "" {
		_, _, _, amount := e.exchange()
		all = append(all, checkout.ScreenShown{ID: "crypto_amount", Value: amount})
	}
	return all
}

// exchange is what the payer pays: two coins for one of another currency.
func (e entry) exchange() (rate, base, currency, amount string) {
	if e.Coin.Type == e.Currency {
		return "1", e.Currency, e.Coin.Type, e.Amount
	}
	return "2", e.Currency, e.Coin.Type, plus(e.Amount, e.Amount)
}

// cryptoDecimals is the most decimals that a payer may enter: every asset has as many (internal/money).
const cryptoDecimals = 6

// isAmount reports whether a payer entered an amount: more than 0, at most 15
// digits and cryptoDecimals decimals, no leading zero.
func isAmount(text string) bool {
	whole, part, point := strings.Cut(text, ".")
	isDigits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	switch {
	case !isDigits(whole), len(whole) > 15, len(whole) > 1 && whole[0] == '0':
		return false
	case point && (!isDigits(part) || len(part) > cryptoDecimals):
		return false
	}
	return more(text, "")
}
