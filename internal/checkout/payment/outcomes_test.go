package payment

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
)

var update = flag.Bool("update", false, "rewrite golden files")

var (
	paidAt = time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	later  = paidAt.Add(time.Hour)
)

// amountOf returns an amount such as "3.00 USD".
func amountOf(text string) money.Amount {
	number, code, _ := strings.Cut(text, " ")
	currency, _ := money.Find(code)
	amount, err := money.Parse(number, currency)
	if err != nil {
		panic(err)
	}
	return amount
}

// stage is where a payment of 10.00 USD stands.
type stage struct {
	name   string
	status Status
	make   func(p *Payment)
}

func (s stage) payment() *Payment {
	p := &Payment{ID: "charge", Status: s.status, Amount: amountOf("10.00 USD"),
		Times: Times{CreatedAt: paidAt, ChangedAt: paidAt}}
	p.Operation, p.Order.Currency, p.MID, p.Connector, p.Method = method.Purchase, "USD", "mid-1", "bank", "card"
	p.ChargeReference = "charge"
	p.CardToSave = &card.Saved{Token: "token"}
	switch s.status {
	case StatusPending:
		p.happened(EventSale, Success, "charge", "10.00 USD")
		p.Moves = []StatusMove{{StatusPending, paidAt}}
	case StatusDecline:
		p.happened(EventSale, Fail, "charge", "10.00 USD")
	case StatusPrepare, StatusRedirect:
		p.ChargeReference = ""
		p.wants(JobCharge, "charge", "")
	default:
		p.Captured, p.Moves = p.Amount, []StatusMove{{StatusSettled, paidAt}}
		p.happened(EventSale, Success, "charge", "10.00 USD")
	}
	if s.make != nil {
		s.make(p)
	}
	return p
}

// happened adds a request that has ended.
func (p *Payment) happened(kind EventType, status TransactionStatus, reference, amount string) *Transaction {
	p.Transactions = append(p.Transactions, Transaction{Type: kind, Status: status, Reference: reference,
		Amount: amountOf(amount), Date: paidAt, MID: p.MID, Connector: p.Connector})
	return &p.Transactions[len(p.Transactions)-1]
}

// wants adds a request that has no outcome.
func (p *Payment) wants(kind JobKind, reference, amount string) {
	job := Job{Kind: kind, Reference: reference, SentAt: paidAt, Released: true}
	if amount != "" {
		job.Amount = amountOf(amount)
	}
	p.Jobs = append(p.Jobs, job)
}

func moved(to Status) func(*Payment) {
	return func(p *Payment) { p.Moves = append(p.Moves, StatusMove{to, paidAt}) }
}

var jobStages = []stage{
	{"charge under way", StatusPrepare, nil},
	{"payer is at the bank", StatusRedirect, nil},
	{"authorised", StatusPending, nil},
	{"capture of 7.00 under way", StatusPending, func(p *Payment) { p.wants(JobCapture, "capture", "7.00 USD") }},
	{"void of the authorisation under way", StatusPending, func(p *Payment) { p.wants(JobVoid, "void", "10.00 USD") }},
	{"void of the authorisation to be sent", StatusPending, func(p *Payment) {
		p.wants(JobVoid, "void", "10.00 USD")
		p.Jobs[0].SentAt = time.Time{}
	}},
	{"settled", StatusSettled, nil},
	{"captured 7.00", StatusSettled, func(p *Payment) {
		p.Captured = amountOf("7.00 USD")
		p.happened(EventCapture, Success, "capture", "7.00 USD")
	}},
	{"void under way", StatusSettled, func(p *Payment) { p.wants(JobVoid, "void", "10.00 USD") }},
	{"refund of 3.00 under way", StatusSettled, func(p *Payment) { p.wants(JobRefund, "refund", "3.00 USD") }},
	{"two refunds of 5.00 under way", StatusSettled, func(p *Payment) {
		p.wants(JobRefund, "refund", "5.00 USD")
		p.wants(JobRefund, "other", "5.00 USD")
	}},
	{"refunded 3.00, declined 2.00", StatusSettled, func(p *Payment) {
		p.happened(EventRefund, Success, "refund", "3.00 USD")
		p.happened(EventRefund, Fail, "other", "2.00 USD")
	}},
	{"8.00 refunded elsewhere beside a refund of 5.00", StatusSettled, func(p *Payment) {
		p.happened(EventRefund, Success, "elsewhere", "8.00 USD").Elsewhere = true
		p.wants(JobRefund, "refund", "5.00 USD")
	}},
	{"refund in another currency", StatusSettled, func(p *Payment) { p.wants(JobRefund, "refund", "3.00 EUR") }},
	{"refunds above the payment", StatusSettled, func(p *Payment) {
		p.happened(EventRefund, Success, "first", "8.00 USD")
		p.wants(JobRefund, "refund", "5.00 USD")
	}},
	{"refunded", StatusRefund, func(p *Payment) { p.happened(EventRefund, Success, "refund", "10.00 USD") }},
	{"voided", StatusVoid, func(p *Payment) {
		p.happened(EventVoid, Success, "void", "10.00 USD")
		moved(StatusVoid)(p)
	}},
	{"authorisation voided", StatusVoid, func(p *Payment) {
		p.Captured, p.Moves = money.Amount{}, []StatusMove{{StatusPending, paidAt}, {StatusVoid, paidAt}}
		p.happened(EventVoid, Success, "void", "10.00 USD")
	}},
	{"reversed, refund under way", StatusReversal, func(p *Payment) { p.wants(JobRefund, "refund", "10.00 USD") }},
	{"charged back after a refund of 3.00", StatusChargeback, func(p *Payment) {
		p.happened(EventRefund, Success, "refund", "3.00 USD")
	}},
	{"payout, reversed after its capture", StatusReversal, func(p *Payment) {
		p.Operation, p.Transactions[0].Type = method.Credit, EventCredit
		p.happened(EventCapture, Success, "capture", "10.00 USD")
	}},
	{"payout", StatusSettled, func(p *Payment) {
		p.Operation, p.Transactions[0].Type = method.Credit, EventCredit
	}},
	{"settled by a person", StatusSettled, func(p *Payment) { p.Transactions[0].Decision = &Decision{By: "Ann"} }},
	{"authorised by a person", StatusPending, func(p *Payment) { p.Transactions[0].Decision = &Decision{By: "Ann"} }},
	{"refunded by a person", StatusRefund, func(p *Payment) {
		p.happened(EventRefund, Success, "refund", "10.00 USD").Decision = &Decision{By: "Ann"}
	}},
	{"settled by a person, refund under way", StatusSettled, func(p *Payment) {
		p.Transactions[0].Decision = &Decision{By: "Ann"}
		p.wants(JobRefund, "refund", "3.00 USD")
	}},
	{"settled by a person, contradicted", StatusSettled, func(p *Payment) {
		p.Transactions[0].Decision = &Decision{By: "Ann"}
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeDeclined}, paidAt)
	}},
	{"voided elsewhere beside a capture", StatusVoid, func(p *Payment) { p.wants(JobCapture, "capture", "7.00 USD") }},
	{"refunded elsewhere beside a void", StatusRefund, func(p *Payment) {
		p.happened(EventRefund, Success, "elsewhere", "10.00 USD").Elsewhere = true
		p.wants(JobVoid, "void", "10.00 USD")
	}},
	{"declined", StatusDecline, nil},
	{"approved after its decline", StatusDecline, func(p *Payment) {
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
	}},
	{"given back", StatusDecline, func(p *Payment) {
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved}, paidAt)
		p.Jobs = nil
		given := p.happened(EventGiveBack, Success, "back", "10.00 USD")
		given.About, given.Decision = "charge", &Decision{By: "Ann"}
	}},
	{"give-back under way", StatusDecline, func(p *Payment) {
		p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeApproved, Authorised: true}, paidAt)
		p.Jobs[0].GiveBack("back", "", paidAt)
	}},
	{"chain, settled", StatusSettled, func(p *Payment) {
		p.Recurring, p.Transactions[0].Type = true, EventRecurring
	}},
	{"chain, void under way", StatusSettled, func(p *Payment) {
		p.Recurring, p.Transactions[0].Type = true, EventRecurring
		p.wants(JobVoid, "void", "10.00 USD")
	}},
}

// change is what a provider says of a payment, or what is asked of it.
type change struct {
	name string
	do   func(p *Payment) (Effects, error)
}

// elsewhere is what a provider has done by itself.
func elsewhere(name string, outcome connector.Outcome, amount, id string) change {
	return change{name, func(p *Payment) (Effects, error) {
		result := connector.Result{Outcome: outcome, OperationID: id}
		if amount != "" {
			result.Amount = amountOf(amount)
		}
		return p.Elsewhere().Apply(result, later)
	}}
}

const (
	capturedElsewhere = connector.OutcomeCapturedElsewhere
	voidedElsewhere   = connector.OutcomeVoidedElsewhere
	refundedElsewhere = connector.OutcomeRefundedElsewhere
)

var changes = []change{
	elsewhere("captured 4.00 elsewhere", capturedElsewhere, "4.00 USD", "e"),
	elsewhere("captured 10.00 elsewhere", capturedElsewhere, "10.00 USD", "e"),
	elsewhere("captured 10.01 elsewhere", capturedElsewhere, "10.01 USD", "e"),
	elsewhere("captured in another currency", capturedElsewhere, "4.00 EUR", "e"),
	elsewhere("captured nothing elsewhere", capturedElsewhere, "", "e"),
	elsewhere("voided elsewhere", voidedElsewhere, "", "e"),
	elsewhere("voided elsewhere without an id", voidedElsewhere, "", ""),
	elsewhere("refunded 2.00 elsewhere", refundedElsewhere, "2.00 USD", "e"),
	elsewhere("refunded 10.00 elsewhere", refundedElsewhere, "10.00 USD", "e"),
	elsewhere("refunded 7.01 elsewhere", refundedElsewhere, "7.01 USD", "e"),
	elsewhere("refunded 7.00 elsewhere", refundedElsewhere, "7.00 USD", "e"),
	elsewhere("the refund that is known", refundedElsewhere, "8.00 USD", "elsewhere"),
	{"each request succeeds", each(func(p *Payment, j Job, r connector.Result) (Effects, error) {
		r.Outcome = connector.OutcomeApproved
		if j.Kind == JobGiveBack {
			return p.Contradictions().EndGiveBack(j, r, later), nil
		}
		return p.SucceedJob(j, r, later)
	})},
	{"each request is declined", each(func(p *Payment, j Job, r connector.Result) (Effects, error) {
		r.Outcome, r.Reason = connector.OutcomeDeclined, "No money."
		if j.Kind == JobGiveBack {
			return p.Contradictions().EndGiveBack(j, r, later), nil
		}
		return p.DeclineJob(j, r, later), nil
	})},
	{"the charge succeeds", charged(func(p *Payment, j Job) (Effects, error) {
		return p.Approve(j, ParsedResult{}, later)
	})},
	{"the charge is authorised", charged(func(p *Payment, j Job) (Effects, error) {
		p.RecurringInit = true
		return p.Approve(j, ParsedResult{Result: connector.Result{Authorised: true}}, later)
	})},
	{"the charge of a chain succeeds", charged(func(p *Payment, j Job) (Effects, error) {
		p.RecurringInit, p.ReqToken, p.NetworkTransactionID = true, true, "network"
		return p.Approve(j, ParsedResult{}, later)
	})},
	{"the charge is declined", charged(func(p *Payment, j Job) (Effects, error) {
		return p.Decline(j, ParsedResult{Result: connector.Result{ReasonCode: reason.InsufficientFunds}}, later)
	})},
	{"the last success fails later", func(p *Payment) (Effects, error) {
		for _, t := range slices.Backward(p.Transactions) {
			if p.SuccessOf(t.Reference).ContradictsDecline() {
				return p.SuccessOf(t.Reference).FailLater(
					connector.Result{Outcome: connector.OutcomeDeclined, Reason: "Sent back."}, later)
			}
		}
		return Effects{}, errNone
	}},
	{"a person accepts that", func(p *Payment) (Effects, error) {
		for _, t := range p.Transactions {
			if t.Decision != nil {
				if why := p.SuccessOf(t.Reference).MayEnd(); why != "" {
					return Effects{}, fault.Refuse(fault.CodeNotAllowed, why)
				}
				return p.SuccessOf(t.Reference).End(connector.Result{}, later)
			}
		}
		return Effects{}, errNone
	}},
	{"approved again", func(p *Payment) (Effects, error) {
		r := connector.Result{Outcome: connector.OutcomeApproved, Amount: amountOf("9.00 USD")}
		return p.Contradictions().Add("charge", r, later), nil
	}},
	{"approved again, of another amount", func(p *Payment) (Effects, error) {
		other := &Finding{Moved: amountOf("8.00 USD"), Text: "8.00"}
		result := connector.Result{Outcome: connector.OutcomeApproved}
		return p.Contradictions().AddAmount("charge", ParsedResult{Result: result, Other: other}, later), nil
	}},
	{"declined again", func(p *Payment) (Effects, error) {
		return p.Contradictions().Add("charge", connector.Result{Outcome: connector.OutcomeDeclined, Code: "51"}, later), nil
	}},
}

var errNone = fmt.Errorf("none")

// charged is what becomes of a charge, if that has no outcome.
func charged(do func(*Payment, Job) (Effects, error)) func(*Payment) (Effects, error) {
	return func(p *Payment) (Effects, error) {
		if p.Jobs.Charge() == nil {
			return Effects{}, errNone
		}
		return do(p, *p.Jobs.Charge())
	}
}

// each ends all requests but the charge, one after another.
func each(end func(*Payment, Job, connector.Result) (Effects, error)) func(*Payment) (Effects, error) {
	return func(p *Payment) (all Effects, err error) {
		err = errNone
		for _, job := range slices.Clone(p.Jobs) {
			if job.Kind == JobCharge || job.Kind == JobContradiction {
				continue
			}
			if all, err = end(p, job, connector.Result{Code: "00"}); err != nil {
				return all, err
			}
		}
		return all, err
	}
}

// What a provider says changes a payment at each stage as testdata/outcomes.golden says: its status, its amounts, its
// requests, and what follows. Changes with the same outcome stand together.
func TestOutcomes(t *testing.T) {
	table := golden.Table{}
	for _, stage := range jobStages {
		left, err := stage.payment().Amounts().Refundable()
		table.Begin(fmt.Sprintf("%s (%s): left %s%s, %d refunds, %d of them count", stage.name, stage.status, left,
			withError(err), stage.payment().Amounts().CountRefunds(), len(stage.payment().Amounts().Refunds())))
		for _, change := range changes {
			p := stage.payment()
			before := golden.Members(p)
			e, err := change.do(p)
			if err != errNone {
				table.Add(change.name, withError(err)+effects(e)+golden.Differences(before, golden.Members(p)))
			}
		}
	}
	golden.Compare(t, "testdata/outcomes.golden", table.Text(), *update)
}

func withError(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" refused (%v)", err)
}

// effects names what follows from a change.
func effects(e Effects) string {
	var all strings.Builder
	if !e.Save {
		all.WriteString(" not saved")
	}
	if e.Event != nil {
		fmt.Fprintf(&all, " event %s %s %s %q", e.Event.Type, e.Event.Status, e.Event.Amount, e.Event.Reason.Text())
	}
	if e.StartChain {
		all.WriteString(", starts a chain")
	}
	if e.StopChain {
		all.WriteString(", stops the chain")
	}
	if e.Measure {
		all.WriteString(", measured")
	}
	if e.SavedCard != nil {
		all.WriteString(", card saved of " + e.SavedCard.NetworkTransactionID)
	}
	return all.String()
}
