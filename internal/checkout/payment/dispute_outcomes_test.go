package payment

import (
	"slices"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/money"
)

// chargedBack adds a chargeback that the provider has reported.
func chargedBack(id string, status TransactionStatus, stage connector.Stage) func(*Payment) {
	return func(p *Payment) {
		t := p.happened(EventChargeback, status, id, "4.00 USD")
		t.Elsewhere, t.Stage = true, stage
		if status == Success {
			p.Status = StatusChargeback
		}
	}
}

// full fills a payment with as many transactions as it may have.
func full(p *Payment) {
	declined := []Transaction{{Type: EventRefund, Status: Fail}}
	p.Transactions = append(p.Transactions, slices.Repeat(declined, maxTransactions-len(p.Transactions))...)
}

// both changes a payment twice.
func both(a, b func(*Payment)) func(*Payment) {
	return func(p *Payment) { a(p); b(p) }
}

var disputeStages = []stage{
	{"charge under way", StatusPrepare, nil}, {"payer is with the bank", Status3DS, func(p *Payment) {
		p.Transactions, p.Captured = nil, money.Amount{}
		p.wants(JobCharge, "charge", "")
	}},
	{"payer is at the provider", StatusRedirect, nil}, {"authorised", StatusPending, nil},
	{"authorised, a dispute is held", StatusPending, func(p *Payment) {
		p.EarlyDispute = &EarlyDispute{To: StatusChargeback, ID: "a", Amount: amountOf("4.00 USD"), Code: "10.4",
			DisputeStage: DisputeStage{Stage: connector.StageReceived}}
	}},
	{"settled", StatusSettled, nil},
	{"captured 7.00", StatusSettled, func(p *Payment) { p.Captured = amountOf("7.00 USD") }},
	{"charged back without an id", StatusSettled, chargedBack("", Success, "")},
	{"charged back", StatusSettled, chargedBack("a", Success, connector.StageReceived)},
	{"charged back twice", StatusSettled, both(chargedBack("a", Success, ""), chargedBack("b", Success, ""))},
	{"charged back, and refunded before", StatusSettled, both(func(p *Payment) {
		p.happened(EventRefund, Success, "refund", "10.00 USD")
	}, chargedBack("a", Success, ""))},
	{"dispute won", StatusSettled, chargedBack("a", Fail, "")},
	{"dispute won, and charged back without an id", StatusSettled, both(chargedBack("a", Fail, connector.StageWon),
		chargedBack("", Success, ""))},
	{"refunded", StatusRefund, nil},
	{"refunded after a dispute", StatusRefund, func(p *Payment) { p.Dispute = StatusChargeback }},
	{"refunded after a won dispute", StatusRefund, chargedBack("a", Fail, connector.StageWon)},
	{"voided after a won dispute", StatusVoid, chargedBack("a", Fail, connector.StageWon)},
	{"authorisation voided", StatusVoid, func(p *Payment) { p.Captured = money.Amount{} }},
	{"reversed", StatusReversal, func(p *Payment) {
		p.happened(EventReversal, Success, "r", "10.00 USD").Elsewhere = true
	}},
	{"declined", StatusDecline, nil},
	{"declined after a won dispute", StatusDecline, chargedBack("a", Fail, connector.StageWon)},
	{"chain, settled", StatusSettled, func(p *Payment) { p.Recurring = true }},
}

// disputes are what providers tell of disputes.
var disputes = []struct {
	name string
	says connector.Result
}{
	{"charged back", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a", Code: "10.4"}},
	{"charged back 2.00", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a",
		Amount: amountOf("2.00 USD"), Reason: "Fraud."}},
	{"charged back 10.00", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a",
		Amount: amountOf("10.00 USD")}},
	{"charged back 10.01", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a",
		Amount: amountOf("10.01 USD")}},
	{"charged back in another currency", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a",
		Amount: amountOf("2.00 EUR"), ReasonCode: "fraud"}},
	{"charged back without an id", connector.Result{Outcome: connector.OutcomeChargeback}},
	{"another one", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "c"}},
	{"lost", connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a", Stage: connector.StageLost,
		StageAt: later}},
	{"lost without an id", connector.Result{Outcome: connector.OutcomeChargeback, Stage: connector.StageLost}},
	{"won", connector.Result{Outcome: connector.OutcomeDisputeWon, OperationID: "a", Amount: amountOf("2.00 USD")}},
	{"another one is won", connector.Result{Outcome: connector.OutcomeDisputeWon, OperationID: "c"}},
	{"won without an id", connector.Result{Outcome: connector.OutcomeDisputeWon}},
	{"reversed", connector.Result{Outcome: connector.OutcomeReversal, OperationID: "r", Code: "1"}},
	{"reversed without an id", connector.Result{Outcome: connector.OutcomeReversal}},
}

// follows applies what a provider tells of what follows a success.
func (p *Payment) follows(says connector.Result) (Effects, error) {
	if says.IsElsewhere() {
		return p.Elsewhere().Apply(says, later)
	}
	return p.Disputes().Apply(says, later)
}

// What a provider tells of disputes, by where the payment stands: testdata/disputes.golden. What comes before the
// capture is held, and applied with it; a dispute that a refund has overtaken is applied once that has failed.
func TestDisputes(t *testing.T) {
	table := golden.Table{}
	for _, stage := range disputeStages {
		table.Begin(stage.name + ":")
		for _, said := range disputes {
			p := stage.payment()
			before := golden.Members(p)
			e, err := p.follows(said.says)
			text := withError(err) + effects(e)
			if fault.CodeOf(err) == fault.CodeTooEarly && p.Disputes().Hold(said.says).Save {
				text += ", held"
			}
			text += golden.Differences(before, golden.Members(p))
			if p.EarlyDispute != nil || p.Dispute != "" {
				before, p.Status = golden.Members(p), StatusSettled
				p.Captured = amountOf("10.00 USD")
				e, err := p.Disputes().ApplyHeld(later.Add(time.Hour))
				text += "\n   once it is settled:" + withError(err) + effects(e) + golden.Differences(before, golden.Members(p))
			}
			table.Add(said.name, golden.Since(paidAt, text))
		}
	}
	golden.Compare(t, "testdata/disputes.golden", table.Text(), *update)
}

// Of a payment that has as many transactions as it may have, a first dispute is stored, but none that is not known of
// one that is charged back. What is known of a dispute may change.
func TestDisputesOfAFullPayment(t *testing.T) {
	for name, test := range map[string]struct {
		make        func(*Payment)
		says        string // of disputes
		saved, fits bool
	}{
		"settled":            {func(*Payment) {}, "charged back", true, true},
		"settled, reversed":  {func(*Payment) {}, "reversed", true, true},
		"settled, won":       {func(*Payment) {}, "won", false, false},
		"charged back":       {chargedBack("a", Success, ""), "another one", false, true},
		"charged back, won":  {chargedBack("a", Success, ""), "won", true, true},
		"charged back, lost": {chargedBack("a", Success, ""), "lost", true, true},
		"won, lost":          {chargedBack("a", Fail, connector.StageWon), "lost", false, false},
	} {
		p := stage{"", StatusSettled, both(test.make, full)}.payment()
		for _, said := range disputes {
			if said.name != test.says {
				continue
			}
			if e, err := p.follows(said.says); e.Save != test.saved || (err == nil) != test.fits {
				t.Errorf("%s: %+v, %v", name, e, err)
			}
		}
	}
}
