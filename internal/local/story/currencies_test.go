package story

import (
	"slices"
	"testing"
)

// A payment of each number of decimals that a currency can have is authorised, captured in part and refunded in two
// parts, without a unit gained or lost.
func TestDecimalsOfCurrencies(t *testing.T) {
	const notValid = "400 100000 amount: This value is not valid. It should be a number such as "
	for _, test := range []struct {
		currency, amount, shown string
		capture, refund         string
		finer, finerFault       string   // an amount with one decimal too many
		more, refundable        string   // one unit more than is refundable then
		amounts                 []string // of the callbacks' transactions
	}{
		{
			"JPY", "1000", "1000", "400.00", "150", "0.5", "10.00: JPY has no decimals but zeros.",
			"251", "250.00", []string{"", "400.00", "150.00", "250.00"},
		},
		{
			"KWD", "1.500", "1.500", "1.2", "0.2", "0.0001", "10.000: KWD has 3 decimals.",
			"1.001", "1.000", []string{"", "1.200", "0.200", "1.000"},
		},
		{
			"CLF", "1.5", "1.5000", "1.0000", "0.9999", "0.00001", "10.0000: CLF has 4 decimals.",
			"0.0002", "0.0001", []string{"", "1.0000", "0.9999", "0.0001"},
		},
	} {
		t.Run(test.currency, func(t *testing.T) {
			w := open(t, operations)
			order := map[string]any{"number": "pen-1", "amount": test.amount, "currency": test.currency, "description": "A pen"}
			payer := w.shop.visits("pen-1", with("order", order), with("auth", true))
			if got := payer.screen().Order.Amount; got != test.shown {
				t.Errorf("the payer sees %s", got)
			}
			payer.pays("01/38")
			id := payer.paymentID()
			for _, step := range []struct{ got, want string }{
				{w.shop.captures(id, test.finer), notValid + test.finerFault},
				{w.shop.captures(id, test.capture), "200 SUCCESS settled"},
				{w.shop.refunds(id, test.refund), "200 accepted"},
				{w.shop.refunds(id, test.finer), notValid + test.finerFault},
				{w.shop.refunds(id, test.more), "400 208006 amount: This value should be " + test.refundable + " or less."},
				{w.shop.refunds(id, ""), "200 accepted"},
			} {
				if step.got != step.want {
					t.Errorf("%s, want %s", step.got, step.want)
				}
			}
			w.work()
			payer.is("refund")
			w.shop.told("sale success pending", "capture success settled", "refund success settled", "refund success refund")
			var amounts []string
			for _, r := range w.shop.Taken() {
				amounts = append(amounts, r.Fields.Get("transaction_amount"))
				if got := r.Fields.Get("order_amount"); got != test.amount {
					t.Errorf("order_amount %s", got)
				}
			}
			if !slices.Equal(amounts, test.amounts) {
				t.Errorf("amounts %q, want %q", amounts, test.amounts)
			}
		})
	}
}
