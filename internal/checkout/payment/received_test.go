package payment

import (
	"strings"
	"testing"

	"checkout/internal/connector"
)

func TestReceipts(t *testing.T) {
	btc := func(amount, due string) *connector.Received {
		return &connector.Received{Currency: "BTC", Amount: amount,
			Due: due}
	}
	for _, test := range []struct {
		name                               string
		reported, known                    *connector.Received
		underpaid                          bool
		added, overpaid, declined, missing string
	}{
		{
			name: "exactly", reported: btc("0.001", "0.00100000"),
			added:    "0.00100000 BTC",
			declined: "Paid too late: 0.00100000 BTC arrived after the time to pay was over.",
			missing:  "0.00000000 BTC",
		},
		{
			name: "a part", reported: btc("0.0004", "0.001"), underpaid: true,
			added:    "0.00040000 BTC",
			declined: "Less was paid than was due: 0.00040000 BTC of 0.00100000 BTC arrived.",
			missing:  "0.00060000 BTC",
		},
		{
			name: "another part", reported: btc("0.0009", "0.001"), known: btc("0.0004", "0.001"), underpaid: true,
			added:    "0.00050000 BTC",
			declined: "Less was paid than was due: 0.00090000 BTC of 0.00100000 BTC arrived.",
			missing:  "0.00010000 BTC",
		},
		{
			name: "no change", reported: btc("0.00040", "0.001"), known: btc("0.0004", "0.001"), underpaid: true,
			declined: "Less was paid than was due: 0.00040000 BTC of 0.00100000 BTC arrived.",
			missing:  "0.00060000 BTC",
		},
		{
			name: "less than before", reported: btc("0.0003", "0.001"), known: btc("0.0004", "0.001"), underpaid: true,
			declined: "Less was paid than was due: 0.00030000 BTC of 0.00100000 BTC arrived.",
			missing:  "0.00070000 BTC",
		},
		{
			name: "too much", reported: btc("0.00100001", "0.001"),
			added:    "0.00100001 BTC",
			overpaid: "More was paid than was due: 0.00100001 BTC arrived, 0.00100000 BTC was due.",
			declined: "Paid too late: 0.00100001 BTC arrived after the time to pay was over.",
			missing:  "0.00000000 BTC",
		},
		{
			name: "more decimals than the currency", reported: btc("0.001000001", "0.001"), known: btc("0.001", ""),
			added: "0.000000001000000000 BTC",
			overpaid: "More was paid than was due: " +
				"0.001000001000000000 BTC arrived, 0.001000000000000000 BTC was due.",
			declined: "Paid too late: 0.001000001000000000 BTC arrived after the time to pay was over.",
			missing:  "0.000000000000000000 BTC",
		},
		{
			name: "an unknown currency", reported: &connector.Received{Currency: "x", Amount: "1", Due: "2"}, underpaid: true,
			added:    "1.000000000000000000 x",
			declined: "Less was paid than was due: 1.000000000000000000 x of 2.000000000000000000 x arrived.",
			missing:  "1.000000000000000000 x",
		},
	} {
		r, err := ParseReceipt(test.reported, test.known)
		reason, _ := r.declineReason()
		added := ""
		if !r.Added.IsZero() {
			added = connector.WithCurrency(r.Added)
		}
		if err != nil || r.Underpaid() != test.underpaid || added != test.added {
			t.Errorf("%s: %v, underpaid %v, added %q", test.name, err, r.Underpaid(), added)
		}
		if reason.Text() != test.declined || r.overpaidReason().Text() != test.overpaid {
			t.Errorf("%s: declined %q, overpaid %q", test.name, reason.Text(), r.overpaidReason().Text())
		}
		if missing := connector.WithCurrency(r.Missing()); missing != test.missing {
			t.Errorf("%s: %s are missing", test.name, missing)
		}
	}
	for _, invalid := range []struct{ reported, known *connector.Received }{
		{btc("1", "x"), nil},
		{btc("-1", ""), nil},
		{btc("1", ""), &connector.Received{Currency: "ETH", Amount: "1", Due: ""}},
		{btc("1", ""), btc("x", "")},
		{&connector.Received{Currency: strings.Repeat("x", connector.MaxCode+1), Amount: "1", Due: "2"}, nil},
	} {
		if r, err := ParseReceipt(invalid.reported, invalid.known); err == nil {
			t.Errorf("%+v is read as %+v", invalid.reported, r)
		}
	}
}
