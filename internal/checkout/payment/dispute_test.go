package payment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
)

// disputed is a settled payment of 10.00 USD.
func disputed() *Payment {
	usd, _ := money.Find("USD")
	amount, _ := money.Parse("10.00", usd)
	return &Payment{ID: "p-1", Amount: amount, Status: StatusSettled,
		ChargeOutcome: ChargeOutcome{Captured: amount, ChargeReference: "p-1"}}
}

// reports applies what a provider tells of disputes: words such as "lost", which may have the time of the event
// ("lost@3") and the id of another dispute ("received/b"; "received/" has none). It returns the callbacks that follow.
func (p *Payment) reports(t *testing.T, words string) string {
	t.Helper()
	var told []string
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for word := range strings.FieldsSeq(words) {
		word, id, other := strings.Cut(word, "/")
		if !other {
			id = "a"
		}
		stage, at, timed := strings.Cut(word, "@")
		result := connector.Result{Outcome: connector.OutcomeChargeback, OperationID: id, Stage: connector.Stage(stage)}
		if timed {
			hour, err := time.Parse("15", "0"+at)
			if err != nil {
				t.Fatal(err)
			}
			result.StageAt = now.Add(time.Duration(hour.Hour()) * time.Hour)
		}
		apply := p.Disputes().Apply
		if stage == "won" {
			result.Outcome, result.Stage, apply = connector.OutcomeDisputeWon, "", p.Elsewhere().Apply
		}
		e, err := apply(result, now)
		if err != nil {
			t.Errorf("%s: %s: %v", words, word, err)
		}
		if e.Event != nil {
			told = append(told, fmt.Sprint(e.Event.Status))
		}
		now = now.Add(time.Minute)
	}
	return strings.Join(told, " ")
}

// The stages of a dispute come in any order and twice, under one id. Each has its effect once.
func TestStagesOfADispute(t *testing.T) {
	for _, test := range []struct {
		words  string
		status Status
		told   string
	}{
		{"received", StatusChargeback, "success"},
		{"received received", StatusChargeback, "success"},
		{"received won", StatusSettled, "success fail"},
		{"received won won received", StatusSettled, "success fail"},
		{"won received", StatusSettled, ""},
		{"received lost lost", StatusChargeback, "success"},
		{"lost received", StatusChargeback, "success"},
		{"received won lost", StatusChargeback, "success fail success"},
		{"received won lost lost won received", StatusChargeback, "success fail success"},
		{"received won arbitration lost arbitration", StatusChargeback, "success fail success"},
		{"received arbitration won", StatusChargeback, "success"},
		{"won lost received", StatusChargeback, "success"},
		{"lost won received", StatusChargeback, "success"},

		// by the provider's times a win may follow a loss, and an old loss is known as such
		{"received@1 lost@2 won@3 lost@2", StatusSettled, "success fail"},
		{"received@1 lost@2 won@3 lost@4 lost@4 won@3", StatusChargeback, "success fail success"},
		{"received@1 lost@2 won@3 lost@4 won@5", StatusSettled, "success fail success fail"},
		{"lost@4 won@3 received@1", StatusChargeback, "success"},
		{"won@3 lost@2 received@1", StatusSettled, ""},
		{"received@1 won@3 received@4", StatusSettled, "success fail"},

		// another dispute of the payment, and one without an id
		{"received won received/b lost", StatusChargeback, "success fail success success"},
		{"received won lost received/b won/b", StatusChargeback, "success fail success success fail"},
		{"received/ won received/ lost/ lost/", StatusChargeback, "success fail success"},
	} {
		p := disputed()
		if told := p.reports(t, test.words); told != test.told || p.Status != test.status {
			t.Errorf("%s: %s, told %q, want %s and %q", test.words, p.Status, told, test.status, test.told)
		}
	}
}

// In every order of the same notices, each of them twice, a final loss counts in the end, and each callback of
// money that is taken follows one of money that is back, but the first.
func TestDisputesEndAlike(t *testing.T) {
	for _, end := range []struct {
		stages []string
		status Status
	}{
		{[]string{"received", "won"}, StatusSettled},
		{[]string{"received", "won", "arbitration"}, StatusChargeback},
		{[]string{"received", "won", "arbitration", "lost"}, StatusChargeback},
		{[]string{"received@1", "won@2", "lost@3"}, StatusChargeback},
		{[]string{"received@1", "lost@2", "won@3"}, StatusSettled},
	} {
		for _, order := range orders(append(end.stages, end.stages...)) {
			p, words := disputed(), strings.Join(order, " ")
			told := p.reports(t, words)
			taken, back := strings.Count(told, "success"), strings.Count(told, "fail")
			if open := p.Status == StatusChargeback; p.Status != end.status || taken-back != map[bool]int{true: 1}[open] {
				t.Fatalf("%s: %s, told %q", words, p.Status, told)
			}
		}
	}
}

// orders returns all orders of texts.
func orders(of []string) (all [][]string) {
	if len(of) == 0 {
		return [][]string{nil}
	}
	seen := map[string]bool{}
	for i, first := range of {
		if seen[first] {
			continue
		}
		seen[first] = true
		rest := append(append([]string(nil), of[:i]...), of[i+1:]...)
		for _, order := range orders(rest) {
			all = append(all, append([]string{first}, order...))
		}
	}
	return all
}

// A final loss of a payment that was refunded since its dispute was won takes nothing, unless the refund fails.
func TestLossAfterARefund(t *testing.T) {
	p := disputed()
	p.reports(t, "received won")
	if err := p.Move(StatusRefund, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if told := p.reports(t, "lost lost"); told != "" || p.Status != StatusRefund || p.Dispute != StatusChargeback {
		t.Errorf("%s, told %q, held %q", p.Status, told, p.Dispute)
	}
	if err := p.Move(StatusSettled, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if e, err := p.Disputes().ApplyHeld(time.Time{}); err != nil || e.Event == nil || p.Status != StatusChargeback {
		t.Errorf("%s: %+v, %v", p.Status, e, err)
	}
	if e, err := p.Disputes().ApplyHeld(time.Time{}); err != nil || e.Save {
		t.Errorf("twice: %+v, %v", e, err)
	}
}
