package faults

import (
	"context"
	"reflect"
	"slices"
	"time"

	"checkout/internal/grant"
	"checkout/internal/listing"
	"checkout/internal/money"
	"checkout/internal/operator"
	"checkout/internal/payment"
	"checkout/internal/simulator"
	"checkout/internal/story"
)

// sumsAgree compares what an operator sums up and exports with the provider's ledger: totals are the sums of the lines,
// and the lines of each payment come to what its provider has moved. Left out are payments with a request that has no
// outcome, or of which the provider has said both: it may have moved money that nobody knows of yet.
func (x *faultRun) sumsAgree(payments []payment.Payment, operations []simulator.Operation) {
	lines := x.exports()
	for _, p := range payments {
		if len(p.Jobs) > 0 || !story.Decided(p) {
			x.counts("not summed up")
			continue
		}
		x.counts("summed up")
		sum, err := operator.SumUp(lines[p.ID])
		got := money.Zero(story.USD()).String()
		for _, s := range sum.Sums {
			got = s.Net
		}
		if want := x.moved(ledgerOf(p, operations)); err != nil || got != want || len(sum.Sums) > 1 {
			x.Errorf("payment %s is summed up as %s, and the provider has moved %s: %+v, %v", p.ID, got, want,
				lines[p.ID], err)
		}
	}
}

// exports returns all lines by payment. It checks that each page of totals is the sum of the same lines.
func (x *faultRun) exports() map[string][]listing.Line {
	ctx, lines := context.Background(), map[string][]listing.Line{}
	by := grant.Person{Grants: []grant.Grant{
		{Role: grant.Finance, Merchants: []string{grant.AllMerchants}, Mode: grant.Live},
	}}
	for f := (operator.Filter{From: x.Clock.Now().Add(-30 * 24 * time.Hour)}); ; {
		page, err := x.App.Operator.Export(ctx, by, f)
		totals, errTotals := x.App.Operator.Totals(ctx, by, f)
		want, errSum := operator.SumUp(page.Lines)
		want.Cursor = page.Cursor
		if err != nil || errTotals != nil || errSum != nil || !reflect.DeepEqual(totals, want) {
			x.Errorf("the totals are %+v, and the lines come to %+v: %v, %v, %v", totals, want, err, errTotals, errSum)
			return lines
		}
		for _, line := range page.Lines {
			lines[line.PaymentID] = append(lines[line.PaymentID], line)
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			return lines
		}
	}
}

// sinceDispute returns the amounts of refunds that were made before the payment was disputed and have failed since, and
// of those of whose success the service has known since. The dispute was of what had not been refunded then, as the
// service knew it; the provider's sums have it be of what is not refunded now.
func (l paymentLedger) sinceDispute() (failed, made []money.Amount) {
	dispute := slices.IndexFunc(l.Transactions, func(t payment.Transaction) bool {
		return t.Type == payment.EventChargeback || t.Type == payment.EventReversal
	})
	for i, t := range l.Transactions {
		switch {
		case dispute < 0 || t.Type != payment.EventRefund:
		case i < dispute && !t.SucceededAt.IsZero() && t.Date.After(l.Transactions[dispute].Date):
			failed = append(failed, t.Amount)
		case i > dispute && t.Status == payment.Success:
			made = append(made, t.Amount)
		}
	}
	return failed, made
}

// moved returns the money that the provider has moved for a payment: from the payer, or negative to a payee.
func (x *faultRun) moved(l paymentLedger) string {
	plus, minus := money.Zero(story.USD()), money.Zero(story.USD())
	add := func(sum *money.Amount, amounts ...money.Amount) {
		for _, a := range amounts {
			var err error
			if *sum, err = sum.Add(a); err != nil {
				x.Errorf("payment %s: %v", l.ID, err)
			}
		}
	}
	for _, o := range l.charges {
		t, _ := x.sim.Totals(o.Family, o.ID)
		if o.Kind == simulator.Payout {
			add(&minus, t.Captured)
			add(&plus, t.Disputed)
			continue
		}
		add(&plus, t.Captured)
		add(&minus, t.Refunded, t.Disputed)
	}
	failed, made := l.sinceDispute()
	add(&plus, failed...)
	add(&minus, made...)
	if net, err := plus.Sub(minus); err == nil {
		return net.String()
	}
	net, _ := minus.Sub(plus)
	return "-" + net.String()
}
