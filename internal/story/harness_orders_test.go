package story

import (
	"cmp"
	"slices"
	"strings"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/money"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// stored returns all stored payments, the oldest first.
func (w *world) stored(t tester) []checkout.Payment {
	var all []checkout.Payment
	for _, record := range w.app.Store.Dump() {
		if strings.HasSuffix(record.Key.Sort, "/payment") {
			var p checkout.Payment
			if err := record.Decode(&p); err != nil {
				t.Fatalf("payment: %v", err)
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b checkout.Payment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// callbacks returns the stored callbacks in the order of their keys.
func (w *world) callbacks() []callback.Callback {
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

// checkOrders runs the operator's check over everything that a story stored.
func (w *world) checkOrders() {
	for _, line := range w.auditLines() {
		w.t.Errorf("stored: %s", line)
	}
}

// auditLines returns what the operator's check finds.
func (w *world) auditLines() (lines []string) {
	backlog := func(r store.Record) bool { return string(r.Doc) == "{}" }
	all := slices.DeleteFunc(w.app.Store.Dump(), backlog)
	for _, partition := range partitions(all) {
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

// decided reports whether the charge of a card payment has an outcome.
func decided(p checkout.Payment) bool {
	return p.Status != checkout.StatusPrepare && p.Status != checkout.Status3DS && p.Status != checkout.StatusRedirect
}

// refunded returns the sum of a payment's successful refunds.
func refunded(t tester, p checkout.Payment) money.Amount {
	sum := cents(t, "")
	for _, transaction := range p.Transactions {
		if transaction.Type == "refund" && transaction.Status == "success" {
			sum = plus(t, sum, transaction.Amount.String())
		}
	}
	return sum
}

func usd() money.Currency {
	currency, _ := money.Find("USD")
	return currency
}

// cents reads an amount; "" is zero.
func cents(t tester, text string) money.Amount {
	if text == "" {
		return money.Zero(usd())
	}
	amount, err := money.Parse(text, usd())
	if err != nil {
		t.Fatalf("amount %q: %v", text, err)
	}
	return amount
}

func plus(t tester, sum money.Amount, text string) money.Amount {
	sum, err := sum.Add(cents(t, text))
	if err != nil {
		t.Fatalf("sum: %v", err)
	}
	return sum
}

// shopKnowsAll checks that the shop was told of every transaction, with right signatures.
func (w *world) shopKnowsAll(t tester) {
	t.Helper()
	for _, got := range w.shop.taken() {
		w.shop.verify(got)
	}
	w.shop.knowsAll(t)
}

// knowsAll checks that the shop was told of every transaction, once and in order. It skips payments with a parked
// callback, which the shop never took.
func (s *shop) knowsAll(t tester) {
	t.Helper()
	told, last, failedLater := map[string][]string{}, map[string]string{}, map[string]int{}
	for _, got := range s.taken() {
		f := got.fields
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
	for _, c := range s.w.callbacks() {
		parked[c.PaymentID] = parked[c.PaymentID] || c.State == callback.Parked
	}
	for _, p := range s.w.stored(t) {
		if p.Merchant != s.merchant.ID {
			continue
		}
		var want []string
		for _, transaction := range p.Transactions {
			if transaction.Type == checkout.EventContradiction || transaction.Type == checkout.EventGiveBack {
				continue
			}
			charge := transaction.Type == "sale" || transaction.Type == "recurring"
			if !transaction.SucceededAt.IsZero() {
				transaction.Status = checkout.Success
				failedLater[p.ID]--
			}
			if !charge || transaction.Reference == p.ChargeReference { // not the charges by MIDs before it in a cascade
				want = append(want, string(transaction.Type)+" "+string(transaction.Status))
			}
		}
		status := string(p.Status)
		if p.Status == checkout.StatusPrepare { // of which no callback tells anything that counts
			status = ""
		}
		if !parked[p.ID] && (!slices.Equal(told[p.ID], want) || last[p.ID] != status || failedLater[p.ID] != 0) {
			t.Errorf("of %s the shop was told %q and %s, want %q and %s", p.ID, told[p.ID], last[p.ID], want, status)
		}
	}
}
