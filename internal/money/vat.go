package money

import (
	"errors"
	"math/big"
)

// errRate means that a text is not a VAT rate.
var errRate = errors.New("money: not a valid VAT rate")

// rateDecimals is how many decimals a VAT rate may have.
const rateDecimals = 4

// Rate is a VAT rate, from 0 to 100 per cent. The zero Rate is 0 per cent.
type Rate struct {
	parts int64 // per cent, times 10 to the power of rateDecimals
}

// ParseRate reads a rate in per cent with at most 4 decimals, written like an amount: "21", "5.5".
func ParseRate(text string) (Rate, error) {
	whole, part, ok := decimal(text, 3, rateDecimals)
	parts := whole*pow10(rateDecimals) + part
	if !ok || parts > 100*pow10(rateDecimals) {
		return Rate{}, errRate
	}
	return Rate{parts: parts}, nil
}

// VAT returns the VAT that the amount includes at the rate (protocol.md, Settings):
// amount * rate / (100 + rate), in minor units of the currency, half a unit rounded up.
func (a Amount) VAT(rate Rate) Amount {
	vat, _ := a.times(big.NewInt(rate.parts), big.NewInt(100*pow10(rateDecimals)+rate.parts))
	return vat
}

// times returns the amount times top / bottom, half a minor unit rounded up. There is an error if that has more than 15
// digits before the point.
func (a Amount) times(top, bottom *big.Int) (Amount, error) {
	unit := big.NewInt(pow10(a.currency.Exponent))
	n := new(big.Int).Mul(big.NewInt(a.whole), unit)
	n.Add(n, big.NewInt(a.minor))
	n.Mul(n, top).Lsh(n, 1).Add(n, bottom)
	n.Div(n, new(big.Int).Lsh(bottom, 1))

	whole, minor := n.DivMod(n, unit, new(big.Int))
	if whole.Cmp(big.NewInt(pow10(maxWholeDigits))) >= 0 {
		return Amount{}, errTooLarge
	}
	return Amount{currency: a.currency, whole: whole.Int64(), minor: minor.Int64()}, nil
}

// Per returns what one coin costs if so many, as decimal text, cost the amount: rounded to a minor unit, half of one
// up. The errors mean that the text is no number above 0, and that the result is too large.
func (a Amount) Per(coins string) (Amount, error) {
	whole, part, ok := decimal(coins, maxWholeDigits, maxPlaces)
	one := big.NewInt(pow10(maxPlaces))
	n := new(big.Int).Mul(big.NewInt(whole), one)
	if n.Add(n, big.NewInt(part)); !ok || n.Sign() == 0 {
		return Amount{}, errNotValid
	}
	return a.times(one, n)
}
