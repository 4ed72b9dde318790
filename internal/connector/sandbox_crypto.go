package connector

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/request"
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
		all = append(all, checkout.ScreenShown{ID: "crypto_amount", Value: e.inCoins(e.Amount)})
	}
	return all
}

// exchange is how the order's own amount became that of the coin, two coins for one of another currency.
// The order's currency is the base, too.
func (e entry) exchange() (rate, base, currency, amount string) {
	rate = "2"
	if e.Coin.Type == e.Currency {
		rate = "1"
	}
	return rate, "1", e.Currency, e.Amount
}

// inCoins is an amount of the order's currency in coins.
func (e entry) inCoins(amount string) string {
	if e.Coin.Type == e.Currency {
		return amount
	}
	return plus(amount, amount)
}

// The parts of what is due that a payer may send to the address.
const (
	PayAll    = "pay"
	PayHalf   = "pay_half"
	PayRest   = "pay_rest"
	PayDouble = "pay_double"
	PayLate   = "pay_late" // what is left, when the time to pay is over
)

// arrive books a part of what is due at the address, or where the order has
// no amount, the amount that the payer entered. What comes in time and is
// enough approves the charge.
func (e *entry) arrive(part, amount string, now time.Time) error {
	if e.Amount == "" && !isAmount(amount) {
		return &request.Error{Code: request.CodeInvalid, Faults: []request.Fault{{Code: request.FaultInvalid, Path: "amount", Text: "This value is not valid. It should be a number such as 10.00."}}}
	}
	late := part == PayLate || e.over(now)
	if e.Amount == "" {
		part = PayAll
	}
	due := e.inCoins(cmp.Or(e.Amount, amount))
	e.Received = plus(e.Received, partOf(due, part, e.Received))
	if late {
		e.Late, e.Next, e.Outcome, e.Reason, e.DecidedAt = true, "", checkout.OutcomeDeclined, "", now
		return nil
	}
	if e.Amount == "" {
		e.Amount, e.Entered = amount, true
	}
	if !more(due, e.Received) {
		e.Next, e.Outcome, e.DecidedAt = "", checkout.OutcomeApproved, now
		e.take()
	}
	return nil
}

// partOf is a part of what is due, of which some has arrived before.
func partOf(due, part, before string) string {
	switch part {
	case PayHalf:
		return strings.TrimSuffix(new(big.Rat).Quo(exact(due), big.NewRat(2, 1)).FloatString(decimals(due)+1), "0")
	case PayRest, PayLate:
		return new(big.Rat).Sub(exact(due), exact(before)).FloatString(max(decimals(due), decimals(before)))
	case PayDouble:
		return plus(due, due)
	}
	return due
}

// received is what the sandbox reports of the address.
func (e entry) received() *checkout.Received {
	if e.Received == "" {
		return nil
	}
	r := &checkout.Received{Currency: strings.ToUpper(e.Coin.Type), Amount: e.Received}
	if e.Amount != "" && !e.Entered {
		r.Due = e.inCoins(e.Amount)
	}
	return r
}

// lateReason is why a charge is declined whose time is over: what arrived says it, if anything did.
func (e entry) lateReason() string {
	if e.Received != "" {
		return ""
	}
	return tooLate
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
