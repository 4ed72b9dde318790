package story

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

// accountClosed is how a provider reports that money came back.
var accountClosed = connector.Result{
	Outcome: connector.OutcomeDeclined, ReasonCode: reason.AccountClosed, Code: "R02",
}

// declinedAfterApproved checks how often the metric was written that alarms an operator.
func (w *World) declinedAfterApproved(want int) {
	w.t.Helper()
	if got := strings.Count(w.log.String(), `"declined_after_approved":1`); got != want {
		w.t.Errorf("%d times declined_after_approved, want %d", got, want)
	}
}

// latest returns a notice about the payment's latest request.
func (v *Visit) latest(r connector.Result) connector.Notice {
	transactions := v.payment().Transactions
	return v.about(transactions[len(transactions)-1].Reference, r)
}

// A refund fails after its success: the shop is told why and when, and can refund the amount again, not more. Repeats
// change nothing.
func TestRefundFailsLater(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.shop.refunds(id, "")
	w.work()
	payer.is("refund")
	w.pass(time.Hour)
	notice := payer.latest(accountClosed)
	for range 3 {
		w.reported(realBank, notice)
		w.work()
	}
	payer.is("settled")
	w.declinedAfterApproved(1)
	told := []string{"sale success settled", "refund success refund", "refund fail settled"}
	w.shop.told(told...)
	const why = "It succeeded first and failed later. The account is closed."
	f := w.shop.last("refund").Fields
	if f.Get("transaction_amount") != "10.00" || f.Get("reason") != why || f.Get("reason_code") != "failed_later" {
		t.Errorf("the shop was told %v", f)
	}
	_, status := w.shop.status("payment_id", id)
	want := "map[amount:10.00 date:2030-03-04 11:00:00 reason:" + why +
		" reason_code:failed_later status:fail type:refund]"
	if list := status["transactions"].([]any); len(list) != 2 || fmt.Sprint(list[1]) != want {
		t.Errorf("transactions %v, want %s", list, want)
	}
	history := payer.history(id)
	for _, line := range []string{
		"2030-03-04 10:00:00.000  outcome   mid-1 approved the refund of 10.00 USD.",
		"2030-03-04 11:00:00.000  outcome   It counts no longer: mid-1 declined the refund of 10.00 USD.",
		"reason code failed_later, reason " + why,
	} {
		if !strings.Contains(history, line) {
			t.Errorf("no %q in the history:\n%s", line, history)
		}
	}
	if got := w.shop.refunds(id, "10.01"); got != "400 208006 amount: This value should be 10.00 or less." {
		t.Errorf("refund of more: %s", got)
	}
	if got := w.shop.refunds(id, ""); got != "200 accepted" {
		t.Errorf("refund again: %s", got)
	}
	w.work()
	payer.is("refund")
	w.reported(realBank, notice) // once more, after another refund
	w.work()
	payer.is("refund")
	w.shop.told(append(told, "refund success refund")...)
	if got := w.shop.refunds(id, "0.01"); got != "400 208005 Refund is not allowed." {
		t.Errorf("a third refund: %s", got)
	}
	w.declinedAfterApproved(1)
	w.approvedAfterDeclined(0)
	w.CheckOrders()
	w.shopKnowsAll(t)
	if len(bank.followUps) != 2 || bank.followUps[0].Reference == bank.followUps[1].Reference {
		t.Errorf("the provider got %+v", bank.followUps)
	}
}

// Nothing but an authentic notice about that very refund makes it fail.
func TestRefundStays(t *testing.T) {
	for name, happens := range map[string]func(w *World, payer *Visit, bank *provider){
		"forged": func(w *World, payer *Visit, bank *provider) {
			bank.notice = func(connector.Notification) (connector.Notice, error) {
				return connector.Notice{}, connector.ErrNotAuthentic
			}
			if code := w.reports(realBank, payer.latest(declined)); code != 401 {
				w.t.Errorf("the notice returned %d", code)
			}
		},
		"about the charge": func(w *World, payer *Visit, _ *provider) {
			w.reported(realBank, payer.about("", declined))
			w.reported(realBank, payer.about(payer.paymentID(), declined))
		},
		"about another refund": func(w *World, payer *Visit, _ *provider) {
			if code := w.reports(realBank, payer.about("a-reference-of-nobody", declined)); code != http.StatusNotFound {
				w.t.Errorf("the notice returned %d", code)
			}
		},
		"undecided": func(w *World, payer *Visit, _ *provider) { w.reported(realBank, payer.latest(undecided)) },
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, operations)
			bank := &provider{}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.shop.refunds(payer.paymentID(), "")
			w.work()
			happens(w, payer, bank)
			w.work()
			payer.is("refund")
			w.shop.told("sale success settled", "refund success refund")
			w.declinedAfterApproved(0)
		})
	}
}

// A response that contradicts a notice that came before it changes nothing, since nobody knows which is older.
func TestResponseContradictsTheNoticeOfARefund(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	bank.followUp = func(r connector.ProviderRequest) (connector.Result, error) {
		w.reported(realBank, payer.about(r.Reference, approved))
		return declined, nil
	}
	w.shop.refunds(payer.paymentID(), "")
	w.work()
	payer.is("refund")
	w.shop.told("sale success settled", "refund success refund")
	w.declinedAfterApproved(1)
}

// A void that fails after its success leaves the payment as it was, and it can be voided again.
func TestVoidFailsLater(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{})
	payer := w.shop.visits("pen-1", with("auth", true))
	payer.pays("01/38")
	id := payer.paymentID()
	w.shop.voids(id)
	payer.is("void")
	notice := payer.latest(declined)
	for range 2 {
		w.reported(realBank, notice)
	}
	w.work()
	payer.is("pending")
	told := []string{"sale success pending", "void success void", "void fail pending"}
	w.shop.told(told...)
	w.declinedAfterApproved(1)
	w.CheckOrders()
	if got := w.shop.voids(id); got != "200 SUCCESS void" {
		t.Errorf("void again: %s", got)
	}
	w.work()
	w.shop.told(append(told, "void success void")...)
	w.shopKnowsAll(t)
}

// A capture or payout that fails after its success is a reversal of the payment.
func TestCaptureOrPayoutFailsLater(t *testing.T) {
	for operation, late := range map[string]connector.Result{"capture": reversal, "credit": accountClosed} {
		t.Run(operation, func(t *testing.T) {
			w := open(t, operations)
			w.goesLive(&provider{})
			changes := []func(map[string]any){with("auth", true)}
			if operation == "credit" {
				changes = []func(map[string]any){with("operation", "credit"), with("payee", map[string]any{"name": "Jane Doe"})}
			}
			payer := w.shop.visits("pen-1", changes...)
			payer.pays("01/38")
			if operation == "capture" {
				w.shop.captures(payer.paymentID(), "4.00")
			}
			payer.is("settled")
			told := len(w.shop.Taken())
			notice := payer.latest(late)
			for range 2 {
				w.reported(realBank, notice)
				w.work()
			}
			payer.is("reversal")
			last := w.shop.last("reversal")
			if last.Event() != "reversal success reversal" || last.Fields.Get("reason_code") != "failed_later" ||
				len(w.shop.Taken()) != told+1 {
				t.Errorf("the shop was told %d times, at last %v", len(w.shop.Taken())-told, last.Fields)
			}
			w.declinedAfterApproved(1)
			for _, more := range []string{"refund", "void", "capture"} {
				if got := w.shop.does(more, payer.paymentID()); !strings.HasPrefix(got, "400 ") {
					t.Errorf("%s afterwards: %s", more, got)
				}
			}
			w.CheckOrders()
		})
	}
}

// A chargeback of what was refunded already counts if the refund fails later: the merchant must not refund again.
func TestChargebackBeforeARefundFails(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.refunds(payer.paymentID(), "")
	w.work()
	late := payer.latest(declined)
	named := chargeback
	named.OperationID = "dp_1" // of the same dispute
	for _, step := range []struct {
		notice connector.Notice
		status string
	}{
		{payer.about("", chargeback), "refund"}, {late, "chargeback"}, {payer.about("", named), "chargeback"},
	} {
		for range 2 {
			w.reported(realBank, step.notice)
		}
		w.work()
		payer.is(step.status)
	}
	w.shop.told("sale success settled", "refund success refund", "refund fail settled", "chargeback success chargeback")
	if got := w.shop.refunds(payer.paymentID(), ""); got != "400 208005 Refund is not allowed." {
		t.Errorf("refund again: %s", got)
	}
	w.CheckOrders()
	w.shopKnowsAll(t)
}

// Refunds at simulated providers fail an hour after their success. The shop refunds again.
func TestRefundsFailLaterAtSimulatedProviders(t *testing.T) {
	for name, opens := range map[string]func(*testing.T) (*simulated, *Visit){
		"stripe": func(t *testing.T) (*simulated, *Visit) {
			s := opensStripe(t)
			payer := s.shop.visits("pen-1")
			payer.pays("03/31")
			return s, payer
		},
		"brandcard": func(t *testing.T) (*simulated, *Visit) {
			s := openSimulated(t, "brandcard", nil)
			return s, family{name: "brandcard", method: "card_brand_a"}.pays(t, s)
		},
		"adapter": func(t *testing.T) (*simulated, *Visit) {
			s := openSimulated(t, "adapter", nil)
			payer := s.shop.visits("pen-1")
			payer.pays("03/31")
			return s, payer
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, payer := opens(t)
			payer.is("settled")
			id := payer.paymentID()
			amount := payer.payment().Amount.String()
			s.shop.refunds(id, "")
			s.work()
			s.notifies()
			payer.is("refund")
			s.acts(simulator.Fail)
			payer.is("settled")
			s.shop.refunds(id, "")
			s.work()
			payer.is("refund")
			s.shop.told("sale success settled", "refund success refund", "refund fail settled", "refund success refund")
			if totals, _ := s.Totals(name, payer.payment().ChargeReference); totals.Refunded.String() != amount {
				t.Errorf("the provider has refunded %s of %s", totals.Refunded, amount)
			}
			s.declinedAfterApproved(1)
		})
	}
}
