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
	unit := big.NewInt(pow10(a.currency.Exponent))
	top := new(big.Int).Mul(big.NewInt(a.whole), unit)
	top.Add(top, big.NewInt(a.minor))
	top.Mul(top, big.NewInt(2*rate.parts))

	bottom := 100*pow10(rateDecimals) + rate.parts
	top.Add(top, big.NewInt(bottom))
	vat := top.Div(top, big.NewInt(2*bottom))

	whole, minor := vat.DivMod(vat, unit, new(big.Int))
	return Amount{currency: a.currency, whole: whole.Int64(), minor: minor.Int64()}
}
