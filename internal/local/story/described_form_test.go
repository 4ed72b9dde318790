package story

import (
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// aCode is a described field that the payer may leave empty.
var aCode = connector.FormField{ID: "sms", Kind: method.FieldCode, Label: map[string]string{"en": "Code"}}

// asksFor is a provider's result with a second form, and a value to be shown.
func asksFor(field connector.FormField) connector.Result {
	return connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "note", Value: "a"}}, Fields: []connector.FormField{field},
	}}
}

// A PIN is masked wherever the provider repeats it, and the operator sees none.
func TestEnteredSecretsAreMasked(t *testing.T) {
	w := open(t)
	pin := connector.FormField{ID: "pin", Kind: method.FieldPassword, Label: map[string]string{"en": "PIN"}}
	bank := &provider{
		charge:  onCharge(asksFor(pin)),
		proceed: onCharge(connector.Result{Outcome: connector.OutcomeDeclined, Reason: "PIN 971305 is wrong."}),
	}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1")
	payer.send(payer.Fill(payer.cardForm(), card.Card{
		Number: TestCard, ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: securityCode,
	}))
	w.work()
	payer.submits("1", map[string]string{"asked.pin": "971305"})
	w.work()
	if got := string(bank.continued[0].Parameters); got != `{"pin":"971305"}` {
		t.Errorf("the provider got %s", got)
	}
	payer.is("decline (PIN ****** is wrong.)")
	if text := payer.history(payer.paymentID()) + w.log.String(); strings.Contains(text, "971305") {
		t.Errorf("the PIN is in\n%s", text)
	}
}

// The number of a card that a payer types into a described field is refused in whatever spelling, and stored nowhere.
func TestCardTypedIntoADescribedField(t *testing.T) {
	w := open(t)
	account := connector.FormField{ID: "account", Kind: method.FieldText, Label: map[string]string{"en": "Account"}}
	bank := &provider{charge: onCharge(asksFor(account)), proceed: onCharge(approved)}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	for _, typed := range []string{TestCard, "4111 1111 1111 1111", "4111-1111-1111-1111", "NDExMTExMTExMTExMTExMQ=="} {
		if got := payer.submits("1", map[string]string{"asked.account": typed}); got != "400 asked.account" {
			t.Errorf("%s: %s", typed, got)
		}
	}
	if p := payer.payment(); len(p.Entered) > 0 || len(bank.continued) > 0 {
		t.Errorf("stored %+v, sent %d", p.Entered, len(bank.continued))
	}
	// An account number of Mexico, which a card of Discover might have, too.
	payer.submits("1", map[string]string{"asked.account": "646291417776317061"})
	w.work()
	payer.is("settled")
}
