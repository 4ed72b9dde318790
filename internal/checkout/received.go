package checkout

import (
	"fmt"
	"unicode/utf8"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// Received is what has arrived of money that a payer sends from elsewhere,
// such as to a crypto address.
type Received struct {
	Currency string `json:"currency"`      // of both amounts
	Amount   string `json:"amount"`        // decimal text: all that has arrived, also what arrived too late
	Due      string `json:"due,omitempty"` // decimal text; "" where any amount is welcome
}

// receivedDecimals is how finely amounts are counted that do not fit the currency's own decimals.
const receivedDecimals = 18

// parse reads the amounts parse a currency. due has none where any amount is welcome.
func (r *Received) parse(currency money.Currency) (arrived, due money.Amount, err error) {
	if arrived, err = money.Parse(r.Amount, currency); err != nil {
		return arrived, due, fmt.Errorf("amount that arrived: %w", err)
	}
	if r.Due != "" {
		if due, err = money.Parse(r.Due, currency); err != nil {
			return arrived, due, fmt.Errorf("amount that is due: %w", err)
		}
	}
	return arrived, due, nil
}

// receipt is a Received that was read. The zero value says that nothing arrived.
type receipt struct {
	arrived, due money.Amount
	added        money.Amount // what of arrived was not known before; zero: nothing
}

// receiptOf reads what arrived, known being what was known before, nil: nothing.
func receiptOf(said, known *Received) (receipt, error) {
	if utf8.RuneCountInString(said.Currency) > maxCode {
		return receipt{}, errTooLong
	}
	currency, ok := money.Find(said.Currency)
	if ok {
		if r, err := receiptIn(currency, said, known); err == nil {
			return r, nil
		}
	}
	return receiptIn(money.Currency{Code: said.Currency, Exponent: receivedDecimals}, said, known)
}

func receiptIn(currency money.Currency, said, known *Received) (receipt, error) {
	arrived, due, err := said.parse(currency)
	if err != nil || known == nil {
		return receipt{arrived: arrived, due: due, added: arrived}, err
	}
	if known.Currency != said.Currency {
		return receipt{}, fmt.Errorf("in %s, and before in %s", said.Currency, known.Currency)
	}
	before, _, err := known.parse(currency)
	if err != nil {
		return receipt{}, err
	}
	r := receipt{arrived: arrived, due: due}
	if arrived.Cmp(before) > 0 {
		r.added, err = arrived.Sub(before)
	}
	return r, err
}

// missing is what is still due of what has arrived in part.
func (r receipt) missing() money.Amount {
	missing, err := r.due.Sub(r.arrived)
	if err != nil {
		return money.Zero(r.due.Currency())
	}
	return missing
}

// underpaid reports whether something arrived, and less than is due.
func (r receipt) underpaid() bool {
	return !r.arrived.IsZero() && !r.due.IsZero() && r.arrived.Cmp(r.due) < 0
}

// overpaidReason is the reason of a payment that was overpaid, nil if it was not.
func (r receipt) overpaidReason() *screen.Reason {
	if r.arrived.IsZero() || r.due.IsZero() || r.arrived.Cmp(r.due) <= 0 {
		return nil
	}
	return arrivedReason(screen.ReasonPaidTooMuch, r.arrived, r.due)
}

// declineReason is the reason of a payment that was declineReason although money
// arrived, and what its payer has to know; nil if none arrived.
func (r receipt) declineReason() (*screen.Reason, screen.Text) {
	switch {
	case r.arrived.IsZero():
		return nil, ""
	case r.underpaid():
		return arrivedReason(screen.ReasonPaidTooLittle, r.arrived, r.due), screen.TextPaidTooLittle
	}
	return arrivedReason(screen.ReasonPaidTooLate, r.arrived, money.Amount{}), screen.TextPaidTooLate
}

// arrivedReason is a reason that names what arrived, and what was due unless that is zero.
func arrivedReason(code screen.ReasonCode, arrived, due money.Amount) *screen.Reason {
	reason := &screen.Reason{Code: code, Currency: arrived.Currency().Code, Arrived: arrived.String()}
	if !due.IsZero() {
		reason.Due = due.String()
	}
	return reason
}

func withCurrency(amount money.Amount) string { return amount.String() + " " + amount.Currency().Code }
