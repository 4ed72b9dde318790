package checkout

import "testing"

func TestReceipts(t *testing.T) {
	btc := func(amount, due string) *Received { return &Received{"BTC", amount, due} }
	for _, test := range []struct {
		name                            string
		said, known                     *Received
		short                           bool
		news, excess, declined, missing string
	}{
		{"exactly", btc("0.001", "0.00100000"), nil, false, "0.00100000 BTC", "", "Paid too late: 0.00100000 BTC arrived after the time to pay was over.", "0.00000000 BTC"},
		{"a part", btc("0.0004", "0.001"), nil, true, "0.00040000 BTC", "", "Less was paid than was due: 0.00040000 BTC of 0.00100000 BTC arrived.", "0.00060000 BTC"},
		{"more of it", btc("0.0009", "0.001"), btc("0.0004", "0.001"), true, "0.00050000 BTC", "", "Less was paid than was due: 0.00090000 BTC of 0.00100000 BTC arrived.", "0.00010000 BTC"},
		{"no news", btc("0.00040", "0.001"), btc("0.0004", "0.001"), true, "", "", "Less was paid than was due: 0.00040000 BTC of 0.00100000 BTC arrived.", "0.00060000 BTC"},
		{"less than before", btc("0.0003", "0.001"), btc("0.0004", "0.001"), true, "", "", "Less was paid than was due: 0.00030000 BTC of 0.00100000 BTC arrived.", "0.00070000 BTC"},
		{"too much", btc("0.00100001", "0.001"), nil, false, "0.00100001 BTC", "More was paid than was due: 0.00100001 BTC arrived, 0.00100000 BTC were due.", "Paid too late: 0.00100001 BTC arrived after the time to pay was over.", "0.00000000 BTC"},
		{"finer than the coin", btc("0.001000001", "0.001"), btc("0.001", ""), false, "0.000000001000000000 BTC",
			"More was paid than was due: 0.001000001000000000 BTC arrived, 0.001000000000000000 BTC were due.",
			"Paid too late: 0.001000001000000000 BTC arrived after the time to pay was over.", "0.000000000000000000 BTC"},
		{"an unknown coin", &Received{"x", "1", "2"}, nil, true, "1.000000000000000000 x", "", "Less was paid than was due: 1.000000000000000000 x of 2.000000000000000000 x arrived.", "1.000000000000000000 x"},
	} {
		r, err := parseReceipt(test.said, test.known)
		said, _ := r.declineReason()
		declined, excess := said.Text(), r.overpaidReason().Text()
		news := ""
		if !r.added.IsZero() {
			news = withCurrency(r.added)
		}
		if err != nil || r.underpaid() != test.short || news != test.news || excess != test.excess || declined != test.declined || withCurrency(r.missing()) != test.missing {
			t.Errorf("%s: %v, short %v, news %q, excess %q, declined %q, missing %q", test.name, err, r.underpaid(), news, excess, declined, withCurrency(r.missing()))
		}
	}
	for _, wrong := range [][2]*Received{{btc("1", "x"), nil}, {btc("-1", ""), nil}, {btc("1", ""), {"ETH", "1", ""}}, {btc("1", ""), btc("x", "")}} {
		if r, err := parseReceipt(wrong[0], wrong[1]); err == nil {
			t.Errorf("%+v is read as %+v", wrong[0], r)
		}
	}
}
