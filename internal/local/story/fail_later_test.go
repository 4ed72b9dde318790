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

// A refund fails after its success, however the provider calls that: the shop is told, and can refund the amount again,
// not more. Repeats change nothing.
func TestRefundFailsLater(t *testing.T) {
	for name, late := range map[string]connector.Result{
		"declined": accountClosed, "reversal": reversal, "chargeback": chargeback,
	} {
		for amount, refunded := range map[string]string{"3.00": "settled", "": "refund"} {
			t.Run(name+" "+amount, func(t *testing.T) {
				w := open(t, operations)
				bank := &provider{}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1")
				payer.pays("01/38")
				id := payer.paymentID()
				w.shop.refunds(id, amount)
				w.work()
				payer.is(refunded)
				w.pass(time.Hour)
				notice := payer.latest(late)
				for range 3 {
					w.reported(realBank, notice)
					w.work()
				}
				payer.is("settled")
				w.declinedAfterApproved(1)
				told := []string{"sale success settled", "refund success " + refunded, "refund fail settled"}
				w.shop.told(told...)
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
			})
		}
	}
}

// Callback, status and history say that a refund has failed after its success, when and why.
func TestRefundThatFailedLaterIsShown(t *testing.T) {
	for _, test := range []struct {
		late   connector.Result
		reason string
	}{
		{accountClosed, "It succeeded first and failed later. The account is closed."},
		{declined, "It succeeded first and failed later."},
	} {
		w := open(t, operations)
		w.goesLive(&provider{})
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.shop.refunds(payer.paymentID(), "3.00")
		w.work()
		w.skip(time.Hour)
		w.reported(realBank, payer.latest(test.late))
		w.work()
		f := w.shop.last("refund").Fields
		if f.Get("transaction_amount") != "3.00" || f.Get("order_status") != "settled" ||
			f.Get("reason") != test.reason || f.Get("reason_code") != "failed_later" || f.Get("order_amount") != "10.00" {
			t.Errorf("the shop was told %v", f)
		}
		_, status := w.shop.status("payment_id", payer.paymentID())
		want := "map[amount:3.00 date:2030-03-04 11:00:00 reason:" + test.reason +
			" reason_code:failed_later status:fail type:refund]"
		if list := status["transactions"].([]any); len(list) != 2 || fmt.Sprint(list[1]) != want {
			t.Errorf("transactions %v, want %s", list, want)
		}
		if status["status"] != "settled" || status["date"] != "2030-03-04 11:00:00" || status["reason"] != nil {
			t.Errorf("status %v", status)
		}
		history := payer.history(payer.paymentID())
		for _, line := range []string{
			"2030-03-04 10:00:00.000  outcome   mid-1 approved the refund of 3.00 USD.",
			"2030-03-04 11:00:00.000  outcome   It counts no longer: mid-1 declined the refund of 3.00 USD.",
			"reason code failed_later, reason " + test.reason,
		} {
			if !strings.Contains(history, line) {
				t.Errorf("no %q in the history:\n%s", line, history)
			}
		}
	}
}

// The first success that comes after the failure alarms an operator, because the shop may have refunded again.
func TestSuccessAfterARefundHasFailedLater(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.refunds(payer.paymentID(), "")
	w.work()
	w.reported(realBank, payer.latest(declined))
	w.reported(realBank, payer.latest(approved))
	w.work()
	payer.is("settled")
	w.shop.told("sale success settled", "refund success refund", "refund fail settled")
	w.declinedAfterApproved(1)
	w.approvedAfterDeclined(1)
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

// A refund that a person has settled as approved stays, whatever the provider says: the person may have paid by hand.
func TestRefundOfAPersonStays(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{
		followUp: func(connector.ProviderRequest) (connector.Result, error) { return noResponse(connector.Charge{}) },
		lookUp:   func(connector.ProviderRequest) (connector.Result, error) { return noResponse(connector.Charge{}) },
	})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.refunds(payer.paymentID(), "")
	w.waitsForPerson()
	w.settles(payer.paymentID(), true)
	w.pass(2 * time.Minute)
	w.reported(realBank, payer.latest(declined))
	w.work()
	payer.is("refund")
	w.shop.told("sale success settled", "refund undefined settled", "refund success refund")
	w.declinedAfterApproved(1)
}

// A void that fails after its success leaves the payment as it was, and it can be voided again.
func TestVoidFailsLater(t *testing.T) {
	for _, auth := range []bool{true, false} {
		t.Run(fmt.Sprint(auth), func(t *testing.T) {
			before := map[bool]string{true: "pending", false: "settled"}[auth]
			w := open(t, operations)
			w.goesLive(&provider{})
			payer := w.shop.visits("pen-1", with("auth", auth))
			payer.pays("01/38")
			id := payer.paymentID()
			w.shop.voids(id)
			payer.is("void")
			notice := payer.latest(declined)
			for range 2 {
				w.reported(realBank, notice)
			}
			w.work()
			payer.is(before)
			told := []string{"sale success " + before, "void success void", "void fail " + before}
			w.shop.told(told...)
			w.declinedAfterApproved(1)
			w.CheckOrders()
			if got := w.shop.voids(id); got != "200 SUCCESS void" {
				t.Errorf("void again: %s", got)
			}
			w.work()
			w.shop.told(append(told, "void success void")...)
			w.shopKnowsAll(t)
		})
	}
}

// A capture or payout that fails after its success is a reversal of the payment.
func TestCaptureOrPayoutFailsLater(t *testing.T) {
	for _, late := range []connector.Result{accountClosed, reversal} {
		for _, operation := range []string{"capture", "credit"} {
			t.Run(fmt.Sprint(operation, " ", late.Outcome), func(t *testing.T) {
				w := open(t, operations)
				w.goesLive(&provider{})
				var payer *Visit
				if operation == "capture" {
					payer = w.shop.visits("pen-1", with("auth", true))
					payer.pays("01/38")
					w.shop.captures(payer.paymentID(), "4.00")
				} else {
					payer = w.shop.visits("pen-1", with("operation", "credit"), with("payee", map[string]any{"name": "Jane Doe"}))
					payer.pays("01/38")
				}
				payer.is("settled")
				told := len(w.shop.Taken())
				notice := payer.latest(late)
				for range 2 {
					w.reported(realBank, notice)
					w.work()
				}
				payer.is("reversal")
				last := w.shop.last("reversal").Fields
				if last.Get("status") != "success" || last.Get("order_status") != "reversal" || len(w.shop.Taken()) != told+1 {
					t.Errorf("the shop was told %d times, at last %v", len(w.shop.Taken())-told, last)
				}
				if operation == "capture" || late.Outcome == connector.OutcomeDeclined {
					if last.Get("reason_code") != "failed_later" {
						t.Errorf("the shop was told %v", last)
					}
					w.declinedAfterApproved(1)
				}
				for _, more := range []string{"refund", "void", "capture"} {
					if got := w.shop.does(more, payer.paymentID()); !strings.HasPrefix(got, "400 ") {
						t.Errorf("%s afterwards: %s", more, got)
					}
				}
				w.CheckOrders()
			})
		}
	}
}

// A chargeback of what was refunded already counts if the refund fails later: the merchant must not refund again.
func TestChargebackBeforeARefundFails(t *testing.T) {
	for _, does := range []string{"refund", "void"} {
		w := open(t, operations)
		w.goesLive(&provider{})
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.shop.does(does, payer.paymentID())
		w.work()
		late := payer.latest(declined)
		for range 2 {
			w.reported(realBank, payer.about("", chargeback))
		}
		payer.is(does)
		for range 2 {
			w.reported(realBank, late)
		}
		w.work()
		payer.is("chargeback")
		named := chargeback
		named.OperationID = "dp_1" // of the same dispute
		for range 2 {
			w.reported(realBank, payer.about("", named))
		}
		w.work()
		w.shop.told("sale success settled", does+" success "+does, does+" fail settled", "chargeback success chargeback")
		if got := w.shop.does("refund", payer.paymentID()); got != "400 208005 Refund is not allowed." {
			t.Errorf("refund again: %s", got)
		}
		w.CheckOrders()
		w.shopKnowsAll(t)
	}
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
