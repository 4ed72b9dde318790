package verdict

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/operator/operatortest"
	"checkout/internal/settings"
)

var (
	sentAt                  = paymenttest.At
	usd, paid, job          = paymenttest.USD, paymenttest.Paid, paymenttest.Job
	forPerson, contradicted = operatortest.ForPerson, operatortest.Contradicted
)

// Each request takes the verdicts that fit it, and once: what is decided waits for its execution.
func TestDecidable(t *testing.T) {
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
		"decided": {paid(payment.StatusSettled, operatortest.Decided(job(payment.JobRefund))), "",
			"Ann has decided it already."},
		"never sent": {paid(payment.StatusSettled, operatortest.Queued(job(payment.JobRefund))), "",
			"Nothing was sent to the provider yet."},
		"a look-up": {paid(payment.StatusSettled, job(payment.JobLookUp)), "",
			"Its outcome is known, and it is being looked up once more."},
		"nothing": {paid(payment.StatusSettled), "", "Its outcome is known. The payment is paid."},
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
			job, err := Decidable(test.p, "", verdict)
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
		if got := MayGiveBack(all, p, &p.Jobs[0]); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
}
