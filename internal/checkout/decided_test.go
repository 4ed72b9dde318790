package checkout

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/golden"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// What a person's decision makes of each request, and what the merchant is told: testdata/decisions.golden.
func TestDecisions(t *testing.T) {
	undecided := func(kind payment.JobKind) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			status := payment.StatusSettled
			if kind == payment.JobCapture {
				status = payment.StatusPending
			}
			return paid(status, job(kind)), string(kind)
		}
	}
	charge := func(amount string) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			p, _ := attempt(func(p *payment.Payment, _ *Session) {
				p.Amount, p.Order.Amount = usd(amount), request.Entered(usd("10.00"))
				if amount == "" {
					p.Order.Amount = request.Amount{}
				}
			})
			return p, p.ID
		}
	}
	found := func(moved string, of func() (*payment.Payment, string)) func() (*payment.Payment, string) {
		return func() (*payment.Payment, string) {
			p, reference := of()
			p.Jobs[0].Finding = &payment.Finding{At: paidAt, Moved: usd(moved)}
			return p, reference
		}
	}
	table := golden.Table{}
	for _, of := range []struct {
		name string
		make func() (*payment.Payment, string)
	}{
		{"a charge of 10.00", charge("10.00")}, {"a charge of what the payer enters", charge("")},
		{"a charge of 10.00, of which 5.00 was found", found("5.00", charge("10.00"))},
		{"a charge of 10.00, found as it is", found("10.00", charge("10.00"))},
		{"a charge of 10.00, of which 10.01 was found", found("10.01", charge("10.00"))},
		{"a capture of 3.00", undecided(payment.JobCapture)}, {"a void", undecided(payment.JobVoid)},
		{"a void, of which 2.00 was found", found("2.00", undecided(payment.JobVoid))},
		{"a refund of 3.00", undecided(payment.JobRefund)},
		{"a refund of 3.00, of which 2.00 was found", found("2.00", undecided(payment.JobRefund))},
		{"a refund of 3.00, of which 3.01 was found", found("3.01", undecided(payment.JobRefund))},
		{"a refund of 3.00, and 9.00 is refunded", func() (*payment.Payment, string) {
			p, reference := undecided(payment.JobRefund)()
			did(p, payment.EventRefund, payment.Success, "9.00")
			p.Transactions[1].Reference = "before"
			return p, reference
		}},
		{"a give-back", func() (*payment.Payment, string) {
			p := paid(payment.StatusDecline)
			p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
			back := job(payment.JobGiveBack)
			back.About = "charge"
			p.Jobs = payment.Jobs{back}
			return p, back.Reference
		}},
	} {
		table.Begin(of.name)
		for _, says := range []struct{ name, verdict, amount string }{
			{"approved", "approved", ""}, {"approved, 2.00", "approved", "2.00"}, {"approved, 3.00", "approved", "3.00"},
			{"approved, 10.01", "approved", "10.01"}, {"declined", "declined", ""}, {"accepted", "accept", ""},
			{"no verdict", "", ""},
		} {
			p, reference := of.make()
			decision := payment.Decision{Verdict: payment.Verdict(says.verdict), Amount: usd(says.amount), By: "Ann",
				Reason: "The bank says so.", At: paidAt}
			p.Acts = []payment.Act{{Reference: reference, At: paidAt, Result: "decided"}, {Reference: reference, Result: "else"},
				{Reference: "other", At: paidAt}}
			p.Jobs.Find(reference).Decision = &decision
			before := golden.Members(p)
			task := Task{Payment: p, Reference: reference}
			e, err := SettleJob(task, *task.Job(), paidAt.Add(1e9))
			var all strings.Builder
			if err != nil {
				fmt.Fprintf(&all, " error (%v)", err)
			}
			if e.Save {
				all.WriteString(" stored")
			}
			if e.Event != nil {
				fmt.Fprintf(&all, ", the merchant is told %s %s %s: %s", e.Event.Type, e.Event.Status, e.Event.Amount,
					e.Event.Reason.Text())
			}
			all.WriteString(golden.Differences(before, golden.Members(p)))
			table.Add(says.name, golden.Since(paidAt, strings.ReplaceAll(all.String(), aPayment, "id")))
		}
	}
	golden.Compare(t, "testdata/decisions.golden", table.Text(), *update)
}

// An approval that came too late is accepted only while nothing else has taken its place.
func TestMayAccept(t *testing.T) {
	refund := func(change func(p *payment.Payment)) *payment.Payment {
		p := paid(payment.StatusSettled)
		did(p, payment.EventRefund, payment.Fail, "3.00")
		p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		change(p)
		return p
	}
	decline := func(status payment.Status) *payment.Payment {
		p := paid(payment.StatusDecline)
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		p.Status = status
		return p
	}
	for name, test := range map[string]struct {
		p    *payment.Payment
		sess *Session
		want string
	}{
		"a decline":                    {decline(payment.StatusDecline), nil, ""},
		"a decline, session open":      {decline(payment.StatusDecline), &Session{State: SessionOpen}, ""},
		"a decline, session declined":  {decline(payment.StatusDecline), &Session{State: SessionDeclined}, ""},
		"a decline, session cancelled": {decline(payment.StatusDecline), &Session{State: SessionCancelled}, ""},
		"an authorisation": {decline(payment.StatusPending), &Session{State: SessionOpen},
			"The payment is pending: the money can only"},
		"a decline, paid otherwise":    {decline(payment.StatusDecline), &Session{State: SessionComplete}, "has succeeded"},
		"a decline, being paid":        {decline(payment.StatusDecline), &Session{State: SessionProcessing}, "in progress"},
		"a success":                    {decline(payment.StatusSettled), nil, "The payment is settled: the money can only"},
		"a refund":                     {refund(func(*payment.Payment) {}), nil, ""},
		"a refund, session complete":   {refund(func(*payment.Payment) {}), &Session{State: SessionComplete}, ""},
		"a refund of all that is left": {refund(func(p *payment.Payment) { p.Jobs[0].Amount = usd("10.00") }), nil, ""},
		"a refund of more": {refund(func(p *payment.Payment) { p.Jobs[0].Amount = usd("10.01") }), nil,
			"Of the payment 10.00 USD is left to refund."},
		"a refund beside another": {refund(func(p *payment.Payment) {
			p.Jobs[0].Amount = usd("7.01")
			p.Jobs = append(p.Jobs, job(payment.JobRefund))
		}), nil, "Another refund is in progress."},
		"a refund beside a void": {refund(func(p *payment.Payment) { p.Jobs = append(p.Jobs, job(payment.JobVoid)) }), nil,
			"A void is in progress."},
		"a refund of an authorisation": {refund(func(p *payment.Payment) { p.Status = payment.StatusPending }), nil,
			"The payment is pending: the case can only be closed."},
		"a refund of a disputed payment": {refund(func(p *payment.Payment) {
			if _, err := p.Disputes().Apply(connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "d"},
				paidAt); err != nil {
				t.Fatal(err)
			}
		}), nil, ""},
	} {
		why := Task{Payment: test.p, Session: test.sess}.MayAccept(&test.p.Jobs[0])
		if (why == "") != (test.want == "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// An approval that is accepted counts at the MID of its charge, with what that has reported and the amount that has
// moved.
func TestAcceptApproval(t *testing.T) {
	for _, test := range []struct{ latest, amount, moved, want string }{
		{"charge", "10.00", "10.00", "settled 10.00 of 10.00, old"}, {"next", "10.00", "10.00", "pending  of 10.00, "},
		{"charge", "10.00", "9.00", "settled 9.00 of 9.00, old"}, {"charge", "", "8.00", "settled 8.00 of 8.00, old"},
	} {
		p := paid(payment.StatusDecline)
		p.ChargeReference, p.MID, p.ProviderID, p.RRN, p.Amount = test.latest, "mid-2", "old", "old", usd(test.amount)
		p.Transactions[0].MID, p.Transactions[0].Connector = "mid-1", "first"
		r := connector.Result{Outcome: connector.OutcomeApproved, Authorised: test.latest == "next", Code: "7"}
		r.ProviderID = "new"
		p.Contradictions().Add("charge", r, paidAt)
		reported := p.Jobs[0]
		reported.Amount = usd(test.moved)
		if test.amount == "" { // the payer has entered it at the provider
			p.Order.Amount = request.Amount{}
		}
		e, err := AcceptApproval(Task{Payment: p}, reported, paidAt)
		if got := fmt.Sprintf("%s %s of %s, %s", p.Status, p.Captured, p.Amount, p.RRN); got != test.want || err != nil {
			t.Errorf("%v: %q, %v", test, got, err)
		}
		end := p.Transactions[len(p.Transactions)-1]
		if p.MID != "mid-1" || p.Connector != "first" || p.ProviderID != "new" || len(p.Jobs) > 0 || end.Code != "7" ||
			end.Type != payment.EventSale || !e.Save || p.ChargeReference != "charge" {
			t.Errorf("%v: %s, %s, %s, %+v", test, p.MID, p.Connector, p.ProviderID, end)
		}
	}
}

// What a provider says later of a refund, and a person accepts, changes what is left.
func TestAcceptedRefunds(t *testing.T) {
	p := paid(payment.StatusSettled)
	did(p, payment.EventRefund, payment.Fail, "3.00")
	p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeApproved, Code: "00"}, paidAt)
	e, err := Task{Payment: p}.AcceptRefund(p.Jobs[0], paidAt)
	left, _ := p.Amounts().Refundable()
	if err != nil || e.Event.Type != payment.EventRefund || e.Event.Status != payment.Success || left != usd("7.00") ||
		len(p.Jobs) > 0 {
		t.Errorf("a refund: %+v, %v, %s is left, %+v", e, err, left, p.Jobs)
	}
	p = paid(payment.StatusSettled)
	did(p, payment.EventRefund, payment.Success, "3.00")
	p.Transactions[1].Decision = &payment.Decision{}
	p.Contradictions().Add("refund", connector.Result{Outcome: connector.OutcomeDeclined, Code: "05"}, paidAt)
	e, err = Task{Payment: p}.AcceptDecline(p.Jobs[0], payment.Decision{By: "Ann", Reason: "So it is."}, paidAt)
	left, _ = p.Amounts().Refundable()
	if err != nil || !e.Save || e.Event.Status != payment.Fail || left != usd("10.00") || len(p.Jobs) > 0 ||
		!strings.Contains(e.Event.Reason.Text(), "So it is. (decided by Ann)") || p.Transactions[1].Code != "05" {
		t.Errorf("a decline: %+v, %v, %s is left, %+v", e, err, left, p)
	}
}

// What a change starts and stops of a chain of charges is stored with it.
func TestChangeOfChains(t *testing.T) {
	docs := memory.NewStore()
	core := &Core{Store: docs, Now: func() time.Time { return paidAt },
		Random: func(n int) []byte { return make([]byte, n) }}
	p, s := attempt(func(*payment.Payment, *Session) {})
	m := settings.Merchant{ID: "shop", Mappings: []settings.Mapping{{Name: "all"}}}
	err := docs.Save(t.Context(), paidAt, p.Record(), s.Record(), store.Encode(store.SettingsKey("shop"), 0, m))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []payment.Effects{{}, {StartChain: true}, {StopChain: true}} {
		p, s, err := core.PaymentAndSession(t.Context(), paidAt, aPayment, aSession)
		if err != nil {
			t.Fatal(err)
		}
		e.Save = true
		_, _, err = core.Change(t.Context(), Task{Payment: p, Session: s, Reference: aPayment},
			func(Task, time.Time) (payment.Effects, error) { return e, nil })
		c, errRead := core.Chain(t.Context(), paidAt, aPayment)
		if err != nil || errRead != nil || (c != nil) != (e.StartChain || e.StopChain) ||
			c != nil && c.Cancelled != e.StopChain {
			t.Errorf("%+v: %+v, %v, %v", e, c, err, errRead)
		}
	}
}
