package worker

import (
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/settings"
)

var update = flag.Bool("update", false, "rewrite golden files")

// at is where a payment of 10.00 USD and its job stand.
type at struct {
	name    string
	after   time.Duration // since the payment was stored
	make    func(p *payment.Payment)
	message payment.JobMessage
	late    bool // the provider may list requests late
	fast    bool // not through the queue for slow providers
	certain bool // the same whatever the provider says: it is only asked for what it approves
}

func (a at) payment() *payment.Payment {
	p := &payment.Payment{ID: chargeID, Status: payment.StatusPrepare, Amount: amountOf("10.00 USD"),
		Times: payment.Times{CreatedAt: storedAt, ChangedAt: storedAt}}
	p.Owner, p.Mapping, p.MID, p.Connector = fault.Owner{Merchant: "shop"}, "all", "one", "bank"
	p.Operation, p.Method, p.Order.Currency, p.Order.Number = method.Purchase, "pull_wallet", "USD", "1"
	a.make(p)
	return p
}

// job adds a job that was not sent.
func job(p *payment.Payment, kind payment.JobKind, amount string) *payment.Job {
	j := payment.Job{Kind: kind, Reference: chargeID, Amount: amountOf(amount), DueAt: storedAt.Add(payment.NewJobGrace)}
	if kind != payment.JobCharge {
		j.Reference = "the-" + string(kind)
	}
	p.Jobs = append(p.Jobs, j)
	return &p.Jobs[len(p.Jobs)-1]
}

// sent makes a job one that was sent, of which nobody knows the outcome.
func sent(j *payment.Job) *payment.Job {
	j.SentAt, j.Released, j.Tries, j.Notified = storedAt, true, 1, true
	j.UnknownSince, j.DueAt = storedAt, storedAt.Add(time.Minute)
	return j
}

// forPerson makes a sent job one that a person decides.
func forPerson(j *payment.Job) *payment.Job {
	j.Person, j.DueAt, j.Tries = true, time.Time{}, 20
	return j
}

// ended adds a request that has ended.
func ended(p *payment.Payment, kind payment.EventType, status payment.TransactionStatus, amount string) {
	p.Transactions = append(p.Transactions, payment.Transaction{Type: kind, Status: status, Reference: chargeID,
		Amount: amountOf(amount), Date: storedAt, MID: p.MID, Connector: p.Connector})
}

// charged makes the payment one whose charge has ended.
func charged(status payment.Status) func(*payment.Payment) {
	return func(p *payment.Payment) {
		p.Status, p.ChargeReference = status, chargeID
		p.Moves = []payment.StatusMove{{To: status, At: storedAt}}
		switch status {
		case payment.StatusDecline:
			ended(p, payment.EventSale, payment.Fail, "10.00 USD")
			return
		case payment.StatusSettled:
			p.Captured = p.Amount
		}
		ended(p, payment.EventSale, payment.Success, "10.00 USD")
	}
}

// with does several changes of a payment one after the other.
func with(all ...func(*payment.Payment)) func(*payment.Payment) {
	return func(p *payment.Payment) {
		for _, change := range all {
			change(p)
		}
	}
}

// has adds a job to a payment, changed by others.
func has(kind payment.JobKind, amount string, changes ...func(*payment.Job) *payment.Job) func(*payment.Payment) {
	return func(p *payment.Payment) {
		j := job(p, kind, amount)
		for _, change := range changes {
			change(j)
		}
	}
}

func decided(verdict payment.Verdict) func(*payment.Job) *payment.Job {
	return func(j *payment.Job) *payment.Job {
		forPerson(j).Decide(payment.Decision{Verdict: verdict, By: "Ann", Reason: "Seen.", At: storedAt})
		return j
	}
}

// contradicted has the provider report the charge differently.
func contradicted(outcome connector.Outcome, verdict payment.Verdict) func(*payment.Payment) {
	return func(p *payment.Payment) {
		if outcome == connector.OutcomeDeclined {
			p.Transactions[0].Decision = &payment.Decision{By: "Bea", Verdict: payment.VerdictApproved}
		}
		p.Contradictions().Add(chargeID, connector.Result{Outcome: outcome}, storedAt)
		if verdict != "" {
			decided(verdict)(&p.Jobs[0])
		}
	}
}

// approvedOf has the provider report the approval of an amount, after the decline.
func approvedOf(moved string) func(*payment.Payment) {
	return func(p *payment.Payment) {
		found := &payment.Finding{At: storedAt, Says: payment.Undefined, Text: "of " + moved, Moved: amountOf(moved)}
		p.Contradictions().AddAmount(chargeID, payment.ParsedResult{Other: found,
			Result: connector.Result{Outcome: connector.OutcomeApproved}}, storedAt)
	}
}

// accept has a person accept what is reported, of an amount or of that which the provider says ("").
func accept(amount string) func(*payment.Payment) {
	return func(p *payment.Payment) {
		forPerson(&p.Jobs[0]).Decide(payment.Decision{Verdict: payment.VerdictAccept, By: "Ann", Reason: "Seen.",
			At: storedAt, Amount: amountOf(amount)})
	}
}

// isBlind gives the payment to a provider that can't be looked up.
func isBlind(p *payment.Payment) { p.MID, p.Connector = "three", "blind" }

const (
	settled    = payment.StatusSettled
	authorised = payment.StatusPending
	declined   = payment.StatusDecline
	minutes    = 5 * time.Minute
	days       = 100 * time.Hour
)

func atBank(p *payment.Payment) {
	p.Status = payment.StatusRedirect
	p.Action = &connector.RequiredAction{Kind: connector.ActionRedirect, URL: "https://bank.example",
		ExpiresAt: storedAt.Add(time.Hour)}
}

func otherMIDs(j *payment.Job) *payment.Job {
	j.MIDs = []string{"two"}
	return j
}

func asked(j *payment.Job) *payment.Job {
	j.Asked = true
	return j
}

var lookUp = payment.JobMessage{LookUp: true}

var stages = []at{
	{name: "a charge", after: time.Second, make: has(payment.JobCharge, "")},
	{name: "a charge with another MID", after: time.Second, make: has(payment.JobCharge, "", otherMIDs)},
	{name: "a charge whose worker may still run", certain: true, after: time.Second,
		make: has(payment.JobCharge, "", func(j *payment.Job) *payment.Job {
			j.Send(storedAt)
			return j
		})},
	{name: "a charge that was sent", after: minutes, make: has(payment.JobCharge, "", sent, otherMIDs)},
	{name: "a charge that was sent to a provider that lists late", after: minutes, late: true,
		make: has(payment.JobCharge, "", sent)},
	{name: "a charge that was sent, a call asks", after: time.Second,
		make: has(payment.JobCharge, "", sent), message: lookUp},
	{name: "a charge for a person, a call asks", after: days, make: has(payment.JobCharge, "", sent, forPerson),
		message: lookUp},
	{name: "a charge for a person, an operator asks", after: days,
		make: has(payment.JobCharge, "", sent, forPerson, asked)},
	{name: "a charge that a person has approved", after: days,
		make: has(payment.JobCharge, "", sent, decided(payment.VerdictApproved))},
	{name: "a charge that a person has declined", after: days,
		make: has(payment.JobCharge, "", sent, decided(payment.VerdictDeclined))},
	{name: "a charge whose payer is at the bank", after: minutes, make: with(atBank, has(payment.JobCharge, "", sent))},
	{name: "a charge whose payer has filled in the second form", after: minutes,
		make: with(atBank, has(payment.JobCharge, "", sent, func(j *payment.Job) *payment.Job {
			j.Continue = true
			return j
		}))},
	{name: "a charge that its payer ends", after: minutes,
		make: with(atBank, has(payment.JobCharge, "", sent, func(j *payment.Job) *payment.Job {
			j.End = true
			return j
		}))},
	{name: "a capture", after: time.Second, make: with(charged(authorised), has(payment.JobCapture, "7.00 USD"))},
	{name: "a capture that was sent", after: minutes,
		make: with(charged(authorised), has(payment.JobCapture, "7.00 USD", sent))},
	{name: "a void", after: time.Second, make: with(charged(settled), has(payment.JobVoid, "10.00 USD"))},
	{name: "a void that was sent", after: minutes,
		make: with(charged(authorised), has(payment.JobVoid, "10.00 USD", sent))},
	{name: "a refund", after: time.Second, make: with(charged(settled), has(payment.JobRefund, "3.00 USD"))},
	{name: "a refund of a payment that is disputed", after: time.Second,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD"),
			func(p *payment.Payment) { p.Status = payment.StatusChargeback })},
	{name: "a refund that was sent", after: minutes,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD", sent))},
	{name: "a refund that a person has approved", after: days,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD", sent, decided(payment.VerdictApproved)))},
	{name: "approved after its decline", after: days,
		make: with(charged(declined), contradicted(connector.OutcomeApproved, "")), message: lookUp},
	{name: "approved after its decline, accepted", after: days,
		make: with(charged(declined), contradicted(connector.OutcomeApproved, payment.VerdictAccept))},
	{name: "approved after its decline, given back", after: days,
		make: with(charged(declined), contradicted(connector.OutcomeApproved, payment.VerdictGiveBack))},
	{name: "approved after its decline, closed", after: days,
		make: with(charged(declined), contradicted(connector.OutcomeApproved, payment.VerdictClose))},
	{name: "approved after its decline, with a decision of a request", certain: true, after: days,
		make: with(charged(declined), contradicted(connector.OutcomeApproved, payment.VerdictApproved))},
	{name: "declined after a person's approval, accepted", after: days,
		make: with(charged(settled), contradicted(connector.OutcomeDeclined, payment.VerdictAccept))},
	{name: "a look-up of what is settled", after: minutes, make: with(charged(settled), has(payment.JobLookUp, "", asked,
		func(j *payment.Job) *payment.Job {
			j.Reference = chargeID
			return j
		}))},
	{name: "accepted of 9.00", after: days, make: with(charged(declined), approvedOf("9.00 USD"), accept(""))},
	{name: "accepted of 9.00, which 8.00 counts of", after: days,
		make: with(charged(declined), approvedOf("9.00 USD"), accept("8.00 USD"))},
	{name: "accepted of 11.00", after: days, make: with(charged(declined), approvedOf("11.00 USD"), accept(""))},
	{name: "of an amount that the payer enters", after: minutes, make: with(has(payment.JobCharge, "", sent),
		func(p *payment.Payment) { p.Amount = money.Amount{} })},
	{name: "of an amount that the payer enters, approved by a person", after: days,
		make: with(has(payment.JobCharge, "", sent, decided(payment.VerdictApproved)),
			func(p *payment.Payment) { p.Amount = money.Amount{} })},
	{name: "a charge that can't be looked up", certain: true, after: minutes,
		make: with(has(payment.JobCharge, "", sent), isBlind)},
	{name: "a charge that can't be looked up, an operator asks", certain: true, after: days,
		make: with(has(payment.JobCharge, "", sent, forPerson, asked), isBlind)},
	{name: "a charge that can't be looked up, approved by a person", certain: true, after: days,
		make: with(has(payment.JobCharge, "", sent, decided(payment.VerdictApproved)), isBlind)},
	{name: "two refunds", certain: true, after: time.Second,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD"),
			has(payment.JobRefund, "4.00 USD", func(j *payment.Job) *payment.Job {
				j.Reference = "another"
				return j
			}))},
	{name: "a refund in the fast queue", certain: true, after: time.Second, fast: true,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD"))},
	{name: "a refund that has ended", certain: true, after: time.Second, make: charged(settled),
		message: payment.JobMessage{Reference: "the-refund"}},
	{name: "a charge whose MID has another provider now", certain: true, after: time.Second,
		make: with(has(payment.JobCharge, ""),
			func(p *payment.Payment) { p.Connector = "other" })},
	{name: "a charge for a person, whose MID is gone, an operator asks", certain: true, after: days,
		make: with(has(payment.JobCharge, "", sent, forPerson, asked), func(p *payment.Payment) { p.MID = "gone" })},
	{name: "a charge whose MID is gone, declined by a person", certain: true, after: days,
		make: with(has(payment.JobCharge, "", sent, decided(payment.VerdictDeclined)),
			func(p *payment.Payment) { p.MID = "gone" })},
	{name: "a charge for a person, whose MID is gone", certain: true, after: days,
		make: with(has(payment.JobCharge, "", sent, forPerson), func(p *payment.Payment) { p.MID = "gone" })},
	{name: "a refund whose MID is gone", certain: true, after: time.Second,
		make: with(charged(settled), has(payment.JobRefund, "3.00 USD"),
			func(p *payment.Payment) { p.Transactions[0].MID = "gone" })},
	{name: "a refund that was sent to a MID that is gone", certain: true, after: minutes, make: with(charged(settled),
		has(payment.JobRefund, "3.00 USD", sent), func(p *payment.Payment) { p.Transactions[0].MID = "gone" })},
}

// replies are what a provider says of a request.
var replies = []struct {
	name string
	reply
}{
	{"approved", reply{result: connector.Result{Outcome: connector.OutcomeApproved, Code: "00"}}},
	{"authorised", reply{result: connector.Result{Outcome: connector.OutcomeApproved, Authorised: true}}},
	{"declined", reply{result: connector.Result{Outcome: connector.OutcomeDeclined, Reason: "No."}}},
	{"declined softly", reply{result: connector.Result{Outcome: connector.OutcomeDeclined,
		ReasonCode: reason.InsufficientFunds}}},
	{"not decided", reply{result: connector.Result{Outcome: connector.OutcomePending}}},
	{"the payer has to act", reply{result: connector.Result{Outcome: connector.OutcomeActionRequired,
		RequiredAction: &connector.RequiredAction{Kind: connector.ActionRedirect, URL: "https://bank.example/3ds"}}}},
	{"not found", reply{result: connector.Result{Outcome: connector.OutcomeUnknown}}},
	{"no response", reply{err: errors.New("got nothing")}},
	{"not reached", reply{err: fmt.Errorf("%w: refused", connector.ErrNotSent)}},
	{"another amount", reply{err: connector.OtherAmountError{Moved: amountOf("9.00 USD"), Requested: amountOf("10.00 USD"),
		Approved: true}}},
	{"an action that nobody can be given", reply{err: &connector.ActionError{Member: "url", Fault: "is no address"}}},
}

// What a run of a job does, by where it stands and by what its provider says: requests to the provider, messages, and
// what is stored of the payment. Replies that lead to the same stand together.
func TestRuns(t *testing.T) {
	table := golden.Table{}
	for _, stage := range stages {
		table.Begin(stage.name)
		for _, r := range replies {
			if stage.certain && r.result.Outcome != connector.OutcomeApproved {
				continue
			}
			w := newWorld(t, r.reply, storedAt.Add(stage.after), stage.payment().Record())
			if stage.late {
				w.core.Declarations["bank"] = settings.Declaration{FoundAfter: 600}
			}
			message := stage.message
			message.PaymentID, message.Slow = chargeID, !stage.fast
			table.Add(r.name, w.told(w.RunJob(t.Context(), message)))
		}
	}
	golden.Compare(t, "testdata/runs.golden", table.Text(), *update)
}
