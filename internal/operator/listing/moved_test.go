package listing

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/method"
	"checkout/internal/money"
)

// What a transaction moved, as the journal has it: from the payer, or with a minus to the payer or payee.
func TestMoved(t *testing.T) {
	at := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	usd := func(text string) money.Amount {
		currency, _ := money.Find("USD")
		amount, err := money.Parse(text, currency)
		if err != nil {
			t.Fatal(err)
		}
		return amount
	}
	// each transaction is "type status amount"; "late" is one that failed after its success
	for _, test := range []struct {
		operation method.Operation
		captured  string
		made      []string
		want      string
	}{
		{method.Purchase, "10.00", []string{"sale success 10.00", "refund success 3.00", "refund fail 2.00"}, "10.00 -3.00 "},
		{method.Purchase, "10.00", []string{"sale fail 10.00", "sale success 10.00"}, " 10.00"},
		{method.Purchase, "7.00", []string{"sale success 10.00", "capture success 7.00", "void success 7.00"}, " 7.00 -7.00"},
		{method.Purchase, "7.00", []string{"sale success 10.00", "capture fail 5.00", "capture success 7.00"}, "  7.00"},
		{method.Purchase, "", []string{"sale success 10.00", "void success 10.00"}, " "},
		{method.Purchase, "10.00", []string{"sale success 10.00", "void late 10.00"}, "10.00 -10.00"},
		{method.Purchase, "10.00", []string{"sale success 10.00", "refund late 4.00", "chargeback success 10.00"},
			"10.00 -4.00 -10.00"},
		{method.Purchase, "10.00", []string{"sale success 10.00", "refund success 4.00", "chargeback success 10.00"},
			"10.00 -4.00 -6.00"},
		{method.Purchase, "10.00", []string{"sale success 10.00", "refund success 4.00", "chargeback success 5.00"},
			"10.00 -4.00 -5.00"},
		{method.Purchase, "10.00", []string{"sale success 10.00", "reversal success 10.00"}, "10.00 -10.00"},
		{method.Purchase, "10.00", []string{"sale success 10.00", "contradiction success 10.00"}, "10.00 "},
		{method.Credit, "10.00", []string{"credit success 10.00", "reversal success 10.00"}, "-10.00 10.00"},
		{method.Credit, "10.00", []string{"credit success 10.00", "void success 10.00"}, "-10.00 10.00"},
		{method.Debit, "10.00", []string{"debit success 10.00", "refund success 10.00"}, "10.00 -10.00"},
	} {
		p := &payment.Payment{}
		if p.Operation = test.operation; test.captured != "" {
			p.Captured = usd(test.captured)
		}
		var got []string
		for _, made := range test.made {
			words := strings.Fields(made)
			one := payment.Transaction{Type: payment.EventType(words[0]), Status: payment.TransactionStatus(words[1]),
				Amount: usd(words[2]), Date: at}
			if words[1] == "late" {
				one.Status, one.SucceededAt = payment.Fail, at
			}
			p.Transactions = append(p.Transactions, one)
		}
		for i := range p.Transactions {
			got = append(got, moved(p, i))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %v: %q, want %q", test.operation, test.made, got, test.want)
		}
	}
	for text, want := range map[string]string{"": "", "1.00": "-1.00", "-1.00": "1.00"} {
		if got := Negative(text); got != want {
			t.Errorf("the other sign of %q is %q", text, got)
		}
	}
}
