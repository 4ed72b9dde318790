package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

var (
	chargeback = connector.Result{Outcome: connector.OutcomeChargeback, Reason: "The payer does not know of it."}
	reversal   = connector.Result{Outcome: connector.OutcomeReversal}
)

// about returns a notice about the payment, or about its job with that reference.
func (v *Visit) about(reference string, r connector.Result) connector.Notice {
	return connector.Notice{PaymentID: v.paymentID(), SessionID: store.PublicID(v.session), Reference: reference,
		Result: r}
}

// approvedAfterDeclined checks how often the metric was written that alarms an operator.
func (w *World) approvedAfterDeclined(want int) {
	w.t.Helper()
	if got := strings.Count(w.log.String(), `"approved_after_declined":1`); got != want {
		w.t.Errorf("%d times approved_after_declined, want %d", got, want)
	}
}

// The first outcome of a charge counts. An approval after a decline changes nothing by itself and alarms an operator;
// the payer can pay with another attempt once a person has closed the case.
func TestChargeApprovedAfterDeclined(t *testing.T) {
	for name, reference := range map[string]func(id string) string{
		"by its reference":    func(id string) string { return id },
		"without a reference": func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			bank := &provider{charge: onCharge(declined)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			late := payer.about(reference(payer.paymentID()), approved)
			for n := range 2 {
				w.reported(realBank, late)
				w.approvedAfterDeclined(n + 1)
			}
			w.work()
			payer.is("decline (Declined by processing.)")
			payer.sees("wait: checking_first")
			w.shop.told("sale fail decline")
			w.decides(payer.paymentID(), payment.VerdictClose)
			payer.sees("form: declined (declined)")
			bank.charge = nil
			payer.pays("01/38")
			w.reported(realBank, late) // once more, after another attempt was paid
			w.work()
			payer.is("settled")
			w.shop.told("sale fail decline", "sale success settled")
			w.approvedAfterDeclined(2)
		})
	}
}

// A notice and the response to the charge contradict each other: the first one counts.
func TestNoticeContradictsTheResponse(t *testing.T) {
	for _, test := range []struct {
		name             string
		notice, response connector.Result
		status, told     string
		alarms           int
	}{
		{"declined, then approved", declined, approved, "decline (Declined by processing.)", "sale fail decline", 1},
		{"approved, then declined", approved, declined, "settled", "sale success settled", 0},
		{"declined, then 3-D Secure", declined, redirected, "decline (Declined by processing.)", "sale fail decline", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t)
			bank := &provider{}
			bank.charge = func(c connector.Charge) (connector.Result, error) {
				w.reported(realBank, connector.Notice{
					PaymentID: c.PaymentID, SessionID: c.SessionID, Result: test.notice,
				})
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
		})
	}
}

// An approval of a capture, void or refund that was declined changes nothing and alarms an operator.
func TestFollowUpApprovedAfterDeclined(t *testing.T) {
	for _, job := range waitingJobs[1:] {
		t.Run(job.name, func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{followUp: onFollowUp(declined)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1", with("auth", job.auth))
			payer.pays("01/38")
			w.shop.does(job.does, payer.paymentID())
			w.work()
			w.approvedAfterDeclined(0)
			w.reported(realBank, payer.about(bank.followUps[0].Reference, approved))
			w.work()
			payer.is(job.before)
			w.shop.told(append(job.events, job.failed)...)
			w.approvedAfterDeclined(1)
		})
	}
}

// A chargeback or reversal of a payment that is not known to be settled gets an error, so that the provider sends it
// again. The payment's outcome is looked up at once.
func TestDisputedBeforeItIsSettled(t *testing.T) {
	for name, back := range map[string]connector.Result{"chargeback": chargeback, "reversal": reversal} {
		for _, test := range []struct {
			name, auth string
			charge     func(connector.Charge) (connector.Result, error)
			before     string
			told       []string
		}{
			{"no response", "no", noResponse, "prepare", []string{"sale undefined prepare"}},
			{"undecided", "no", onCharge(undecided), "prepare", []string{"sale waiting prepare"}},
			{"3-D Secure", "no", onCharge(redirected), "3ds", []string{"3ds success 3ds"}},
		} {
			t.Run(name+" "+test.name, func(t *testing.T) {
				w := open(t)
				bank := &provider{charge: test.charge, lookUp: onFollowUp(approved)}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1")
				payer.pays("01/38")
				payer.stands(test.before)
				p := w.Stored(t)[0]
				notice := connector.Notice{PaymentID: p.ID, SessionID: store.PublicID(p.SessionID), Result: back}
				got := inWords(w.post(w.noticePath(realBank, 0), notice))
				if got != "409 100000 The payment is not settled yet." {
					t.Errorf("the notice: %s", got)
				}
				payer.stands(test.before)
				w.work()
				payer.is("settled")
				w.reported(realBank, notice)
				w.reported(realBank, notice) // a repeat
				w.work()
				payer.is(name)
				w.shop.told(append(test.told, "sale success settled", name+" success "+name)...)
			})
		}
	}
}

// A payment that is only authorised can't be disputed: the notice gets an error. One that is over doesn't change.
func TestDisputeOfAPaymentThatIsNotSettled(t *testing.T) {
	for _, test := range []struct {
		name, auth, does, status string
		charge                   connector.Result
		code                     int
	}{
		{"authorised", "yes", "", "pending", approved, 409},
		{"declined", "no", "", "decline (Declined by processing.)", declined, 200},
		{"voided", "no", "void", "void", approved, 200},
		{"refunded", "no", "refund", "refund", approved, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, operations)
			w.goesLive(&provider{charge: onCharge(test.charge)})
			payer := w.shop.visits("pen-1", with("auth", test.auth))
			payer.pays("01/38")
			if test.does != "" {
				w.shop.does(test.does, payer.paymentID())
				w.work()
			}
			before := len(w.shop.Taken())
			if code := w.reports(realBank, payer.about("", chargeback)); code != test.code {
				t.Errorf("the notice returned %d", code)
			}
			w.work()
			payer.is(test.status)
			if got := len(w.shop.Taken()); got != before {
				t.Errorf("the shop was told %d times", got)
			}
		})
	}
}

// A chargeback during a capture gets an error until the capture is known to have succeeded. It counts with that, and
// its repeat is no news.
func TestChargebackDuringACapture(t *testing.T) {
	for _, when := range []string{"before the response", "after no response"} {
		t.Run(when, func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{lookUp: onFollowUp(approved)}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1", with("auth", true))
			payer.pays("01/38")
			tooEarly := func() {
				if code := w.reports(realBank, payer.about("", chargeback)); code != 409 {
					t.Errorf("the chargeback returned %d", code)
				}
			}
			told, want := []string{"sale success pending"}, "200 SUCCESS settled"
			bank.followUp = func(connector.ProviderRequest) (connector.Result, error) {
				if when == "before the response" {
					tooEarly()
					return approved, nil
				}
				return undecided, nil
			}
			if when == "after no response" {
				told, want = append(told, "capture waiting pending"), "200 WAITING pending"
			}
			if got := w.shop.captures(payer.paymentID(), "4.00"); got != want {
				t.Errorf("capture: %s", got)
			}
			if when == "after no response" {
				tooEarly()
				w.work() // it looks up the capture
			}
			payer.is("chargeback")
			w.reported(realBank, payer.about("", chargeback))
			w.work()
			payer.is("chargeback")
			w.shop.told(append(told, "capture success settled", "chargeback success chargeback")...)
			if len(bank.followUps) != 1 {
				t.Errorf("captured %d times", len(bank.followUps))
			}
			p := payer.payment()
			back := p.Transactions[len(p.Transactions)-1]
			if p.Captured.String() != "4.00" || back.Amount.String() != "4.00" {
				t.Errorf("captured %s, disputed %s", p.Captured, back.Amount)
			}
		})
	}
}

// A refund or void that was sent before the chargeback ends after it: the shop is told of both, and the payment stays
// charged back.
func TestChargebackBeforeTheEndOfAFollowUp(t *testing.T) {
	for _, test := range []struct {
		does string
		end  connector.Result
		told string
	}{
		{"refund", approved, "refund success chargeback"},
		{"refund 4.00", approved, "refund success chargeback"},
		{"refund 4.00", declined, "refund fail chargeback"},
		{"void", approved, "void success chargeback"},
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

// A refund that was not sent before a chargeback is not sent any more.
func TestRefundAfterChargeback(t *testing.T) {
	w := open(t, operations)
	bank := &provider{sandbox: w.bank, followUp: onFollowUp(approved)}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.queue.lose = loseJobs
	if got := w.shop.refunds(payer.paymentID(), ""); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.queue.lose = nil
	payer.pressesAt(payer.bankPage(), "chargeback")
	w.pass(5 * time.Minute)
	if len(bank.followUps) != 0 {
		t.Error("10.00 charged back and 10.00 refunded of a payment of 10.00")
	}
	w.shop.told("sale success settled", "chargeback success chargeback", "refund fail chargeback")
}

// A chargeback during a refund is not lost.
func TestChargebackDuringARefund(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{followUp: onFollowUp(connector.Result{})}) // pending
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	if got := w.shop.refunds(id, "1.00"); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.work()
	w.reported(realBank, connector.Notice{PaymentID: id, Result: connector.Result{Outcome: connector.OutcomeChargeback}})
	w.work()
	w.shop.told("sale success settled", "refund waiting settled", "chargeback success chargeback")
}
