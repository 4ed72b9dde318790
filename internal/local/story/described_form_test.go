package story

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// asked are good values of the simulator's described form.
var asked = map[string]string{
	"asked.pin": "123456", "asked.account": "a-2", "asked.born": "1990-02-28", "asked.branch": "0012",
	"asked.share": "2.5", "asked.mail": "ada@shop.example", "asked.call": "+44 20 7183", "asked.sms": "x-9",
	"asked.note": "<b>", "asked.terms": "true",
}

// opensDescribedForm pays an amount for which the simulated adapter asks for described fields.
func opensDescribedForm(t *testing.T, id string) (*simulated, *Visit) {
	t.Helper()
	s := openSimulated(t, "adapter", nil)
	order := map[string]any{"number": "pen-1", "amount": "9.11", "currency": "USD", "description": "A pen"}
	payer := s.shop.visits("pen-1", with("methods", []string{id}), with("order", order))
	page := payer.screen()
	pay := form.Request{Attempt: uuid.NewString(), Method: id}
	if id == "card" {
		pay = payer.Fill(page, paymentCard(t, "01/38"))
	}
	payer.send(pay)
	s.work()
	return s, payer
}

// Fields that an adapter describes are drawn for every method in its order, with its labels in every language of the
// page, checked one by one, and sent to it.
func TestDescribedForm(t *testing.T) {
	for _, id := range []string{"card", "cash_mx"} {
		s, payer := opensDescribedForm(t, id)
		wait := payer.screen()
		var drawn []string
		for _, f := range wait.Fields {
			drawn = append(drawn, strings.TrimPrefix(f.ID, "asked.")+" "+string(f.Kind)+" "+f.LabelTexts["de"])
		}
		want := []string{
			"pin password Geheimzahl", "account select Konto", "born date Date of birth", "branch text Branch",
			"share number Share", "mail email Other e-mail", "call phone Other phone", "sms code Code of the text message",
			"note text Note <b>to</b> the bank", "terms checkbox I agree",
		}
		if words(wait) != "wait: more_needed" || !slices.Equal(drawn, want) {
			t.Fatalf("%s: %s with %q", id, words(wait), drawn)
		}
		pin, account := wait.Fields[0], wait.Fields[1]
		if pin.LabelTexts["zho"] != "PIN" || pin.Pattern != "" || pin.Max != 6 || !pin.Required ||
			account.Options[0].LabelTexts["de"] != "Sparkonto" || account.Options[1].LabelTexts != nil {
			t.Errorf("%s: drawn as %+v, %+v", id, pin, account)
		}
		if got := payer.submits("1", merged(asked, map[string]string{"asked.pin": "12345"})); got != "400 asked.pin" {
			t.Errorf("%s: a short PIN: %s", id, got)
		}
		if got := payer.submits("1", nil); got != "400 asked.pin asked.account asked.terms" {
			t.Errorf("%s: empty: %s", id, got)
		}
		payer.submits("1", merged(asked, map[string]string{"asked.pin": "654321"}))
		s.work()
		if again := payer.screen(); words(again) != "wait: code_wrong" || again.Step != "2" || len(again.Fields) != 10 {
			t.Fatalf("%s: after a wrong PIN %s %s", id, words(again), again.Step)
		}
		payer.submits("2", asked)
		s.work()
		payer.is("settled")
		requests := s.Requests()
		var sent sentCharge
		if err := json.Unmarshal([]byte(requests[len(requests)-1].Body), &sent); err != nil {
			t.Fatal(err)
		}
		for field, value := range merged(asked, map[string]string{"asked.call": "+44207183"}) {
			if got := sent.Parameters[strings.TrimPrefix(field, "asked.")]; got != value {
				t.Errorf("%s: the adapter got %q in %s", id, got, field)
			}
		}
		if p := payer.payment(); p.Entered != nil || strings.Contains(string(p.Parameters), "123456") {
			t.Errorf("%s: stored after the end: %v, %s", id, p.Entered, p.Parameters)
		}
	}
}

// aCode is a described field that the payer may leave empty.
var aCode = connector.FormField{ID: "sms", Kind: method.FieldCode, Label: map[string]string{"en": "Code"}}

// asksFor is a provider's result with a second form, and a value to be shown.
func asksFor(field connector.FormField) connector.Result {
	return connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "note", Value: "a"}}, Fields: []connector.FormField{field},
	}}
}

// merged are values with some replaced.
func merged(values, other map[string]string) map[string]string {
	all := map[string]string{}
	for _, one := range []map[string]string{values, other} {
		for name, value := range one {
			all[name] = value
		}
	}
	return all
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
