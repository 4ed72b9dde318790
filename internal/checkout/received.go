package checkout

import (
	"fmt"
	"unicode/utf8"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// Received is the money that arrived of a payment that the payer makes elsewhere, such as to a crypto address.
// Amounts are decimal texts.
type Received struct {
	Currency string `json:"currency"`      // of both amounts
	Amount   string `json:"amount"`        // all that has arrived, in time or too late
	Due      string `json:"due,omitempty"` // "" if the payer may pay any amount
}

// receivedDecimals is the number of decimals for amounts with more decimals than the currency has.
const receivedDecimals = 18

// parse parses the amounts. due is zero if the payer may pay any amount.
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

// receipt is a parsed Received. In the zero value nothing has arrived.
type receipt struct {
	arrived, due money.Amount
	added        money.Amount // the part of arrived that was not known before
}

// parseReceipt parses what a provider reported. known is the report before it, nil if there was none.
func parseReceipt(reported, known *Received) (receipt, error) {
	if utf8.RuneCountInString(reported.Currency) > maxCode {
		return receipt{}, errTooLong
	}
	currency, ok := money.Find(reported.Currency)
	if ok {
		if r, err := parseReceiptIn(currency, reported, known); err == nil {
			return r, nil
		}
	}
	return parseReceiptIn(money.Currency{Code: reported.Currency, Exponent: receivedDecimals}, reported, known)
}

func parseReceiptIn(currency money.Currency, reported, known *Received) (receipt, error) {
	arrived, due, err := reported.parse(currency)
	if err != nil || known == nil {
		return receipt{arrived: arrived, due: due, added: arrived}, err
	}
	if known.Currency != reported.Currency {
		return receipt{}, fmt.Errorf("in %s, and before in %s", reported.Currency, known.Currency)
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

// missing returns what is still due after a part has arrived.
func (r receipt) missing() money.Amount {
	missing, err := r.due.Sub(r.arrived)
	if err != nil {
		return money.Zero(r.due.Currency())
	}
	return missing
}

// underpaid reports whether something arrived, but less than is due.
func (r receipt) underpaid() bool {
	return !r.arrived.IsZero() && !r.due.IsZero() && r.arrived.Cmp(r.due) < 0
}

// overpaidReason returns the reason for an overpaid payment, nil if it was not overpaid.
func (r receipt) overpaidReason() *screen.Reason {
	if r.arrived.IsZero() || r.due.IsZero() || r.arrived.Cmp(r.due) <= 0 {
		return nil
	}
	return arrivedReason(screen.ReasonPaidTooMuch, r.arrived, r.due)
}

// declineReason returns the reason for a payment that was declined although money arrived, and the message for the
// payer; nil if none arrived.
func (r receipt) declineReason() (*screen.Reason, screen.Text) {
	switch {
	case r.arrived.IsZero():
		return nil, ""
	case r.underpaid():
		return arrivedReason(screen.ReasonPaidTooLittle, r.arrived, r.due), screen.TextPaidTooLittle
	}
	return arrivedReason(screen.ReasonPaidTooLate, r.arrived, money.Amount{}), screen.TextPaidTooLate
}

// arrivedReason returns a reason that names what arrived, and what was due unless that is zero.
func arrivedReason(code screen.ReasonCode, arrived, due money.Amount) *screen.Reason {
	reason := &screen.Reason{Code: code, Currency: arrived.Currency().Code, Arrived: arrived.String()}
	if !due.IsZero() {
		reason.Due = due.String()
	}
	return reason
}

// withCurrency formats an amount with its currency.
func withCurrency(amount money.Amount) string { return amount.String() + " " + amount.Currency().Code }
