package sandbox

import (
	"testing"

	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/reason"
)

// An e-mail address declines with every code of a provider, cards or not, and with no code of the service's own.
func TestDeclinesByCode(t *testing.T) {
	for _, name := range []string{"card", "bank_curp", "instant_qr"} {
		for _, row := range reason.All {
			s, _ := newSandbox()
			c := testCharge("05/38")
			c.Method, c.Customer.Email = name, "Decline-"+string(row.Code)+"+7@shop.example"
			r := result(t)(s.Charge(t.Context(), c))
			if row.Code.OfProvider() != (r.Outcome == refused && r.ReasonCode == row.Code && r.Reason == "") {
				t.Errorf("%s, %s: %+v", name, row.Code, r)
			}
			if e := entered(t, s, reference); row.Code.OfProvider() && e.payable() {
				t.Errorf("%s, %s can still be paid", name, row.Code)
			}
		}
	}
}

// What the sandbox's cards, accounts and buttons lead to has the code that fits, and the number that card schemes have
// for it.
func TestCodesOfDeclines(t *testing.T) {
	other := paymentCard("01/38")
	other.Number = "5555555555554444"
	for _, test := range []struct {
		change func(*connector.Charge)
		code   reason.Code
		number string
	}{
		{func(c *connector.Charge) { c.Card = paymentCard("02/38") }, reason.Declined, "05"},
		{func(c *connector.Charge) { c.Card = paymentCard("05/39") }, reason.InsufficientFunds, "51"},
		{func(c *connector.Charge) { c.Card = other }, reason.CardInvalid, "14"},
		{func(c *connector.Charge) { c.Credentials = map[string]string{"sandbox": "declines softly"} },
			reason.ProviderProblem, "96"},
		{func(c *connector.Charge) { c.Credentials = map[string]string{"sandbox": "declines"} }, reason.Declined, "05"},
		{func(c *connector.Charge) { c.Customer.Email = "decline-card_stolen@shop.example" }, reason.CardStolen, "43"},
	} {
		s, _ := newSandbox()
		c := testCharge("01/38")
		test.change(&c)
		r := result(t)(s.Charge(conformance.Impatient(t.Context()), c))
		if r.Outcome != refused || r.ReasonCode != test.code || r.Code != test.number {
			t.Errorf("want %s, %s: %+v", test.code, test.number, r)
		}
	}
	for _, text := range []string{payerRefused, payerEnded, tooLate, wrongCode} {
		if code := (entry{Kind: connector.RequestCharge, Reason: text}).reasonCode(); !code.OfProvider() {
			t.Errorf("%q has the code %q", text, code)
		}
	}
	s, _ := newSandbox()
	result(t)(s.Charge(t.Context(), testCharge("01/38")))
	next := requestOf(connector.RequestRefund)
	next.Amount = amount("11.00", "USD")
	if r := result(t)(follow(t.Context(), s, next)); r.Outcome != refused || r.ReasonCode != reason.AmountInvalid {
		t.Errorf("too large a refund: %+v", r)
	}
	s, _ = newSandbox()
	result(t)(s.Charge(t.Context(), testCharge("02/38")))
	if r := result(t)(follow(t.Context(), s, next)); r.Outcome != refused || r.ReasonCode != reason.NotAllowed {
		t.Errorf("a refund of what was declined: %+v", r)
	}
}
