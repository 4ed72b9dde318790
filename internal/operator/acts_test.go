package operator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/operator/operatortest"
	"checkout/internal/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The payments of tests, what these have, and who acts on them.
var (
	sentAt                  = paymenttest.At
	usd, paid, job, did     = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did
	paymentID, with, person = operatortest.PaymentID, operatortest.With, operatortest.Person
	forPerson, contradicted = operatortest.ForPerson, operatortest.Contradicted
)

// unlimited is how an act of somebody without limits begins.
var unlimited = started{allow: func(returning, time.Time) ([]store.Record, error) { return nil, nil }}

// stored is a service with the people who look after it.
type stored struct {
	*operatortest.Service
	*People
}

func newStored(t *testing.T) *stored { return storedIn(operatortest.New(t)) }

func situated(t *testing.T, p *payment.Payment) *stored { return storedIn(operatortest.Situated(t, p)) }

func storedIn(s *operatortest.Service) *stored { return &stored{s, NewPeople(s.Core)} }

// acts is an actor over the same documents, whose jobs go nowhere.
func (s *stored) acts() *Actor { return NewActor(s.Core, &acting{}, nil) }

// acting is an actor with one payment, of whose requests the provider says something as soon as they are sent.
type acting struct {
	*stored
	actor  *Actor
	id     string
	says   string
	sent   []string
	waits  int
	later  func() error // what happens while the call waits
	random byte
}

func act(t *testing.T, p *payment.Payment, says string) *acting {
	p.ID = paymentID(1)
	a := &acting{stored: situated(t, p), id: p.ID, says: says}
	a.Core.Log = slog.New(slog.DiscardHandler)
	a.Core.Pause = func(context.Context, time.Duration) error {
		a.waits++
		if a.later == nil {
			return errors.New("nobody waits longer")
		}
		return a.later()
	}
	a.Core.Random = func(n int) []byte {
		a.random++
		return append(make([]byte, n-1), a.random)
	}
	a.actor = NewActor(a.Core, a, nil).By(audit.Act{ID: "act", Who: "arn:ann", Command: "payments", Reason: "Asked."})
	return a
}

// SendJob implements payment.JobQueue.
func (a *acting) SendJob(ctx context.Context, m payment.JobMessage, _ time.Duration) error {
	if a.sent = append(a.sent, m.Reference); a.says == "" {
		return nil
	}
	if says, later := strings.CutSuffix(a.says, ", later"); later {
		a.says, a.sent = says, nil
		a.later = func() error { return a.SendJob(ctx, m, 0) }
		return nil
	}
	p, err := a.Core.Payment(ctx, a.Now, a.id)
	if err != nil {
		return err
	}
	job := p.Jobs.Find(m.Reference)
	switch a.says {
	case "approved":
		_, err = p.SucceedJob(*job, connector.Result{}, a.Now)
	case "declined", "declined, why":
		result := connector.Result{Outcome: connector.OutcomeDeclined}
		if a.says != "declined" {
			result.Reason = "Not today."
		}
		p.DeclineJob(*job, result, a.Now)
	case "unknown":
		job.UnknownSince = a.Now
	case "found", "found!":
		p.Acts.Finish(m.Reference, strings.Replace(a.says, "found", "it was found", 1))
	}
	a.Save(p.Record())
	return err
}

// told tells what was returned and is stored: of the payment what operators have asked for and what has no outcome, and
// of the audit log what was changed.
func (a *acting) told(done Done, err error) string {
	a.T.Helper()
	if err != nil {
		return fmt.Sprintf(" %d: %v", fault.CodeOf(err), err)
	}
	p, err := a.Core.Payment(a.T.Context(), a.Now, a.id)
	if err != nil {
		a.T.Fatal(err)
	}
	text := fmt.Sprintf("\n    %+v, sent: %q, waited: %d", done, a.sent, a.waits)
	for _, stored := range []any{p.Acts, p.Jobs} {
		line, err := json.Marshal(stored)
		if err != nil {
			a.T.Fatal(err)
		}
		text += "\n    " + string(line)
	}
	for _, r := range a.Docs.Dump() {
		if strings.HasPrefix(r.Key.Partition, "audit/2030") {
			var e audit.Entry
			if err := r.Decode(&e); err != nil {
				a.T.Fatal(err)
			}
			text += fmt.Sprintf("\n    %s: %s: %s", e.What, e.Changes, e.Reason)
		}
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, a.id, "PAYMENT"), `\u003c`, "<")
	return golden.Since(sentAt, text)
}

// What operators are told of what they ask for, by what the provider says, and what is stored of it.
func TestActs(t *testing.T) {
	table := golden.Table{}
	follow := func(kind payment.JobKind, amount string) func(*acting) (Done, error) {
		return func(a *acting) (Done, error) {
			by := a.actor.act
			if by.Reason = "Of 4242424242424242."; amount != "" {
				by.By = "Ann"
			}
			return a.actor.By(by).FollowUp(a.T.Context(), FollowUp{PaymentID: a.id, Kind: kind, Amount: amount})
		}
	}
	lookUp := func(reference string) func(*acting) (Done, error) {
		return func(a *acting) (Done, error) { return a.actor.LookUp(a.T.Context(), a.id, reference) }
	}
	settle := func(d Settlement) func(*acting) (Done, error) {
		return func(a *acting) (Done, error) {
			d.PaymentID, d.By, d.Reason = a.id, cmp.Or(d.By, " Ann "), cmp.Or(d.Reason, "Seen of 4242424242424242.")
			return a.actor.Settle(a.T.Context(), d)
		}
	}
	all := []string{"approved", "declined", "declined, why", "nothing", "unknown", "approved, later"}
	ends := []string{"nothing", "found", "found!", "found, later"}
	settled, refund := payment.StatusSettled, job(payment.JobRefund)
	two := payment.Jobs{operatortest.Queued(job(payment.JobVoid)), refund, operatortest.Unknown(job(payment.JobCharge))}
	two[2].Amount = usd("")
	given := with(paid(settled), operatortest.Placed, func(p *payment.Payment) {
		did(p, payment.EventGiveBack, payment.Success, "4.00")
		did(p, payment.EventRefund, payment.Success, "4.00")
		p.Transactions[1].SentAt, p.Transactions[1].MID = sentAt, "mid"
		p.Transactions[2].SentAt, p.Transactions[2].LookUps, p.Transactions[2].MID = sentAt, 2, "mid"
	})
	several := with(paid(settled, two...), func(p *payment.Payment) {
		p.Acts = []payment.Act{
			{At: sentAt, Do: payment.VerdictLookUp, Type: payment.EventVoid, Reference: "old", Result: "it was made"},
			{At: sentAt, Do: payment.VerdictApproved, Type: payment.EventRefund, Reference: "refund", Result: "it was not made"},
			{At: operatortest.SituatedAt, Do: payment.VerdictDeclined, Type: payment.EventVoid, Reference: "old",
				Result: "it failed"},
			{At: operatortest.SituatedAt, Do: payment.VerdictRequest, Type: payment.EventRefund, Reference: "refund", By: "Ann"},
		}
	})
	gone := func(do func(*acting) (Done, error)) func(*acting) (Done, error) {
		return func(a *acting) (Done, error) {
			a.id = paymentID(2)
			return do(a)
		}
	}
	for _, x := range []struct {
		name string
		p    *payment.Payment
		do   func(*acting) (Done, error)
		says []string
	}{
		{"refund", paid(settled), follow(payment.JobRefund, ""), all},
		{"refund of a part", paid(settled), follow(payment.JobRefund, "4.00"), all},
		{"refund of too much", paid(settled), follow(payment.JobRefund, "10.01"), all[:1]},
		{"refund of a declined payment", paid(payment.StatusDecline), follow(payment.JobRefund, ""), all[:1]},
		{"refund of no payment", paid(settled), gone(follow(payment.JobRefund, "")), all[:1]},
		{"void", paid(settled), follow(payment.JobVoid, ""), all[:2]},
		{"void of an amount", paid(settled), follow(payment.JobVoid, "10.00"), all[:1]},
		{"capture of a part", paid(payment.StatusPending), follow(payment.JobCapture, "6.00"), all[:2]},
		{"capture again", paid(settled), follow(payment.JobCapture, ""), all[:1]},
		{"look-up of the charge", with(paid(settled), operatortest.Placed), lookUp(""), ends},
		{"look-up of all", several, lookUp(""), ends},
		{"look-up of one", several, lookUp("charge"), ends[:1]},
		{"look-up of a refund that has ended", given, lookUp("refund"), ends[:1]},
		{"look-up of what was given back", given, lookUp("give_back"), ends[:1]},
		{"look-up of what was never sent", paid(settled), lookUp("charge"), ends[:1]},
		{"look-up of no request", paid(settled), lookUp("other"), ends[:1]},
		{"look-up of no payment", paid(settled), gone(lookUp("")), ends[:1]},
		{"settle", several, settle(Settlement{Reference: "refund", Verdict: "approved", Amount: "2.00"}), ends},
		{"settle the charge", operatortest.Charging(payment.StatusPrepare, operatortest.Undecided, nil),
			settle(Settlement{Verdict: "declined"}), ends[1:2]},
		{"settle for a long reason", several, settle(Settlement{Reference: "refund", Verdict: "declined",
			Reason: strings.Repeat("x", maxDecision+1)}), ends[:1]},
		{"settle without saying how", paid(settled, refund), settle(Settlement{Verdict: "requested"}), ends[:1]},
		{"settle without a name", paid(settled, refund), settle(Settlement{Verdict: "declined", By: " "}), ends[:1]},
		{"settle without a reason", paid(settled, refund), settle(Settlement{Verdict: "declined", Reason: " "}), ends[:1]},
		{"settle of no payment", paid(settled, refund), gone(settle(Settlement{Verdict: "declined"})), ends[:1]},
	} {
		table.Begin(x.name + ":")
		for _, says := range x.says {
			a := act(t, x.p, says)
			table.Add(says, a.told(x.do(a)))
		}
	}
	golden.Compare(t, "testdata/acts.golden", table.Text(), *update)
}

// An act that is repeated with its Idempotency-Key is done once. The key is nobody else's, and of nothing else.
func TestRepeatedActs(t *testing.T) {
	for name, do := range map[string]func(a *acting, act audit.Act, amount string) (Done, error){
		"refund": func(a *acting, act audit.Act, amount string) (Done, error) {
			return a.actor.By(act).FollowUp(t.Context(), FollowUp{PaymentID: a.id, Kind: payment.JobRefund, Amount: amount,
				IdempotencyKey: act.Key})
		},
		"settle": func(a *acting, act audit.Act, amount string) (Done, error) {
			return a.actor.By(act).Settle(t.Context(), Settlement{PaymentID: a.id, Verdict: payment.VerdictApproved,
				Amount: amount, By: "Ann", Reason: "Seen."})
		},
	} {
		a := act(t, paid(payment.StatusSettled, job(payment.JobRefund)), "nothing")
		a.actor.act.Key = "key"
		first, err := do(a, a.actor.act, "1.00")
		again, errAgain := do(a, a.actor.act, "1.00")
		if err != nil || errAgain != nil || first != again || len(a.sent) != 1 {
			t.Errorf("%s: %+v, %v; %+v, %v; sent %q", name, first, err, again, errAgain, a.sent)
		}
		bob, other := a.actor.act, a.actor.act
		bob.Who, other.Reason = "arn:bob", "Asked twice."
		for _, x := range []struct {
			act    audit.Act
			amount string
		}{{a.actor.act, "2.00"}, {bob, "1.00"}, {other, "1.00"}} {
			if _, err := do(a, x.act, x.amount); fault.CodeOf(err) != fault.CodeInvalid {
				t.Errorf("%s, of %s by %s: %v", name, x.amount, x.act.Who, err)
			}
		}
	}
}
