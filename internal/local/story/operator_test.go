package story

import (
	"context"
	"errors"
	"fmt"
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

// A person need not wait for three days. The provider is looked up first: what it says counts, else the person's
// decision.
func TestSettleAtAnyTime(t *testing.T) {
	for _, test := range []struct {
		provider connector.Result
		asked    payment.Verdict
		status   string
		told     string
	}{
		{undecided, payment.VerdictApproved, "settled", "sale success settled"},
		{undecided, payment.VerdictDeclined, "decline (Seen at the bank. (decided by Ann))", "sale fail decline"},
		{approved, payment.VerdictDeclined, "settled", "sale success settled"},
		{declined, payment.VerdictApproved, "decline (Declined by processing.)", "sale fail decline"},
		{connector.Result{Outcome: connector.OutcomeUnknown}, payment.VerdictDeclined,
			"decline (Seen at the bank. (decided by Ann))", "sale fail decline"},
	} {
		t.Run(fmt.Sprint(test.provider.Outcome, test.asked), func(t *testing.T) {
			w := open(t)
			bank := silent()
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			id := payer.paymentID()
			bank.lookUp = onFollowUp(test.provider)
			w.skip(time.Minute)
			if err := w.settle(id, test.asked, ""); err != nil {
				t.Fatalf("settle: %v", err)
			}
			w.mayNotSettle(settlement(id, true), fault.CodeNotAllowed) // another operator
			w.pass(3 * time.Minute)
			payer.is(test.status)
			w.shop.told("sale undefined prepare", test.told)
			if got := w.outcomes(id); len(got) != 1 || !strings.HasPrefix(got[0], string(test.asked)+": the provider says: ") {
				t.Errorf("outcomes %q", got)
			}
			if !strings.Contains(payer.history(id), string(test.asked)+" by Ann, Seen at the bank.") || len(bank.charges) != 1 {
				t.Errorf("%d charges, history:\n%s", len(bank.charges), payer.history(id))
			}
			w.CheckOrders()
		})
	}
}

// A person settles while a worker still waits for the provider's response: the response counts. Without one the
// decision is executed when the worker's lease is over, and nothing is sent again.
func TestSettleWhileAWorkerSends(t *testing.T) {
	for _, response := range []connector.Result{approved, declined, soft, undecided} {
		for _, err := range []error{nil, errors.New("no response"), connector.ErrNotSent} {
			if err != nil && response.Outcome != connector.OutcomePending {
				continue
			}
			t.Run(fmt.Sprint(response.Outcome, response.ReasonCode, err), func(t *testing.T) {
				w := open(t, mids("", ""))
				bank := &provider{lookUp: onFollowUp(undecided)}
				bank.charge = func(c connector.Charge) (connector.Result, error) {
					if len(bank.charges) == 1 {
						w.settles(c.PaymentID, false)
					}
					return response, err
				}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1")
				payer.pays("01/38")
				w.pass(10 * time.Minute)
				want := map[connector.Outcome]string{
					connector.OutcomeApproved: "settled", connector.OutcomeDeclined: "decline",
					connector.OutcomePending: "decline",
				}[response.Outcome]
				payer.stands(want)
				if len(bank.charges) != 1 || len(payer.payment().Jobs) != 0 {
					t.Errorf("%d charges, jobs %+v", len(bank.charges), payer.payment().Jobs)
				}
				if got := w.outcomes(payer.paymentID()); strings.HasSuffix(got[0], ": ") {
					t.Errorf("outcomes %q", got)
				}
				w.CheckOrders()
			})
		}
	}
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

// An operator sees why an outcome is unknown, and which amount has moved. Settling takes that amount.
func TestOtherAmountIsSeenAndSettled(t *testing.T) {
	w := open(t, operations)
	bank := &provider{lookUp: movedLess}
	bank.charge = func(c connector.Charge) (connector.Result, error) { return movedLess(c.ProviderRequest) }
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	if history := payer.history(id); !strings.Contains(history, "the provider says: 9.00 of 10.00 USD") {
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
	if len(found) != 1 || found[0].Why != "the provider says: 9.00 of 10.00 USD" {
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

// A capture and a refund that have moved less are settled with what has moved.
func TestOtherAmountOfACaptureOrRefund(t *testing.T) {
	for _, test := range []struct{ auth, does, status, captured, refunded string }{
		{"yes", "capture 8.00", "settled", "7.00", ""}, {"no", "refund 8.00", "settled", "10.00", "7.00"},
	} {
		w := open(t, operations)
		less := func(r connector.ProviderRequest) (connector.Result, error) {
			return connector.Result{}, connector.OtherAmountError{Moved: dollars(700), Requested: r.Amount}
		}
		w.goesLive(&provider{followUp: less, lookUp: less})
		payer := w.shop.visits("pen-1", with("auth", test.auth))
		payer.pays("01/38")
		w.shop.does(test.does, payer.paymentID())
		w.work()
		w.decides(payer.paymentID(), payment.VerdictApproved)
		payer.is(test.status)
		p := payer.payment()
		kind, _, _ := strings.Cut(test.does, " ")
		told := w.shop.last(kind).Fields
		if p.Captured.String() != test.captured || told.Get("transaction_amount") != "7.00" ||
			!strings.HasPrefix(told.Get("reason"), "7.00 of 8.00 USD. ") {
			t.Errorf("%s: captured %s, told %v", test.does, p.Captured, told)
		}
		if left, _ := p.Amounts().Refundable(); test.refunded != "" && left.String() != "3.00" {
			t.Errorf("%s left", left)
		}
		w.CheckOrders()
	}
}

// An operator has a request looked up now, also one that waits for a person, and sees what the provider says.
func TestOperatorLooksUp(t *testing.T) {
	w := open(t, operations)
	bank := silent()
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.waitsForPerson()
	looksUp := func(want string) {
		t.Helper()
		done, err := w.app.Actor.LookUp(t.Context(), id, "")
		if err != nil || !done.Decided || !strings.HasPrefix(done.Text, "The provider says: "+want) {
			t.Errorf("%+v %v", done, err)
		}
		if got := w.outcomes(id); !slices.Equal(got, []string{"look-up: the provider says: " + want}) {
			t.Errorf("outcomes %q, want %q", got, want)
		}
	}
	looksUp("no response that tells an outcome: look-up: no response")
	bank.lookUp = onFollowUp(connector.Result{Outcome: connector.OutcomeUnknown})
	looksUp("it never received the request")
	if got := w.waiting(); len(got) != 1 || len(bank.charges) != 1 {
		t.Errorf("waiting %q, %d charges", got, len(bank.charges))
	}
	bank.lookUp = onFollowUp(approved)
	looksUp("approved")
	payer.is("settled")
	bank.lookUp = onFollowUp(declined)
	looksUp("declined: Declined by processing.")
	payer.is("settled")
	w.shop.told("sale undefined prepare", "sale success settled")
	_, err := w.app.Actor.LookUp(t.Context(), strings.Repeat("0", 36), "")
	if fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("unknown payment: %v", err)
	}
	if _, err := w.app.Actor.LookUp(t.Context(), id, "x"); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("unknown reference: %v", err)
	}
	w.CheckOrders()
}

// A look-up that an operator asks for finds that a declined charge was approved.
func TestLookUpFindsAnApprovalAfterADecline(t *testing.T) {
	w := open(t, operations)
	w.goesLive(&provider{charge: onCharge(declined), lookUp: onFollowUp(approved)})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.sees("form: declined (declined)")
	id := payer.paymentID()
	if _, err := w.app.Actor.LookUp(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	w.pass(2 * time.Minute)
	payer.sees("wait: checking_first")
	if got := w.waiting(); len(got) != 1 {
		t.Errorf("waiting: %q", got)
	}
	w.approvedAfterDeclined(1)
	if _, err := w.app.Actor.LookUp(t.Context(), id, id); err != nil {
		t.Fatal(err)
	}
	w.pass(2 * time.Minute)
	if got := w.waiting(); len(got) != 1 {
		t.Errorf("waiting after another look-up: %q", got)
	}
	w.CheckOrders()
}

// A decision about a payment whose MID is gone is executed without a look-up.
func TestSettleWithoutAMID(t *testing.T) {
	w := open(t, operations)
	w.goesLive(silent())
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	w.connects(realBank, nil)
	delete(w.app.Runner.Connectors, realBank)
	if _, err := w.app.Actor.LookUp(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	w.pass(2 * time.Minute)
	if got := w.outcomes(id); !strings.Contains(got[0], "not in the settings") {
		t.Errorf("outcomes %q", got)
	}
	w.decides(id, payment.VerdictDeclined)
	payer.is("decline (Seen at the bank. (decided by Ann))")
}
