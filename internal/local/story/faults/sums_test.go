package faults

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/money"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/query"
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
		sum, err := listing.SumUp(lines[p.ID], time.UTC)
		got := money.Zero(story.USD()).String()
		for _, s := range sum.Sums {
			got = s.Net
		}
		if want := x.moved(x.ledgerOf(p, operations)); err != nil || got != want || len(sum.Sums) > 1 {
			x.Errorf("payment %s is summed up as %s, and the provider has moved %s: %+v, %v", p.ID, got, want,
				lines[p.ID], err)
		}
	}
}

// exports returns all lines by payment. It checks that the totals of all pages are the sums of these lines, when they
// are asked for the first time, and again when past days were stored.
func (x *faultRun) exports() map[string][]listing.Line {
	ctx, lines, want := context.Background(), map[string][]listing.Line{}, map[string]int{}
	by := grant.Person{Grants: []grant.Grant{
		{Role: grant.Finance, Merchants: []string{grant.AllMerchants}, Mode: grant.Live},
	}}
	from := query.Filter{From: x.Clock.Now().Add(-30 * 24 * time.Hour), Until: x.Clock.Now().Add(time.Minute)}
	for f := from; ; {
		page, err := x.App.Actor.Export(ctx, by, f)
		if err != nil {
			x.Errorf("export: %v", err)
			return lines
		}
		for name, n := range addUp(page.Lines) {
			want[name] += n
		}
		for _, line := range page.Lines {
			lines[line.PaymentID] = append(lines[line.PaymentID], line)
		}
		if f.Cursor = page.Cursor; f.Cursor == "" {
			break
		}
	}
	for range 2 {
		got := map[string]int{}
		for f := from; ; {
			totals, err := x.App.Reader.Totals(ctx, by, f)
			if err != nil {
				x.Errorf("totals: %v", err)
				return lines
			}
			for name, n := range shownSums(totals) {
				got[name] += n
			}
			if f.Cursor = totals.Cursor; f.Cursor == "" {
				break
			}
		}
		if !maps.Equal(want, got) {
			x.Errorf("the totals are %v, and the lines come to %v", got, want)
		}
	}
	return lines
}

// addUp adds up lines in minor units, by what they have in common and over all: how many there are of each status,
// their amounts, and what has moved.
func addUp(lines []listing.Line) map[string]int {
	sums := map[string]int{}
	for _, l := range lines {
		group := fmt.Sprint(l.At.UTC().Format(time.DateOnly), l.Currency, l.Method, l.MID, l.Type)
		success := l.Status == payment.Success
		for name, n := range map[string]int{
			group + " moved": minor(l.Moved), "net " + l.Currency: minor(l.Moved), "lines": 1,
			group + " failed": count(!success), group + " succeeded": count(success),
			group + " amount": minor(l.Amount) * count(success),
		} {
			sums[name] += n
		}
	}
	return withoutZeros(sums)
}

// shownSums are the same of totals.
func shownSums(t listing.Totals) map[string]int {
	sums := map[string]int{"lines": t.Lines}
	for _, g := range t.Groups {
		group := fmt.Sprint(g.Day, g.Currency, g.Method, g.MID, g.Type)
		sums[group+" moved"], sums[group+" amount"] = minor(g.Moved), minor(g.Amount)
		sums[group+" failed"], sums[group+" succeeded"] = g.Failed, g.Succeeded
	}
	for _, s := range t.Sums {
		sums["net "+s.Currency] = minor(s.Paid) - minor(s.Returned) - minor(s.PaidOut)
		if sums["net "+s.Currency] != minor(s.Net) {
			sums["net of "+s.Currency] = minor(s.Net)
		}
	}
	return withoutZeros(sums)
}

func withoutZeros(sums map[string]int) map[string]int {
	maps.DeleteFunc(sums, func(_ string, n int) bool { return n == 0 })
	return sums
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// minor reads a signed amount of two decimals.
func minor(text string) int {
	n, _ := strconv.Atoi(strings.Replace(text, ".", "", 1))
	return n
}

// countedOtherwise returns what the service counts and the provider's sums do not, as plus and minus:
//   - The service counts a dispute as one of what had not been refunded when it knew of it, the provider's sums as one
//     of what is not refunded now. They differ by refunds and voids that failed after that, or were known to succeed
//     only then.
//   - A void is always of all. A person may approve one of which the provider has refunded another amount.
func (l paymentLedger) countedOtherwise() (plus, minus []money.Amount) {
	dispute := slices.IndexFunc(l.Transactions, func(t payment.Transaction) bool {
		return t.Type == payment.EventChargeback || t.Type == payment.EventReversal
	})
	for i, t := range l.Transactions {
		refund, success := t.Type == payment.EventRefund && dispute >= 0, t.Status == payment.Success
		switch {
		case refund && i < dispute && !t.SucceededAt.IsZero() && t.Date.After(l.Transactions[dispute].Date):
			plus = append(plus, t.Amount)
		case refund && i > dispute && success:
			minus = append(minus, t.Amount)
		case t.Type == payment.EventVoid && success && t.Decision != nil:
			for _, o := range l.follow {
				if o.Reference != t.Reference || o.Kind != simulator.Refund {
					continue
				}
				if minus = append(minus, o.Amount); dispute < 0 || i < dispute {
					plus = append(plus, o.Moved)
				}
			}
		}
	}
	return plus, minus
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
		if l.afterAll(o.Reference) {
			continue
		}
		t, _ := x.sim.Totals(o.Family, o.ID)
		if o.Kind == simulator.Payout {
			add(&minus, t.Captured)
			add(&plus, t.Disputed)
			continue
		}
		add(&plus, t.Captured)
		add(&minus, t.Refunded, t.Disputed)
	}
	more, less := l.countedOtherwise()
	add(&plus, more...)
	add(&minus, less...)
	if net, err := plus.Sub(minus); err == nil {
		return net.String()
	}
	net, _ := minus.Sub(plus)
	return "-" + net.String()
}
