package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/store"
)

var (
	chargeback = connector.Result{Outcome: connector.OutcomeChargeback, Reason: "The payer does not know of it."}
	reversal   = connector.Result{Outcome: connector.OutcomeReversal}
)

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

// A notice and the response to the charge contradict each other: the first one counts.
func TestNoticeContradictsTheResponse(t *testing.T) {
	for _, test := range []struct {
		notice, response connector.Result
		status, told     string
		alarms           int
	}{
		{declined, approved, "decline (Declined by processing.)", "sale fail decline", 1},
		{approved, declined, "settled", "sale success settled", 0},
		{declined, redirected, "decline (Declined by processing.)", "sale fail decline", 0},
	} {
		w := open(t)
		bank := &provider{}
		bank.charge = func(c connector.Charge) (connector.Result, error) {
			w.reported(realBank, connector.Notice{PaymentID: c.PaymentID, SessionID: c.SessionID, Result: test.notice})
			return test.response, nil
		}
		w.goesLive(bank)
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.pass(10 * time.Minute)
		payer.is(test.status)
		w.shop.told(test.told)
		w.approvedAfterDeclined(test.alarms)
		if len(bank.charges) != 1 {
			t.Errorf("charged %d times", len(bank.charges))
		}
		w.sealedAre(0)
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

// A refund or void that was sent before the chargeback ends after it: the shop is told of both, and the payment stays
// charged back.
func TestChargebackBeforeTheEndOfAFollowUp(t *testing.T) {
	for _, test := range []struct {
		does string
		end  connector.Result
		told string
	}{
		{"refund 4.00", approved, "refund success chargeback"},
		{"void", declined, "void fail chargeback"},
	} {
		t.Run(test.does+" "+test.told, func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{followUp: onFollowUp(undecided), lookUp: onFollowUp(test.end)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.shop.does(test.does, payer.paymentID())
			w.work()
			w.reported(realBank, payer.about("", chargeback))
			w.work()
			payer.is("chargeback")
			w.pass(10 * time.Minute)
			payer.is("chargeback")
			kind, _, _ := strings.Cut(test.does, " ")
			w.shop.told("sale success settled", kind+" waiting settled", "chargeback success chargeback", test.told)
			for _, more := range []string{"refund 1.00", "void", "capture"} {
				if got := w.shop.does(more, payer.paymentID()); !strings.HasPrefix(got, "400 ") {
					t.Errorf("%s after a chargeback: %s", more, got)
				}
			}
		})
	}
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
