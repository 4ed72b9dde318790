package adapter

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// paid is what a charge has of a wallet.
type paid struct {
	wallet    connector.Wallet
	card      card.Card
	recurring bool
}

// tokens have the forms of the wallets.
var tokens = map[string]string{
	method.ApplePay:  `{"version":"EC_v1","data":"YXBwbGUtZGF0YQ==","signature":"MIIB","header":{"transactionId":"ab"}}`,
	method.GooglePay: `{"protocolVersion":"ECv2","signature":"MEUC","intermediateSigningKey":{},"signedMessage":"{}"}`,
}

// virtual passes a token on.
func virtual(kind string) paid {
	return paid{wallet: connector.Wallet{Kind: kind, Token: tokens[kind]}}
}

// device is the card of a device, decrypted.
func device(kind string) paid {
	return paid{wallet: connector.Wallet{Kind: kind, CardFlow: true}, card: card.Card{
		Number: "4111111111111111", ExpiryMonth: 12, ExpiryYear: 2030, PANType: card.PANOfDevice,
		Cryptogram: "AAECAwQFBgcICQoLDA0ODxAREhM=", ECI: "05",
	}}
}

// typed is a card of which the wallet has the number alone.
func typed() paid {
	p := device(method.GooglePay)
	p.wallet.Unauthenticated = true
	p.card.PANType, p.card.Cryptogram, p.card.ECI = card.PANOfCard, "", ""
	return p
}

// later is a later payment of a chain, which has neither token nor cryptogram.
func (p paid) later() paid {
	p.recurring = true
	p.wallet.Token, p.card.Cryptogram, p.card.ECI = "", "", ""
	return p
}

func paidWith(reference string, p paid) connector.Charge {
	c := whole()
	c.Reference, c.Method, c.Auth, c.Parameters, c.CardName = reference, p.wallet.Kind, false, nil, ""
	c.Card, c.Wallet = p.card, &p.wallet
	if p.recurring {
		c.Recurring, c.InitialTransaction, c.StartsChain, c.SavesCard = true, "sim1", false, false
	}
	return c
}

// TestWallets pays in both flows, and a card that nobody has authenticated the payer for by 3-D Secure.
func TestWallets(t *testing.T) {
	for name, test := range map[string]struct {
		paid
		want connector.Outcome
	}{
		"token of Apple Pay":        {virtual(method.ApplePay), connector.OutcomeApproved},
		"token of Google Pay":       {virtual(method.GooglePay), connector.OutcomeApproved},
		"device's card, Apple Pay":  {device(method.ApplePay), connector.OutcomeApproved},
		"device's card, Google Pay": {device(method.GooglePay), connector.OutcomeApproved},
		"later by token":            {virtual(method.ApplePay).later(), connector.OutcomeApproved},
		"later by card":             {device(method.ApplePay).later(), connector.OutcomeApproved},
		"card's own number":         {typed(), connector.OutcomeActionRequired},
	} {
		_, c := newExchanges(t, at0)
		r, err := c.Charge(t.Context(), paidWith("r-1", test.paid))
		if err != nil || r.Outcome != test.want {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if action := r.RequiredAction; action != nil && action.Kind != connector.Action3DS {
			t.Errorf("%s: %+v", name, action)
		}
	}
}

// TestWrongWallets sends what does not fit, of which the simulated adapter refuses everything.
func TestWrongWallets(t *testing.T) {
	for name, change := range map[string]func(*charge){
		"no wallet":                   func(b *charge) { b.Wallet = nil },
		"no kind":                     func(b *charge) { b.Wallet.Kind = "" },
		"another kind":                func(b *charge) { b.Wallet.Kind = method.GooglePay },
		"no flow":                     func(b *charge) { b.Wallet.Flow = "" },
		"another flow":                func(b *charge) { b.Wallet.Flow = flowVirtual },
		"a token beside the card":     func(b *charge) { b.Wallet.Token = tokens[method.ApplePay] },
		"no card":                     func(b *charge) { b.Card = nil },
		"no number":                   func(b *charge) { b.Card.Number = "" },
		"no expiry":                   func(b *charge) { b.Card.ExpiryMonth = 0 },
		"no type of the number":       func(b *charge) { b.Card.PANType = "" },
		"no cryptogram":               func(b *charge) { b.Card.Cryptogram = "" },
		"a short cryptogram":          func(b *charge) { b.Card.Cryptogram = "AAEC" },
		"a security code":             func(b *charge) { b.Card.SecurityCode = "123" },
		"authenticated card":          func(b *charge) { b.Card.PANType, b.Card.Cryptogram = card.PANOfCard, "" },
		"unauthenticated device":      func(b *charge) { b.Wallet.Unauthenticated = true },
		"a cryptogram for later":      func(b *charge) { b.Recurring, b.Initial = true, "sim1" },
		"a payout":                    func(b *charge) { b.Operation = method.Credit },
		"a wallet of another method":  func(b *charge) { b.Method, b.Card = "voucher", nil },
		"a cryptogram without wallet": func(b *charge) { b.Method, b.Wallet = "card", nil },
	} {
		s := simulator.New(simulator.Options{Client: unsent, Now: at0})
		a := New(setup(s)).(*Adapter)
		wanted := paidWith("r-1", device(method.ApplePay))
		b := chargeBody(wanted)
		change(&b)
		got, err := a.send(t.Context(), "/charge", wanted.ProviderRequest, b)
		if err != nil || got.refusal == nil || got.status != 400 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if found, _ := a.QueryStatus(t.Context(), wanted.ProviderRequest); found.Outcome != connector.OutcomeUnknown {
			t.Errorf("%s: it was stored: %+v", name, found)
		}
	}
}

// TestWrongTokens sends tokens without the form of their wallet.
func TestWrongTokens(t *testing.T) {
	google := tokens[method.GooglePay]
	for name, token := range map[string]string{
		"none": "", "no JSON": "token", "of another wallet": tokens[method.ApplePay], "an array": "[]",
		"for passes":          strings.Replace(google, "ECv2", "ECv2SigningOnly", 1),
		"without a signature": strings.Replace(google, "signature", "x", 1),
		"too large":           strings.Replace(google, "MEUC", strings.Repeat("M", card.MaxToken), 1),
	} {
		s := simulator.New(simulator.Options{Client: unsent, Now: at0})
		c := paidWith("r-1", virtual(method.GooglePay))
		c.Wallet.Token = token
		r, err := New(setup(s)).Charge(t.Context(), c)
		if err != nil || r.Outcome != connector.OutcomeDeclined {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// direct is a transport to a simulator that checks nothing.
type direct struct{ *simulator.Simulator }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func setup(s *simulator.Simulator) provider.Setup {
	return provider.Setup{Now: at0, Client: provider.Over(direct{s})}
}
