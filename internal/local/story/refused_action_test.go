package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/operator/query"
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

// A provider that can't end the charge is asked what becomes of it, and the operator sees why that is unknown. When it
// names an action that is good, the payer goes on.
func TestWrongActionThatCannotBeEnded(t *testing.T) {
	bank := &provider{charge: onCharge(toAnApp), lookUp: onFollowUp(toAnApp), cancel: onFollowUp(toAnApp)}
	for name, connector := range map[string]connector.Connector{
		"no cancel": noCancels{bank, bank, bank}, "cancel fails": bank,
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.goesLive(connector)
			bank.lookUp, bank.cancel, bank.charges = onFollowUp(toAnApp), onFollowUp(toAnApp), nil
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(time.Minute)
			payer.is("prepare")
			payer.sees("wait: checking_outcome")
			w.shop.told("sale undefined prepare")
			history, err := query.PaymentHistory(t.Context(), w.app.Store, w.clock.Now(), payer.paymentID())
			want := "the required action can't be shown: url is no https or http address of a website's page"
			if err != nil || !strings.Contains(history.String(), want) {
				t.Errorf("%v\n%s", err, history)
			}
			bank.lookUp, bank.cancel = onFollowUp(redirected), onFollowUp(redirected)
			w.pass(10 * time.Minute)
			payer.sees("go https://bank.example")
			if jobs := payer.payment().Jobs; len(jobs) != 1 || jobs[0].End || jobs[0].Fault != "" {
				t.Errorf("the charge is still to be ended: %+v", jobs)
			}
			bank.lookUp, bank.cancel = onFollowUp(approved), onFollowUp(approved)
			w.pass(2 * time.Hour)
			payer.is("settled")
			if len(bank.charges) != 1 {
				t.Errorf("charged %d times", len(bank.charges))
			}
		})
	}
}
