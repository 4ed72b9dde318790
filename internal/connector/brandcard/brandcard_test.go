package brandcard

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulated"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/request"
)

// cards are the cards for which the provider has a behaviour.
var cards = map[conformance.Behaviour]string{
	conformance.Declines: "4000000000009979", conformance.DeclinesSoftly: "4000000000000002",
	conformance.Waits: "4000000000009094", conformance.RequiresAction: "4000000000003220",
}

func chargeOf(number string) connector.Charge {
	return connector.Charge{
		Method: "card_brand_a", Operation: "purchase", PayerIP: "192.0.2.7", ReturnURL: "https://pay.example/back",
		Card: card.Card{Number: number, ExpiryMonth: 3, ExpiryYear: 2031, SecurityCode: "123"},
		Parties: request.Parties{
			Customer: request.Customer{Name: "Al Doe", Email: "al@shop.example"},
			BillingAddress: request.Address{
				Country: "US", State: "CA", City: "Fresno", Address: "1 Main St", Zip: "93650", Phone: "+15595550100",
			},
		},
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		f := simulated.Start(t, "brandcard", New)
		p := f.Provider()
		p.Charge = func(b conformance.Behaviour) connector.Charge {
			if number := cards[b]; number != "" {
				return chargeOf(number)
			}
			return chargeOf("4242424242424242")
		}
		p.Wallet = func(kind string, cardFlow bool, b conformance.Behaviour) connector.Charge {
			if b == conformance.RequiresAction {
				return connector.Charge{} // the provider asks for it by the amount
			}
			if b == conformance.Declines {
				f.ExpectCharge(b)
			}
			return conformance.WithWallet(kind, cardFlow, "")
		}
		p.Method = func(id string) connector.Charge {
			if method.IsWallet(id) {
				return conformance.WithWallet(id, false, "")
			}
			return p.Charge(conformance.Approves)
		}
		p.FollowedCharge = func(_ connector.RequestKind, b conformance.Behaviour) connector.Charge {
			if b == conformance.Declines {
				f.Expect(simulator.Refund, simulator.Next{Decline: "not_allowed"})
			}
			if b == conformance.Waits {
				f.Expect(simulator.Refund, simulator.Next{Waits: true})
			}
			return p.Charge(conformance.Approves)
		}
		return p
	})
}

// charge charges a card of Al Doe.
func charge(t *testing.T, f *simulated.Family, c connector.Charge, reference string) connector.Result {
	t.Helper()
	c.ProviderRequest = f.Request(reference)
	r, err := f.Connector.Charge(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRequests compares every kind of request with those that the specification prints.
func TestRequests(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	f.MID["subdomain"] = "pens"
	charge(t, f, chargeOf("4242424242424242"), "reference-1")

	delete(f.MID, "subdomain")
	bare := chargeOf(cards[conformance.RequiresAction])
	bare.BillingAddress.State, bare.BillingAddress.Phone = "", ""
	if r := charge(t, f, bare, "reference-2"); r.RequiredAction == nil || r.RequiredAction.Kind != connector.Action3DS {
		t.Errorf("3-D Secure: %+v", r)
	}

	virtual := chargeOf("")
	virtual.Card, virtual.Wallet = card.Card{}, conformance.WithWallet(method.GooglePay, false, "").Wallet
	if r := charge(t, f, virtual, "reference-3"); r.Outcome != connector.OutcomeApproved {
		t.Errorf("the virtual flow: %+v", r)
	}
	alone := conformance.WithWallet(method.ApplePay, false, "")
	alone.ReturnURL = "https://pay.example/back"
	if r := charge(t, f, alone, "reference-5"); r.Outcome != connector.OutcomeApproved {
		t.Errorf("the virtual flow, without a form: %+v", r)
	}

	refund := f.Request("reference-4")
	refund.Kind, refund.OriginalReference = connector.RequestRefund, "reference-1"
	if r, err := f.Connector.(connector.Refunder).Refund(t.Context(), refund); r.Outcome != connector.OutcomeApproved {
		t.Errorf("a refund: %+v, %v", r, err)
	}
	for _, r := range []connector.ProviderRequest{f.Request("reference-1"), refund} {
		f.LookUp(t, r)
	}
	f.WantRequests(t)
}

// TestLackingFields sends what the specification requires, but for one field: the provider refuses, before it does
// anything.
func TestLackingFields(t *testing.T) {
	for name, without := range map[string]func(*connector.Charge){
		"customer.email":          func(c *connector.Charge) { c.Customer.Email = "" },
		"customer.name":           func(c *connector.Charge) { c.Customer.Name = "" },
		"billing_address.country": func(c *connector.Charge) { c.BillingAddress.Country = "" },
		"billing_address.zip":     func(c *connector.Charge) { c.BillingAddress.Zip = "" },
		"card":                    func(c *connector.Charge) { c.Card = card.Card{} },
		"payer_ip":                func(c *connector.Charge) { c.PayerIP = "" },
	} {
		f := simulated.Start(t, "brandcard", New)
		c := chargeOf("4242424242424242")
		without(&c)
		r := charge(t, f, c, "reference-1")
		if r.Outcome != connector.OutcomeDeclined || !strings.Contains(r.Code, name) || len(f.Simulator.Operations()) > 0 {
			t.Errorf("without %s: %+v", name, r)
		}
	}
}

// TestWrongTokens sends what is no token of the wallet, which the provider refuses, before it does anything.
func TestWrongTokens(t *testing.T) {
	for name, token := range map[string]string{
		"none": "", "of another wallet": conformance.WalletTokens[method.ApplePay], "no JSON": "token", "nothing": "{}",
	} {
		f := simulated.Start(t, "brandcard", New)
		c := chargeOf("")
		c.Card, c.Wallet = card.Card{}, &connector.Wallet{Kind: method.GooglePay, Token: token}
		r := charge(t, f, c, "reference-1")
		if r.Outcome != connector.OutcomeDeclined || len(f.Simulator.Operations()) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestSecureToken sends the payer of a wallet's token to 3-D Secure.
func TestSecureToken(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	c := chargeOf("")
	c.Card, c.Wallet = card.Card{}, conformance.WithWallet(method.GooglePay, false, "").Wallet
	c.ProviderRequest = f.Request("reference-1")
	c.Amount, _ = money.Parse("9.10", c.Amount.Currency())
	r, err := f.Connector.Charge(t.Context(), c)
	if err != nil || r.RequiredAction == nil || r.RequiredAction.Kind != connector.Action3DS {
		t.Fatalf("%+v, %v", r, err)
	}
	f.Act("reference-1", simulator.Approve)
	if found := f.LookUp(t, c.ProviderRequest); found.Outcome != connector.OutcomeApproved {
		t.Errorf("confirmed: %+v", found)
	}
}

// TestNothingSent fails before anything is sent.
func TestNothingSent(t *testing.T) {
	for _, lacks := range []string{"url", "key", "secret", "a page"} {
		f := simulated.Start(t, "brandcard", New)
		c := chargeOf("4242424242424242")
		if lacks == "a page" {
			c.ReturnURL = ""
		}
		delete(f.MID, lacks)
		c.ProviderRequest = f.Request("reference-1")
		_, err := f.Connector.Charge(t.Context(), c)
		if !errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), lacks) || len(f.Simulator.Requests()) > 0 {
			t.Errorf("without %s: %v", lacks, err)
		}
	}
}

// TestRefusedCredentials is no decline, because nothing was done.
func TestRefusedCredentials(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	f.MID["key"] = "of-yesterday"
	c := chargeOf("4242424242424242")
	c.ProviderRequest = f.Request("reference-1")
	_, err := f.Connector.Charge(t.Context(), c)
	if !errors.Is(err, connector.ErrNotSent) || strings.Contains(err.Error(), "of-yesterday") {
		t.Errorf("returned %v", err)
	}
}

// TestPending is decided by the provider itself, later: a charge, and a refund of it.
func TestPending(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	for _, test := range []struct {
		kind      simulator.Kind
		reference string
		send      func(connector.ProviderRequest) (connector.Result, error)
	}{
		{simulator.Charge, "reference-1", func(r connector.ProviderRequest) (connector.Result, error) {
			c := chargeOf("4242424242424242")
			c.ProviderRequest = r
			return f.Connector.Charge(t.Context(), c)
		}},
		{simulator.Refund, "reference-2", func(r connector.ProviderRequest) (connector.Result, error) {
			return f.Connector.(connector.Refunder).Refund(t.Context(), r)
		}},
	} {
		f.Expect(test.kind, simulator.Next{Waits: true})
		r := f.Request(test.reference)
		r.Kind, r.OriginalReference = connector.RequestKind(test.kind), "reference-1"
		if got, err := test.send(r); err != nil || got.Outcome != connector.OutcomePending {
			t.Errorf("%s: %+v, %v", test.kind, got, err)
		}
		f.Act(test.reference, simulator.Approve)
		got, err := f.Read(f.Notice(test.reference))
		if err != nil || got.Result.Outcome != connector.OutcomeApproved || got.Reference != test.reference {
			t.Errorf("%s: the notice: %+v, %v", test.kind, got, err)
		}
	}
}

// TestOtherAmount is about a provider that charges another amount: nobody knows what to make of it but a person.
func TestOtherAmount(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	f.Expect(simulator.Charge, simulator.Next{Fault: simulator.OtherAmount})
	c := chargeOf("4242424242424242")
	c.ProviderRequest = f.Request("reference-1")
	r, err := f.Connector.Charge(t.Context(), c)
	if err == nil || errors.Is(err, connector.ErrNotSent) || !strings.Contains(err.Error(), "9.99") {
		t.Errorf("returned %+v, %v", r, err)
	}
	got, err := f.Read(f.Notice("reference-1"))
	if err != nil || !connector.ApprovesOther(got.OtherAmount) || !strings.Contains(got.OtherAmount.Error(), "9.99") {
		t.Errorf("the notice: %+v, %v", got, err)
	}
}

// TestReused sends a reference with another amount. The first request counts; if it can't be looked up, nobody knows.
func TestReused(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	first := charge(t, f, chargeOf("4242424242424242"), "reference-1")
	c := chargeOf("4242424242424242")
	c.ProviderRequest = f.Request("reference-1")
	c.Amount, _ = c.Amount.Add(c.Amount)
	if r, err := f.Connector.Charge(t.Context(), c); err != nil || !reflect.DeepEqual(r, first) {
		t.Errorf("returned %+v, %v, and before %+v", r, err, first)
	}
	deaf := New(provider.Setup{Client: provider.Over(sendsOnly{})})
	if r, err := deaf.Charge(t.Context(), c); err == nil || errors.Is(err, connector.ErrNotSent) {
		t.Errorf("without a look-up: %+v, %v", r, err)
	}
}

// sendsOnly is a transport that reaches no provider with look-ups.
type sendsOnly struct{}

func (sendsOnly) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return nil, errors.New("no connection")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestChargeback is told by a notice, and by a look-up or a repeat only as a decline.
func TestChargeback(t *testing.T) {
	f := simulated.Start(t, "brandcard", New)
	c := chargeOf("4242424242424242")
	charge(t, f, c, "reference-1")
	f.Act("reference-1", simulator.Dispute)
	got, err := f.Read(f.Notice("reference-1"))
	if err != nil || got.Result.Outcome != connector.OutcomeChargeback || got.PaymentID != "payment-1" {
		t.Errorf("the notice: %+v, %v", got, err)
	}
	c.ProviderRequest = f.Request("reference-1")
	f.WantNeverApproved(t, c)
	c.Amount, _ = c.Amount.Add(c.Amount) // the first request counts
	if r, err := f.Connector.Charge(t.Context(), c); err != nil || r.Outcome != connector.OutcomeDeclined {
		t.Errorf("with another amount: %+v, %v", r, err)
	}
}

// TestReasons has a row of reason.All for every code.
func TestReasons(t *testing.T) {
	for code, why := range reasons {
		if (&reason.Reason{Code: why}).Text() == "" {
			t.Errorf("%s: there is no reason %q", code, why)
		}
	}
}
