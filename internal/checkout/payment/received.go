package payment

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
)

// receivedDecimals is the number of decimals for amounts with more decimals than the currency has.
const receivedDecimals = 18

// receipt is a parsed Received. In the zero value nothing has arrived.
type receipt struct {
	Arrived, Due money.Amount
	Added        money.Amount // the part of arrived that was not known before
}

// ParseReceipt parses what a provider reported. known is the report before it, nil if there was none.
func ParseReceipt(reported, known *connector.Received) (receipt, error) {
	if utf8.RuneCountInString(reported.Currency) > connector.MaxCode {
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

func parseReceiptIn(currency money.Currency, reported, known *connector.Received) (receipt, error) {
	arrived, due, err := reported.Parse(currency)
	if err != nil || known == nil {
		return receipt{Arrived: arrived, Due: due, Added: arrived}, err
	}
	if known.Currency != reported.Currency {
		return receipt{}, fmt.Errorf("in %s, and before in %s", reported.Currency, known.Currency)
	}
	before, _, err := known.Parse(currency)
	if err != nil {
		return receipt{}, err
	}
	r := receipt{Arrived: arrived, Due: due}
	if arrived.Cmp(before) > 0 {
		r.Added, err = arrived.Sub(before)
	}
	return r, err
}

// Missing returns what is still due after a part has arrived.
func (r receipt) Missing() money.Amount {
	missing, err := r.Due.Sub(r.Arrived)
	if err != nil {
		return money.Zero(r.Due.Currency())
	}
	return missing
}

// Underpaid reports whether something arrived, but less than is due.
func (r receipt) Underpaid() bool {
	return !r.Arrived.IsZero() && !r.Due.IsZero() && r.Arrived.Cmp(r.Due) < 0
}

// excess returns what has arrived above what was due, nil if nothing has.
func (r receipt) excess() *money.Coins {
	if r.overpaidReason() == nil {
		return nil
	}
	above, _ := r.Arrived.Sub(r.Due)
	return money.CoinsOf(above)
}

// overpaidReason returns the reason for an overpaid payment, nil if it was not overpaid.
func (r receipt) overpaidReason() *reason.Reason {
	if r.Arrived.IsZero() || r.Due.IsZero() || r.Arrived.Cmp(r.Due) <= 0 {
		return nil
	}
	return arrivedReason(reason.PaidTooMuch, r.Arrived, r.Due)
}

// declineReason returns the reason for a payment that was declined although money arrived, and the message for the
// payer; nil if none arrived.
func (r receipt) declineReason() (*reason.Reason, screen.Text) {
	switch {
	case r.Arrived.IsZero():
		return nil, ""
	case r.Underpaid():
		return arrivedReason(reason.PaidTooLittle, r.Arrived, r.Due), screen.TextPaidTooLittle
	}
	return arrivedReason(reason.PaidTooLate, r.Arrived, money.Amount{}), screen.TextPaidTooLate
}

// arrivedReason returns a reason that names what arrived, and what was due unless that is zero.
func arrivedReason(code reason.Code, arrived, due money.Amount) *reason.Reason {
	reason := &reason.Reason{Code: code, Currency: arrived.Currency().Code, Arrived: arrived.String()}
	if !due.IsZero() {
		reason.Due = due.String()
	}
	return reason
}

var errTooLong = errors.New("the provider's response has a value that is too long")
