package listing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
)

// Groups and sums have what was paid, returned and paid out, each by its sign. A payout is no attempt to pay.
func TestSumUp(t *testing.T) {
	line := func(day int, kind payment.EventType, status payment.TransactionStatus, amount, moved string) Line {
		return Line{At: paymenttest.At.AddDate(0, 0, day), Type: kind, Status: status, Amount: amount, Moved: moved,
			Currency: "USD", Method: "card", MID: "mid", ReasonCode: "declined"}
	}
	euro := line(0, payment.EventSale, payment.Success, "1.00", "1.00")
	euro.Currency = "EUR"
	totals, err := SumUp([]Line{
		line(0, payment.EventSale, payment.Success, "10.00", "10.00"),
		line(0, payment.EventSale, payment.Success, "5.00", ""), // authorised
		line(0, payment.EventSale, payment.Fail, "7.00", ""),
		line(0, payment.EventSale, payment.Fail, "3.00", "-3.00"), // failed after its success
		line(0, payment.EventCapture, payment.Success, "5.00", "5.00"),
		line(0, payment.EventRefund, payment.Success, "4.00", "-4.00"),
		line(0, payment.EventRefund, payment.Fail, "4.00", "4.00"),
		line(0, payment.EventRefund, payment.Fail, "1.00", ""),
		line(1, payment.EventChargeback, payment.Success, "10.00", "-10.00"),
		line(1, payment.EventCredit, payment.Success, "2.00", "-2.00"),
		line(1, payment.EventCredit, payment.Fail, "2.00", ""), euro,
	}, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, g := range totals.Groups {
		fmt.Fprintf(&got, "%s %s %s %d %d %s %s\n", g.Day, g.Currency, g.Type, g.Succeeded, g.Failed, g.Amount, g.Moved)
	}
	for _, s := range totals.Sums {
		fmt.Fprintf(&got, "%s %s %s %q %s %d %d\n", s.Currency, s.Paid, s.Returned, s.PaidOut, s.Net, s.Attempts, s.Accepted)
	}
	fmt.Fprintf(&got, "%d %v", totals.Lines, totals.Declines[0].Count)
	want := `2030-03-05 USD chargeback 1 0 10.00 -10.00
2030-03-05 USD credit 1 1 2.00 -2.00
2030-03-04 EUR sale 1 0 1.00 1.00
2030-03-04 USD capture 1 0 5.00 5.00
2030-03-04 USD refund 1 2 4.00 0.00
2030-03-04 USD sale 2 2 15.00 7.00
EUR 1.00 0.00 "" 1.00 1 1
USD 12.00 10.00 "2.00" 0.00 4 2
12 2`
	if got.String() != want {
		t.Errorf("%s", got.String())
	}
	if _, err := SumUp([]Line{line(0, payment.EventSale, payment.Success, "x", "")}, time.UTC); err == nil {
		t.Error("an amount that can't be read is left out")
	}
}
