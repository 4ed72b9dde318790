package operator

import (
	"fmt"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/settings"
	"checkout/internal/store"
)

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
		l := newStored(t)
		l.Core.Declarations = settings.Declarations{"bank": test.can}
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
		l.Save(retry.Record())
		l.Save(p.Record())
		d := Settlement{PaymentID: p.ID, Verdict: test.verdict, By: "Ann", Reason: "Asked."}
		of, err := l.acts().settle(t.Context(), d, unlimited)
		if (err == nil) != test.stored || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v: %v", test, err)
		}
		after, readErr := l.Core.Payment(t.Context(), l.Now, p.ID)
		if readErr != nil || len(after.Acts) != map[bool]int{true: 1}[test.stored] {
			t.Fatalf("%+v: %v, %+v", test, readErr, after)
		}
		if decided := after.Jobs[0].Decision; test.stored && (decided == nil || decided.Verdict != test.verdict ||
			decided.By != "Ann" || after.Acts[0].By != "Ann" || len(of.messages) != 1) {
			t.Errorf("%+v: %+v, %+v", test, decided, after.Acts)
		}
		if _, err := l.acts().settle(t.Context(), d, unlimited); fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v, a second time: %v", test, err)
		}
	}
}

// Where a session is gone, an approval is not accepted beside another payment of it.
func TestPaidInSession(t *testing.T) {
	l, hash := newStored(t), store.OrderHash("live/shop", "1")
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
		l.Save(p.Record(), other.Record())
		why, err := paidInSession(t.Context(), l.Core, checkout.Task{Payment: p})
		if err != nil || (why == "") != test.free {
			t.Errorf("%+v: %q, %v", test, why, err)
		}
		for n := range map[bool]int{true: attemptsPage}[n == 4] { // later attempts of other sessions
			later := paid(payment.StatusSettled)
			later.ID = store.NewPaymentID(hash, at.Add(time.Second), []byte{0, 0, byte(n >> 8), byte(n)})
			l.Save(later.Record())
		}
		if later, err := paidInSession(t.Context(), l.Core, checkout.Task{Payment: p}); err != nil || later != why {
			t.Errorf("%+v, after later attempts: %q, %v", test, later, err)
		}
		open := checkout.Task{Payment: p, Session: &checkout.Session{}}
		if why, err := paidInSession(t.Context(), l.Core, open); err != nil || why != "" {
			t.Errorf("%+v, of a session that is there: %q, %v", test, why, err)
		}
		p.Status = payment.StatusSettled
		if why, err := paidInSession(t.Context(), l.Core, checkout.Task{Payment: p}); err != nil || why != "" {
			t.Errorf("%+v, not declined: %q, %v", test, why, err)
		}
	}
}
