package operator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/operator/listing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// The payments of tests, and what these have.
var (
	sentAt              = paymenttest.At
	usd, paid, job, did = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did
)

// contradicted is a declined payment that was approved afterwards, or the other way around.
func contradicted(status payment.Status, outcome connector.Outcome, amount string) *payment.Payment {
	p := paid(status)
	p.Amount = usd(amount)
	p.Transactions[0].Amount = p.Amount
	p.Contradictions().Add("charge", connector.Result{Outcome: outcome}, sentAt)
	return p
}

// Each request takes the verdicts that fit it, and once: what is decided waits for its execution.
func TestToDecide(t *testing.T) {
	approvals := func(n int) *payment.Payment {
		p := contradicted(payment.StatusDecline, connector.OutcomeApproved, "10.00")
		for range n {
			p.Transactions = append(p.Transactions, payment.Transaction{Type: payment.EventGiveBack, Status: payment.Fail})
		}
		return p
	}
	const (
		plain     = "The provider has not contradicted itself: name approved or declined."
		opposite  = "The provider has contradicted itself: name give-back, accept or close."
		nothing   = opposite + " There is nothing to give back."
		elsewhere = " The provider did not say which amount it has taken: give it back there, and close the case."
		often     = " It was tried too often: give it back at the provider, and close the case."
	)
	refund := paid(payment.StatusSettled)
	refund.Transactions[0] = payment.Transaction{Type: payment.EventRefund, Status: payment.Fail, Reference: "charge"}
	approved := connector.Result{Outcome: connector.OutcomeApproved, Amount: usd("1.00")}
	refund.Contradictions().Add("charge", approved, sentAt)
	for name, test := range map[string]struct {
		p         *payment.Payment
		want, why string // the verdicts that it takes, and why no others
	}{
		"charge":    {paid(payment.StatusPrepare, job(payment.JobCharge)), "approved declined", plain},
		"refund":    {paid(payment.StatusSettled, job(payment.JobRefund)), "approved declined", plain},
		"give-back": {paid(payment.StatusDecline, job(payment.JobGiveBack)), "approved declined", plain},
		"decided":   {paid(payment.StatusSettled, decided(job(payment.JobRefund))), "", "Ann has decided it already."},
		"never sent": {paid(payment.StatusSettled, queued(job(payment.JobRefund))), "",
			"Nothing was sent to the provider yet."},
		"a look-up": {paid(payment.StatusSettled, job(payment.JobLookUp)), "",
			"Its outcome is known, and it is being looked up once more."},
		"nothing": {paid(payment.StatusSettled), "", "Its outcome is known. The payment is settled."},
		"for a person": {paid(payment.StatusSettled, forPerson(job(payment.JobRefund)), job(payment.JobVoid)),
			"approved declined", plain},
		"approved":      {approvals(0), "give-back accept close", opposite},
		"19 give-backs": {approvals(payment.MaxGiveBacks - 1), "give-back accept close", opposite},
		"20 give-backs": {approvals(payment.MaxGiveBacks), "accept close", opposite + often},
		"approved, of no amount": {contradicted(payment.StatusDecline, connector.OutcomeApproved, ""), "accept close",
			opposite + elsewhere},
		"declined": {contradicted(payment.StatusSettled, connector.OutcomeDeclined, "10.00"), "accept close",
			nothing},
		"a refund, approved late": {refund, "accept close", nothing},
	} {
		var got, why []string
		for _, verdict := range payment.Verdicts {
			job, err := toDecide(test.p, Settlement{Verdict: verdict})
			switch {
			case err == nil && job == &test.p.Jobs[0]:
				got = append(got, string(verdict))
			case err == nil || fault.CodeOf(err) != fault.CodeNotAllowed:
				t.Errorf("%s: %+v, %v", name, job, err)
			case !slices.Contains(why, err.Error()):
				why = append(why, err.Error())
			}
		}
		if strings.Join(got, " ") != test.want || strings.Join(why, " ") != test.why {
			t.Errorf("%s takes %v: %q", name, got, why)
		}
	}
}

// Without a reference the only request is meant, or the only one that waits for a person.
func TestOneJob(t *testing.T) {
	a, b, waits := payment.Job{Reference: "a"}, payment.Job{Reference: "b"}, payment.Job{Reference: "w", Person: true}
	other := payment.Job{Reference: "v", Person: true}
	for _, test := range []struct {
		jobs            payment.Jobs
		reference, want string
	}{
		{nil, "", ""}, {nil, "a", ""}, {payment.Jobs{a}, "", "a"}, {payment.Jobs{a, b}, "", ""},
		{payment.Jobs{a, b}, "b", "b"}, {payment.Jobs{a}, "b", ""}, {payment.Jobs{a, waits, b}, "", "w"},
		{payment.Jobs{other, waits}, "", ""}, {payment.Jobs{a, waits}, "a", "a"}, {payment.Jobs{a, waits}, "x", ""},
	} {
		got, err := oneJob(&payment.Payment{Jobs: test.jobs}, test.reference, func(j *payment.Job) bool { return j.Person })
		if test.want == "" && err == nil || test.want != "" && (err != nil || got.Reference != test.want) {
			t.Errorf("%+v: %+v, %v", test, got, err)
		}
	}
}

// An approval has an amount within the request, and what the payer entered at the provider has to be named.
func TestAmountToSettle(t *testing.T) {
	approved, declined, accept := payment.VerdictApproved, payment.VerdictDeclined, payment.VerdictAccept
	for _, test := range []struct {
		kind         payment.JobKind
		requested    string // "": the payer enters it
		verdict      payment.Verdict
		named, moved string
		want         string // "": none is needed; "-": it is refused
	}{
		{payment.JobRefund, "3.00", approved, "", "", ""}, {payment.JobRefund, "3.00", approved, "3.00", "", "3.00"},
		{payment.JobRefund, "3.00", approved, "3.01", "", "-"}, {payment.JobRefund, "3.00", approved, "0.00", "", "-"},
		{payment.JobRefund, "3.00", approved, "nonsense", "", "-"}, {payment.JobRefund, "3.00", declined, "3.00", "", "-"},
		{payment.JobRefund, "3.00", approved, "", "2.00", ""}, {payment.JobRefund, "3.00", approved, "", "3.00", ""},
		{payment.JobRefund, "3.00", approved, "", "3.01", "-"}, {payment.JobRefund, "3.00", declined, "", "3.01", ""},
		{payment.JobVoid, "10.00", approved, "10.00", "", "-"}, {payment.JobVoid, "10.00", approved, "", "20.00", ""},
		{payment.JobGiveBack, "10.00", approved, "10.00", "", "-"},
		{payment.JobCharge, "", approved, "", "", "-"}, {payment.JobCharge, "", approved, "7.00", "", "7.00"},
		{payment.JobCharge, "", approved, "", "7.00", ""}, {payment.JobCharge, "", approved, "x", "", "-"},
		{payment.JobCharge, "", declined, "", "", ""}, {payment.JobCharge, "", declined, "7.00", "", "-"},
		{payment.JobCharge, "", accept, "", "", "-"}, {payment.JobCharge, "", accept, "7.00", "", "7.00"},
	} {
		job := payment.Job{Kind: test.kind, Reference: "r", Amount: usd(test.requested)}
		if test.moved != "" {
			job.Finding = &payment.Finding{Moved: usd(test.moved)}
		}
		p := paid(payment.StatusSettled)
		if test.kind == payment.JobCharge {
			p.Amount = usd(test.requested)
		}
		amount, err := amountToSettle(p, &job, Settlement{Verdict: test.verdict, Amount: test.named})
		if got := amount.String(); (err != nil) != (test.want == "-") || err == nil && got != test.want {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
}

// An approval after a decline is accepted with the amount that was reported, unless that is not known or too much: then
// the amount that counts has to be named. One that is not needed is refused.
func TestAmountToAccept(t *testing.T) {
	accept, closes := payment.VerdictAccept, payment.VerdictClose
	for _, test := range []struct {
		requested, moved string // moved "": it is not known; requested "": the payer enters it
		verdict          payment.Verdict
		named, want      string // want "": none is needed; "-": it is refused
	}{
		{"10.00", "10.00", accept, "", ""}, {"10.00", "10.00", accept, "10.00", "-"},
		{"10.00", "7.00", accept, "", ""}, {"10.00", "7.00", accept, "5.00", "5.00"}, {"10.00", "7.00", accept, "x", "-"},
		{"10.00", "10.01", accept, "", "-"}, {"10.00", "10.01", accept, "10.00", "10.00"},
		{"10.00", "10.01", accept, "10.01", "-"}, {"10.00", "", accept, "", "-"}, {"10.00", "", accept, "9.00", "9.00"},
		{"10.00", "10.01", closes, "", ""}, {"10.00", "10.01", closes, "10.00", "-"},
		{"", "7.00", accept, "", ""}, {"", "7.00", accept, "8.00", "8.00"},
	} {
		p := paid(payment.StatusDecline)
		p.Amount, p.Transactions[0].Amount = usd(test.requested), usd(test.requested)
		p.Contradictions().AddAmount("charge", payment.ParsedResult{Other: &payment.Finding{Moved: usd(test.moved)},
			Result: connector.Result{Outcome: connector.OutcomeApproved}}, sentAt)
		amount, err := amountToSettle(p, &p.Jobs[0], Settlement{Verdict: test.verdict, Amount: test.named})
		if got := amount.String(); (err != nil) != (test.want == "-") || err == nil && got != test.want {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
	p := contradicted(payment.StatusSettled, connector.OutcomeDeclined, "10.00")
	p.Jobs[0].Amount = usd("7.00")
	for named, refused := range map[string]bool{"": false, "7.00": true} {
		_, err := amountToSettle(p, &p.Jobs[0], Settlement{Verdict: accept, Amount: named})
		if (err != nil) != refused {
			t.Errorf("of a decline, %q: %v", named, err)
		}
	}
}

// Money goes back by a refund, or the void of an authorisation, where the connector of that charge can do it.
func TestMayGiveBack(t *testing.T) {
	for _, test := range []struct {
		can        settings.Declaration
		operation  method.Operation
		authorised bool
		want       bool
	}{
		{settings.Declaration{Refund: true}, method.Purchase, false, true},
		{settings.Declaration{Refund: true}, method.Purchase, true, false},
		{settings.Declaration{Void: true}, method.Purchase, true, true},
		{settings.Declaration{Void: true}, method.Purchase, false, false},
		{settings.Declaration{Refund: true}, method.Credit, false, false},
	} {
		p := paid(payment.StatusDecline)
		p.Operation, p.Transactions[0].MID, p.Transactions[0].Connector = test.operation, "mid", "first"
		p.Transactions[0].Type = p.EventType(payment.JobCharge)
		r := connector.Result{Outcome: connector.OutcomeApproved, Authorised: test.authorised}
		p.Contradictions().Add("charge", r, sentAt)
		all := settings.Declarations{"first": test.can, "bank": {Refund: !test.can.Refund, Void: !test.can.Void}}
		if got := mayGiveBack(all, p, &p.Jobs[0]); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}

// A settlement is stored once, with who has decided: not beside another that waits for its execution, and an approval
// not where its retry was paid.
func TestSettle(t *testing.T) {
	for _, test := range []struct {
		retry   payment.Status // of the payment that retried it; "": none did
		can     settings.Declaration
		verdict payment.Verdict
		stored  bool
	}{
		{"", settings.Declaration{}, payment.VerdictAccept, true},
		{payment.StatusDecline, settings.Declaration{}, payment.VerdictAccept, true},
		{payment.StatusSettled, settings.Declaration{}, payment.VerdictAccept, false},
		{payment.StatusPrepare, settings.Declaration{}, payment.VerdictAccept, false},
		{payment.StatusSettled, settings.Declaration{}, payment.VerdictClose, true},
		{payment.StatusSettled, settings.Declaration{Refund: true}, payment.VerdictGiveBack, true},
		{"", settings.Declaration{}, payment.VerdictGiveBack, false},
		{"other", settings.Declaration{}, payment.VerdictAccept, false},
	} {
		l := newListed(t)
		l.core.Declarations = settings.Declarations{"bank": test.can}
		p, retry := contradicted(payment.StatusDecline, connector.OutcomeApproved, "10.00"), paid(test.retry)
		p.ID, retry.ID = paymentID(1), paymentID(2)
		p.Captured, retry.Captured = money.Amount{}, usd("10.00")
		switch test.retry {
		case "":
		case "other": // a payment of the same session, which is gone
			session := store.NewSessionID(store.OrderHash("live/shop", "1"), sentAt, make([]byte, 32))
			p.SessionID, retry.SessionID = session, session
		default:
			p.RetriedBy = retry.ID
		}
		l.save(retry.Record())
		l.save(p.Record())
		d := Settlement{PaymentID: p.ID, Verdict: test.verdict, By: "Ann", Reason: "Asked."}
		of, err := l.acts().settle(t.Context(), d, nil)
		if (err == nil) != test.stored || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v: %v", test, err)
		}
		after, readErr := l.core.Payment(t.Context(), l.now, p.ID)
		if readErr != nil || len(after.Acts) != map[bool]int{true: 1}[test.stored] {
			t.Fatalf("%+v: %v, %+v", test, readErr, after)
		}
		if decided := after.Jobs[0].Decision; test.stored && (decided == nil || decided.Verdict != test.verdict ||
			decided.By != "Ann" || after.Acts[0].By != "Ann" || len(of.messages) != 1) {
			t.Errorf("%+v: %+v, %+v", test, decided, after.Acts)
		}
		if _, err := l.acts().settle(t.Context(), d, nil); fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v, a second time: %v", test, err)
		}
	}
}

// Where a session is gone, an approval is not accepted beside another payment of it.
func TestPaidInSession(t *testing.T) {
	l, hash := newListed(t), store.OrderHash("live/shop", "1")
	for n, test := range []struct {
		status payment.Status // of the other payment
		same   bool           // it is of the same session
		free   bool
	}{
		{payment.StatusSettled, true, false}, {payment.StatusPrepare, true, false}, {payment.StatusDecline, true, true},
		{payment.StatusSettled, false, true}, {payment.StatusSettled, true, false},
	} {
		p, other := paid(payment.StatusDecline), paid(test.status)
		at := sentAt.Add(time.Duration(n) * time.Minute)
		p.ID, p.SessionID = store.NewPaymentID(hash, at, []byte{0, 0, 0, 1}), fmt.Sprint("s", n)
		other.ID, other.SessionID = store.NewPaymentID(hash, at, []byte{0, 0, 0, 2}), p.SessionID
		if !test.same {
			other.SessionID = "other"
		}
		l.save(p.Record(), other.Record())
		why, err := l.acts().paidInSession(t.Context(), checkout.Task{Payment: p})
		if err != nil || (why == "") != test.free {
			t.Errorf("%+v: %q, %v", test, why, err)
		}
		for n := range map[bool]int{true: attemptsPage}[n == 4] { // later attempts of other sessions
			later := paid(payment.StatusSettled)
			later.ID = store.NewPaymentID(hash, at.Add(time.Second), []byte{0, 0, byte(n >> 8), byte(n)})
			l.save(later.Record())
		}
		if later, err := l.acts().paidInSession(t.Context(), checkout.Task{Payment: p}); err != nil || later != why {
			t.Errorf("%+v, after later attempts: %q, %v", test, later, err)
		}
		open := checkout.Task{Payment: p, Session: &checkout.Session{}}
		if why, err := l.acts().paidInSession(t.Context(), open); err != nil || why != "" {
			t.Errorf("%+v, of a session that is there: %q, %v", test, why, err)
		}
		p.Status = payment.StatusSettled
		if why, err := l.acts().paidInSession(t.Context(), checkout.Task{Payment: p}); err != nil || why != "" {
			t.Errorf("%+v, not declined: %q, %v", test, why, err)
		}
	}
}

// Groups and sums have what was paid, returned and paid out, each by its sign.
func TestSumUp(t *testing.T) {
	line := func(day int, kind payment.EventType, status payment.TransactionStatus, amount, moved string) listing.Line {
		return listing.Line{At: sentAt.AddDate(0, 0, day), Type: kind, Status: status, Amount: amount, Moved: moved,
			Currency: "USD", Method: "card", MID: "mid", ReasonCode: "declined"}
	}
	euro := line(0, payment.EventSale, payment.Success, "1.00", "1.00")
	euro.Currency = "EUR"
	totals, err := SumUp([]listing.Line{
		line(0, payment.EventSale, payment.Success, "10.00", "10.00"),
		line(0, payment.EventSale, payment.Success, "5.00", ""), // authorised
		line(0, payment.EventSale, payment.Fail, "7.00", ""),
		line(0, payment.EventSale, payment.Fail, "3.00", "-3.00"), // failed after its success
		line(0, payment.EventCapture, payment.Success, "5.00", "5.00"),
		line(0, payment.EventRefund, payment.Success, "4.00", "-4.00"),
		line(0, payment.EventRefund, payment.Fail, "4.00", "4.00"),
		line(0, payment.EventRefund, payment.Fail, "1.00", ""),
		line(1, payment.EventChargeback, payment.Success, "10.00", "-10.00"),
		line(1, payment.EventCredit, payment.Success, "2.00", "-2.00"),
		line(1, payment.EventCredit, payment.Fail, "2.00", ""), euro,
	})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, g := range totals.Groups {
		fmt.Fprintf(&got, "%s %s %s %d %d %s %s\n", g.Day, g.Currency, g.Type, g.Succeeded, g.Failed, g.Amount, g.Moved)
	}
	for _, s := range totals.Sums {
		fmt.Fprintf(&got, "%s %s %s %q %s %d %d\n", s.Currency, s.Paid, s.Returned, s.PaidOut, s.Net, s.Attempts, s.Accepted)
	}
	fmt.Fprintf(&got, "%d %v", totals.Lines, totals.Declines[0].Count)
	want := `2030-03-05 USD chargeback 1 0 10.00 -10.00
2030-03-05 USD credit 1 1 2.00 -2.00
2030-03-04 EUR sale 1 0 1.00 1.00
2030-03-04 USD capture 1 0 5.00 5.00
2030-03-04 USD refund 1 2 4.00 0.00
2030-03-04 USD sale 2 2 15.00 7.00
EUR 1.00 0.00 "" 1.00 1 1
USD 12.00 10.00 "2.00" 0.00 6 3
12 3`
	if got.String() != want {
		t.Errorf("%s", got.String())
	}
	if _, err := SumUp([]listing.Line{line(0, payment.EventSale, payment.Success, "x", "")}); err == nil {
		t.Error("an amount that can't be read is left out")
	}
}
