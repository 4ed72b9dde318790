package payment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
)

// anyPayment has an amount in each place where one is stored.
func anyPayment() *Payment {
	p := stage{"", StatusSettled, nil}.payment()
	p.ID = store.NewPaymentID(store.OrderHash("live/shop", "1"), paidAt, make([]byte, 4))
	p.Order.Amount, p.VAT = request.Entered(p.Amount), new(amountOf("1.00 USD"))
	p.ScheduleAmount = request.Entered(amountOf("2.00 USD"))
	p.EarlyDispute = &EarlyDispute{To: StatusChargeback, Amount: amountOf("3.00 USD")}
	p.Transactions[0].Decision = &Decision{Amount: amountOf("4.00 USD")}
	p.Acts = []Act{{Amount: amountOf("5.00 USD")}}
	p.Jobs = Jobs{
		{Kind: JobCharge, Reference: p.ID, DueAt: later, Amount: amountOf("6.00 USD")},
		{Kind: JobRefund, Reference: "r", DueAt: later.Add(time.Hour),
			LookedUp: LookedUp{Finding: &Finding{Moved: amountOf("7.00 USD")}}},
		{Kind: JobVoid, Reference: "v", Person: true, UnknownSince: paidAt,
			Decision: &Decision{Amount: amountOf("8.00 USD")}},
	}
	return p
}

// What is stored of a payment is read as it was, in its currency, though what can be known without it is left out. In a
// currency that is not known any more, amounts stay digits.
func TestStoredPayment(t *testing.T) {
	for name, change := range map[string]func(p *Payment){
		"changed since": func(p *Payment) { p.ChangedAt = later },
		"never changed": func(*Payment) {},
		"without more":  func(p *Payment) { p.VAT, p.EarlyDispute, p.Transactions[0].Decision, p.Jobs = nil, nil, nil, nil },
		"unknown currency": func(p *Payment) {
			p.Order.Currency = "XYZ"
			for _, a := range (storedForm{p}).amounts() {
				*a = money.Amount{}
			}
			p.Order.Amount, p.ScheduleAmount = request.Amount{}, request.Amount{}
		},
	} {
		p, got := anyPayment(), &Payment{}
		change(p)
		r := p.Record()
		r.Version = 3
		if err := r.Decode(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		p.SetVersion(3)
		if !reflect.DeepEqual(got, p) {
			t.Errorf("%s: %+v\nis read as\n%+v", name, p, got)
		}
		doc := string(r.Doc)
		for what, left := range map[string]bool{
			`"changed_at"`: name != "changed since", `"reference":"` + p.ID: true,
			fmt.Sprintf(`"due_at":"%s"`, later.Format(time.RFC3339)):                true,
			fmt.Sprintf(`"due_at":"%s"`, later.Add(time.Hour).Format(time.RFC3339)): len(p.Jobs) == 0,
		} {
			if strings.Contains(doc, what) == left {
				t.Errorf("%s: %s is stored: %t", name, what, !left)
			}
		}
	}
	p, got := anyPayment(), &Payment{}
	r := p.Record()
	r.Version = 1
	r.Doc = json.RawMessage(strings.Replace(string(r.Doc), `"6.00"`, `"6.001"`, 1))
	if err := r.Decode(got); err == nil || !strings.Contains(err.Error(), "none of USD") {
		t.Errorf("a wrong amount: %v", err)
	}
}

// A payment is due when the first of its requests is, or listed for a person since when the first of these is unknown.
func TestDuePayment(t *testing.T) {
	due := func(minutes int) Job {
		return Job{Kind: JobRefund, DueAt: paidAt.Add(time.Duration(minutes) * time.Minute)}
	}
	person := func(minutes int) Job {
		return Job{Kind: JobRefund, Person: true, UnknownSince: paidAt.Add(time.Duration(minutes) * time.Minute)}
	}
	for _, test := range []struct {
		jobs Jobs
		at   int // minutes; -1: it is not listed
		kind store.DueKind
	}{
		{nil, -1, ""}, {Jobs{due(3)}, 3, store.DuePayment}, {Jobs{due(3), due(2)}, 2, store.DuePayment},
		{Jobs{due(2), due(3)}, 2, store.DuePayment}, {Jobs{person(1)}, 1, store.DuePerson},
		{Jobs{person(3), person(1)}, 1, store.DuePerson}, {Jobs{person(1), person(3)}, 1, store.DuePerson},
		{Jobs{person(1), due(2)}, 2, store.DuePayment}, {Jobs{due(2), person(1)}, 2, store.DuePayment},
	} {
		for _, inTest := range []bool{false, true} {
			p := anyPayment()
			p.Jobs, p.Test = test.jobs, inTest
			want, kind := time.Time{}, store.DueKind("")
			if test.at >= 0 {
				want, kind = paidAt.Add(time.Duration(test.at)*time.Minute), test.kind.Of(inTest)
			}
			if r := p.Record(); !r.DueAt.Equal(want) || r.DueKind != kind {
				t.Errorf("%+v: due %s as %q", test.jobs, r.DueAt, r.DueKind)
			}
		}
	}
}
