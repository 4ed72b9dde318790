package story

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
)

// dollars is an amount of cents.
func dollars(cents int) money.Amount {
	amount, _ := money.ParseMinor(strconv.Itoa(cents), USD())
	return amount
}

// movedLess is a provider that has moved 9.00 of the 10.00 that it was asked for.
func movedLess(r connector.ProviderRequest) (connector.Result, error) {
	moved, err := connector.Result{}, error(nil)
	if r.Amount.String() == "10.00" {
		err = connector.OtherAmountError{Moved: dollars(900), Requested: r.Amount}
	}
	return moved, err
}

// The connector function ends before or after any of its writes, and three run at once: a decision is executed once.
func TestDecisionIsExecutedOnce(t *testing.T) {
	for _, verdict := range []payment.Verdict{payment.VerdictGiveBack, payment.VerdictAccept, payment.VerdictClose} {
		for n := range 6 {
			w, bank, payer := approvedLater(t)
			id := payer.paymentID()
			if err := w.settle(id, verdict, ""); err != nil {
				t.Fatal(err)
			}
			run := func() {
				defer func() { _ = recover() }()
				_ = w.app.Runner.RunJob(context.Background(), payment.JobMessage{PaymentID: id})
			}
			faults := slices.Repeat([]string{"ok"}, n/2)
			w.store.next(append(faults, []string{"dies before", "dies after"}[n%2])...)
			run()
			w.store.next()
			w.atOnce(3, func(int) { run() })
			w.pass(10 * time.Minute)
			p := payer.payment()
			if want := verdict == payment.VerdictGiveBack; (len(bank.followUps) == 1) != want || len(p.Jobs) != 0 {
				t.Errorf("%s, fault %d: %d refunds, jobs %+v", verdict, n, len(bank.followUps), p.Jobs)
			}
			if verdict == payment.VerdictAccept {
				w.shop.told("sale fail decline", "sale success settled")
			}
			w.CheckOrders()
		}
	}
}

// tookLess is what operators read of another amount than was asked for.
const tookLess = "The provider says that it has taken 9.00 USD, and 10.00 USD was asked for. Ask the provider: the " +
	"request is settled with the amount that was taken, or as declined if that amount was returned."

// An operator sees why an outcome is unknown, and which amount has moved. Settling takes that amount.
func TestOtherAmountIsSeenAndSettled(t *testing.T) {
	w := open(t, operations)
	bank := &provider{lookUp: movedLess}
	bank.charge = func(c connector.Charge) (connector.Result, error) { return movedLess(c.ProviderRequest) }
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	if history := payer.history(id); !strings.Contains(history, tookLess) {
		t.Errorf("no amount in the history:\n%s", history)
	}
	for _, amount := range []string{"10.01", "0", "-1", "9.001", "x"} {
		if err := w.settle(id, payment.VerdictApproved, amount); fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("amount %q: %v", amount, err)
		}
	}
	if err := w.settle(id, payment.VerdictDeclined, "9.00"); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("declined with an amount: %v", err)
	}
	w.waitsForPerson()
	found, _, _ := w.app.Reader.WaitingForPerson(t.Context(), "", 1)
	if len(found) != 1 || found[0].Why != tookLess {
		t.Errorf("waiting: %+v", found)
	}
	w.decides(id, payment.VerdictApproved)
	payer.is("settled")
	told := w.shop.last("sale").Fields
	if told.Get("order_amount") != "10.00" || told.Get("transaction_amount") != "9.00" ||
		told.Get("reason") != "9.00 of 10.00 USD. Seen at the bank. (decided by Ann)" {
		t.Errorf("told %v", told)
	}
	if got := payer.payment().Captured.String(); got != "9.00" {
		t.Errorf("captured %s", got)
	}
	if got := w.shop.refunds(id, "9.01"); got != "400 208006 amount: This value should be 9.00 or less." {
		t.Errorf("refund of more: %s", got)
	}
	bank.lookUp = nil
	w.shop.refunds(id, "")
	w.work()
	payer.is("refund")
	w.CheckOrders()
	w.shopKnowsAll(t)
}
