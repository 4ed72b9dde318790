package conformance

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/method"
)

// wallets are the tests of charges that are paid with the wallets that the connector declares, in each flow.
var wallets = []test[walletPayer]{
	{"accepted", func(t *testing.T, w walletPayer) { w.pays(t, Approves, connector.OutcomeApproved) }},
	{"declined", walletDeclined},
	{"repeated", walletRepeated},
	{"no response", walletNoResponse},
	{"3-D Secure", walletSecure},
	{"card that nobody has authenticated", walletUnauthenticated},
	{"capture", walletCapture},
	{"without the payer", walletLater},
	{"nothing secret", walletSecrets},
}

// walletPayer is a provider with a wallet and the flow of its tokens.
type walletPayer struct {
	Provider
	kind     string
	cardFlow bool
}

// runWallets runs the tests for each wallet and flow that the connector declares.
func runWallets(t *testing.T, start func(t *testing.T) Provider) {
	p := start(t)
	declares(t, len(p.Declaration.Wallets) > 0)
	if p.Wallet == nil {
		t.Fatal("declaration.json has wallets, but nobody pays with them: Wallet is nil")
	}
	for kind, support := range p.Declaration.Wallets {
		for _, cardFlow := range []bool{false, true} {
			if cardFlow && !support.CardFlow {
				continue
			}
			flow := map[bool]string{false: "virtual", true: "card"}[cardFlow]
			begin := func(t *testing.T) walletPayer { return walletPayer{start(t), kind, cardFlow} }
			run(t, begin, kind+", "+flow+" flow, ", wallets)
		}
	}
}

// WalletTokens have the forms of the wallets' tokens, and nothing in them that could be decrypted.
var WalletTokens = map[string]string{
	method.ApplePay: `{"version":"EC_v1","data":"ZW5jcnlwdGVkLWNhcmQtb2YtdzE=","signature":"c2lnbmF0dXJlLW9mLXcx",` +
		`"header":{"transactionId":"77616c6c6574312d7472616e73616374","publicKeyHash":"aGFzaC1vZi1hLWtleS1vZi13MQ=="}}`,
	method.GooglePay: `{"protocolVersion":"ECv2","signature":"c2lnbmF0dXJlLW9mLXcy",` +
		`"intermediateSigningKey":{"signedKey":"a2V5LXNpZ25lZC1ieS13Mg=="},"signedMessage":"bWVzc2FnZS1zaWduZWQtYnktdzI="}`,
}

// cryptogram is that of a device's card.
const cryptogram = "AAECAwQFBgcICQoLDA0ODxAREhM="

// WithWallet is a charge with a wallet: with a token, or in the card flow with a device's card of a number, decrypted.
func WithWallet(kind string, cardFlow bool, number string) connector.Charge {
	c := connector.Charge{Method: kind, Wallet: &connector.Wallet{Kind: kind, CardFlow: cardFlow}}
	if !cardFlow {
		c.Wallet.Token = WalletTokens[kind]
		return c
	}
	c.Card = card.Card{
		Number: number, ExpiryMonth: 12, ExpiryYear: 2038, PANType: card.PANOfDevice, Cryptogram: cryptogram, ECI: "05",
	}
	return c
}

// charge is a charge of 10.00 USD with the wallet. It skips the rest of the test if the provider can't have the
// behaviour in this flow.
func (w walletPayer) charge(t *testing.T, b Behaviour) connector.Charge {
	t.Helper()
	c := w.Wallet(w.kind, w.cardFlow, b)
	if c.Wallet == nil {
		t.Skip("the provider can't have this behaviour in this flow")
	}
	c.ProviderRequest = w.request(connector.RequestCharge, reference)
	c.Operation, c.Description, c.ReturnURL = method.Purchase, "A pen", "https://pay.example/back"
	if !w.Declaration.Wallets[w.kind].Decrypted && w.cardFlow {
		c.Wallet.Token = WalletTokens[w.kind]
	}
	w.watch.hide(c)
	return c
}

func (w walletPayer) send(t *testing.T, c connector.Charge) connector.Result {
	t.Helper()
	r := wanted(t)(w.Connector.Charge(t.Context(), c))
	w.watch.check(t, r, nil)
	return r
}

func (w walletPayer) pays(t *testing.T, b Behaviour, want connector.Outcome) connector.Result {
	t.Helper()
	r := w.send(t, w.charge(t, b))
	if r.Outcome != want {
		t.Errorf("returned %+v", r)
	}
	if found := w.wantKnown(t, want, 1); !reflect.DeepEqual(found, r) {
		t.Errorf("returned %+v, and looked up %+v", r, found)
	}
	return r
}

func walletDeclined(t *testing.T, w walletPayer) {
	if r := w.pays(t, Declines, connector.OutcomeDeclined); !explained(r) {
		t.Error("no reason")
	}
}

// walletRepeated sends a charge again, also with the token of another time.
func walletRepeated(t *testing.T, w walletPayer) {
	first := w.send(t, w.charge(t, Approves))
	for range 2 {
		if again := w.send(t, w.charge(t, Approves)); !reflect.DeepEqual(first, again) {
			t.Errorf("returned %+v, then %+v", first, again)
		}
	}
	w.wantKnown(t, connector.OutcomeApproved, 1)
}

func walletNoResponse(t *testing.T, w walletPayer) {
	if w.Faults == nil {
		t.Skip("this connector does not speak HTTP")
	}
	c := w.charge(t, Approves)
	r, err := w.faulty(t, NeverResponds, func(ctx context.Context, _ Behaviour) (connector.Result, error) {
		return w.Connector.Charge(ctx, c)
	})
	wantUnknown(t, r, err)
	w.wantKnown(t, connector.OutcomeApproved, 1)
}

// walletSecure sends the payer to 3-D Secure, because the provider asks for it.
func walletSecure(t *testing.T, w walletPayer) {
	declares(t, w.Declaration.ThreeDSecure)
	w.wantSecure(t, w.send(t, w.charge(t, RequiresAction)))
}

// wantSecure confirms the 3-D Secure of a charge.
func (w walletPayer) wantSecure(t *testing.T, r connector.Result) {
	t.Helper()
	if r.Outcome != connector.OutcomeActionRequired || r.RequiredAction.Kind != connector.Action3DS {
		t.Fatalf("returned %+v", r)
	}
	w.Confirm(t, reference, true)
	w.wantKnown(t, connector.OutcomeApproved, 1)
}

// walletUnauthenticated charges a card's own number, of which nobody has authenticated the payer.
func walletUnauthenticated(t *testing.T, w walletPayer) {
	declares(t, w.cardFlow && w.Declaration.ThreeDSecure)
	c := w.charge(t, Approves)
	c.Wallet.Unauthenticated = true
	c.Card.PANType, c.Card.Cryptogram, c.Card.ECI = card.PANOfCard, "", ""
	w.wantSecure(t, w.send(t, c))
}

// walletCapture authorises, and captures later.
func walletCapture(t *testing.T, w walletPayer) {
	capturer, can := w.Connector.(connector.Capturer)
	declares(t, can && w.Declaration.Capture && (w.cardFlow || w.Declaration.Wallets[w.kind].Capture))
	c := w.charge(t, Approves)
	c.Auth = true
	r := w.send(t, c)
	if r.Outcome != connector.OutcomeApproved || !r.Authorised {
		t.Fatalf("returned %+v", r)
	}
	capture := w.request(connector.RequestCapture, second)
	capture.OriginalReference, capture.ProviderID = reference, r.ProviderID
	if r := wanted(t)(capturer.Capture(t.Context(), capture)); r.Outcome != connector.OutcomeApproved {
		t.Errorf("captured: %+v", r)
	}
}

// walletLater makes a later charge of a chain, with neither a token nor a cryptogram.
func walletLater(t *testing.T, w walletPayer) {
	declares(t, w.Declaration.Recurring && (w.cardFlow || w.Declaration.Wallets[w.kind].Recurring))
	c := w.charge(t, Approves)
	c.StartsChain = true
	first := w.send(t, c)
	later := w.charge(t, Approves)
	later.Reference, later.PaymentID = second, "payment-2"
	later.Recurring, later.InitialTransaction = true, first.ProviderID
	later.SessionID, later.ReturnURL, later.PayerIP = "", "", ""
	later.Wallet.Token, later.Card.Cryptogram, later.Card.ECI = "", "", ""
	if r := w.send(t, later); r.Outcome != connector.OutcomeApproved {
		t.Errorf("returned %+v", r)
	}
}

// walletSecrets looks for parts of the token and the card in results, errors and the log.
func walletSecrets(t *testing.T, w walletPayer) {
	behaviours := []Behaviour{Approves}
	if w.Faults != nil {
		behaviours = append(behaviours, GarblesResponse, NeverResponds, LosesRequest)
	}
	for _, b := range behaviours { // the server in front of the provider has the faults
		c := w.charge(t, Approves)
		c.Reference = fmt.Sprintf("reference-%d", b)
		send := func(ctx context.Context, _ Behaviour) (connector.Result, error) {
			r, err := w.Connector.Charge(ctx, c)
			w.watch.check(t, r, err)
			return r, err
		}
		if b == Approves {
			_, _ = send(t.Context(), b)
		} else {
			_, _ = w.faulty(t, b, send)
		}
	}
	c := w.charge(t, Approves)
	c.Reference = "reference-of-half"
	if c.Wallet.Token != "" {
		c.Wallet.Token = c.Wallet.Token[:len(c.Wallet.Token)-2] // which no JSON is
	}
	c.Card.Cryptogram = c.Card.Cryptogram[:len(c.Card.Cryptogram)/2]
	r, err := w.Connector.Charge(t.Context(), c)
	w.watch.check(t, r, err)
}
