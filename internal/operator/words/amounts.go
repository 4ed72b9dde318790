package words

import (
	"cmp"
	"slices"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/sums"
	"checkout/internal/money"
)

// Amount is an amount with its currency.
type Amount struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// Amounts returns the amounts that sentences about an order name, each once, so that nobody has to look for them in a
// sentence: it may also have the number of an order, and what people wrote.
func (o Order) Amounts() []Amount {
	all := amounts{}
	for _, sess := range o.Sessions {
		all.text(sess.Request.Order.Amount.Text, sess.Request.Order.Currency)
	}
	for _, c := range o.Chains {
		all.text(c.Amount.Text, c.Order.Currency)
	}
	for _, p := range o.Payments {
		all.payment(p)
	}
	slices.SortFunc(all, func(a, b Amount) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Amount, b.Amount))
	})
	return slices.Compact(all)
}

type amounts []Amount

func (all *amounts) text(amount, currency string) {
	if amount != "" {
		*all = append(*all, Amount{amount, currency})
	}
}

func (all *amounts) add(some ...money.Amount) {
	for _, a := range some {
		all.text(a.String(), a.Currency().Code)
	}
}

func (all *amounts) coins(some ...*money.Coins) {
	for _, c := range some {
		if c != nil {
			all.text(c.Amount, c.Currency)
		}
	}
}

func (all *amounts) payment(p *payment.Payment) {
	s := sums.Of(p)
	all.add(s.Asked, s.Arrived, s.Returned, s.Refunded, s.Net, s.Reserved, s.Returning)
	all.rest(s.Asked, s.Arrived)
	if r := s.Received; r != nil {
		all.add(r.Due, r.Arrived)
		all.rest(r.Due, r.Arrived)
		all.coins(r.Waiting, r.Returned, r.Closed)
	}
	for _, t := range p.Transactions {
		all.add(t.Amount)
		all.coins(t.Coins)
	}
	for _, job := range p.Jobs {
		all.add(job.Amount)
		all.coins(job.Coins)
	}
	for _, act := range p.Acts {
		all.add(act.Amount)
		all.coins(act.Coins)
	}
}

// rest adds what of an amount is left without a part of it.
func (all *amounts) rest(whole, part money.Amount) {
	if whole.Currency() != part.Currency() {
		return
	}
	if left, err := whole.Sub(part); err == nil {
		all.add(left)
	}
}
