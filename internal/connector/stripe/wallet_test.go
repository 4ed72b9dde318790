package stripe_test

import (
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/method"
	"checkout/internal/reason"
)

// paidWith is a charge with a wallet.
func (r running) paidWith(t *testing.T, reference string, w *connector.Wallet) connector.Charge {
	c := r.charge(t, reference)
	c.Method, c.Card, c.Wallet = method.GooglePay, card.Card{}, w
	return c
}

// TestWalletNeedsNoRawCards pays with a token where the account may not send card numbers.
func TestWalletNeedsNoRawCards(t *testing.T) {
	r := start(t)
	delete(r.credentials, "raw_cards")
	c := r.paidWith(t, "token", walletOf("tok_1MadeByTheWalletForAPayment"))
	if result := r.send(t, c); result.Outcome != connector.OutcomeApproved {
		t.Errorf("%+v", result)
	}
}

// TestWrongTokens sends nothing of what Stripe has not made.
func TestWrongTokens(t *testing.T) {
	for name, token := range map[string]string{
		"none": "", "of the wallet itself": conformance.WalletTokens[method.GooglePay], "a card's id": `{"id":"card_1"}`,
		"no JSON": "tok_visa", "with a path": `{"id":"tok_1/../x"}`, "another type": `{"id":1}`,
	} {
		r := start(t)
		result := r.send(t, r.paidWith(t, "wrong", &connector.Wallet{Kind: method.GooglePay, Token: token}))
		if result.Outcome != connector.OutcomeDeclined || result.ReasonCode != reason.TokenInvalid {
			t.Errorf("%s: %+v", name, result)
		}
		if n := len(r.Requests()); n > 0 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

// TestTokenOfATypedCard confirms nothing with a token that was not made of a wallet's, also when it is sent again.
func TestTokenOfATypedCard(t *testing.T) {
	r := start(t)
	c := r.paidWith(t, "typed", walletOf("tok_visa"))
	for range 2 {
		result := r.send(t, c)
		if result.Outcome != connector.OutcomeDeclined || result.ReasonCode != reason.TokenInvalid ||
			result.ProviderID == "" {
			t.Errorf("%+v", result)
		}
	}
	for _, request := range r.Requests() {
		if strings.HasSuffix(request.Path, "/confirm") {
			t.Errorf("sent %s", request.Path)
		}
	}
	if n := len(r.Operations()); n > 0 {
		t.Errorf("%d operations", n)
	}
}

// TestTokenIsUsedOnce pays with one token twice.
func TestTokenIsUsedOnce(t *testing.T) {
	r := start(t)
	w := walletOf("tok_1MadeByTheWalletForAPayment")
	if result := r.send(t, r.paidWith(t, "first", w)); result.Outcome != connector.OutcomeApproved {
		t.Fatalf("%+v", result)
	}
	result := r.send(t, r.paidWith(t, "second", w))
	if result.Outcome != connector.OutcomeDeclined || result.ReasonCode != reason.TokenUsed {
		t.Errorf("%+v", result)
	}
	unknown := r.send(t, r.paidWith(t, "third", walletOf("tok_x")))
	if unknown.Outcome != connector.OutcomeDeclined || unknown.ReasonCode != reason.NotPossible {
		t.Errorf("of a token that Stripe does not know: %+v", unknown)
	}
}

// TestLaterPaymentWithoutACard is declined, if Stripe has no card of the first payment.
func TestLaterPaymentWithoutACard(t *testing.T) {
	r := start(t)
	alone := r.paidWith(t, "alone", walletOf("tok_1MadeByTheWalletForAPayment"))
	for reference, initial := range map[string]string{"a": r.send(t, alone).ProviderID, "b": "another provider's"} {
		later := r.paidWith(t, reference, &connector.Wallet{Kind: method.GooglePay})
		later.Recurring, later.InitialTransaction, later.ReturnURL = true, initial, ""
		if result := r.send(t, later); result.Outcome != connector.OutcomeDeclined {
			t.Errorf("after %s: %+v", initial, result)
		}
	}
}
