package payment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// twoMIDs is a payment that was declined at one MID and approved at the next one, with a give-back and requests about
// what has ended.
func twoMIDs() *Payment {
	p := stage{status: StatusDecline}.payment()
	p.Transactions[0].MID, p.Transactions[0].Connector = "mid-0", "old"
	p.ProviderID, p.ChargeReference = "at mid-1", "second"
	p.happened(EventSale, Fail, "second", "10.00 USD")
	approved := connector.Result{Outcome: connector.OutcomeApproved}
	approved.ProviderID = "at mid-0"
	p.Contradictions().Add("charge", approved, paidAt)
	p.Contradictions().Add("second", connector.Result{Outcome: connector.OutcomeApproved, Authorised: true}, later)
	back := p.happened(EventGiveBack, Fail, "back", "10.00 USD")
	back.About, back.MID, back.Connector = "charge", "mid-0", "old"
	p.happened(EventRefund, Success, "refund", "3.00 USD").MID = ""
	p.Jobs = append(p.Jobs,
		Job{Kind: JobGiveBack, Reference: "back-2", About: "charge", Amount: amountOf("10.00 USD")},
		Job{Kind: JobGiveBack, Reference: "back-3", About: "second", Amount: amountOf("10.00 USD")},
		Job{Kind: JobRefund, Reference: "refund-2", Amount: amountOf("2.00 USD")},
		Job{Kind: JobVoid, Reference: "void"}, Job{Kind: JobCapture, Reference: "capture"},
		Job{Kind: JobCharge, Reference: "third", Amount: amountOf("1.00 USD")},
		Job{Kind: JobLookUp, Reference: "refund"}, Job{Kind: JobLookUp, Reference: "charge"})
	return p
}

// Requests about earlier ones go to the MID of those, with the provider's id of the charge that they are about.
func TestRequestsAboutOthers(t *testing.T) {
	p, got := twoMIDs(), []string{}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		mid, bank := p.Requests().Place(j)
		reference, id := p.Requests().Original(j)
		amount, entered, err := p.Requests().Amount(j)
		got = append(got, fmt.Sprintf("%s %s: %s at %s/%s of %s %q, %s %t%s; sends %t, own %t", j.Kind, j.Reference,
			p.Requests().SentKind(j), mid, bank, reference, id, connector.WithCurrency(amount), entered, withError(err),
			j.Kind.Sends(), j.Kind.OfPayment()))
	}
	for _, reference := range []string{"charge", "second", "back", "back-2", "back-3", "refund", "void", "nobody's"} {
		kind, known := p.Requests().Kind(reference)
		mid, bank, found := p.Requests().PlaceOfGiveBack(reference)
		got = append(got, fmt.Sprintf("%s: %q %t, follow-up %t, give-back %s/%s %t, by %s, declined %t", reference, kind,
			known, p.Requests().IsFollowUp(reference), mid, bank, found, p.Requests().Connector(reference),
			p.Transactions.WasDeclined(reference)))
	}
	golden.Compare(t, "testdata/requests.golden", strings.Join(got, "\n")+"\n", *update)
}

// A contradiction is open until its own job has ended, and only an approval holds the session.
func TestOpenContradictions(t *testing.T) {
	p := twoMIDs()
	all := p.Contradictions()
	if all.AreEnded("charge", Success) || all.AreEnded("charge", Fail) || !all.HasOpenApproval() {
		t.Error("a report that a person has to decide counts as decided")
	}
	p.Jobs.Remove("back-2")
	p.Jobs.Remove("charge")
	if !all.AreEnded("charge", Success) || all.AreEnded("second", Success) || !all.HasOpenApproval() {
		t.Error("not the report of the request that was removed is decided")
	}
	p.Jobs.Remove("second")
	if p.Jobs.Remove("back-3"); all.HasOpenApproval() || !all.AreEnded("second", Success) {
		t.Error("nothing is left to decide")
	}
	settled := stage{status: StatusSettled}.payment()
	settled.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeDeclined}, paidAt)
	if settled.Contradictions().HasOpenApproval() {
		t.Error("a decline after a success holds the session")
	}
	asked := stage{status: StatusDecline}.payment()
	asked.Jobs = Jobs{{Kind: JobLookUp, Reference: "charge", DueAt: later, LookedUp: LookedUp{Asked: true}}}
	asked.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
	if j := asked.Jobs[0]; len(asked.Jobs) != 1 || !j.Asked || j.Person || !j.DueAt.Equal(later) {
		t.Errorf("the look-up that an operator has asked for is lost: %+v", asked.Jobs)
	}
}

// What a payment may refund, what is too much, and what a merchant is told then.
func TestAmountWithin(t *testing.T) {
	p, limit := &Payment{ID: "p"}, amountOf("10.00 USD")
	for text, want := range map[string]string{
		"": "10.00", "10.00": "10.00", "0.01": "0.01", "9.99": "9.99",
		"10.01": "100025 This value should be 10.00 or less.", "0.00": "100000 This value should be greater than 0.",
		"1": "1.00", "-1.00": "100000 This value should be greater than 0.",
		"1.001": "100000 " + request.AmountNotValid(limit.Currency()),
		"x":     "100000 " + request.AmountNotValid(limit.Currency()),
	} {
		amount, err := p.Amounts().Read(text, limit, 100025)
		got := amount.String()
		if err != nil {
			faults := err.(*fault.Error).Faults
			got = fmt.Sprint(faults[0].Number, " ", faults[0].Text)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	if _, err := p.Amounts().Read("", money.Amount{}, 1); err == nil || fault.CodeOf(err) == fault.CodeInvalid {
		t.Errorf("an unknown currency: %v", err)
	}
}

// A connector is asked for what it declares only; a payout comes back by no request.
func TestAllowedBy(t *testing.T) {
	for _, test := range []struct {
		can  settings.Declaration
		want string
	}{
		{settings.Declaration{}, "charge"}, {settings.Declaration{Capture: true}, "charge capture"},
		{settings.Declaration{Void: true}, "charge void"}, {settings.Declaration{Refund: true}, "charge refund"},
	} {
		got := []string{}
		for _, kind := range []JobKind{JobCharge, JobCapture, JobVoid, JobRefund} {
			if kind.AllowedBy(test.can) {
				got = append(got, string(kind))
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v: %v", test.can, got)
		}
	}
	for operation, want := range map[method.Operation]bool{
		method.Purchase: true, method.Debit: true, method.Credit: false, method.Transfer: false} {
		p := Payment{}
		if p.Operation = operation; p.Reversible() != want {
			t.Errorf("%s can be refunded: %t", operation, !want)
		}
	}
}

// An approval without its amount is no approval, if the payer entered the amount.
func TestLacksAmount(t *testing.T) {
	for _, test := range []struct {
		outcome         connector.Outcome
		amount, entered string
		lacks           bool
	}{
		{connector.OutcomeApproved, "10.00 USD", "", false}, {connector.OutcomeApproved, "", "", true},
		{connector.OutcomeApproved, "", "5.00 USD", false}, {connector.OutcomeApproved, "", "5.00 EUR", true},
		{connector.OutcomeDeclined, "", "", false},
	} {
		p, r := Payment{}, connector.Result{Outcome: test.outcome}
		p.Order.Currency = "USD"
		if test.amount != "" {
			p.Amount = amountOf(test.amount)
		}
		if test.entered != "" {
			r.Amount = amountOf(test.entered)
		}
		if err := p.Amounts().CheckApproved(r); (err != nil) != test.lacks {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// The document of a payment is due when the first of its requests is that no person has to decide. If all wait for a
// person, it is listed by the one that waits longest.
func TestDueOf(t *testing.T) {
	at := func(minutes int) time.Time { return paidAt.Add(time.Duration(minutes) * time.Minute) }
	due := func(minutes int) Job { return Job{DueAt: at(minutes)} }
	person := func(minutes int) Job { return Job{Person: true, UnknownSince: at(minutes)} }
	for name, test := range map[string]struct {
		jobs Jobs
		at   time.Time
		kind store.DueKind
	}{
		"nothing":           {nil, time.Time{}, ""},
		"two requests":      {Jobs{due(2), due(1), due(3)}, at(1), store.DuePayment.Of(false)},
		"persons":           {Jobs{person(2), person(1), person(3)}, at(1), store.DuePerson.Of(false)},
		"beside a person":   {Jobs{person(1), due(5), person(2)}, at(5), store.DuePayment.Of(false)},
		"person at the end": {Jobs{due(5), person(1)}, at(5), store.DuePayment.Of(false)},
	} {
		p := &Payment{Jobs: test.jobs}
		if got, kind := (storedForm{p}).due(); !got.Equal(test.at) || kind != test.kind {
			t.Errorf("%s: %s %s", name, got, kind)
		}
		if p.Test = true; len(test.jobs) > 0 {
			if _, kind := (storedForm{p}).due(); kind == test.kind {
				t.Errorf("%s: that of a test payment is %s, too", name, kind)
			}
		}
	}
}

// A sealed card is deleted by the write after which no request needs it, once.
func TestSealedCardIsDeleted(t *testing.T) {
	p := &Payment{ID: "p", Jobs: Jobs{{Kind: JobCharge, ChargeInput: ChargeInput{Sealed: true}}}}
	if len(p.CardDeletion()) > 0 {
		t.Error("a card that was not stored")
	}
	p.SetVersion(3)
	if p.Version != 3 || len(p.CardDeletion()) > 0 {
		t.Error("a card that is needed")
	}
	p.Jobs[0].Sealed = false
	if gone := p.CardDeletion(); len(gone) != 1 || !gone[0].Delete || gone[0].Key != store.SealedCardKey("p") {
		t.Errorf("%+v", gone)
	}
	if p.SetVersion(4); len(p.CardDeletion()) > 0 {
		t.Error("it is deleted twice")
	}
	if p.Jobs = (Jobs{{Kind: JobRefund, ChargeInput: ChargeInput{Sealed: true}}}); p.Jobs.needSealed() {
		t.Error("a refund needs a card")
	}
}

// Of what an operator asks for, the latest look-up of a request is stored, and what came of each once.
func TestActs(t *testing.T) {
	p := &Payment{}
	for _, a := range []Act{
		{Do: VerdictLookUp, Reference: "a", By: "1"}, {Do: VerdictRequest, Reference: "a", By: "2"},
		{Do: VerdictLookUp, Reference: "b", By: "3"}, {Do: VerdictLookUp, Reference: "a", By: "4"},
	} {
		p.Acts.Add(a)
	}
	p.Acts.Finish("a", "first")
	p.Acts.Finish("a", "second")
	got := ""
	for _, a := range p.Acts {
		got += a.By + a.Result + " "
	}
	if got != "2first 3 4first " {
		t.Error(got)
	}
	p = twoMIDs()
	p.Transactions.EndedBy("charge", Decision{By: "Ann"}, ReasonOf(DeclineFor("")))
	for _, of := range p.Transactions {
		if (of.Decision != nil) != (of.Reference == "charge" && of.Type == EventSale) {
			t.Errorf("%+v", of)
		}
	}
	if before := len(p.Transactions); before > 0 {
		p.Transactions.EndedBy("nobody's", Decision{}, nil)
	}
}

// A switch of the mapping leaves out callbacks that tell no outcome.
func TestInterim(t *testing.T) {
	for e, want := range map[Event]bool{
		{Type: Event3DS, Status: Success}: true, {Type: EventRedirect, Status: Success}: true,
		{Type: EventInit, Status: Success}: true, {Type: EventCardRemoved, Status: Removed}: true,
		{Type: EventSale, Status: Waiting}: true, {Type: EventRefund, Status: Undefined}: true,
		{Type: EventSale, Status: Success}: false, {Type: EventRefund, Status: Fail}: false,
	} {
		if e.Interim() != want {
			t.Errorf("%s %s: %t", e.Type, e.Status, !want)
		}
	}
}

// Money that comes after a decline is stored and told, a hundred times at most; the payment stays declined.
func TestPaidLate(t *testing.T) {
	p := stage{status: StatusDecline}.payment()
	reported := &connector.Received{Currency: "BTC", Amount: "0.5"}
	receipt, err := ParseReceipt(reported, nil)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for range MaxNotified + 5 {
		e := p.PaidLate(ParsedResult{Result: connector.Result{Received: reported}, Receipt: receipt}, later)
		if !e.Save || p.Status != StatusDecline || p.Received != reported || p.ReasonCode != "paid_too_late" {
			t.Fatalf("%+v, %s, %s", e, p.Status, p.ReasonCode)
		}
		if e.Event != nil {
			told++
		}
	}
	if told != MaxNotified-1 || p.DeclinedCharges() != MaxNotified {
		t.Errorf("told %d times, %d transactions", told, p.DeclinedCharges())
	}
}

// A payment takes no more than five hundred transactions that nobody asked for.
func TestTooManyElsewhere(t *testing.T) {
	p := stage{status: StatusSettled}.payment()
	p.Amount, p.Captured = amountOf("1000.00 USD"), amountOf("1000.00 USD")
	refund := connector.Result{Outcome: connector.OutcomeRefundedElsewhere, Amount: amountOf("1.00 USD")}
	for n := range maxTransactions + 1 {
		refund.OperationID = fmt.Sprint(n)
		if _, err := p.Elsewhere().Apply(refund, later); (err == nil) != (n < maxTransactions-1) {
			t.Fatalf("refund %d: %v", n, err)
		}
	}
}

// Without consent a payment is one of a single purchase.
func TestConsent(t *testing.T) {
	p := &Payment{}
	p.ReqToken, p.RecurringInit, p.ScheduleID, p.ScheduleStart = true, true, "monthly", "2030-01-01"
	p.ScheduleAmount = request.Entered(amountOf("1.00 USD"))
	if p.SetConsent(true, func(n int) []byte { return make([]byte, n) }); p.ConsentState != "active" || !p.ReqToken ||
		p.ConsentID == "" || !p.RecurringInit {
		t.Errorf("%+v", p)
	}
	p.ConsentID, p.ConsentState = "", ""
	if p.SetConsent(false, nil); p.ConsentID != "" || p.ReqToken || p.RecurringInit || p.ScheduleID != "" ||
		p.ScheduleStart != "" || p.ScheduleAmount.Text != "" {
		t.Errorf("%+v", p)
	}
}

// What a charge leaves with its payment once it has ended: nothing that only its provider needed, and all that explains
// how it went.
func TestEndOfACharge(t *testing.T) {
	reported := &connector.Received{Currency: "BTC", Amount: "0.5", Due: "0.5"}
	receipt, err := ParseReceipt(reported, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := connector.Authentication{ECI: "05"}
	for _, test := range []struct {
		approved, auth bool
		told           connector.Authentication // by the last response
		eci            string
	}{{true, false, connector.Authentication{}, "05"}, {true, true, connector.Authentication{ECI: "07"}, "07"},
		{false, false, connector.Authentication{}, "05"}} {
		p := stage{status: StatusPrepare}.payment()
		p.Auth, p.Authentication, p.StoredReason = test.auth, known, StoredReason{"Old.", "old"}
		p.Entered, p.Browser.UserAgent = []EnteredValue{{Value: "1234", Secret: true}}, "browser"
		p.Action, p.Acts = &connector.RequiredAction{}, []Act{{Reference: "charge"}, {Reference: "other"}}
		if test.auth { // the payer was shown what to pay with
			p.Status = StatusPending
		}
		job := p.Jobs[0]
		job.LookUps, job.Trouble = 3, "no response"
		end, result := (*Payment).Approve, ParsedResult{Receipt: receipt}
		if result.Received, result.Authentication = reported, test.told; !test.approved {
			end, result.Reason = (*Payment).Decline, "Said the bank."
		}
		if _, err := end(p, job, result, later); err != nil {
			t.Fatal(err)
		}
		made := p.Transactions[0]
		if p.Entered != nil || p.Browser.UserAgent != "" || p.Action != nil || p.Received != reported ||
			p.Acts[0].Result == "" || p.Acts[1].Result != "" || p.Jobs.InProgress() || test.approved != (len(p.Jobs) == 0) {
			t.Errorf("%+v: %+v", test, p)
		}
		if made.LookUps != 3 || made.Trouble != "no response" || made.ECI != test.eci {
			t.Errorf("%+v: %+v", test, made)
		}
		if reason := map[bool]string{true: "", false: "Said the bank."}[test.approved]; p.Reason != reason {
			t.Errorf("%+v: the reason is %q", test, p.Reason)
		}
	}
	empty := stage{status: StatusPrepare}.payment()
	if empty.Received = reported; empty.Jobs.Charge() != nil {
		if _, err := empty.Approve(empty.Jobs[0], ParsedResult{}, later); err != nil || empty.Received != reported {
			t.Errorf("what had arrived is lost: %+v, %v", empty.Received, err)
		}
	}
	refund := stage{status: StatusSettled}.payment()
	refund.wants(JobRefund, "refund", "3.00 USD")
	refund.Authentication, refund.Browser.UserAgent = known, "browser"
	_, err = refund.SucceedJob(refund.Jobs[0], connector.Result{}, later)
	if made := refund.Transactions[1]; err != nil || made.ECI != "" || refund.Browser.UserAgent == "" {
		t.Errorf("a refund is authenticated, or takes what the charge needs: %+v, %v", made, err)
	}
}

// A request with the same reference as a report is not that report; what the provider did has ids of its own by type.
func TestFindTransactions(t *testing.T) {
	ts := Transactions{
		{Type: EventContradiction, Status: Fail, Reference: "a"}, {Type: EventSale, Status: Success, Reference: "a"},
		{Type: EventRefund, Status: Fail, Reference: "a", Elsewhere: true},
		{Type: EventContradiction, Status: Success, Reference: "a"}, {Type: EventChargeback, Status: Success, Reference: "d"},
		{Type: EventChargeback, Status: Fail}, {Type: EventReversal, Status: Success},
		{Type: EventSale, Status: Success, Elsewhere: true},
	}
	if ts.Ended("a") != &ts[1] || ts.latestContradiction("a") != &ts[3] || ts.contradiction("a", Fail) != &ts[0] ||
		ts.SuccessOf("a") != 1 || ts.SuccessOf("b") != -1 || ts.latestContradiction("d") != nil {
		t.Error("another transaction is found")
	}
	if ts[:2].WasDeclined("a") || !ts.WasDeclined("a") || ts.WasDeclined("d") {
		t.Error("a report counts as a decline, or a decline as none")
	}
	if ts.madeElsewhere(EventChargeback, "d") != 4 || ts.madeElsewhere(EventReversal, "d") != -1 ||
		ts.madeElsewhere(EventReversal, "") != -1 || ts.unnamedChargeback() != -1 || ts.refundedElsewhere() {
		t.Error("what the provider did is found by another type or id")
	}
	verdicts := []Verdict{"approved", "declined", "give-back", "returned", "accept", "close"}
	if !slices.Equal(Verdicts, verdicts) {
		t.Error(Verdicts)
	}
}

// Which request is unknown for the longest time, and what is in progress.
func TestJobsOf(t *testing.T) {
	at := func(n int) time.Time { return paidAt.Add(time.Duration(n) * time.Minute) }
	jobs := Jobs{{Kind: JobLookUp, UnknownSince: at(0)}, {Kind: JobRefund, UnknownSince: at(2), Reference: "2"},
		{Kind: JobRefund}, {Kind: JobVoid, UnknownSince: at(1), Reference: "1"}, {Kind: JobRefund, UnknownSince: at(3)}}
	if first := jobs.FirstUnknown(); first == nil || first.Reference != "1" {
		t.Errorf("%+v", first)
	}
	if !jobs.InProgress() || jobs[:1].InProgress() || jobs.WaitForPerson() || jobs[:1].FirstUnknown() != nil {
		t.Error("a look-up is a request of the payment, or a person is needed")
	}
	if jobs[2].Person = true; !jobs.WaitForPerson() {
		t.Error("no person is needed")
	}
}
