package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/store"
)

var chargeback = connector.Result{Outcome: connector.OutcomeChargeback, Reason: "The payer does not know of it."}

// about returns a notice about the payment, or about its job with that reference.
func (v *Visit) about(reference string, r connector.Result) connector.Notice {
	return connector.Notice{PaymentID: v.paymentID(), SessionID: store.PublicID(v.Session), Reference: reference,
		Result: r}
}

// approvedAfterDeclined checks how often the metric was written that alarms an operator.
func (w *World) approvedAfterDeclined(want int) {
	w.t.Helper()
	if got := strings.Count(w.log.String(), `"approved_after_declined":1`); got != want {
		w.t.Errorf("%d times approved_after_declined, want %d", got, want)
	}
}

// A chargeback of a payment that is not known to be settled gets an error, so that the provider sends it again. The
// payment's outcome is looked up at once.
func TestDisputedBeforeItIsSettled(t *testing.T) {
	w := open(t)
	w.goesLive(&provider{charge: noResponse, lookUp: onFollowUp(approved)})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.stands("prepare")
	p := w.Stored(t)[0]
	notice := connector.Notice{PaymentID: p.ID, SessionID: store.PublicID(p.SessionID), Result: chargeback}
	if got := inWords(w.post(w.noticePath(realBank, 0), notice)); got != "409 100000 The payment is not settled yet." {
		t.Errorf("the notice: %s", got)
	}
	payer.stands("prepare")
	w.work()
	payer.is("settled")
	for range 2 {
		w.reported(realBank, notice)
	}
	w.work()
	payer.is("chargeback")
	w.shop.told("sale undefined prepare", "sale success settled", "chargeback success chargeback")
}

// A chargeback of a chain's initial transaction ends its schedule and the payer's consent.
func TestChargebackEndsSchedule(t *testing.T) {
	w := open(t, daily(nil))
	w.goesLive(&provider{})
	payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"),
		with("recurring_consent_required", true))
	pay := payer.attempt("01/38")
	pay.Fields["recurring_consent"] = "true"
	payer.send(pay)
	w.work()
	w.reported(realBank, payer.about("", chargeback))
	w.work()
	w.pass(49 * time.Hour)
	w.shop.told("sale success settled", "chargeback success chargeback")
	f := w.shop.last("chargeback").Fields
	if f.Get("consent_state") != "cancelled" || f.Get("reason") != "The payer does not know of it." {
		t.Errorf("the shop was told %v", f)
	}
}
