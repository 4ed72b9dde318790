package sandbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
)

// coin is the coin of a crypto payment and the address that it is sent to.
type coin struct {
	Type    string `json:"type"`
	Network string `json:"network,omitempty"`
	Address string `json:"address"`
}

// coinOf reads the parameters of M1 (methods.md). The address is derived from the reference and has a form that is
// valid on no network, so that nobody can lose a coin to it.
func coinOf(c checkout.Charge) *coin {
	var parameters struct {
		Type    string `json:"crypto_type"`
		Network string `json:"network_type"`
	}
	if c.Parameters != nil {
		_ = json.Unmarshal(c.Parameters, &parameters) // the service has checked them; unreadable ones are treated as absent
	}
	hash := sha256.Sum256([]byte(c.Reference))
	return &coin{
		Type:    cmp.Or(parameters.Type, c.Amount.Currency().Code),
		Network: cmp.Or(c.Network, parameters.Network),
		Address: "sandbox" + hex.EncodeToString(hash[:16]),
	}
}

// shown returns the rows with which the payer can send the coins.
func (e entry) shown() []screen.Shown {
	all := []screen.Shown{
		{ID: "crypto_address", Type: screen.ShownCopy, Value: e.Coin.Address},
		{ID: "crypto_coin", Type: screen.ShownText, Value: e.Coin.Type},
	}
	if e.Coin.Network != "" {
		all = append(all, screen.Shown{ID: "crypto_network", Type: screen.ShownText, Value: e.Coin.Network})
	}
	if !e.PayerEnters {
		all = append(all, screen.Shown{
			ID: "crypto_amount", Type: screen.ShownAmount, Value: e.inCoins(e.Amount), Currency: e.Coin.Type,
		})
	}
	return all
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

// The parts of what is due that a payer may send to the address.
const (
	payAll    = "pay"
	payHalf   = "pay_half"
	payRest   = "pay_rest"
	payDouble = "pay_double"
	payLate   = "pay_late" // what is left, when the time to pay is over
)

// arrive adds money that arrived at the address: a part of what is due, or the amount that the payer entered where
// the order has none. The charge is approved when enough has arrived in time.
func (e *entry) arrive(part, entered string, now time.Time) error {
	due, late := e.Amount, part == payLate || e.over(now)
	if e.PayerEnters {
		amount, err := enteredAmount(entered, due.Currency())
		if err != nil {
			return err
		}
		part, due = payAll, amount
	}
	arrived, err := partOf(due, part, e.Received)
	if err != nil {
		return err
	}
	if e.Received, err = sum(e.Received, arrived); err != nil {
		return err
	}
	if late {
		e.Late, e.Next, e.Outcome, e.Reason, e.DecidedAt = true, "", checkout.OutcomeDeclined, "", now
		return nil
	}
	e.Amount = due
	if e.Received.Cmp(due) >= 0 {
		e.Next, e.Outcome, e.DecidedAt = "", checkout.OutcomeApproved, now
		e.take()
	}
	return nil
}

// partOf returns a part of what is due, of which before has already arrived. Half of an odd number of minor units is
// rounded down.
func partOf(due money.Amount, part string, before money.Amount) (money.Amount, error) {
	switch part {
	case payHalf:
		units, _ := new(big.Int).SetString(due.Minor(), 10)
		return money.ParseMinor(units.Rsh(units, 1).String(), due.Currency())
	case payRest, payLate:
		if before.IsZero() {
			return due, nil
		}
		return due.Sub(before)
	case payDouble:
		return due.Add(due)
	}
	return due, nil
}

// received is what the sandbox reports about the money that arrived at the address.
func (e entry) received() *checkout.Received {
	if e.Received.IsZero() {
		return nil
	}
	r := &checkout.Received{Currency: strings.ToUpper(e.Coin.Type), Amount: e.inCoins(e.Received)}
	if !e.PayerEnters {
		r.Due = e.inCoins(e.Amount)
	}
	return r
}

// lateReason is the reason of a charge that is declined because its time is over: "" if a part of the money arrived,
// since the payment shows that.
func (e entry) lateReason() string {
	if !e.Received.IsZero() {
		return ""
	}
	return tooLate
}

// enteredDecimals is the most decimals that a payer may enter.
const enteredDecimals = 6

// enteredAmount parses an amount that the payer entered. It fails with CodeInvalid.
func enteredAmount(text string, currency money.Currency) (money.Amount, error) {
	amount, err := money.Parse(text, currency)
	if _, decimals, _ := strings.Cut(text, "."); err != nil || len(decimals) > enteredDecimals {
		const text = "This value is not valid. It should be a number such as 10.00."
		fault := request.Fault{Code: request.FaultInvalid, Path: "amount", Text: text}
		return money.Amount{}, &request.Error{Code: request.CodeInvalid, Faults: []request.Fault{fault}}
	}
	return amount, nil
}
