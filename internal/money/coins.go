package money

import (
	"cmp"
	"errors"
	"slices"
)

// Coins is an amount in the currency in which money has arrived, which may be another one than an order's. Nil is none.
type Coins struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

// CoinsOf returns an amount as coins.
func CoinsOf(a Amount) *Coins {
	if a.IsZero() {
		return nil
	}
	return &Coins{a.Currency().Code, a.String()}
}

// Text returns the amount with its currency, "" for none.
func (c *Coins) Text() string {
	if c == nil {
		return ""
	}
	return c.Amount + " " + c.Currency
}

// Parse reads an amount of the coins' currency. Errors: those of Parse.
func (c *Coins) Parse(text string) (Amount, error) {
	return Parse(text, c.currency(c.Amount))
}

// Money returns the coins as an amount.
func (c *Coins) Money() (Amount, error) { return c.Parse(c.Amount) }

// currency returns the currency of the coins, with as many decimals as amounts of it need.
func (c *Coins) currency(amounts ...string) Currency {
	currency, ok := Find(c.Currency)
	tooFine := func(amount string) bool {
		_, err := Parse(amount, currency)
		return err != nil
	}
	if !ok || slices.ContainsFunc(amounts, tooFine) {
		return Currency{Code: c.Currency, Exponent: finest}
	}
	return currency
}

// Plus returns the sum of coins of the same currency.
func (c *Coins) Plus(d *Coins) (*Coins, error) {
	switch {
	case c == nil:
		return d, nil
	case d == nil:
		return c, nil
	}
	return c.with(d, Amount.Add)
}

// Minus returns what is left of the coins without a part of them.
func (c *Coins) Minus(part *Coins) (*Coins, error) {
	switch {
	case part == nil:
		return c, nil
	case c == nil:
		return nil, errCoins
	}
	return c.with(part, Amount.Sub)
}

func (c *Coins) with(d *Coins, join func(a, b Amount) (Amount, error)) (*Coins, error) {
	currency := c.currency(c.Amount, d.Amount)
	a, errA := Parse(c.Amount, currency)
	b, errB := Parse(d.Amount, currency)
	if c.Currency != d.Currency || errA != nil || errB != nil {
		return nil, cmp.Or(errA, errB, errCoins)
	}
	joined, err := join(a, b)
	return CoinsOf(joined), err
}

// finest is the number of decimals of amounts that have more of them than their currency.
const finest = 18

var errCoins = errors.New("coins of a payment are of two currencies, or less than a part of them")
