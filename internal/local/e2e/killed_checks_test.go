package e2e

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// storedPayments are the payments in the table, each with when it is due.
func (w *providerWorld) storedPayments() iter.Seq2[payment.Payment, time.Time] {
	w.t.Helper()
	return func(yield func(payment.Payment, time.Time) bool) {
		for _, one := range w.items() {
			var p payment.Payment
			if !store.IsPayment(store.Key{Partition: one.pk, Sort: one.sk}) {
				continue
			}
			if err := json.Unmarshal([]byte(one.doc), &p); err != nil {
				w.t.Fatal(err)
			}
			if !yield(p, one.due) {
				return
			}
		}
	}
}

// knowsWhatIsNext checks that each payment is final, is due, or waits for a person.
func (w *providerWorld) knowsWhatIsNext() {
	w.t.Helper()
	for p, due := range w.storedPayments() {
		if due.IsZero() && slices.ContainsFunc(p.Jobs, func(j payment.Job) bool { return !j.Person }) {
			w.t.Errorf("payment %s is %s and has jobs, and nothing is due: %+v", p.ID, p.Status, p.Jobs)
		}
	}
}

// agree compares what the merchant's API says with the providers' ledger.
func (w *providerWorld) agree(buyers []*buyer) {
	w.t.Helper()
	operations := w.sim.Operations()
	known := map[string]bool{}
	for _, b := range buyers {
		charged := 0
		for _, p := range w.payments(b.order) {
			known[p.PaymentID] = true
			charged += w.paymentAgrees(b, p, operations)
		}
		if charged > 1 {
			w.t.Errorf("%s was charged %d times", b.order, charged)
		}
	}
	for _, o := range operations {
		charge := o
		if o.Parent != "" {
			charge, _ = w.sim.Find(o.Family, o.Parent)
		}
		if !known[paymentOf(charge)] {
			w.t.Errorf("the provider has %s %s of no payment", o.Kind, o.Reference)
		}
	}
}

// paymentAgrees compares a payment with its charge, and returns how often it was charged.
func (w *providerWorld) paymentAgrees(b *buyer, p merchant.PaymentObject, operations []simulator.Operation) int {
	w.t.Helper()
	says := fmt.Sprintf("%s by %s of %s: payment %s is %s (%s)",
		b.order, b.m.ID, b.amount, p.PaymentID, p.Status, p.Reason)
	charges := chargesOf(p.PaymentID, operations)
	switch {
	case p.WaitsForPerson && (p.UnknownSince == "" || !strings.HasSuffix(b.amount, anotherAmount)):
		w.t.Errorf("%s, and is left to a person: %+v", says, p)
	case p.WaitsForPerson && len(charges) == 1:
	case p.ReasonCode == reason.NotSent && len(p.Transactions) == 1: // else it was in the memory of a killed process
		w.t.Errorf("%s, and its card or token was deleted before the provider had it", says)
	case p.UnknownSince != "":
		w.t.Errorf("%s, and unknown since %s", says, p.UnknownSince)
	case len(charges) == 0 && p.Status != payment.StatusDecline:
		w.t.Errorf("%s, and the provider has charged nothing", says)
	case len(charges) == 1:
		w.chargeAgrees(says, p, charges[0], operations)
	}
	return len(charges)
}

// chargesOf are the charges of a payment by which money was held or moved.
func chargesOf(payment string, operations []simulator.Operation) (charges []simulator.Operation) {
	for _, o := range operations {
		if (o.Kind == simulator.Charge || o.Kind == simulator.Payout) && paymentOf(o) == payment &&
			(o.State == simulator.Authorised || o.State == simulator.Approved || o.State == simulator.Reversed) {
			charges = append(charges, o)
		}
	}
	return charges
}

// chargeAgrees compares a payment's status and sums with those of its charge.
func (w *providerWorld) chargeAgrees(
	says string, p merchant.PaymentObject, charge simulator.Operation, operations []simulator.Operation,
) {
	w.t.Helper()
	moved := map[simulator.Kind]money.Amount{}
	for _, o := range operations {
		if o.Parent == charge.ID && o.State == simulator.Approved {
			moved[o.Kind] = added(moved[o.Kind], o.Moved)
		}
	}
	_, voided := moved[simulator.Void]
	refunded, captured := moved[simulator.Refund], moved[simulator.Capture]
	want := payment.StatusSettled
	switch {
	case voided:
		want = payment.StatusVoid
	case charge.State == simulator.Authorised:
		want = payment.StatusPending
	case charge.State == simulator.Reversed:
		want = payment.StatusReversal
	case !refunded.IsZero() && refunded == charge.Moved:
		want = payment.StatusRefund
	}
	if p.Status != want {
		w.t.Errorf("%s, the provider's charge is %s (%s)", says, charge.State, charge.Reason)
	}
	told := map[payment.EventType]money.Amount{}
	for _, t := range p.Transactions {
		if t.Status != payment.Success {
			continue
		}
		sum, err := money.Parse(t.Amount, charge.Amount.Currency())
		if err != nil {
			w.t.Errorf("%s: %v", says, err)
		}
		told[t.Type] = added(told[t.Type], sum)
	}
	if told[payment.EventRefund] != refunded || told[payment.EventCapture] != captured {
		w.t.Errorf("%s: refunded and captured %v, the provider says %s and %s", says, told, refunded, captured)
	}
}

func added(sum, more money.Amount) money.Amount {
	if sum == (money.Amount{}) {
		return more
	}
	sum, _ = sum.Add(more)
	return sum
}

// wasTold checks that the merchant was told every final transaction, once each and with right signatures.
func (w *providerWorld) wasTold(buyers []*buyer) {
	w.t.Helper()
	told, last, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, r := range w.shop.received() {
		w.verify(r)
		id, payment, number := r.ID(), r.Fields.Get("id"), 0
		if seen[id] {
			continue
		}
		seen[id] = true
		told[payment+" "+r.Fields.Get("type")+" "+r.Fields.Get("status")]++
		_, err := fmt.Sscanf(strings.TrimPrefix(id, "msg_"+payment), "_%d", &number)
		if err != nil || number <= last[payment] {
			w.t.Errorf("%s was told after number %d", id, last[payment])
		}
		last[payment] = number
	}
	happened := map[string]int{}
	for _, b := range buyers {
		for _, p := range w.payments(b.order) {
			for i, t := range p.Transactions {
				if !triedElsewhere(p.Transactions[i:]) {
					happened[fmt.Sprintf("%s %s %s", p.PaymentID, t.Type, t.Status)]++
				}
			}
		}
	}
	for event, times := range happened {
		if told[event] != times {
			w.t.Errorf("%s has happened %d times and was told %d times", event, times, told[event])
		}
	}
	for event, times := range told {
		if what := strings.Fields(event); happened[event] == 0 && slices.Contains(final, what[1]+" "+what[2]) {
			w.t.Errorf("%s was told %d times and has not happened", event, times)
		}
	}
}

// final are the types and statuses of callbacks about a transaction.
var final = []string{
	"sale success", "sale fail", "credit success", "credit fail", "capture success", "capture fail", "void success",
	"void fail", "refund success", "refund fail",
}

// triedElsewhere reports whether the first of these transactions is a decline after which another MID was tried. The
// merchant is told how that ended, alone.
func triedElsewhere(transactions []merchant.TransactionObject) bool {
	first := transactions[0]
	return first.Type == payment.EventSale && first.Status == payment.Fail &&
		slices.ContainsFunc(transactions[1:], func(t merchant.TransactionObject) bool { return t.Type == first.Type })
}

// sentOnce checks that no request that moves money was sent again after the provider had executed it.
func (w *providerWorld) sentOnce() {
	w.t.Helper()
	sent := map[string]bool{}
	for _, r := range w.sim.Requests() {
		parts := strings.Split(r.Path, "/")
		if r.Method != "POST" || r.Status >= 400 || r.Family == "collection" || // whose payers may enter a code twice
			r.Fault == simulator.TooManyRequests ||
			r.Fault == simulator.LosesRequest || !slices.Contains(moves, parts[len(parts)-1]) {
			continue
		}
		id := r.Family + r.Path + " " + r.Header.Get("Idempotency-Key") + " " + r.Body
		if sent[id] {
			w.t.Errorf("%s%s was sent again", r.Family, r.Path)
		}
		sent[id] = true
	}
}

// moves are the ends of paths of requests that move money.
var moves = []string{
	"confirm", "capture", "refund", "refunds", "void", "payments", "charge", "charges", "redemptions",
}

// enoughHappened checks that the run has had what it is for: else its checks say nothing. killed is nil where nothing
// was to be killed.
func (w *providerWorld) enoughHappened(killed map[string]int, buyers []*buyer) {
	w.t.Helper()
	failed, calls := map[string]int64{}, int64(0)
	for function, usage := range w.cloud.Snapshot() {
		if usage.Errors > 0 {
			failed[function] = int64(usage.Errors)
			calls += int64(usage.Errors)
		}
	}
	happened, wallets := map[string]int{}, map[string]int{}
	for _, b := range buyers {
		for _, p := range w.payments(b.order) {
			if b.plan != nil {
				wallets[strings.TrimSpace(fmt.Sprintf("%s %s %s", p.MIDName, p.Status, p.ReasonCode))]++
			}
			for _, t := range p.Transactions {
				happened[fmt.Sprintf("%s %s", t.Type, t.Status)]++
			}
			if p.WaitsForPerson {
				happened["left to a person"]++
			}
		}
	}
	families, faults := map[string]int{}, map[simulator.Fault]int{}
	for _, o := range w.sim.Operations() {
		families[o.Family]++
	}
	for _, r := range w.sim.Requests() {
		if r.Fault != simulator.NoFault {
			faults[r.Fault]++
		}
	}
	w.t.Logf("killed processes: %v; calls that ended so: %v; transactions: %v; wallets: %v; operations: %v; faults: %v",
		killed, failed, happened, wallets, families, faults)
	if len(buyers) < 36 {
		return
	}
	if killed != nil && (calls < 20 || failed["connector"] < 5 || len(killed) < 10) {
		w.t.Error("hardly a function was killed during a call")
	}
	if len(families) != len(w.sim.Families()) || len(faults) < 8 {
		w.t.Error("the run lacks a family of providers, or faults")
	}
	for _, what := range []string{"sale success", "sale fail", "refund success"} {
		if happened[what] == 0 {
			w.t.Errorf("the run has no %s", what)
		}
	}
	if happened["capture success"]+happened["void success"] == 0 {
		w.t.Error("the run has neither a capture nor a void")
	}
	w.walletsPaid(wallets)
}
