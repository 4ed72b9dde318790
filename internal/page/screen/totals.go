package screen

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"checkout/internal/money"
)

// Prices of items include tax and discount by the specification, but shops also send net prices with the tax beside
// them, or prices before a discount. So a cart is read in each way that readings has, and the first that adds up to the
// order's amount is shown. A cart that does not add up is shown without sums.

// reading is one way to read a cart: which of its amounts are beside the lines, and not inside them.
type reading struct{ paid, discount, tax bool }

// readings are the ways to read a cart, that of the specification first.
var readings = []reading{
	{}, {paid: true}, {discount: true}, {tax: true}, {tax: true, discount: true}, {tax: true, paid: true},
	{discount: true, paid: true}, {tax: true, discount: true, paid: true},
}

// sums are the amounts of a cart, in the order's currency.
type sums struct {
	lines, delivery, paid, discount, tax money.Amount
}

// totals returns what the order's amount is made of, and gives the items their totals. It returns nil, and changes no
// item, if the amount is not known, an amount can't be read or is in another currency, or they do not add up.
func (c cart) totals(order money.Amount, items []Item) []Total {
	a := adder{currency: order.Currency()}
	own := a.read(c.Cart.TotalAmount, "")
	if order.IsZero() || c.Cart.TotalAmount != "" && own != order {
		return nil
	}
	s, lines := c.sums(&a)
	if a.failed {
		return nil
	}
	for _, r := range readings {
		shown, fits := s.shown(r, order)
		if !fits {
			continue
		}
		for i := range items {
			items[i].Total = Amount(lines[i])
		}
		return shown
	}
	return nil
}

// sums adds up a cart, and returns the total of each line, too.
func (c cart) sums(a *adder) (s sums, lines []money.Amount) {
	zero := money.Zero(a.currency)
	s = sums{zero, zero, zero, zero, zero}
	for _, item := range c.Cart.Items {
		line := a.line(item)
		lines = append(lines, line)
		s.lines = a.add(s.lines, line)
		s.discount = a.add(s.discount, a.read(item.TotalDiscountAmount, item.Currency))
		s.tax = a.add(s.tax, a.read(item.TotalTaxAmount, item.Currency))
		s.delivery = a.add(s.delivery, a.read(item.Shipping, item.Currency))
	}
	if c.Shipping.Cost != "" {
		s.delivery = a.read(c.Shipping.Cost, "")
	}
	for _, p := range c.Cart.Payments {
		s.paid = a.add(s.paid, a.read(p.Amount, p.Currency))
	}
	return s, lines
}

// shown returns the totals by one reading, and whether they add up to the order's amount.
func (s sums) shown(r reading, order money.Amount) (totals []Total, fits bool) {
	a := adder{currency: order.Currency()}
	none := money.Zero(a.currency)
	tax, discount := none, none
	if r.tax {
		tax = s.tax
	}
	if r.discount {
		discount = a.add(discount, s.discount)
	}
	if r.paid {
		discount = a.add(discount, s.paid)
	}
	if sum := a.add(a.add(s.lines, s.delivery), tax); a.failed || a.add(order, discount) != sum || a.failed {
		return nil, false
	}
	for _, row := range []struct {
		kind   TotalKind
		amount money.Amount
		sign   string
	}{{TotalDelivery, s.delivery, ""}, {TotalDiscount, discount, "-"}, {TotalVAT, tax, ""}} {
		if !row.amount.IsZero() {
			totals = append(totals, Total{row.kind, row.sign + Amount(row.amount)})
		}
	}
	if totals != nil {
		totals = append([]Total{{TotalItems, Amount(s.lines)}}, totals...)
	}
	return append(totals, Total{TotalOrder, Amount(order)}), true
}

// adder reads and adds amounts of one currency. After the first that can't be read or added, it has failed.
type adder struct {
	currency money.Currency
	failed   bool
}

// line returns the total of an item: as it was sent, or else of its price and quantity, which is 1 if it is absent.
func (a *adder) line(item sentItem) money.Amount {
	if item.TotalAmount != "" {
		return a.read(item.TotalAmount, item.Currency)
	}
	quantity, err := strconv.ParseUint(cmp.Or(item.Quantity, "1"), 10, 31)
	a.failed = a.failed || err != nil || item.Price == ""
	total, err := a.read(item.Price, item.Currency).Times(int(quantity))
	a.failed = a.failed || err != nil
	return total
}

// read reads an amount of 0 or more, 0 if it is absent. A currency that is not "" has to be the order's.
func (a *adder) read(text, currency string) money.Amount {
	a.failed = a.failed || currency != "" && currency != a.currency.Code
	if before, after, point := strings.Cut(text, "."); point { // 5.0000 is 5.00
		text = strings.TrimSuffix(before+"."+strings.TrimRight(after, "0"), ".")
	}
	amount, err := money.Parse(text, a.currency)
	switch {
	case text == "", errors.Is(err, money.ErrNotPositive) && !strings.HasPrefix(text, "-"):
		return money.Zero(a.currency)
	case err != nil:
		a.failed = true
		return money.Zero(a.currency)
	}
	return amount
}

func (a *adder) add(x, y money.Amount) money.Amount {
	sum, err := x.Add(y)
	a.failed = a.failed || err != nil
	return sum
}

// cart is what a request has of the order's contents, as texts.
type cart struct {
	Shipping struct{ Cost string }
	Cart     struct {
		Items       []sentItem
		Payments    []struct{ Amount, Currency string }
		TotalAmount string
	}
}

type sentItem struct {
	Name, Quantity, Price, Currency, ImageURL                  string
	TotalAmount, TotalTaxAmount, TotalDiscountAmount, Shipping string
}
