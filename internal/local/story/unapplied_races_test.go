package story

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/operator"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// reports returns a result that says what has arrived of 0.001 BTC.
func reports(outcome connector.Outcome, amount string) connector.Result {
	return connector.Result{
		Outcome: outcome, Received: &connector.Received{Currency: "BTC", Amount: amount, Due: "0.001"},
	}
}

// declinedWith opens a shop with a crypto payment that its provider has declined, after a part had arrived.
func declinedWith(t *testing.T, arrived string) (*World, *provider, *Visit) {
	w := open(t, coins)
	address := connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "crypto_address", Value: "an address"}},
	}}
	bank := &provider{charge: onCharge(address), lookUp: onFollowUp(reports(connector.OutcomeDeclined, arrived))}
	w.connects(settings.SandboxConnector, bank)
	payer := w.shop.opensCrypto("0.001", 60)
	w.reported(settings.SandboxConnector, payer.about("", reports(connector.OutcomeDeclined, arrived)))
	w.work()
	payer.stands("decline")
	return w, bank, payer
}

// A provider that approves the charge after its decline contradicts itself: the money that has arrived waits with that,
// and each coin is in one place whatever a person decides.
func TestUnappliedMoneyOfAnApprovedCharge(t *testing.T) {
	for name, test := range map[string]struct {
		first   payment.Verdict // before the approval is reported; "": none
		verdict payment.Verdict
		fails   bool // the provider declines the give-back
		where   string
	}{
		"accept":        {"", payment.VerdictAccept, false, "0.00100000 BTC: kept 0.00100000 BTC"},
		"give back":     {"", payment.VerdictGiveBack, false, "0.00100000 BTC: returned 0.00100000 BTC"},
		"give back, no": {"", payment.VerdictGiveBack, true, "0.00100000 BTC: waits 0.00100000 BTC"},
		"close":         {"", payment.VerdictClose, false, "0.00100000 BTC: closed 0.00100000 BTC"},
		"returned": {"", payment.VerdictReturned, false,
			"0.00100000 BTC: returned 0.00020000 BTC waits 0.00080000 BTC"},
		"after it ended": {payment.VerdictClose, payment.VerdictAccept, false,
			"0.00100000 BTC: kept 0.00060000 BTC closed 0.00040000 BTC"},
	} {
		t.Run(name, func(t *testing.T) {
			w, bank, payer := declinedWith(t, "0.0004")
			id := payer.paymentID()
			if test.first != "" {
				w.settlesCoins(operator.Settlement{PaymentID: id, Verdict: test.first})
			}
			all := reports(connector.OutcomeApproved, "0.001")
			bank.lookUp = onFollowUp(all)
			if test.fails {
				bank.followUp = onFollowUp(declined)
			}
			for range 3 {
				w.reported(settings.SandboxConnector, payer.about("", all))
				w.work()
			}
			if p := payer.payment(); len(p.Jobs) != 1 || p.Jobs[0].Kind != payment.JobContradiction {
				t.Fatalf("%+v", p.Jobs)
			}
			d := operator.Settlement{PaymentID: id, Verdict: test.verdict}
			if test.verdict == payment.VerdictReturned {
				d.Amount, d.Transfer = "0.0002", "tx"
			}
			if got := w.settlesCoins(d); strings.HasPrefix(got, "refused") {
				t.Error(got)
			}
			w.pass(2 * time.Hour)
			if got := w.coinsOf(id); got != test.where {
				t.Errorf("the money: %s, want %s", got, test.where)
			}
			for range 2 { // repeats change nothing
				w.reported(settings.SandboxConnector, payer.about("", all))
				w.work()
			}
			if got := w.coinsOf(id); got != test.where {
				t.Errorf("after repeats: %s, want %s", got, test.where)
			}
			w.CheckOrders()
		})
	}
}

// Several people decide at the same moment, while more arrives and the functions' messages are lost: each coin is in
// one place, and each decision counts once.
func TestUnappliedMoneyDecidedAtOnce(t *testing.T) {
	for seed := range 12 {
		w, _, payer := declinedWith(t, "0.0002")
		id := payer.paymentID()
		if seed%3 == 0 {
			w.queue.lose = loseJobs
		}
		accepted := make([]string, 24)
		w.atOnce(len(accepted), func(i int) {
			d := operator.Settlement{PaymentID: id, By: fmt.Sprint("person ", i), Reason: "Seen in the wallet."}
			switch (i + seed) % 4 {
			case 0:
				d.Verdict = payment.VerdictAccept
			case 1:
				d.Verdict, d.Amount, d.Transfer = payment.VerdictReturned, "0.0001", fmt.Sprint("tx ", i/8)
			case 2:
				d.Verdict = payment.VerdictClose
			case 3:
				more := reports(connector.OutcomeDeclined, fmt.Sprintf("0.000%d", 3+i%7))
				_, _ = w.post(w.noticePath(settings.SandboxConnector, 0), payer.about("", more))
				return
			}
			if _, err := w.app.Actor.Settle(context.Background(), d); err == nil {
				accepted[i] = string(d.Verdict)
			}
		})
		w.queue.lose = nil
		w.pass(10 * time.Minute)
		where := w.coinsOf(id)
		p := payer.payment()
		done := slices.DeleteFunc(accepted, func(v string) bool { return v == "" })
		if len(done) != len(p.Acts) || len(done) == 0 {
			t.Errorf("%d decisions, acts %+v", len(done), p.Acts)
		}
		kept, status := strings.Contains(where, "kept"), payment.StatusDecline
		if kept {
			status = payment.StatusSettled
		}
		if n := p.Transactions.Count(payment.EventSale, payment.Success); p.Status != status || kept != (n == 1) {
			t.Errorf("%s: %s after %d charges", where, p.Status, n)
		}
		returned := map[string]bool{}
		for _, tr := range p.Transactions {
			if tr.Type == payment.EventGiveBack && returned[tr.Decision.Transfer] {
				t.Errorf("%s is stored twice", tr.Decision.Transfer)
			} else if tr.Type == payment.EventGiveBack {
				returned[tr.Decision.Transfer] = true
			}
		}
		w.CheckOrders()
	}
}

// A function dies at each of its writes, before or after it is stored, and every message is lost: the sweep ends what
// was decided, once.
func TestDeadWhileUnappliedMoneyIsDecided(t *testing.T) {
	verdicts := map[payment.Verdict]string{
		payment.VerdictAccept:   "0.00040000 BTC: kept 0.00040000 BTC",
		payment.VerdictReturned: "0.00040000 BTC: returned 0.00010000 BTC waits 0.00030000 BTC",
		payment.VerdictClose:    "0.00040000 BTC: closed 0.00040000 BTC",
	}
	for verdict, want := range verdicts {
		for n := range 5 {
			for _, fault := range []string{"before", "after"} {
				w, _, payer := declinedWith(t, "0.0004")
				id := payer.paymentID()
				w.queue.lose = loseAll
				w.store.next(append(slices.Repeat([]string{"ok"}, n), fault)...)
				d := operator.Settlement{PaymentID: id, Verdict: verdict, By: "Ann", Reason: "Seen in the wallet."}
				if verdict == payment.VerdictReturned {
					d.Amount, d.Transfer = "0.0001", "tx"
				}
				for range 2 { // the person repeats it
					by := w.app.Actor.By(actOf(ann, store.NewUUID(w.app.Core.Random(16))))
					if _, err := by.Settle(t.Context(), d); err == nil {
						break
					}
				}
				w.pass(10 * time.Minute)
				w.queue.lose = nil
				w.pass(10 * time.Minute)
				if got := w.coinsOf(id); got != want || len(payer.payment().Acts) != 1 || len(w.acted()) != 1 {
					t.Errorf("%s, write %d %s: %s, acts %+v, audit log %q", verdict, n, fault, got, payer.payment().Acts,
						w.acted())
				}
				w.CheckOrders()
			}
		}
	}
}
