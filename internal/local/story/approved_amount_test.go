package story

import (
	"net/http"
	"slices"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
)

// otherApproval is a provider's approval of another amount than the 10.00 that were asked for.
func otherApproval(moved money.Amount) (connector.Result, error) {
	return connector.Result{}, connector.OtherAmountError{Moved: moved, Requested: dollars(1000), Approved: true}
}

// approvedOther opens a shop whose payer was declined, and whose provider has reported an approval of another amount
// since: in a notice, or as an operator has it looked up.
func approvedOther(t *testing.T, moved money.Amount, byLookUp bool) (*World, *provider, *Visit) {
	w := open(t, operations)
	bank := &provider{charge: onCharge(declined)}
	bank.lookUp = func(connector.ProviderRequest) (connector.Result, error) { return otherApproval(moved) }
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	if bank.charge = nil; byLookUp {
		if _, err := w.app.Actor.LookUp(t.Context(), payer.paymentID(), payer.paymentID()); err != nil {
			t.Fatal(err)
		}
		w.work()
		return w, bank, payer
	}
	for range 2 {
		notice, err := payer.approves(payer.paymentID()).Telling(otherApproval(moved))
		if err != nil {
			t.Fatal(err)
		}
		bank.notice = func(connector.Notification) (connector.Notice, error) { return notice, nil }
		if code := w.reports(realBank, connector.Notice{}); code != http.StatusOK {
			t.Errorf("the notice returned %d", code)
		}
	}
	w.work()
	return w, bank, payer
}

// An approval after a decline is left to a person whatever amount it names, and the session is not charged again. It is
// refunded, or accepted as one of what has moved.
func TestApprovedLaterWithAnotherAmount(t *testing.T) {
	for _, byLookUp := range []bool{false, true} {
		w, bank, payer := approvedOther(t, dollars(900), byLookUp)
		id := payer.paymentID()
		payer.sees("wait: checking_first")
		payer.is("decline (Declined by processing.)")
		if got := w.waiting(); !slices.Equal(got, []string{"pen-1 sale 9.00 USD"}) {
			t.Fatalf("waiting: %q", got)
		}
		found, _, _ := w.app.Reader.WaitingForPerson(t.Context(), "", 1)
		if len(found) != 1 || found[0].Why != "The provider reports: approved after it was declined. "+tookLess {
			t.Errorf("waiting: %+v", found)
		}
		if byLookUp {
			w.decides(id, payment.VerdictGiveBack)
			if len(bank.followUps) != 1 || bank.followUps[0].Amount.String() != "9.00" {
				t.Errorf("given back: %+v", bank.followUps)
			}
			w.shop.told("sale fail decline")
			w.CheckOrders()
			continue
		}
		w.decides(id, payment.VerdictAccept)
		payer.is("settled")
		payer.sees("go https://shop.example/paid")
		told := w.shop.last("sale").Fields
		const why = "9.00 of 10.00 USD. Seen at the bank. (decided by Ann)"
		if told.Get("transaction_amount") != "9.00" || told.Get("reason") != why {
			t.Errorf("told %v", told)
		}
		bank.lookUp = nil
		w.shop.refunds(id, "")
		w.work()
		payer.is("refund")
		if got := bank.followUps[0].Amount.String(); got != "9.00" {
			t.Errorf("refunded %s", got)
		}
		w.CheckOrders()
		w.shopKnowsAll(t)
	}
}
