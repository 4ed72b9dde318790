package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/money"
)

// counted is a line with what can be refunded of its payment.
type counted struct {
	refundLine
	refundResult
	chained bool // a schedule charges the payer again
	again   bool // in a repeat: something was refunded before, likely by this list
}

// choose reads the rows of payments that the filter chooses.
func (r *refundRun) choose(ctx context.Context) (lines []refundLine, err error) {
	r.filter.Set("limit", strconv.Itoa(largestPage))
	for settled := 0; ; {
		var page struct {
			Rows   []struct{ ID, Order, Merchant, Mode, State, Currency string }
			Cursor string
		}
		if err := r.patiently(ctx, func() error { return r.api.read(ctx, "/payments", r.filter, &page) }); err != nil {
			return nil, err
		}
		for _, row := range page.Rows {
			l := refundLine{paymentID: row.ID, order: row.Order, merchant: row.Merchant}
			if row.State != "settled" {
				l.state = row.State
			} else if settled++; settled > mostRefunds {
				return nil, misusef("the filter chooses more than %d settled payments: choose fewer days", mostRefunds)
			}
			lines = append(lines, l)
		}
		if page.Cursor == "" {
			return lines, nil
		}
		r.filter.Set("cursor", page.Cursor)
	}
}

// count reads each payment: what of it can be refunded now, and why not. Its error has all lines that can't be meant.
func (r *refundRun) count(ctx context.Context, lines []refundLine) (all []counted, err error) {
	if err := r.readApprovals(ctx); err != nil {
		return nil, err
	}
	var faults lineFaults
	for i, l := range lines {
		if i > 0 && i%100 == 0 {
			fmt.Fprintf(r.c.notes, "%d of %d payments are counted\n", i, len(lines))
		}
		one := counted{refundLine: l, refundResult: refundResult{Line: l.line, PaymentID: l.paymentID, Order: l.order,
			Merchant: l.merchant}}
		if l.state != "" {
			one.leaveOut("Its status is %s: only settled payments can be refunded.", l.state)
			all = append(all, one)
			continue
		}
		var v view
		err := r.patiently(ctx, func() (err error) {
			v, _, err = r.api.viewOf(ctx, l.paymentID)
			return err
		})
		var no *refusal
		if errors.As(err, &no) && (no.Status == http.StatusNotFound || no.Status == http.StatusBadRequest) {
			faults.add(l.line, "there is no payment %s that you may see", printable(l.paymentID))
			continue
		}
		if err != nil {
			return nil, err
		}
		if fault := r.compare(&one, &v); fault != "" {
			faults.add(l.line, "%s", fault)
		}
		all = append(all, one)
	}
	return all, faults.err(cmp.Or(r.file, "the list"))
}

// approvalTime is longer than anything waits for another person.
const approvalTime = 8 * 24 * time.Hour

// readApprovals reads what waits for another person. The latest come first.
func (r *refundRun) readApprovals(ctx context.Context) error {
	r.pending = map[string]string{}
	query := url.Values{}
	for {
		var page struct {
			Approvals []struct {
				State, Do, Amount, Currency string
				At                          time.Time
				PaymentID                   string `json:"payment_id"`
			}
			Cursor string
		}
		if err := r.patiently(ctx, func() error { return r.api.read(ctx, "/approvals", query, &page) }); err != nil {
			return fmt.Errorf("read what waits for another person: %w", err)
		}
		for _, a := range page.Approvals {
			if a.State == "waiting" && a.Do == "refund" {
				r.pending[a.PaymentID] = a.Amount + " " + a.Currency
			}
		}
		if n := len(page.Approvals); page.Cursor == "" || n > 0 && time.Since(page.Approvals[n-1].At) > approvalTime {
			return nil
		}
		query.Set("cursor", page.Cursor)
	}
}

// leaveOut leaves a line out, and says why.
func (one *counted) leaveOut(why string, args ...any) {
	one.Result, one.Text, one.Amount = leftOut, fmt.Sprintf(why, args...), ""
}

// compare fills in what a line would refund, or why it is left out. It returns what can't be meant.
func (r *refundRun) compare(one *counted, v *view) string {
	one.Order, one.Merchant, one.Currency = v.Row.Order, v.Row.Merchant, v.Row.Currency
	one.chained = v.Chain.State == "running"
	if v.Row.Mode != mode(r.live) {
		return fmt.Sprintf("%s: the command is about %s payments", v.name(), mode(r.live))
	}
	currency, ok := money.Find(v.Row.Currency)
	if !ok {
		return fmt.Sprintf("%s: its currency is unknown", v.name())
	}
	can, no := v.allows("refund")
	var amount money.Amount
	if one.refundLine.amount != "" {
		var err error
		if amount, err = money.Parse(one.refundLine.amount, currency); err != nil {
			return fmt.Sprintf("%q is no amount of %s, such as %s", printable(one.refundLine.amount), currency.Code,
				cmp.Or(can.Amount, v.Row.Amount, "10.00"))
		}
	}
	moved := v.Money.Refunded != "" || v.Money.Returning != "" || r.pending[one.PaymentID] != ""
	if one.again = r.repeats && r.file != "" && moved; one.again {
		return "" // the service tells what became of it
	}
	r.limit(one, v, can, no)
	if one.Result != "" {
		return ""
	}
	left, err := money.Parse(can.Amount, currency)
	if err != nil {
		return fmt.Sprintf("%s: %q that can be refunded is no amount", v.name(), printable(can.Amount))
	}
	if amount.IsZero() {
		amount = left
	}
	if one.Amount = amount.String(); amount.Cmp(left) > 0 {
		one.leaveOut("At most %s %s can be refunded, less than the list has.", left, currency.Code)
	}
	return ""
}

// limit leaves a line out whose payment can't be refunded now, or may be refunded already.
func (r *refundRun) limit(one *counted, v *view, can possible, no error) {
	switch {
	case v.Money.Returning != "":
		one.leaveOut("Wait: an earlier refund or void has no outcome yet.")
	case r.pending[one.PaymentID] != "":
		one.leaveOut("A refund waits for the approval of another person.")
	case no != nil:
		one.leaveOut("%s", cmp.Or(printable(can.Why), "It can't be refunded now."))
	case one.refundLine.amount != "" && v.Money.Refunded != "" && !r.again:
		one.leaveOut("Something was refunded before: a list that was stopped goes on with its --idempotency-key, " +
			"and --again refunds the amount beside it.")
	}
}

// tellCount says what would be refunded, what not and why. It returns how many are tried.
func (r *refundRun) tellCount(all []counted, export bool) (tries int) {
	whole, asked, chained := 0, 0, 0
	sums, numbers := map[string]string{}, map[string]int{}
	for i := range all {
		one := &all[i]
		if one.Result == leftOut {
			continue
		}
		if tries++; one.again {
			asked++
			continue
		}
		if one.refundLine.amount == "" {
			whole++
		}
		if one.chained {
			chained++
		}
		numbers[one.Currency]++
		sums[one.Currency] = plus(sums[one.Currency], one.Amount)
	}
	say := func(format string, args ...any) { fmt.Fprintf(r.c.notes, format+"\n", args...) }
	say("%d payments: %d to refund, %d left out", len(all), tries, len(all)-tries)
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		say("  %s %s of %d payments", sums[currency], printable(currency), numbers[currency])
	}
	if asked > 0 {
		say("  %d that were refunded before, likely by this list: the service tells what became of each", asked)
	}
	if export {
		say("  the file is an export of transactions: its amounts are left alone")
	}
	if whole > 0 {
		say("  all that is left is refunded of %d payments", whole)
	}
	if chained > 0 {
		say("  recurring chains that go on: %d; checkout chains stop ends one", chained)
	}
	for _, why := range reasonsOf(all) {
		say("  left out: %s", why)
	}
	return tries
}

// reasonsOf says why lines are left out: each reason once, with how many and the first lines.
func reasonsOf(all []counted) (said []string) {
	lines := map[string][]string{}
	var order []string
	for i := range all {
		if one := &all[i]; one.Result == leftOut {
			if lines[one.Text] == nil {
				order = append(order, one.Text)
			}
			place := one.PaymentID
			if one.Line > 0 {
				place = "line " + strconv.Itoa(one.Line)
			}
			lines[one.Text] = append(lines[one.Text], place)
		}
	}
	for _, why := range order {
		at := lines[why]
		text := fmt.Sprintf("%d: %s (%s", len(at), printable(why), printable(strings.Join(at[:min(len(at), 5)], ", ")))
		if len(at) > 5 {
			text += ", ..."
		}
		said = append(said, text+")")
	}
	return said
}
