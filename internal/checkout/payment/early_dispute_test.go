package payment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// A dispute that comes before its capture is known is held, at its latest stage, and counts with the capture: also one
// that was won meanwhile, so that a late notice of its beginning takes no money.
func TestEarlyDisputes(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	euros, _ := money.Find("EUR")
	inEuros, _ := money.ParseMinor("400", euros)
	part := func(p *Payment, cents string) money.Amount {
		amount, _ := money.ParseMinor(cents, p.Amount.Currency())
		return amount
	}
	for _, test := range []struct {
		words  string // the id of the dispute, its stage, and its amount: "a received 400"
		saved  int    // of them
		status Status
		amount string // of the first dispute
		then   string // the status after "a received" has come once more
	}{
		{"a received 400", 1, StatusChargeback, "4.00", "chargeback"},
		{"a received ", 1, StatusChargeback, "10.00", "chargeback"},
		{"a received eur", 1, StatusChargeback, "10.00", "chargeback"},
		{"a received 400, a received 400", 1, StatusChargeback, "4.00", "chargeback"},
		{"a received 400, b received 500", 1, StatusChargeback, "4.00", "chargeback"},
		{"a received 400, a won ", 2, StatusSettled, "4.00", "settled"},
		{"a won , a received 400", 1, StatusSettled, "10.00", "settled"},
		{"a received 400, a won , a lost ", 3, StatusChargeback, "4.00", "chargeback"},
		{" received , a received 400", 1, StatusChargeback, "10.00", "chargeback"},
		{" reversal ", 1, StatusReversal, "10.00", "reversal"},
	} {
		p := disputed()
		p.Status, p.Captured = StatusPending, money.Amount{}
		saved := 0
		for _, word := range strings.Split(test.words, ",") {
			parts := strings.Split(strings.TrimPrefix(word, " "), " ")
			if word[0] == ' ' && parts[0] != "a" && parts[0] != "b" {
				parts = append([]string{""}, parts...)
			}
			r := connector.Result{Outcome: connector.OutcomeChargeback, OperationID: parts[0], Stage: connector.Stage(parts[1])}
			switch parts[1] {
			case "won":
				r.Outcome, r.Stage = connector.OutcomeDisputeWon, ""
			case "reversal":
				r.Outcome, r.Stage = connector.OutcomeReversal, ""
			}
			switch parts[2] {
			case "":
			case "eur":
				r.Amount = inEuros
			default:
				r.Amount = part(p, parts[2])
			}
			if p.Disputes().Hold(r).Save {
				saved++
			}
		}
		if p.Disputes().HasHeld() || saved != test.saved {
			t.Errorf("%q: saved %d times, and counts before the capture: %t", test.words, saved, p.Disputes().HasHeld())
		}
		p.Status, p.Captured = StatusSettled, p.Amount
		e, err := p.Disputes().ApplyHeld(now)
		if err != nil || !e.Save || p.EarlyDispute != nil || p.Status != test.status ||
			p.Transactions[0].Amount.String() != test.amount || (e.Event == nil) != (test.status == StatusSettled) {
			t.Errorf("%q: %s, %+v, %+v, %v", test.words, p.Status, p.Transactions, e, err)
		}
		if test.then == "reversal" {
			continue
		}
		again := connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a"}
		if _, err := p.Disputes().Apply(again, now); err != nil || fmt.Sprint(p.Status) != test.then {
			t.Errorf("%q, and again: %s, %v", test.words, p.Status, err)
		}
	}
}

// Nothing is held of a payment that is not authorised: its dispute counts at once, or comes again.
func TestNoEarlyDispute(t *testing.T) {
	for _, change := range []func(*Payment, *connector.Result){
		func(p *Payment, _ *connector.Result) { p.Status = StatusSettled },
		func(p *Payment, _ *connector.Result) { p.Status = StatusPrepare },
		func(p *Payment, _ *connector.Result) { p.Jobs = Jobs{{Kind: JobCharge}} }, // of what the payer pays elsewhere
		func(_ *Payment, r *connector.Result) { r.Outcome = connector.OutcomeRefundedElsewhere },
	} {
		p, r := disputed(), connector.Result{Outcome: connector.OutcomeChargeback, OperationID: "a"}
		p.Status = StatusPending
		change(p, &r)
		if e := p.Disputes().Hold(r); e.Save || p.EarlyDispute != nil {
			t.Errorf("%s: held %+v", p.Status, p.EarlyDispute)
		}
	}
}
