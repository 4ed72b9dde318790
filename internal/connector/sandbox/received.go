package sandbox

import (
	"math/big"
	"strings"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// The parts of what is due that a payer may send.
const (
	payAll    = "pay"
	payHalf   = "pay_half"
	payRest   = "pay_rest"
	payDouble = "pay_double"
	payLate   = "pay_late" // what is left, when the time to pay is over
)

// payable reports whether money of the payer can arrive, in time or too late. What was paid too late is not paid again.
func (e entry) payable() bool {
	expired := e.Outcome == connector.OutcomeDeclined && e.ReasonCode == "" && (e.Reason == "" || e.Reason == tooLate)
	return e.Scene != "" && !e.Late && (e.Next != "" || expired)
}

// arrive adds money that arrived: a part of what is due, or the amount that the payer entered where
// the order has none. The charge is approved when enough has arrived in time.
func (e *entry) arrive(part, entered string, now time.Time) error {
	due, late := e.Amount, part == payLate || e.Next == ""
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
		e.Late = true
		e.decline("", now)
		return nil
	}
	e.Amount = due
	if e.Received.Cmp(due) >= 0 {
		e.settle(now)
	}
	return nil
}

// arriveByItself adds half of what is due to a new entry, if part is payHalf.
func (e *entry) arriveByItself(part string) {
	if part == payHalf {
		e.Received, _ = partOf(e.Amount, payHalf, e.Received) // half of an amount is one
	}
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

// received is what the sandbox reports about the money that arrived.
func (e entry) received() *connector.Received {
	switch {
	case e.Received.IsZero():
		return nil
	case e.Coin == nil:
		due := e.Amount.String()
		return &connector.Received{Currency: e.Amount.Currency().Code, Amount: e.Received.String(), Due: due}
	}
	r := &connector.Received{Currency: strings.ToUpper(e.Coin.Type), Amount: e.inCoins(e.Received)}
	if !e.PayerEnters {
		r.Due = e.inCoins(e.Amount)
	}
	return r
}

// enteredDecimals is the most decimals that a payer may enter.
const enteredDecimals = 6

// enteredAmount parses an amount that the payer entered. It fails with CodeInvalid.
func enteredAmount(text string, currency money.Currency) (money.Amount, error) {
	amount, err := money.Parse(text, currency)
	if _, decimals, _ := strings.Cut(text, "."); err != nil || len(decimals) > enteredDecimals {
		const text = "This value is not valid. It should be a number such as 10.00."
		wrong := fault.Of("amount", text)
		return money.Amount{}, &fault.Error{Code: fault.CodeInvalid, Faults: []fault.Fault{wrong}}
	}
	return amount, nil
}
