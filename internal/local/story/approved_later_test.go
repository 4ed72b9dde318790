package story

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// approves returns a notice that a charge was approved.
func (v *Visit) approves(id string) connector.Notice {
	return connector.Notice{PaymentID: id, SessionID: store.PublicID(v.Session), Reference: id, Result: approved}
}

// decides settles what waits of a payment, and lets the connector function execute it.
func (w *World) decides(paymentID string, verdict payment.Verdict) {
	w.t.Helper()
	if err := w.settle(paymentID, verdict, ""); err != nil {
		w.t.Errorf("%s: %v", verdict, err)
	}
	w.pass(2 * time.Minute)
}

// settle settles what waits of a payment.
func (w *World) settle(paymentID string, verdict payment.Verdict, amount string) error {
	_, err := w.app.Actor.Settle(w.t.(*testing.T).Context(), operator.Settlement{
		PaymentID: paymentID, Verdict: verdict, Amount: amount, By: "Ann", Reason: "Seen at the bank.",
	})
	return err
}

// outcomes returns what the operator's acts on a payment have led to.
func (w *World) outcomes(paymentID string) (all []string) {
	w.t.Helper()
	p, err := w.app.Core.Payment(w.t.(*testing.T).Context(), w.clock.Now(), paymentID)
	if err != nil {
		w.t.Fatalf("acts: %v", err)
	}
	for _, act := range p.Acts {
		all = append(all, string(act.Do)+": "+act.Result)
	}
	return all
}

// approvedLater opens a shop whose payer was declined, and whose provider has reported an approval since.
func approvedLater(t *testing.T, changes ...func(*settings.Merchant)) (*World, *provider, *Visit) {
	w := open(t, append([]func(*settings.Merchant){operations}, changes...)...)
	bank := &provider{charge: onCharge(declined), lookUp: onFollowUp(approved)}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	bank.charge = nil
	w.reported(realBank, payer.about(payer.paymentID(), approved))
	w.work()
	return w, bank, payer
}

// The provider has taken the money of a payment that counts as declined: the payer is offered nothing more to pay with,
// a person is told, and the merchant nothing new. Repeats of the report store nothing.
func TestApprovedLaterHoldsTheSession(t *testing.T) {
	w, bank, payer := approvedLater(t)
	payer.sees("wait: checking_first")
	page := payer.screen()
	if len(page.Methods)+len(page.Actions) != 0 || page.Seal != nil || page.PollMS == 0 {
		t.Errorf("the payer is offered %+v", page)
	}
	attempt := payer.attempt("01/38")
	attempt.Attempt = uuid.NewString()
	if got := words(payer.send(attempt)); got != "wait: checking_first" {
		t.Errorf("another attempt leads to %q", got)
	}
	payer.closes()
	payer.sees("wait: checking_first")
	if got := w.waiting(); !slices.Equal(got, []string{"pen-1 sale 10.00 USD"}) {
		t.Errorf("waiting: %q", got)
	}
	found, _, _ := w.app.Reader.WaitingForPerson(t.Context(), "", 1)
	if len(found) != 1 || !strings.HasPrefix(found[0].Why, "The provider reports: approved after it was declined.") {
		t.Errorf("waiting: %+v", found)
	}
	before := payer.payment()
	for range 3 {
		w.reported(realBank, payer.about(payer.paymentID(), approved))
	}
	w.work()
	if after := payer.payment(); len(after.Transactions) != len(before.Transactions) || len(after.Jobs) != 1 {
		t.Errorf("repeats are stored: %+v", after.Transactions)
	}
	payer.is("decline (Declined by processing.)")
	_, status := w.shop.status("order_id", "pen-1")
	if status["waits_for_person"] != true || status["unknown_since"] != nil || len(status["transactions"].([]any)) != 1 {
		t.Errorf("status %v", status)
	}
	w.shop.told("sale fail decline")
	if len(bank.charges) != 1 || len(bank.followUps) != 0 {
		t.Errorf("the provider got %d charges and %d other requests", len(bank.charges), len(bank.followUps))
	}
	w.CheckOrders()
}

// The three ways out. After two of them the payer can go on.
func TestThreeWaysOutOfAnApprovalAfterADecline(t *testing.T) {
	t.Run("give back", func(t *testing.T) {
		w, bank, payer := approvedLater(t)
		id := payer.paymentID()
		w.decides(id, payment.VerdictGiveBack)
		if len(bank.followUps) != 1 {
			t.Fatalf("given back %d times", len(bank.followUps))
		}
		got := bank.followUps[0]
		if got.Kind != connector.RequestRefund || got.OriginalReference != id || got.Reference == id ||
			got.Amount.String() != "10.00" {
			t.Errorf("given back by %+v", got)
		}
		payer.is("decline (Declined by processing.)")
		payer.sees("form: declined (declined)")
		w.shop.told("sale fail decline")
		w.reported(realBank, payer.approves(id)) // a repeat
		payer.pays("01/38")
		w.shop.told("sale fail decline", "sale success settled")
		if got := w.outcomes(id); !slices.Equal(got, []string{"give-back: the provider says: approved"}) {
			t.Errorf("outcomes %q", got)
		}
		history := payer.history(id)
		for _, part := range []string{"mid-1 reported the opposite: approved after it was declined",
			"Ann decided to give back the payment of 10.00 USD: Seen at the bank.", "mid-1 approved the return of 10.00 USD."} {
			if !strings.Contains(history, part) {
				t.Errorf("no %q in the history:\n%s", part, history)
			}
		}
	})
	t.Run("accept", func(t *testing.T) {
		w, bank, payer := approvedLater(t)
		id := payer.paymentID()
		w.decides(id, payment.VerdictAccept)
		payer.is("settled")
		payer.sees("go https://shop.example/paid")
		w.shop.told("sale fail decline", "sale success settled")
		told := w.shop.last("sale").Fields
		if told.Get("reason_code") != "decided_by_person" || told.Get("reason") != "Seen at the bank. (decided by Ann)" {
			t.Errorf("told %v", told)
		}
		if got := w.shop.refunds(id, ""); got != "200 accepted" {
			t.Errorf("refund: %s", got)
		}
		w.work()
		payer.is("refund")
		if len(bank.charges) != 1 || len(bank.followUps) != 1 || bank.followUps[0].OriginalReference != id {
			t.Errorf("the provider got %+v", bank.followUps)
		}
		w.CheckOrders()
		w.shopKnowsAll(t)
	})
	t.Run("close", func(t *testing.T) {
		w, bank, payer := approvedLater(t)
		w.decides(payer.paymentID(), payment.VerdictClose)
		payer.sees("form: declined (declined)")
		w.reported(realBank, payer.about(payer.paymentID(), approved)) // a repeat
		w.work()
		payer.sees("form: declined (declined)")
		if got := w.waiting(); len(got) != 0 || len(bank.followUps) != 0 {
			t.Errorf("waiting %q, %d requests", got, len(bank.followUps))
		}
		w.shop.told("sale fail decline")
		w.approvedAfterDeclined(1)
		if err := w.settle(payer.paymentID(), payment.VerdictAccept, ""); fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("accepted after it was closed: %v", err)
		}
	})
}

// One MID declines softly, the next one is charged, and then the first one reports an approval: its money is refunded
// there, and the payment stays settled.
func TestApprovedLaterByAnEarlierMID(t *testing.T) {
	w, banks := threeBanks(t)
	banks[0].charge = onCharge(soft)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
	id := payer.paymentID()
	notice := payer.approves(id)
	notice.Result.ProviderID = "first-charge"
	if code, _ := w.call("POST", w.noticePath(payer.payment().Transactions[0].Connector, 0), notice); code != 200 {
		t.Fatalf("the notice returned %d", code)
	}
	w.work()
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	found, _, _ := w.app.Reader.WaitingForPerson(t.Context(), "", 9)
	if len(found) != 1 || found[0].MID != "mid-1" || found[0].Reference != id {
		t.Fatalf("waiting: %+v", found)
	}
	if err := w.settle(id, payment.VerdictAccept, ""); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("accepted: %v", err)
	}
	w.decides(id, payment.VerdictGiveBack)
	if len(banks[0].followUps) != 1 || len(banks[1].followUps)+len(banks[2].followUps) != 0 {
		t.Fatalf("given back %+v", banks[0].followUps)
	}
	got := banks[0].followUps[0]
	if got.OriginalReference != id || got.ProviderID != "first-charge" || got.Amount.String() != "10.00" {
		t.Errorf("given back by %+v", got)
	}
	payer.is("settled")
	w.shop.told("sale success settled")
	if got := w.shop.refunds(id, ""); got != "200 accepted" {
		t.Errorf("the merchant's own refund: %s", got)
	}
	w.work()
	if len(banks[1].followUps) != 1 {
		t.Errorf("refunded at %+v", banks[1].followUps)
	}
	late := connector.Notice{PaymentID: id, Reference: got.Reference, Kind: connector.RequestRefund, Result: accountClosed}
	if code, _ := w.call("POST", w.noticePath(anotherBank, 1), late); code != 404 {
		t.Errorf("another provider's notice about the give-back returned %d", code)
	}
	if code, _ := w.call("POST", w.noticePath(realBank, 0), late); code != 200 {
		t.Errorf("the notice that the give-back has failed returned %d", code)
	}
	w.work()
	if got := w.waiting(); len(got) != 1 {
		t.Errorf("waiting after the give-back has failed: %q", got)
	}
	payer.is("refund")
	w.CheckOrders()
	w.shopKnowsAll(t)
}

// A recurring charge that was approved after all is not retried.
func TestApprovedLaterIsNotRetried(t *testing.T) {
	w := open(t, operations)
	bank := &provider{lookUp: onFollowUp(approved)}
	w.goesLive(bank)
	c := w.shop.begins("pen-1", "01/38")
	bank.charge = onCharge(soft)
	_, again := c.charge("pen-2", "5.00")
	id := again["payment_id"].(string)
	bank.charge = nil
	w.reported(realBank, connector.Notice{PaymentID: id, Reference: id, Result: approved})
	if got := w.shop.retries(id); got != "400 100000 Retry is not allowed." {
		t.Errorf("retry: %s", got)
	}
	w.decides(id, payment.VerdictAccept)
	payer := w.shop.Visit("", "pen-2")
	payer.is("settled")
	w.shop.told("sale success settled", "recurring fail decline", "recurring success settled")
}
