package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator"
	"checkout/internal/operator/query"
)

// settlesCoins decides about money of a payment that does not count, and returns what was told in words, or the error.
func (w *World) settlesCoins(d operator.Settlement) string {
	d.By, d.Reason = "Ann", "Seen in the wallet."
	done, err := w.app.Actor.By(actOf(ann, d.PaymentID)).Settle(w.t.(*testing.T).Context(), d)
	w.work()
	if err != nil {
		return "refused: " + err.Error()
	}
	return done.Text
}

// coinsOf says where all money of a payment is: what has arrived, and which of it counts, was returned, waits and is
// closed. It checks that each coin is in one place.
func (w *World) coinsOf(id string) string {
	w.t.Helper()
	p, err := w.app.Core.Payment(w.t.(*testing.T).Context(), w.clock.Now(), id)
	if err != nil || p == nil || p.Received == nil {
		w.t.Fatalf("nothing has arrived: %v", err)
	}
	reported, err := (&money.Coins{Currency: p.Received.Currency, Amount: p.Received.Amount}).Money()
	if err != nil {
		w.t.Fatalf("what arrived: %v", err)
	}
	arrived := money.CoinsOf(reported)
	places := map[string]*money.Coins{"closed": p.ClosedCoins}
	add := func(place string, coins *money.Coins) {
		sum, err := places[place].Plus(coins)
		if places[place] = sum; err != nil {
			w.t.Errorf("%s: %v", place, err)
		}
	}
	for _, t := range p.Transactions {
		switch {
		case t.Status != payment.Success:
		case t.Type == payment.EventGiveBack:
			add("returned", t.Coins)
		default:
			add("kept", t.Coins)
		}
	}
	for _, job := range p.Jobs {
		add("waits", job.Coins)
	}
	text, left := "", arrived
	for _, place := range []string{"kept", "returned", "waits", "closed"} {
		if coins := places[place]; coins != nil {
			text += " " + place + " " + coins.Text()
		}
		if left, err = left.Minus(places[place]); err != nil {
			w.t.Errorf("%s: there is more than has arrived: %v", text, err)
		}
	}
	if left != nil {
		w.t.Errorf("of %s %s is nowhere:%s", arrived.Text(), left.Text(), text)
	}
	return arrived.Text() + ":" + text
}

// paidLate opens a shop whose payer has sent coins too late: half or all of 0.001 BTC.
func paidLate(t *testing.T, half bool) (*World, *Visit, string) {
	w := open(t, coins)
	payer := w.shop.opensCrypto("0.001", 60)
	id := payer.paymentID()
	if half {
		payer.sends(id, "pay_half")
	}
	w.pass(21 * time.Minute)
	if !half {
		payer.sends(id, "pay_late")
	}
	return w, payer, id
}

// Money that came too late or too little waits for a person, who is told what has arrived, and in which currency. The
// shop and the payer are told what they were always told.
func TestUnappliedMoneyWaitsForAPerson(t *testing.T) {
	for half, want := range map[bool]string{
		true:  "0.00050000 BTC arrived, which is less than was due, and does not count",
		false: "0.00100000 BTC arrived too late, and does not count",
	} {
		w, payer, id := paidLate(t, half)
		found, _, err := w.app.Reader.WaitingForPerson(t.Context(), "", 10)
		if err != nil || len(found) != 1 || found[0].PaymentID != id || !strings.HasPrefix(found[0].Why, want) ||
			found[0].Amount+" "+found[0].Currency != strings.Join(strings.Fields(want)[:2], " ") {
			t.Errorf("waiting: %+v, %v", found, err)
		}
		_, status := w.shop.status("order_id", "pen-1")
		if status["waits_for_person"] != nil || status["unknown_since"] != nil || status["status"] != "decline" {
			t.Errorf("the shop reads %v", status)
		}
		v, err := w.app.Reader.View(t.Context(), everybody, id)
		if err != nil || v.Summary.Turn != "operator" || !strings.Contains(v.Summary.Means, "the money was not returned") ||
			!strings.Contains(v.Summary.Tell, strings.Join(strings.Fields(want)[:2], " ")) {
			t.Errorf("%+v, %v", v.Summary, err)
		}
		offered := v.Possible[slices.IndexFunc(v.Possible, func(p query.Possible) bool { return p.Act == "settle" })]
		if got := fmt.Sprint(offered.Verdicts); got != "[returned accept close]" || !offered.Needs[0].Transfer ||
			offered.Needs[0].Most != strings.Fields(want)[0] || offered.Needs[1].Amount != offered.Needs[0].Most {
			t.Errorf("offered: %+v", offered)
		}
		w.pass(10 * 24 * time.Hour)
		if got := w.coinsOf(id); !strings.Contains(got, "waits") {
			t.Error(got)
		}
		payer.stands("decline")
		w.CheckOrders()
	}
}

// The ways out of money that came too little: it counts as the part that it is, it was returned by hand, or the case is
// closed. Each is stored once, with who and why.
func TestWaysOutOfUnappliedMoney(t *testing.T) {
	const tx, notThat = "8f2a-tx", "refused: "
	for name, test := range map[string]struct {
		acts   []operator.Settlement
		want   []string // what each leads to, or the beginning of it
		status string
		where  string
		told   []string // after the decline
	}{
		"accept": {
			acts: []operator.Settlement{{Verdict: payment.VerdictAccept}, {Verdict: payment.VerdictAccept},
				{Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: tx}},
			want: []string{"0.00050000 BTC counts as 0.00050000 BTC. The payment is paid.",
				notThat + "Its outcome is known. The payment is paid.", notThat + "Its outcome is known."},
			status: "settled", where: "0.00050000 BTC: kept 0.00050000 BTC", told: []string{"sale success settled"},
		},
		"accept a part, and the rest was returned": {
			acts: []operator.Settlement{{Verdict: payment.VerdictAccept, Amount: "0.0003"},
				{Verdict: payment.VerdictAccept, Amount: "0.0002"},
				{Verdict: payment.VerdictReturned, Amount: "0.0002", Transfer: tx}},
			want: []string{"0.00030000 BTC counts as 0.00030000 BTC. The payment is paid.",
				notThat + "The payment is paid: the money can only be given back, or the case closed.",
				"0.00020000 BTC counts as returned by hand. The payment is paid."},
			status: "settled", where: "0.00050000 BTC: kept 0.00030000 BTC returned 0.00020000 BTC",
			told: []string{"sale success settled"},
		},
		"returned": {
			acts: []operator.Settlement{{Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: tx},
				{Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: tx}},
			want: []string{"0.00050000 BTC counts as returned by hand. The payment is declined.",
				notThat + "Its outcome is known. The payment is declined."},
			status: "decline", where: "0.00050000 BTC: returned 0.00050000 BTC",
		},
		"returned in parts": {
			acts: []operator.Settlement{{Verdict: payment.VerdictReturned, Amount: "0.0002", Transfer: tx},
				{Verdict: payment.VerdictReturned, Amount: "0.0002", Transfer: tx},
				{Verdict: payment.VerdictReturned, Amount: "0.0004", Transfer: "other"},
				{Verdict: payment.VerdictReturned, Amount: "0.0003", Transfer: "other"}},
			want: []string{"0.00020000 BTC counts as returned by hand.", notThat + "That transfer is stored already.",
				notThat + "amount: This value should be 0.00030000 or less.", "0.00030000 BTC counts as returned by hand."},
			status: "decline", where: "0.00050000 BTC: returned 0.00050000 BTC",
		},
		"closed": {
			acts: []operator.Settlement{{Verdict: payment.VerdictClose}, {Verdict: payment.VerdictClose}},
			want: []string{"The case of 0.00050000 BTC is closed. The payment is declined.",
				notThat + "Its outcome is known. The payment is declined."},
			status: "decline", where: "0.00050000 BTC: closed 0.00050000 BTC",
		},
		"refused": {
			acts: []operator.Settlement{{Verdict: payment.VerdictGiveBack}, {Verdict: payment.VerdictApproved},
				{Verdict: payment.VerdictAccept, Amount: "0.0006"}, {Verdict: payment.VerdictAccept, Amount: "half"},
				{Verdict: payment.VerdictClose, Amount: "0.0001"}, {Verdict: payment.VerdictReturned, Amount: "0.0001"},
				{Verdict: payment.VerdictReturned, Transfer: tx}, {Verdict: payment.VerdictClose, Transfer: tx},
				{Verdict: payment.VerdictReturned, Amount: "0", Transfer: tx},
				{Verdict: payment.VerdictReturned, Amount: "0.0001", Transfer: "4242424242424242"}},
			want: []string{notThat + "No provider refunds money that did not count: return it by hand, and name returned.",
				notThat + "It is about money that does not count: name returned, accept or close.",
				notThat + "amount: This value should be 0.00050000 or less.", notThat + "amount: This value is not valid.",
				notThat + "No amount belongs to that", notThat + "transfer: ", notThat + "Name the amount in BTC.",
				notThat + "transfer: ", notThat + "amount: This value should be greater than 0.",
				notThat + "transfer: It may have no card number"},
			status: "decline", where: "0.00050000 BTC: waits 0.00050000 BTC",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, payer, id := paidLate(t, true)
			done := 0
			for i, d := range test.acts {
				d.PaymentID = id
				got := w.settlesCoins(d)
				if !strings.HasPrefix(got, test.want[i]) {
					t.Errorf("%s %s: %q, want %q", d.Verdict, d.Amount, got, test.want[i])
				}
				if !strings.HasPrefix(got, notThat) {
					done++
				}
			}
			w.pass(time.Hour)
			payer.stands(test.status)
			if got := w.coinsOf(id); got != test.where {
				t.Errorf("the money: %s, want %s", got, test.where)
			}
			w.shop.told(append([]string{"init success pending", "sale waiting pending", "sale fail decline"}, test.told...)...)
			if p := payer.payment(); len(p.Acts) != done || len(w.acted()) != done {
				t.Errorf("acts %+v, audit log %q", p.Acts, w.acted())
			}
			if history := payer.history(id); strings.Count(history, "Seen in the wallet.") < done {
				t.Errorf("the history does not say why:\n%s", history)
			}
			w.CheckOrders()
		})
	}
}

// What was accepted is paid: the shop is told of the amount that counts, and the session is complete.
func TestAcceptedMoneyOfAnotherCurrency(t *testing.T) {
	w := open(t, coins)
	payer := w.shop.visits("pen-1", with("session_expiry", 60), cryptoBTC)
	payer.paysByCrypto()
	id := payer.paymentID()
	payer.sends(id, "pay_half")
	w.pass(21 * time.Minute)
	before := strings.Fields(w.coinsOf(id))
	for amount, want := range map[string]string{
		"": "refused: Name the amount in USD.", "10.01": "refused: amount: This value should be 10.00 or less.",
	} {
		d := operator.Settlement{PaymentID: id, Verdict: payment.VerdictAccept, Amount: amount}
		if got := w.settlesCoins(d); got != want {
			t.Errorf("%q: %s", amount, got)
		}
	}
	d := operator.Settlement{PaymentID: id, Verdict: payment.VerdictAccept, Amount: "4.90"}
	if got := w.settlesCoins(d); got != before[0]+" BTC counts as 4.90 USD. The payment is paid." {
		t.Error(got)
	}
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	w.shop.told("init success pending", "sale waiting pending", "sale fail decline", "sale success settled")
	told := w.shop.last("sale").Fields
	if told.Get("transaction_amount") != "4.90" || told.Get("order_amount") != "10.00" ||
		told.Get("reason") != "4.90 of 10.00 USD. Seen in the wallet. (decided by Ann)" {
		t.Errorf("told %v", told)
	}
	if got := strings.Fields(w.coinsOf(id)); got[2] != "kept" || got[3] != before[0] {
		t.Errorf("%q", got)
	}
	w.pass(48 * time.Hour)
	w.CheckOrders()
}

// What arrives later is added to what waits. After the case has ended, it is opened again for what was added, also once
// the payment is paid.
func TestMoreArrives(t *testing.T) {
	for name, test := range map[string]struct {
		first operator.Settlement // "": nobody decides
		where string
	}{
		"open": {operator.Settlement{}, "0.00100000 BTC: waits 0.00100000 BTC"},
		"closed": {operator.Settlement{Verdict: payment.VerdictClose},
			"0.00100000 BTC: waits 0.00050000 BTC closed 0.00050000 BTC"},
		"accepted": {operator.Settlement{Verdict: payment.VerdictAccept},
			"0.00100000 BTC: kept 0.00050000 BTC waits 0.00050000 BTC"},
		"returned": {operator.Settlement{Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: "tx"},
			"0.00100000 BTC: returned 0.00050000 BTC waits 0.00050000 BTC"},
	} {
		t.Run(name, func(t *testing.T) {
			w, payer, id := paidLate(t, true)
			if test.first.PaymentID = id; test.first.Verdict != "" {
				w.settlesCoins(test.first)
			}
			payer.sends(id, "pay_late")
			w.pass(time.Minute)
			if got := w.coinsOf(id); got != test.where {
				t.Errorf("the money: %s, want %s", got, test.where)
			}
			if got := w.waiting(); len(got) != 1 {
				t.Errorf("waiting: %q", got)
			}
			d := operator.Settlement{PaymentID: id, Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: "late"}
			if got := w.settlesCoins(d); strings.HasPrefix(got, "refused") {
				t.Error(got)
			}
			w.coinsOf(id)
			w.CheckOrders()
		})
	}
}

// An order that was paid otherwise is not paid a second time by what came late: it can only be returned, or the case be
// closed.
func TestUnappliedMoneyOfAPaidOrder(t *testing.T) {
	w, payer, id := paidLate(t, true)
	payer.pays("01/38")
	payer.is("settled")
	d := operator.Settlement{PaymentID: id, Verdict: payment.VerdictAccept}
	if got := w.settlesCoins(d); got != "refused: Another payment of its session has succeeded." {
		t.Error(got)
	}
	v, err := w.app.Reader.View(t.Context(), everybody, id)
	if err != nil || !slices.Equal(v.Possible[len(v.Possible)-1].Verdicts, []string{"returned", "close"}) {
		t.Errorf("%+v, %v", v.Possible, err)
	}
	d = operator.Settlement{PaymentID: id, Verdict: payment.VerdictReturned, Amount: "0.0005", Transfer: "tx"}
	if got := w.settlesCoins(d); !strings.HasPrefix(got, "0.00050000 BTC counts as returned by hand.") {
		t.Error(got)
	}
	w.coinsOf(id)
	payer.is("settled")
	d = operator.Settlement{PaymentID: id, Verdict: payment.VerdictClose, By: "Ann", Reason: "Too late."}
	w.mayNotSettle(d, fault.CodeNotAllowed)
	w.CheckOrders()
}
