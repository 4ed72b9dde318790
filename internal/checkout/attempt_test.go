package checkout

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// The attempt that the page sends becomes a payment of what the session requests and the payer has filled in, or is
// refused with the field that is wrong.
func TestNewAttempt(t *testing.T) {
	saved := card.Saved{Token: "token", Holder: "Grace Hopper", NetworkTransactionID: "network",
		View: card.View{ExpiryMonth: 12, ExpiryYear: 2099}}
	byPayer := func(s *Session, _ *settings.Merchant, pay *form.Request) {
		s.Request.Order.Amount = request.ReadAmount("-1", request.CurrencyOf(s.Request.Order))
		pay.Fields[method.AmountField] = "7.00"
	}
	limited := func(first, second string) func(s *Session, m *settings.Merchant, pay *form.Request) {
		return func(s *Session, m *settings.Merchant, pay *form.Request) {
			byPayer(s, m, pay)
			for i, most := range []string{first, second} {
				m.Mappings[0].MIDs[i].Limits = []settings.Limit{{Currency: "USD", Max: most}}
			}
		}
	}
	consents := func(given string) func(s *Session, _ *settings.Merchant, pay *form.Request) {
		return func(s *Session, _ *settings.Merchant, pay *form.Request) {
			s.Request.Consent, s.Request.RecurringInit = true, true
			pay.Fields["recurring_consent"] = given
		}
	}
	withSaved := func(change func(c *card.Saved, s *Session)) func(s *Session, _ *settings.Merchant, pay *form.Request) {
		return func(s *Session, _ *settings.Merchant, pay *form.Request) {
			c := saved
			change(&c, s)
			s.Saved, pay.Saved = []card.Saved{c}, "1"
		}
	}
	for name, test := range map[string]struct {
		change func(s *Session, m *settings.Merchant, pay *form.Request)
		check  func(p *payment.Payment) bool
		fault  string // path and text
	}{
		"a card": {nil, func(p *payment.Payment) bool {
			job := p.Jobs[0]
			return p.ID == aPayment && p.SessionID == aSession && p.Method == method.Card && p.MID == "one" &&
				p.Connector == "bank" && p.Mapping == "all" && p.Amount == usd("10.00") && p.Status == payment.StatusPrepare &&
				p.Customer.Name == "Ada Lovelace" && p.SavedCard == "" && p.VAT == nil && p.ConsentID == "" &&
				len(p.Jobs) == 1 && job.Kind == payment.JobCharge && job.Reference == p.ID && job.Sealed &&
				job.CardName == "Ada Lovelace" && slices.Equal(job.MIDs, []string{"two"}) &&
				job.DueAt.Equal(paidAt.Add(payment.NewJobGrace)) && p.CreatedAt.Equal(paidAt) && p.ChangedAt.Equal(paidAt)
		}, ""},
		"another attempt": {func(s *Session, _ *settings.Merchant, _ *form.Request) {
			s.Attempts, s.FirstPaymentID = []string{"before"}, ""
		}, func(p *payment.Payment) bool { return p.ID != "" && p.ID != aPayment && p.Jobs[0].Reference == p.ID }, ""},
		"a method that no MID takes": {func(_ *Session, _ *settings.Merchant, pay *form.Request) {
			pay.Method = "crypto"
		}, nil, "method The value you selected"},
		"no id of the attempt": {func(_ *Session, _ *settings.Merchant, pay *form.Request) { pay.Attempt = "1" },
			nil, "attempt "},
		"no name": {func(_ *Session, _ *settings.Merchant, pay *form.Request) { delete(pay.Fields, "payer_name") },
			nil, "payer_name "},
		"no card": {func(_ *Session, _ *settings.Merchant, pay *form.Request) { pay.Sealed = nil }, nil, "payer_card "},
		"an amount that the payer enters": {byPayer, func(p *payment.Payment) bool {
			return p.Amount == usd("7.00") && p.Order.Amount.Text == "7.00"
		}, ""},
		"an amount of nothing": {func(s *Session, m *settings.Merchant, pay *form.Request) {
			byPayer(s, m, pay)
			pay.Fields[method.AmountField] = "0.00"
		}, nil, method.AmountField + " "},
		"an amount above a MID's limit": {limited("6.99", "7.00"), func(p *payment.Payment) bool {
			return p.MID == "two" && len(p.Jobs[0].MIDs) == 0
		}, ""},
		"an amount above all limits": {limited("6.99", "6.99"), nil,
			method.AmountField + " This value is not valid. It is not"},
		"an order without an amount": {func(s *Session, _ *settings.Merchant, _ *form.Request) {
			s.Request.Order.Amount = request.Amount{Text: "10.00"}
		}, nil, "order has no amount"},
		"VAT": {func(s *Session, m *settings.Merchant, _ *form.Request) {
			s.Request.VATCalc, m.Mappings[0].VATRates = true, map[string]string{"DE": "25"}
			s.Request.BillingAddress.Country = "DE"
		}, func(p *payment.Payment) bool { return p.VAT != nil && *p.VAT == usd("2.00") }, ""},
		"VAT that was not asked for": {func(s *Session, m *settings.Merchant, _ *form.Request) {
			m.Mappings[0].VATRates, s.Request.BillingAddress.Country = map[string]string{"DE": "25"}, "DE"
		}, func(p *payment.Payment) bool { return p.VAT == nil }, ""},
		"a rate of VAT that is none": {func(s *Session, m *settings.Merchant, _ *form.Request) {
			s.Request.VATCalc, m.Mappings[0].VATRates = true, map[string]string{"DE": "much"}
			s.Request.BillingAddress.Country = "DE"
		}, nil, "VAT rate"},
		"consent":    {consents("true"), func(p *payment.Payment) bool { return p.ConsentID != "" && p.RecurringInit }, ""},
		"no consent": {consents("false"), func(p *payment.Payment) bool { return p.ConsentID == "" && !p.RecurringInit }, ""},
		"a saved card": {withSaved(func(_ *card.Saved, s *Session) { s.Request.Customer.Name = "" }),
			func(p *payment.Payment) bool {
				return p.SavedCard == "token" && p.InitialNetworkID == "network" && p.Customer.Name == "Grace Hopper" &&
					p.Jobs[0].CardName == "Grace Hopper"
			}, ""},
		"a saved card, with a name": {withSaved(func(_ *card.Saved, s *Session) {
			s.Request.Customer.Name = "Ada"
		}), func(p *payment.Payment) bool { return p.Customer.Name == "Ada" }, ""},
		"a saved card that was removed": {withSaved(func(c *card.Saved, _ *Session) {
			c.RemovedAt = paidAt
		}), nil, "saved The value you selected"},
		"a saved card that has ended": {withSaved(func(c *card.Saved, _ *Session) {
			c.View.ExpiryMonth, c.View.ExpiryYear = 1, 2000
		}), nil, "saved The value you selected"},
		"no saved card of the session": {func(_ *Session, _ *settings.Merchant, pay *form.Request) { pay.Saved = "2" },
			nil, "saved The value you selected"},
	} {
		all := settings.Declaration{Operations: method.Operations, SavedCards: true, Recurring: true, CardName: true}
		m := &settings.Merchant{ID: "shop", Connectors: settings.Declarations{"bank": all}, Mappings: []settings.Mapping{{
			Name: "all", MIDs: []settings.MID{
				{Name: "one", Connector: "bank", Methods: []string{method.Card}},
				{Name: "two", Connector: "bank", Methods: []string{method.Card}}}}}}
		_, s := attempt(func(*payment.Payment, *Session) {})
		s.FirstPaymentID, s.Request.Operation, s.Request.SuccessURL = aPayment, method.Purchase, "https://shop.example"
		s.Request.Order.Amount = request.Entered(usd("10.00"))
		pay := form.Request{Method: method.Card, Attempt: "00000000-0000-4000-8000-000000000000",
			Fields: map[string]string{"payer_name": "Ada Lovelace"},
			Sealed: &card.Sealed{Ciphertext: "c", Enc: "e", KeyID: "k"}}
		if test.change != nil {
			test.change(s, m, &pay)
		}
		route, err := routing.FindRoute(m, &s.Request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		core := &Core{Random: func(n int) []byte { return slices.Repeat([]byte{7}, n) }}
		p, sealed, err := core.NewAttempt(paidAt, s, route, pay)
		text := ""
		if refused := (*fault.Error)(nil); errors.As(err, &refused) {
			text = refused.Faults[0].Path + " " + refused.Faults[0].Text
		} else if err != nil {
			text = err.Error()
		}
		switch {
		case test.fault != "" && !strings.HasPrefix(text, test.fault), test.fault == "" && err != nil:
			t.Errorf("%s: %q", name, text)
		case test.fault == "" && (!test.check(p) || (sealed != nil) != (pay.Saved == "")):
			text, _ := json.Marshal(p)
			t.Errorf("%s: %s", name, text)
		}
	}
}
