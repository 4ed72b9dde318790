package story

import (
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// toAnApp requires an action that no payer can be given.
var toAnApp = connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
	Kind: connector.ActionRedirect, URL: "bank://pay/1",
}}

// counts compares how often the log says that a required action was refused, and why, with what a story expects.
func (w *World) counts(refused int) {
	w.t.Helper()
	n := 0
	for line := range strings.Lines(w.log.String()) {
		if !strings.Contains(line, `"msg":"required action refused"`) {
			continue
		}
		n++
		for _, part := range []string{`"member":"url"`, `"fault":"is no https or http address`, `"refused_actions":1`} {
			if !strings.Contains(line, part) {
				w.t.Errorf("the log does not say %s: %s", part, line)
			}
		}
	}
	if n != refused {
		w.t.Errorf("refused %d actions, want %d", n, refused)
	}
}

// A charge that waits for an action which no payer can be given is ended at the provider at once. The payer may pay in
// another way, and nobody is charged twice.
func TestWrongActionEndsTheCharge(t *testing.T) {
	w := open(t)
	bank := &provider{charge: onCharge(toAnApp), cancel: onFollowUp(connector.Result{
		Outcome: connector.OutcomeDeclined, ReasonCode: reason.PayerRefused, Reason: "The payer ended it.",
	})}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.sees("form: declined (try_again_later)")
	payer.is("decline (The payment provider has a problem.)")
	w.counts(1)
	if len(bank.charges) != 1 || len(bank.cancels) != 1 || bank.cancels[0].Reference != bank.charges[0].Reference {
		t.Errorf("%d charges, %d ended", len(bank.charges), len(bank.cancels))
	}
	bank.charge = nil
	payer.pays("01/38")
	payer.is("settled")
	w.shop.told("sale fail decline", "sale success settled")
}
