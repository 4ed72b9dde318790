package story

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// Stored returns all stored payments, the oldest first.
func (w *World) Stored(t Tester) []payment.Payment {
	var all []payment.Payment
	for _, record := range w.app.Store.Dump() {
		if strings.HasSuffix(record.Key.Sort, "/payment") {
			var p payment.Payment
			if err := record.Decode(&p); err != nil {
				t.Fatalf("payment: %v", err)
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b payment.Payment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// Callbacks returns the stored callbacks in the order of their keys.
func (w *World) Callbacks() []callback.Callback {
	w.t.Helper()
	var all []callback.Callback
	for _, record := range w.app.Store.Dump() {
		if strings.HasPrefix(record.Key.Sort, "callback/") {
			var c callback.Callback
			if err := record.Decode(&c); err != nil {
				w.t.Fatalf("callback: %v", err)
			}
			all = append(all, c)
		}
	}
	return all
}

// CheckOrders runs the operator's checks over everything that a story stored, and over its listing.
func (w *World) CheckOrders() {
	for _, line := range w.auditLines() {
		w.t.Errorf("stored: %s", line)
	}
	if err := w.app.IndexChanges(context.Background()); err != nil {
		w.t.Errorf("index: %v", err)
	}
	report := func(line string) { w.t.Errorf("listed: %s", line) }
	if _, err := w.app.Listing().Check(context.Background(), report); err != nil {
		w.t.Errorf("check the listing: %v", err)
	}
}

// auditLines returns what the operator's check finds.
func (w *World) auditLines() (lines []string) {
	for _, partition := range partitions(w.app.Store.Dump()) {
		lines = append(lines, operator.CheckOrder(w.clock.Now(), partition)...)
	}
	return lines
}

// partitions groups documents by partition. They have to be in the order of their keys.
func partitions(records []store.Record) (all [][]store.Record) {
	for i, r := range records {
		if i == 0 || records[i-1].Key.Partition != r.Key.Partition {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

// Decided reports whether the charge of a card payment has an outcome.
func Decided(p payment.Payment) bool {
	return p.Status != payment.StatusPrepare && p.Status != payment.Status3DS && p.Status != payment.StatusRedirect
}

// Refunded returns the sum of a payment's successful refunds.
func Refunded(t Tester, p payment.Payment) money.Amount {
	sum := Cents(t, "")
	for _, transaction := range p.Transactions {
		if transaction.Type == "refund" && transaction.Status == "success" {
			sum = plus(t, sum, transaction.Amount.String())
		}
	}
	return sum
}

// USD is the currency of most orders.
func USD() money.Currency {
	currency, _ := money.Find("USD")
	return currency
}

// Cents reads an amount; "" is zero.
func Cents(t Tester, text string) money.Amount {
	if text == "" {
		return money.Zero(USD())
	}
	amount, err := money.Parse(text, USD())
	if err != nil {
		t.Fatalf("amount %q: %v", text, err)
	}
	return amount
}

func plus(t Tester, sum money.Amount, text string) money.Amount {
	sum, err := sum.Add(Cents(t, text))
	if err != nil {
		t.Fatalf("sum: %v", err)
	}
	return sum
}

// shopKnowsAll checks that the shop was told of every transaction, with right signatures.
func (w *World) shopKnowsAll(t Tester) {
	t.Helper()
	for _, got := range w.shop.Taken() {
		w.shop.verify(got)
	}
	w.shop.KnowsAll(t)
}

// KnowsAll checks that the shop was told of every transaction, once and in order. It skips payments with a parked
// callback, which the shop never took.
func (s *Shop) KnowsAll(t Tester) {
	t.Helper()
	told, last, failedLater := map[string][]string{}, map[string]string{}, map[string]int{}
	for _, got := range s.Taken() {
		f := got.Fields
		switch f.Get("status") {
		case "undefined", "waiting":
			continue
		}
		last[f.Get("id")] = f.Get("order_status")
		switch kind := f.Get("type"); {
		case kind == "3ds", kind == "redirect", kind == "init":
		case f.Get("reason_code") == "failed_later" && kind != "reversal":
			failedLater[f.Get("id")]++
		default:
			told[f.Get("id")] = append(told[f.Get("id")], kind+" "+f.Get("status"))
		}
	}
	parked := map[string]bool{}
	for _, c := range s.w.Callbacks() {
		parked[c.PaymentID] = parked[c.PaymentID] || c.State == callback.Parked
	}
	for _, p := range s.w.Stored(t) {
		if p.Merchant != s.merchant.ID {
			continue
		}
		var want []string
		for _, transaction := range p.Transactions {
			if transaction.Type == payment.EventContradiction || transaction.Type == payment.EventGiveBack {
				continue
			}
			charge := transaction.Type == "sale" || transaction.Type == "recurring"
			if !transaction.SucceededAt.IsZero() {
				transaction.Status = payment.Success
				failedLater[p.ID]--
			}
			if !charge || transaction.Reference == p.ChargeReference { // not the charges by MIDs before it in a cascade
				want = append(want, string(transaction.Type)+" "+string(transaction.Status))
			}
		}
		status := string(p.Status)
		if p.Status == payment.StatusPrepare { // of which no callback tells anything that counts
			status = ""
		}
		if !parked[p.ID] && (!slices.Equal(told[p.ID], want) || last[p.ID] != status || failedLater[p.ID] != 0) {
			t.Errorf("of %s the shop was told %q and %s, want %q and %s", p.ID, told[p.ID], last[p.ID], want, status)
		}
	}
}
