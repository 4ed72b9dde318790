package checkout

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/payment"
	"checkout/internal/payment/paymenttest"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// The payments of tests, and what these have.
var (
	paidAt              = paymenttest.At
	usd, paid, job, did = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did
)

// What a merchant or an operator may ask of a payment: "-" is not allowed, else the amount of "" (all that is left).
func TestMayFollowUp(t *testing.T) {
	evening := time.Date(2030, 3, 4, 23, 59, 59, 999, time.UTC)
	with := func(p *payment.Payment, change func(p *payment.Payment)) *payment.Payment {
		change(p)
		return p
	}
	for name, test := range map[string]struct {
		p                     *payment.Payment
		capture, void, refund string
		now                   time.Time
	}{
		"authorised":          {p: paid(payment.StatusPending), capture: "10.00", void: "10.00"},
		"authorised long ago": {p: paid(payment.StatusPending), capture: "10.00", void: "10.00", now: evening.Add(1e15)},
		"capture under way":   {p: paid(payment.StatusPending, job(payment.JobCapture))},
		"void under way":      {p: paid(payment.StatusPending, job(payment.JobVoid))},
		"undecided":           {p: paid(payment.StatusPending, job(payment.JobCharge))},
		"a look-up beside it": {p: paid(payment.StatusPending, job(payment.JobLookUp)), capture: "10.00", void: "10.00"},
		"settled":             {p: paid(payment.StatusSettled), void: "10.00", refund: "10.00"},
		"settled yesterday":   {p: paid(payment.StatusSettled), refund: "10.00", now: evening.Add(time.Second)},
		"settled, void":       {p: paid(payment.StatusSettled, job(payment.JobVoid))},
		"settled, refund":     {p: paid(payment.StatusSettled, job(payment.JobRefund)), refund: "7.00"},
		"settled, contradiction": {p: paid(payment.StatusSettled, job(payment.JobContradiction)), void: "10.00",
			refund: "10.00"},
		"three refunds": {p: paid(payment.StatusSettled, job(payment.JobRefund), job(payment.JobRefund),
			job(payment.JobRefund)), refund: "1.00"},
		"refunded in part": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Success, "4.00")
		}), refund: "6.00"},
		"a refund was declined": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Fail, "4.00")
		}), void: "10.00", refund: "10.00"},
		"all refunds under way": {p: with(paid(payment.StatusSettled, job(payment.JobRefund)), func(p *payment.Payment) {
			p.Jobs[0].Amount = p.Amount
		}), refund: "Nothing is left to refund."},
		"captured in part, a day later": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			p.Captured = usd("7.00")
			did(p, payment.EventCapture, payment.Success, "7.00")
			p.Transactions[1].Date = paidAt.Add(24 * time.Hour)
		}), void: "7.00", refund: "7.00", now: evening.Add(24 * time.Hour)},
		"its second capture was declined": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventCapture, payment.Fail, "7.00")
			p.Transactions[1].Date = paidAt.Add(24 * time.Hour)
		}), refund: "10.00", now: evening.Add(24 * time.Hour)},
		"payout": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			p.Operation, p.Transactions[0].Type = method.Credit, payment.EventCredit
		})},
		"199 refunds": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			for range 199 {
				did(p, payment.EventRefund, payment.Fail, "1.00")
			}
		}), void: "10.00", refund: "10.00"},
		"200 refunds": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			for range 200 {
				did(p, payment.EventRefund, payment.Fail, "1.00")
			}
		}), void: "10.00"},
		"at the bank": {p: paid(payment.StatusRedirect)}, "declined": {p: paid(payment.StatusDecline)},
		"refunded": {p: paid(payment.StatusRefund)}, "voided": {p: paid(payment.StatusVoid)},
		"charged back": {p: paid(payment.StatusChargeback)}, "reversed": {p: paid(payment.StatusReversal)},
	} {
		s := &Core{Declarations: settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}, "none": {}}}
		if test.now.IsZero() {
			test.now = evening
		}
		for kind, want := range map[payment.JobKind]string{
			payment.JobCapture: test.capture, payment.JobVoid: test.void, payment.JobRefund: test.refund,
			payment.JobCharge: ""} {
			if got := follows(s, test.p, kind, "", test.now); got != want {
				t.Errorf("%s: %s is %q, want %q", name, kind, got, want)
			}
			if !strings.Contains(want, ".00") || kind == payment.JobVoid {
				continue
			}
			cent := usd("0.01")
			more, _ := usd(want).Add(cent)
			for text, want := range map[string]string{want: want, "0.01": "0.01",
				more.String(): "This value should be " + want + " or less.", "0.00": "This value should be greater than 0."} {
				if got := follows(s, test.p, kind, text, test.now); got != want {
					t.Errorf("%s: %s of %s is %q, want %q", name, kind, text, got, want)
				}
			}
		}
		test.p.Connector = "none"
		for _, kind := range []payment.JobKind{payment.JobCapture, payment.JobVoid, payment.JobRefund} {
			if got := follows(s, test.p, kind, "", test.now); got != "" {
				t.Errorf("%s: %s at a connector that can't: %s", name, kind, got)
			}
		}
	}
}

// follows returns the amount of a request that is allowed, the fault of its amount, or "" for what is not allowed.
func follows(s *Core, p *payment.Payment, kind payment.JobKind, amount string, now time.Time) string {
	allowed, err := s.MayFollowUp(p, kind, amount, now)
	switch {
	case request.ErrorCode(err) == request.CodeNotAllowed:
		return ""
	case request.ErrorCode(err) == request.CodeInvalid:
		var refused *request.Error
		errors.As(err, &refused)
		fault := refused.Faults[0]
		own := map[payment.JobKind]int{payment.JobCapture: request.FaultCaptureAmount,
			payment.JobRefund: request.FaultRefundAmount}[kind]
		if (fault.Code == own) != strings.HasSuffix(fault.Text, "or less.") && amount != "" {
			return fmt.Sprintf("%d of a %s: %s", fault.Code, kind, fault.Text)
		}
		return fault.Text
	case err != nil:
		return err.Error()
	}
	return allowed.String()
}

// A capture, void or refund is refused with its own code.
func TestErrNotAllowed(t *testing.T) {
	for kind, want := range map[payment.JobKind]string{
		payment.JobCapture: fmt.Sprint(request.FaultCaptureStatus, " Capture is not allowed."),
		payment.JobRefund:  fmt.Sprint(request.FaultRefundStatus, " Refund is not allowed."),
		payment.JobVoid:    fmt.Sprint(request.FaultInvalid, " Void is not allowed."),
		payment.JobCharge:  fmt.Sprint(request.FaultInvalid, " Retry is not allowed."),
	} {
		fault := ErrNotAllowed(kind).Faults[0]
		if got := fmt.Sprint(fault.Code, " ", fault.Text); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// An approval after a decline is accepted only while nobody has paid in its place.
func TestMayAccept(t *testing.T) {
	for _, test := range []struct {
		status  payment.Status
		session SessionState
		may     bool
	}{
		{payment.StatusDecline, "", true}, {payment.StatusDecline, SessionOpen, true},
		{payment.StatusDecline, SessionDeclined, true}, {payment.StatusDecline, SessionCancelled, true},
		{payment.StatusDecline, SessionComplete, false}, {payment.StatusDecline, SessionProcessing, false},
		{payment.StatusSettled, "", false}, {payment.StatusPending, SessionOpen, false},
	} {
		task := Task{Payment: paid(test.status)}
		if test.session != "" {
			task.Session = &Session{State: test.session}
		}
		job := payment.Job{Kind: payment.JobContradiction, Reference: "charge"}
		if why := task.MayAccept(&job); (why == "") != test.may {
			t.Errorf("%s, session %q: %q", test.status, test.session, why)
		}
	}
}

// A person's decision ends a request as if the provider had said it, with the amount that counts.
func TestSettleJob(t *testing.T) {
	approved, declined := payment.VerdictApproved, payment.VerdictDeclined
	for _, test := range []struct {
		kind          payment.JobKind
		verdict       payment.Verdict
		named, moved  string
		status        payment.Status
		amount, event string // "": it is left undone
	}{
		{payment.JobCharge, approved, "", "", payment.StatusSettled, "10.00", " success"},
		{payment.JobCharge, approved, "4.00", "5.00", payment.StatusSettled, "4.00", "4.00 success"},
		{payment.JobCharge, approved, "", "5.00", payment.StatusSettled, "5.00", "5.00 success"},
		{payment.JobCharge, approved, "", "10.01", payment.StatusPrepare, "10.00", ""},
		{payment.JobCharge, approved, "", "10.00", payment.StatusSettled, "10.00", " success"},
		{payment.JobCharge, declined, "", "5.00", payment.StatusDecline, "10.00", " fail"},
		{payment.JobCapture, approved, "2.00", "", payment.StatusSettled, "2.00", "2.00 success"},
		{payment.JobCapture, approved, "", "", payment.StatusSettled, "3.00", "3.00 success"},
		{payment.JobRefund, approved, "", "2.00", payment.StatusSettled, "10.00", "2.00 success"},
		{payment.JobRefund, declined, "", "2.00", payment.StatusSettled, "10.00", "3.00 fail"},
		{payment.JobRefund, approved, "", "3.01", payment.StatusSettled, "10.00", ""},
		{payment.JobVoid, approved, "", "2.00", payment.StatusVoid, "10.00", " success"},
	} {
		before := map[payment.JobKind]payment.Status{payment.JobCharge: payment.StatusPrepare,
			payment.JobCapture: payment.StatusPending}[test.kind]
		if before == "" {
			before = payment.StatusSettled
		}
		p := paid(before, job(test.kind))
		if test.kind == payment.JobCharge {
			p.Transactions, p.Captured, p.Jobs[0].Amount = nil, money.Amount{}, money.Amount{}
		}
		j := &p.Jobs[0]
		j.Decision = &payment.Decision{Verdict: test.verdict, Amount: usd(test.named), By: "Ann", At: paidAt}
		j.Finding = &payment.Finding{Moved: usd(test.moved)}
		p.Acts = []payment.Act{{Reference: j.Reference, At: paidAt}, {Reference: j.Reference}}
		e, err := SettleJob(Task{Payment: p, Reference: j.Reference}, *j, paidAt)
		got := ""
		if e.Event != nil {
			got = e.Event.Amount.String() + " " + string(e.Event.Status)
		}
		amount := p.Captured
		if amount.IsZero() {
			amount = p.Amount
		}
		if err != nil || !e.Save || got != test.event || p.Status != test.status || amount.String() != test.amount {
			t.Errorf("%+v: %q, %s, %s of %s, %v", test, got, p.Status, p.Captured, p.Amount, err)
		}
		if undone := len(p.Jobs) == 1; undone != (test.event == "") || undone && p.Jobs[0].Decision != nil ||
			undone != strings.HasSuffix(p.Acts[0].Result, "not executed: the amount has to be named") ||
			strings.Contains(p.Acts[1].Result, "not executed") {
			t.Errorf("%+v: %+v", test, p.Jobs)
		}
		if n := len(p.Transactions); test.event != "" && (p.Transactions[n-1].Decision == nil || e.Event.Reason == nil ||
			!strings.Contains(p.Transactions[n-1].Reason, "decided by Ann")) {
			t.Errorf("%+v: who has decided is not stored: %+v", test, p.Transactions[n-1])
		}
	}
}

// An approval that is accepted counts at the MID of its charge, with what that has reported.
func TestAcceptApproval(t *testing.T) {
	for _, latest := range []string{"charge", "next"} {
		p := paid(payment.StatusDecline)
		p.ChargeReference, p.MID, p.ProviderID, p.RRN = latest, "mid-2", "old", "old"
		p.Transactions[0].MID, p.Transactions[0].Connector = "mid-1", "first"
		r := connector.Result{Outcome: connector.OutcomeApproved, Authorised: latest == "next", Code: "7"}
		r.ProviderID = "new"
		payment.Contradict(p, "charge", r, paidAt)
		e, err := AcceptApproval(Task{Payment: p}, p.Jobs[0], paidAt)
		want := map[string]string{"charge": "settled old 10.00", "next": "pending  "}[latest]
		if got := fmt.Sprint(p.Status, " ", p.RRN, " ", p.Captured); got != want || err != nil || !e.Save {
			t.Errorf("%s: %q, %v", latest, got, err)
		}
		end := p.Transactions[len(p.Transactions)-1]
		if p.MID != "mid-1" || p.Connector != "first" || p.ProviderID != "new" || len(p.Jobs) > 0 || end.Code != "7" ||
			end.Type != payment.EventSale {
			t.Errorf("%s: %s, %s, %s, %+v", latest, p.MID, p.Connector, p.ProviderID, end)
		}
	}
}
