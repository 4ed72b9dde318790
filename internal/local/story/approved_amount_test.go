package story

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/simulator"
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

// An approval after a decline is left to a person whatever amount it names, and the session is not charged again.
func TestApprovedLaterWithAnotherAmount(t *testing.T) {
	for _, byLookUp := range []bool{false, true} {
		w, bank, payer := approvedOther(t, dollars(900), byLookUp)
		payer.sees("wait: checking_first")
		payer.is("decline (Declined by processing.)")
		if got := w.waiting(); !slices.Equal(got, []string{"pen-1 sale 9.00 USD"}) {
			t.Fatalf("waiting: %q", got)
		}
		found, _, _ := w.app.Reader.WaitingForPerson(t.Context(), "", 1)
		if len(found) != 1 || found[0].Why != "approved after it was declined; the provider says: 9.00 of 10.00 USD" {
			t.Errorf("waiting: %+v", found)
		}
		w.decides(payer.paymentID(), payment.VerdictGiveBack)
		if len(bank.followUps) != 1 || bank.followUps[0].Amount.String() != "9.00" {
			t.Errorf("given back: %+v", bank.followUps)
		}
		w.shop.told("sale fail decline")
		w.CheckOrders()
	}
}

// An approval of less is accepted as one of what has moved. One of more, or of an amount that the service can't count,
// has to be named.
func TestAcceptAnotherAmount(t *testing.T) {
	euros, _ := money.Find("EUR")
	for _, test := range []struct {
		moved           money.Amount
		named, captured string
	}{
		{dollars(900), "", "9.00"}, {dollars(900), "8.00", "8.00"}, {dollars(1100), "10.00", "10.00"},
		{money.Zero(USD()), "9.50", "9.50"}, {mustParse(t, "9.00", euros), "9.00", "9.00"},
	} {
		t.Run(fmt.Sprint(connector.WithCurrency(test.moved), " ", test.named), func(t *testing.T) {
			w, bank, payer := approvedOther(t, test.moved, false)
			id := payer.paymentID()
			if err := w.settle(id, payment.VerdictAccept, "10.01"); fault.CodeOf(err) != fault.CodeInvalid {
				t.Errorf("accepted as one of more: %v", err)
			}
			if test.moved != dollars(900) {
				err := w.settle(id, payment.VerdictAccept, "")
				if fault.CodeOf(err) != fault.CodeNotAllowed || !strings.Contains(err.Error(), "name the amount") {
					t.Errorf("accepted without an amount: %v", err)
				}
			}
			if err := w.settle(id, payment.VerdictAccept, test.named); err != nil {
				t.Fatal(err)
			}
			w.work()
			w.sweep()
			w.work()
			payer.is("settled")
			payer.sees("go https://shop.example/paid")
			if got := payer.payment().Captured.String(); got != test.captured {
				t.Errorf("captured %s", got)
			}
			told := w.shop.last("sale").Fields
			if want := test.captured + " of 10.00 USD. Seen at the bank. (decided by Ann)"; told.Get("order_amount") !=
				"10.00" || test.captured != "10.00" && (told.Get("reason") != want ||
				told.Get("transaction_amount") != test.captured) {
				t.Errorf("told %v", told)
			}
			bank.lookUp = nil
			w.shop.refunds(id, "")
			w.work()
			payer.is("refund")
			w.CheckOrders()
			w.shopKnowsAll(t)
		})
	}
}

func mustParse(t *testing.T, text string, currency money.Currency) money.Amount {
	t.Helper()
	amount, err := money.Parse(text, currency)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

// The approval of another amount comes before the service has stored the decline: it comes again.
func TestOtherAmountBeforeTheDecline(t *testing.T) {
	w := open(t, operations)
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	var id string
	tells := func() int {
		notice, _ := payer.approves(id).Telling(otherApproval(dollars(900)))
		bank.notice = func(connector.Notification) (connector.Notice, error) { return notice, nil }
		return w.reports(realBank, connector.Notice{})
	}
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		id = c.PaymentID
		if code := tells(); code != http.StatusConflict {
			t.Errorf("the notice returned %d", code)
		}
		return declined, nil
	}
	payer.pays("01/38")
	if code := tells(); code != http.StatusOK {
		t.Errorf("its repeat returned %d", code)
	}
	payer.sees("wait: checking_first")
	w.waitsForPerson()
}

// Whatever way a provider reports that it has approved another amount than it declined, that is a contradiction.
func TestFamiliesApproveAnotherAmountLater(t *testing.T) {
	for family, opens := range map[string]func(*testing.T) *simulated{
		"stripe":  opensStripe,
		"adapter": func(t *testing.T) *simulated { return openSimulated(t, "adapter", nil) },
	} {
		t.Run(family, func(t *testing.T) {
			s := opens(t)
			s.Expect(simulator.Next{Kind: simulator.Charge, Fault: simulator.OtherAmount, Decline: "insufficient_funds"})
			payer := s.shop.visits("pen-1")
			payer.pays("03/31")
			o, _ := s.latest()
			s.Act(o.ID, simulator.AfterAll)
			s.notifies()
			payer.sees("wait: checking_first")
			if got := s.waiting(); !slices.Equal(got, []string{"pen-1 sale 9.99 USD"}) {
				t.Errorf("waiting: %q", got)
			}
		})
	}
}
