package sandbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// coinOf reads the parameters of M1 and M14 (infra/methods.json). The address is derived from the reference and has a
// form that is valid on no network, so that nobody can lose a coin to it.
func coinOf(c connector.Charge) *coin {
	var parameters struct {
		Type    string `json:"crypto_type"`
		Coin    string `json:"cryptoCurrency"`
		Network string `json:"network_type"`
	}
	if c.Parameters != nil {
		_ = json.Unmarshal(c.Parameters, &parameters) // the service has checked them; unreadable ones are treated as absent
	}
	hash := sha256.Sum256([]byte(c.Reference))
	return &coin{
		Type:    cmp.Or(parameters.Type, parameters.Coin, c.Amount.Currency().Code),
		Network: cmp.Or(c.Network, parameters.Network),
		Address: "sandbox" + hex.EncodeToString(hash[:16]),
	}
}

// sameCoin reports whether the order's currency is the coin.
func (e entry) sameCoin() bool { return e.Coin.Type == e.Amount.Currency().Code }

// exchange returns how the order's amount was converted to the coin. The order's currency is the base, too.
func (e entry) exchange() (rate, base, currency, amount string) {
	rate = "2"
	if e.sameCoin() {
		rate = "1"
	}
	return rate, "1", e.Amount.Currency().Code, e.Amount.String()
}

// inCoins converts an amount of the order's currency to coins. One unit is two coins of another currency. It returns
// "" for an amount that is too large to be doubled.
func (e entry) inCoins(amount money.Amount) string {
	if !e.sameCoin() {
		amount, _ = amount.Add(amount)
	}
	return amount.String()
}
