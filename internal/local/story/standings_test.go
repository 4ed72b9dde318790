package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/local/simulator"
	"checkout/internal/money"
	operatorwords "checkout/internal/operator/words"
)

// told is what has happened to a payment, of which an operator wants to know three things.
type told struct {
	*World
	id   string
	kept string // what its provider's ledger has of it
}

// of is a payment of a story, with what the sandbox's ledger has of it.
func (w *World) of(id string) told {
	w.t.Helper()
	x := told{World: w, id: id}
	for _, c := range w.charges() {
		if c.PaymentID != id || c.Voided || c.Disputed != connector.OutcomePending || c.Captured.IsZero() {
			continue
		}
		currency, _ := money.Find(c.Currency)
		left, err := money.Parse(c.Captured.String(), currency)
		if !c.Refunded.IsZero() && err == nil {
			var refunded money.Amount
			if refunded, err = money.Parse(c.Refunded.String(), currency); err == nil {
				left, err = left.Sub(refunded)
			}
		}
		if err != nil {
			w.t.Fatalf("the ledger of %s: %v", id, err)
		}
		if !left.IsZero() {
			x.kept = left.String()
		}
	}
	return x
}

// ofSimulated is the same with the simulator's ledger.
func (s *simulated) ofSimulated(id string) told {
	s.t.Helper()
	x := told{World: s.World, id: id}
	for _, o := range s.Operations() {
		sums, found := s.Totals(o.Family, o.ID)
		if o.Kind != simulator.Charge && o.Kind != simulator.Payout || !found || sums.Voided {
			continue
		}
		left := sums.Captured
		for _, part := range []money.Amount{sums.Refunded, sums.Disputed} {
			var err error
			if left, err = left.Sub(part); err != nil {
				s.t.Fatalf("the ledger of %s: %v", id, err)
			}
		}
		if !left.IsZero() {
			x.kept = left.String()
		}
	}
	return x
}

// pays10 has a payer pay a pen of 10.00 with a card of the sandbox.
func pays10(t *testing.T, expiry string, changes ...func(map[string]any)) (*World, *Visit) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1", changes...)
	payer.pays(expiry)
	w.skip(time.Minute)
	return w, payer
}

// then has a payment of 10.00 paid, does something with it, and lets time pass.
func then(expiry string, do func(w *World, payer *Visit), changes ...func(map[string]any)) func(*testing.T) told {
	return func(t *testing.T) told {
		w, payer := pays10(t, expiry, changes...)
		do(w, payer)
		w.pass(10 * time.Minute)
		return w.of(payer.paymentID())
	}
}

var errUnreachable = errors.New("dial tcp 192.0.2.7:443: connect: connection refused")

func nothing(*World, *Visit) {}

// coinsStory has a payer be shown an address for 0.001 BTC, and press buttons there.
func coinsStory(buttons ...string) func(*testing.T) told {
	return func(t *testing.T) told {
		w := open(t, coins)
		payer := w.shop.opensCrypto("0.001", 60)
		id := payer.paymentID()
		for _, button := range buttons {
			if button == "expire" {
				w.pass(25 * time.Minute)
				continue
			}
			payer.sends(id, button)
		}
		return w.of(id)
	}
}

// paysOut pays out to a saved card of the sandbox.
func paysOut(email string) func(*testing.T) told {
	return func(t *testing.T) told {
		w := open(t, operations)
		first := w.shop.visits("pen-1", with("operation", "debit"), with("req_token", true))
		first.pays("01/38")
		token := w.shop.last("debit").Fields.Get("card_token")
		body := w.shop.Sign(w.shop.Order("pay-out-1", with("operation", "credit"), with("card_token", []string{token}),
			with("customer", map[string]any{"email": email})))
		_, response := w.post("/api/v1/session", body)
		id, _ := response["payment_id"].(string)
		w.pass(time.Minute)
		return w.of(id)
	}
}

// standings are what an operator has to read of each story: where the money is (asked, arrived, returned and kept, with
// the coins or what is reserved or being returned beside), whose turn it is, and a part of what the payer is told. What
// is kept is what the provider's ledger has, to the minor unit.
var standings = []struct {
	story string
	tell  func(t *testing.T) told
	money string
	turn  string
	payer string
}{
	{"paid", then("01/38", nothing), "10.00 10.00 0.00 10.00", "nobody", "Your payment of 10.00 USD has succeeded."},
	{"declined", then("02/38", nothing), "10.00 0.00 0.00 0.00", "nobody", "Nothing was charged."},
	{"declined and retried", func(t *testing.T) told {
		w, payer := pays10(t, "02/38")
		first := payer.paymentID()
		payer.pays("01/38")
		w.pass(time.Minute)
		return told{World: w, id: first}
	}, "10.00 0.00 0.00 0.00", "nobody", "Nothing was charged for this try. Another one succeeded."},
	{"authorised", then("01/38", nothing, with("auth", true)), "10.00 0.00 0.00 0.00 reserved 10.00", "merchant",
		"is reserved, not charged"},
	{"authorisation voided", then("01/38", voids, with("auth", true)), "10.00 0.00 0.00 0.00", "nobody",
		"The reserved amount is released by your bank."},
	{"captured in part", then("01/38", captures("7.00"), with("auth", true)), "10.00 7.00 0.00 7.00", "nobody",
		"Your payment of 7.00 USD has succeeded. Your bank releases the other 3.00 USD that was reserved."},
	{"capture without an answer", func(t *testing.T) told {
		w, payer := pays10(t, "08/40", with("auth", true))
		w.shop.captures(payer.paymentID(), "")
		return w.of(payer.paymentID())
	}, "10.00 0.00 0.00 0.00 reserved 10.00", "service",
		"it is not known yet whether that has succeeded."},
	{"paid and voided", then("01/38", voids), "10.00 10.00 10.00 0.00", "nobody", "your 10.00 USD was returned"},
	{"void declined", then("05/40", voids), "10.00 10.00 0.00 10.00", "merchant",
		"The void of 10.00 USD has failed: please ask the shop."},
	{"refunded in part", then("01/38", refundsSome), "10.00 10.00 3.00 7.00", "nobody", "3.00 USD of it was refunded"},
	{"refunded in full", then("01/38", refundsAll), "10.00 10.00 10.00 0.00", "nobody", "Your 10.00 USD was refunded"},
	{"refund declined", then("04/40", refundsSome), "10.00 10.00 0.00 10.00", "merchant",
		"The refund of 3.00 USD has failed: please ask the shop."},
	{"refund without an answer", func(t *testing.T) told {
		w := open(t, operations)
		w.goesLive(&provider{
			followUp: func(connector.ProviderRequest) (connector.Result, error) { return connector.Result{}, errUnreachable },
			lookUp:   func(connector.ProviderRequest) (connector.Result, error) { return connector.Result{}, errUnreachable },
		})
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.shop.refunds(payer.paymentID(), "3.00")
		w.pass(10 * time.Minute)
		return told{w, payer.paymentID(), "10.00"}
	}, "10.00 10.00 0.00 10.00 returning 3.00", "service",
		"3.00 USD is being refunded, and it is not known yet whether that has succeeded."},
	{"charged back", then("01/38", atProvider("chargeback")), "10.00 10.00 10.00 0.00", "merchant",
		"Your bank has returned 10.00 USD to you."},
	{"charged back after a refund", then("01/38", func(w *World, payer *Visit) {
		refundsSome(w, payer)
		w.pass(time.Minute)
		payer.sends(payer.paymentID(), "chargeback")
	}), "10.00 10.00 10.00 0.00", "merchant", "Your bank has returned 7.00 USD to you."},
	{"reversed", then("01/38", atProvider("reverse")), "10.00 10.00 10.00 0.00", "nobody",
		"the provider has returned 10.00 USD to you."},
	{"dispute won", disputeWon, "10.00 10.00 0.00 10.00", "nobody", "Your payment of 10.00 USD has succeeded."},
	{"refunded elsewhere", func(t *testing.T) told {
		s := opensStripe(t)
		payer := s.shop.visits("pen-1")
		payer.pays("03/31")
		s.dashboard("/refunds", "payment_intent="+payer.payment().ProviderID+"&amount=300")
		return s.ofSimulated(payer.paymentID())
	}, "10.00 10.00 3.00 7.00", "nobody", "3.00 USD of it was refunded"},
	{"captured elsewhere", func(t *testing.T) told {
		s := opensStripe(t)
		payer := s.shop.visits("pen-1", with("auth", true))
		payer.pays("03/31")
		s.dashboard("/payment_intents/"+payer.payment().ProviderID+"/capture", "amount_to_capture=600")
		return s.ofSimulated(payer.paymentID())
	}, "10.00 6.00 0.00 6.00", "nobody",
		"Your payment of 6.00 USD has succeeded. Your bank releases the other 4.00 USD that was reserved."},
	{"approved after the decline", func(t *testing.T) told {
		w, _, payer := approvedLater(t)
		return told{w, payer.paymentID(), "10.00"}
	}, "10.00 10.00 0.00 10.00", "operator",
		"Your bank may have taken 10.00 USD although the payment was declined."},
	{"given back after the decline", func(t *testing.T) told {
		w, _, payer := approvedLater(t)
		w.decides(payer.paymentID(), payment.VerdictGiveBack)
		return told{World: w, id: payer.paymentID()}
	}, "10.00 10.00 10.00 0.00", "nobody", "The 10.00 USD that was taken was returned"},
	{"another amount", func(t *testing.T) told {
		s := openSimulated(t, "collection", CredentialsOf["collection"])
		s.Expect(simulator.Next{Kind: simulator.Charge, Fault: simulator.OtherAmount, Settles: true})
		payer := family{method: "instant_transfer"}.pays(t, s)
		s.pass(10 * time.Minute)
		return told{World: s.World, id: payer.paymentID()} // nothing counts before a person has decided
	}, "10.00 0.00 0.00 0.00", "operator", "It is not known yet whether the payment has succeeded."},
	{"coins in time", coinsStory("pay"), "0.00100000 0.00100000 0.00000000 0.00100000 received 0.00100000 BTC", "nobody",
		"Your payment of 0.00100000 BTC has succeeded."},
	{"a part of the coins", coinsStory("pay_half"),
		"0.00100000 0.00050000 0.00000000 0.00050000 received 0.00050000 BTC", "payer",
		"Please send the remaining 0.00050000 BTC."},
	{"too few coins", coinsStory("pay_half", "expire"),
		"0.00100000 0.00050000 0.00000000 0.00050000 received 0.00050000 BTC", "operator",
		"Your 0.00050000 BTC has arrived, and 0.00100000 BTC was due."},
	{"coins too late", coinsStory("expire", "pay_late"),
		"0.00100000 0.00100000 0.00000000 0.00100000 received 0.00100000 BTC", "operator",
		"Your 0.00100000 BTC arrived after the time to pay was over."},
	{"too many coins", coinsStory("pay_double"),
		"0.00100000 0.00100000 0.00000000 0.00100000 received 0.00200000 BTC", "operator",
		"We have received 0.00100000 BTC more than that. It is being decided whether that is returned."},
	{"paid out", paysOut("ada@shop.example"), "10.00 10.00 0.00 10.00 out", "nobody",
		"A payout of 10.00 USD was made to you."},
	{"payout declined", paysOut("decline-do_not_honor@shop.example"), "10.00 0.00 0.00 0.00 out", "merchant",
		"The payout was declined."},
	{"charged again", func(t *testing.T) told {
		w, payer := pays10(t, "01/38", with("recurring_init", true))
		chargesAgain(w, payer)
		w.pass(time.Minute)
		return w.of(w.rows()[0].ID)
	}, "10.00 10.00 0.00 10.00", "nobody", "Your recurring payment of 10.00 USD has succeeded."},
	{"begins a schedule", func(t *testing.T) told {
		w := open(t, monthly(nil))
		payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"))
		payer.pays("01/38")
		w.pass(time.Minute)
		return w.of(payer.paymentID())
	}, "10.00 10.00 0.00 10.00", "service", "Your payment of 10.00 USD has succeeded."},
	{"order paid twice", func(t *testing.T) told {
		w, payer := pays10(t, "01/38")
		again := w.shop.visits("pen-1")
		again.pays("01/38")
		w.pass(time.Minute)
		return w.of(payer.paymentID())
	}, "10.00 10.00 0.00 10.00", "merchant", "The order was paid twice."},
	{"not tried yet", func(t *testing.T) told {
		w := open(t)
		w.shop.visits("pen-1")
		return told{World: w, id: w.rows()[0].ID}
	}, "", "payer", "Nothing was charged."},
	{"expired", func(t *testing.T) told {
		w := open(t)
		w.shop.visits("pen-1")
		w.pass(2 * time.Hour)
		return told{World: w, id: w.rows()[0].ID}
	}, "", "nobody", "Nothing was charged. Please order again in the shop."},
	{"left", func(t *testing.T) told {
		w := open(t)
		w.shop.visits("pen-1").closes()
		return told{World: w, id: w.rows()[0].ID}
	}, "", "nobody", "Nothing was charged. Please order again in the shop."},
	{"callback not delivered yet", func(t *testing.T) told {
		w := open(t, operations)
		w.shop.responds(500)
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.pass(5 * time.Minute)
		return w.of(payer.paymentID())
	}, "10.00 10.00 0.00 10.00", "service", "Your payment of 10.00 USD has succeeded."},
	{"callback parked", func(t *testing.T) told {
		w := open(t, operations)
		w.shop.responds(500)
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.pass(5 * 24 * time.Hour)
		return w.of(payer.paymentID())
	}, "10.00 10.00 0.00 10.00", "merchant", "Your payment of 10.00 USD has succeeded."},
	{"never answered", func(t *testing.T) told {
		w := open(t, operations)
		w.goesLive(&provider{charge: noResponse, lookUp: func(connector.ProviderRequest) (connector.Result, error) {
			return connector.Result{}, errUnreachable
		}})
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		w.pass(time.Hour)
		return told{World: w, id: payer.paymentID()}
	}, "10.00 0.00 0.00 0.00", "service", "Please wait, and don't pay a second time."},
}

// atProvider presses a button on the sandbox's page of the payment.
func atProvider(button string) func(*World, *Visit) {
	return func(_ *World, payer *Visit) { payer.sends(payer.paymentID(), button) }
}

func voids(w *World, payer *Visit) { w.shop.voids(payer.paymentID()) }

func refundsAll(w *World, payer *Visit) { w.shop.refunds(payer.paymentID(), "") }

func captures(amount string) func(*World, *Visit) {
	return func(w *World, payer *Visit) { w.shop.captures(payer.paymentID(), amount) }
}

// disputeWon is a payment that was charged back and won back.
func disputeWon(t *testing.T) told {
	w := open(t, operations)
	w.goesLive(&provider{})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	for _, outcome := range []connector.Outcome{connector.OutcomeChargeback, connector.OutcomeDisputeWon} {
		w.reported(realBank, payer.about("", connector.Result{Outcome: outcome, OperationID: "dispute-1"}))
	}
	w.work()
	return told{w, payer.paymentID(), "10.00"}
}

// moneyText is where the money is, as the table has it.
func moneyText(m *operatorwords.Money) string {
	if m == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s %s %s", m.Asked, m.Arrived, m.Returned, m.Net)
	for name, amount := range map[string]string{"reserved": m.Reserved, "returning": m.Returning} {
		if amount != "" {
			text += " " + name + " " + amount
		}
	}
	if m.Received != nil {
		text += " received " + m.Received.Arrived + " " + m.Received.Currency
	}
	if m.Direction == "out" {
		text += " out"
	}
	return text
}

// rawWords are what no operator has to read in a sentence.
var rawWords = []string{"{", "}", "dial tcp", "deadline", "http://", "EOF", "undefined", "  ", "is decline."}

// Of each story an operator reads where the money is, whose turn it is, and what the payer can be told. The money is
// where the provider's ledger has it.
func TestWhereMoneyIs(t *testing.T) {
	if len(standings) < 30 {
		t.Errorf("%d stories", len(standings))
	}
	for _, x := range standings {
		t.Run(x.story, func(t *testing.T) {
			got := x.tell(t)
			v := got.view(got.id)
			goldenText(t, "timelines/story-"+strings.ReplaceAll(x.story, " ", "-")+".txt", viewText(v))
			s := v.Summary
			if text := moneyText(v.Money); text != x.money {
				t.Errorf("the money: %s, want %s", text, x.money)
			}
			if s.Turn != x.turn || !strings.Contains(s.Tell, x.payer) {
				t.Errorf("%s's turn, want %s's; the payer is told %q", s.Turn, x.turn, s.Tell)
			}
			if s.Turn == "nobody" && s.Next != "" {
				t.Errorf("nobody's turn, and next: %s", s.Next)
			}
			kept := ""
			if v.Money != nil && strings.Trim(v.Money.Net, "0.") != "" {
				kept = v.Money.Net
			}
			if coins := v.Money != nil && v.Money.Received != nil; !coins && kept != got.kept {
				t.Errorf("kept %q, and the ledger has %q", kept, got.kept)
			}
			arrived := v.Money != nil && v.Money.Arrived != v.Money.Returned
			for _, text := range []string{s.Means, s.Tell, s.Next} {
				if arrived && (strings.Contains(text, "No money was taken") || strings.Contains(text, "Nothing was charged")) {
					t.Errorf("money arrived: %s", text)
				}
			}
			for _, e := range v.Timeline {
				if i := slices.IndexFunc(rawWords, func(raw string) bool { return strings.Contains(e.Text, raw) }); i >= 0 {
					t.Errorf("%q: %s", rawWords[i], e.Text)
				}
			}
		})
	}
}
