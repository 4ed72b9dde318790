package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
)

const (
	approved = connector.OutcomeApproved
	refused  = connector.OutcomeDeclined
	pending  = connector.OutcomePending
	unknown  = connector.OutcomeUnknown
	silence  = connector.Outcome(-1)
)

// TestFollowUps has the outcomes of captures, voids and refunds by card: the result, what a look-up returns at once
// and a minute later, and the number of notices.
func TestFollowUps(t *testing.T) {
	for _, test := range []struct {
		expiry              string
		kind                connector.RequestKind
		result, then, later connector.Outcome
		notices             int
	}{
		{"01/38", connector.RequestCapture, approved, approved, approved, 0},
		{"03/38", connector.RequestCapture, refused, refused, refused, 0},
		{"03/38", connector.RequestVoid, approved, approved, approved, 0},
		{"01/40", connector.RequestCapture, silence, approved, approved, 0},
		{"01/40", connector.RequestRefund, approved, approved, approved, 0},
		{"02/40", connector.RequestRefund, silence, approved, approved, 0},
		{"03/40", connector.RequestRefund, silence, pending, approved, 0},
		{"04/40", connector.RequestRefund, refused, refused, refused, 0},
		{"05/40", connector.RequestVoid, refused, refused, refused, 0},
		{"06/40", connector.RequestVoid, silence, approved, approved, 0},
		{"07/40", connector.RequestCapture, silence, approved, approved, 0},
		{"07/40", connector.RequestVoid, silence, approved, approved, 0},
		{"07/40", connector.RequestRefund, silence, approved, approved, 0},
		{"08/40", connector.RequestCapture, silence, unknown, unknown, 0},
		{"08/40", connector.RequestVoid, silence, unknown, unknown, 0},
		{"08/40", connector.RequestRefund, silence, unknown, unknown, 0},
		{"09/40", connector.RequestCapture, approved, approved, approved, 2},
		{"09/40", connector.RequestVoid, approved, approved, approved, 2},
		{"09/40", connector.RequestRefund, approved, approved, approved, 2},
	} {
		t.Run(strings.ReplaceAll(test.expiry, "/", "-")+" "+string(test.kind), func(t *testing.T) {
			s, sent := newSandbox()
			now := noon
			s.Now = func() time.Time { return now }
			charge := testCharge(test.expiry)
			charge.Auth = test.kind != connector.RequestRefund
			result(t)(s.Charge(t.Context(), charge))
			r, err := follow(conformance.Impatient(t.Context()), s, requestOf(test.kind))
			if (err != nil) != (test.result == silence) || err == nil && r.Outcome != test.result {
				t.Errorf("answers %+v, %v", r, err)
			}
			if found := result(t)(s.QueryStatus(t.Context(), requestOf(test.kind))); found.Outcome != test.then {
				t.Errorf("at once: %+v", found)
			}
			now = now.Add(time.Minute)
			if found := result(t)(s.QueryStatus(t.Context(), requestOf(test.kind))); found.Outcome != test.later {
				t.Errorf("a minute later: %+v", found)
			}
			if len(sent.bodies) != test.notices {
				t.Fatalf("notices %q", sent.bodies)
			}
			for _, body := range sent.bodies {
				n, err := s.HandleNotification(t.Context(), connector.Notification{Body: []byte(body)})
				if err != nil || n.PaymentID != "payment-1" || n.Reference != second ||
					n.Result.Outcome != approved || n.Result.ProviderID != "" {
					t.Errorf("%s says %+v, %v", body, n, err)
				}
			}
		})
	}
}

// TestRefusedInOrder has the operations that a charge refuses after another operation.
func TestRefusedInOrder(t *testing.T) {
	const capture, void, refund = connector.RequestCapture, connector.RequestVoid, connector.RequestRefund
	type step struct {
		kind   connector.RequestKind
		amount string
		want   connector.Outcome
	}
	for _, test := range []struct {
		name, operation, expiry string
		auth                    bool
		steps                   []step
		ledger                  totals
	}{
		{"captured in part", "purchase", "01/38", true, []step{
			{refund, "1.00", refused}, {capture, "7.50", approved}, {capture, "2.50", refused},
			{refund, "7.51", refused}, {refund, "7.50", approved},
		}, totals{1000, 750, 750, false}},
		{"voided before", "purchase", "01/38", true, []step{
			{void, "10.00", approved}, {capture, "10.00", refused}, {void, "10.00", refused}, {refund, "1.00", refused},
		}, totals{1000, 0, 0, true}},
		{"voided after", "purchase", "01/38", false, []step{
			{capture, "10.00", refused}, {void, "10.00", approved}, {refund, "1.00", refused}, {void, "10.00", refused},
		}, totals{1000, 1000, 0, true}},
		{"voided after a capture", "purchase", "01/38", true, []step{
			{capture, "4", approved}, {void, "4.00", approved}, {void, "4.00", refused},
		}, totals{1000, 400, 0, true}},
		{"given back", "purchase", "01/38", false, []step{
			{refund, "0.01", approved}, {void, "10.00", refused}, {refund, "9.99", approved}, {refund, "0.01", refused},
		}, totals{1000, 1000, 1000, false}},
		{"a debit is never only authorised", "debit", "01/38", true, []step{
			{capture, "10.00", refused}, {refund, "10.00", approved},
		}, totals{1000, 1000, 1000, false}},
		{"unless its card is", "debit", "03/38", false, []step{
			{refund, "10.00", refused}, {capture, "10.00", refused}, {void, "10.00", approved},
		}, totals{1000, 0, 0, true}},
		{"paid on", "transfer", "01/38", true, []step{
			{refund, "1.00", refused}, {void, "10.00", refused},
		}, totals{1000, 1000, 0, false}},
		{"declined", "purchase", "02/38", false, []step{
			{refund, "1.00", refused}, {void, "10.00", refused}, {capture, "1.00", refused},
		}, totals{}},
		{"not decided", "purchase", "05/38", false, []step{
			{refund, "1.00", refused}, {void, "10.00", refused}, {capture, "1.00", refused},
		}, totals{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := newSandbox()
			charge := testCharge(test.expiry)
			charge.Operation, charge.Auth = method.Operation(test.operation), test.auth
			result(t)(s.Charge(t.Context(), charge))
			for i, step := range test.steps {
				next := requestOf(step.kind)
				next.Reference, next.Amount = fmt.Sprintf("reference-%d", i), amount(step.amount, "USD")
				r := result(t)(follow(t.Context(), s, next))
				if r.Outcome != step.want || (r.Reason == "") != (step.want == approved) || r.ReasonCode.Soft() {
					t.Errorf("%s of %s: %+v", step.kind, step.amount, r)
				}
			}
			if e := entered(t, s, reference); totalsOf(t, e) != test.ledger {
				t.Errorf("the ledger: %+v", e)
			}
		})
	}
}

// TestTotals compares the ledger with sums in whole cents, for many random requests at the same time.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, _ := newSandbox()
		expiry := rapid.SampledFrom([]string{"01/38", "03/38", "09/40"}).Draw(r, "card")
		charge := testCharge(expiry)
		charge.Auth = rapid.Bool().Draw(r, "auth")
		if _, err := s.Charge(t.Context(), charge); err != nil {
			r.Fatal(err)
		}
		requests := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) connector.ProviderRequest {
			q := requestOf(rapid.SampledFrom([]connector.RequestKind{
				connector.RequestCapture, connector.RequestRefund, connector.RequestRefund, connector.RequestRefund,
				connector.RequestVoid,
			}).Draw(r, "kind"))
			cents := rapid.IntRange(1, 1100).Draw(r, "cents")
			q.Amount = amount(fmt.Sprintf("%d.%02d", cents/100, cents%100), "USD")
			q.Reference = fmt.Sprintf("reference-%d", rapid.IntRange(0, 9).Draw(r, "reference"))
			return q
		}), 1, 12).Draw(r, "requests")
		once := rapid.Bool().Draw(r, "at once")
		var wait sync.WaitGroup
		for _, q := range requests {
			do := func() { _, _ = follow(t.Context(), s, q) }
			if once {
				wait.Go(do)
			} else {
				do()
			}
		}
		wait.Wait()
		captured, refunded, voided := 0, 0, false
		if !charge.Auth && expiry != "03/38" {
			captured = 1000
		}
		counted := map[string]bool{}
		for _, q := range requests {
			found, err := s.QueryStatus(t.Context(), q)
			id := string(q.Kind) + q.Reference
			if err != nil || found.Outcome == unknown {
				r.Fatalf("%s: %+v, %v", id, found, err)
			}
			if found.Outcome != approved || counted[id] {
				continue
			}
			counted[id] = true
			e, _, _ := s.read(t.Context(), q.Kind, q.Reference) // of requests with one reference, the first one's amount counts
			switch q.Kind {
			case connector.RequestCapture:
				captured += minor(t, e.Amount)
			case connector.RequestRefund:
				refunded += minor(t, e.Amount)
			default:
				voided = true
			}
		}
		e := entered(t, s, reference)
		if totalsOf(t, e) != (totals{1000, captured, refunded, voided}) {
			r.Fatalf("captured %d, refunded %d, voided %v; the ledger: %+v", captured, refunded, voided, e)
		}
		if captured > 1000 || refunded > captured || voided && refunded > 0 {
			r.Fatalf("captured %d, refunded %d, voided %v", captured, refunded, voided)
		}
	})
}

// totals are the sums of a charge in the ledger, in minor units.
type totals struct {
	authorised, captured, refunded int
	voided                         bool
}

func totalsOf(t *testing.T, e entry) totals {
	t.Helper()
	return totals{minor(t, e.Authorised), minor(t, e.Captured), minor(t, e.Refunded), e.Voided}
}

// requestOf is a capture, void or refund of the whole charge.
func requestOf(kind connector.RequestKind) connector.ProviderRequest {
	r := testCharge("01/38").ProviderRequest
	r.Kind, r.Reference, r.OriginalReference = kind, second, reference
	return r
}

func follow(ctx context.Context, s *Sandbox, r connector.ProviderRequest) (connector.Result, error) {
	switch r.Kind {
	case connector.RequestCapture:
		return s.Capture(ctx, r)
	case connector.RequestVoid:
		return s.Void(ctx, r)
	}
	return s.Refund(ctx, r)
}

func TestEnteredAmounts(t *testing.T) {
	ether, _ := money.Find("ETH")
	for _, good := range []string{"1", "0.5", "0.000001", "999999999999999.999999"} {
		if _, err := enteredAmount(good, ether); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "0", "0.0", "-1", "+1", "1.", ".5", "01", "1e3", "1/2", "1.0000001", "1000000000000000",
		" 1", "1 ", "0x1", "1_0", "١",
	} {
		if _, err := enteredAmount(bad, ether); fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestHalves halves amounts with an even and an odd number of minor units.
func TestHalves(t *testing.T) {
	for due, want := range map[string]string{"10.02": "5.01", "10.01": "5.00", "0.01": "0.00"} {
		half, err := partOf(amount(due, "USD"), payHalf, money.Amount{})
		if err != nil || half.String() != want {
			t.Errorf("half of %s is %s, %v", due, half, err)
		}
		rest, err := partOf(amount(due, "USD"), payRest, half)
		if all, errAll := sum(half, rest); err != nil || errAll != nil || all.String() != due {
			t.Errorf("and the rest is %s, %v, %v", rest, err, errAll)
		}
	}
}

// TestCredit makes a payout to each card.
func TestCredit(t *testing.T) {
	payout := card.Card{Number: payoutCard, ExpiryMonth: 7, ExpiryYear: 2031}
	for _, expiry := range append(slices.Sorted(maps.Keys(outcomes)), "payout", "other") {
		s, _ := newSandbox()
		c := testCharge("01/38")
		c.Operation, c.SessionID, c.ReturnURL, c.Auth = "credit", "", "", true
		switch expiry {
		case "payout":
			c.Card = payout
		case "other":
			c.Card.Number = "5555555555554444"
		default:
			c.Card = paymentCard(expiry)
		}
		r, err := s.Charge(conformance.Impatient(t.Context()), c)
		found := result(t)(s.QueryStatus(t.Context(), c.ProviderRequest))
		want := map[string]string{
			"payout": "approved", "01/39": "silent, approved", "02/39": "silent, pending", "03/39": "approved",
			"04/39": "silent, approved",
			"05/39": "softly declined", "06/39": "silent, unknown", "07/39": "silent, declined",
			"02/38": "declined", "06/38": "declined", "12/39": "declined", "other": "declined",
		}[expiry]
		got := inWords(found)
		if err != nil {
			got = "silent, " + got
		}
		if got != cmp.Or(want, "approved") || r.Authorised {
			t.Errorf("%s: %s, %+v, %v", expiry, got, r, err)
		}
		if e := entered(t, s, reference); expiry == "payout" && (e.Captured.String() != "10.00" || e.Auth) {
			t.Errorf("the ledger: %+v", e)
		}
	}
	s, _ := newSandbox()
	c := testCharge("01/38")
	c.Card = payout
	if r := result(t)(s.Charge(t.Context(), c)); r.Outcome != refused {
		t.Errorf("a purchase with the card for payouts: %+v", r)
	}
}

// TestLaterCharges makes the later charges of recurring chains, without a payer.
func TestLaterCharges(t *testing.T) {
	for _, test := range []struct {
		expiry string
		want   []string // of later charges, one after the other
	}{
		{"01/38", []string{"approved", "approved"}},
		{"02/38", []string{"declined"}},
		{"05/38", []string{"approved"}},
		{"06/38", []string{"declined"}},
		{"12/38", []string{"approved"}},
		{"12/39", []string{"declined"}},
		{"05/39", []string{"softly declined"}},
		{"01/41", []string{"softly declined", "softly declined", "softly declined"}},
		{"02/41", []string{"softly declined", "approved", "approved"}},
	} {
		t.Run(strings.ReplaceAll(test.expiry, "/", "-"), func(t *testing.T) {
			s, _ := newSandbox()
			for chain := range 2 { // each has its own first one
				for i, want := range test.want {
					c := testCharge(test.expiry)
					c.Reference, c.Recurring = fmt.Sprintf("reference-%d-%d", chain, i), true
					c.InitialTransaction = fmt.Sprintf("sandbox-first-%d", chain)
					c.Card.SecurityCode, c.SessionID, c.ReturnURL = "", "", ""
					for range 2 { // a repeat is the same request
						if got := inWords(result(t)(s.Charge(t.Context(), c))); got != want {
							t.Errorf("charge %d is %s", i, got)
						}
					}
				}
			}
		})
	}
	s, _ := newSandbox()
	var wait sync.WaitGroup
	said := make([]string, 8)
	for i := range said {
		wait.Go(func() {
			c := testCharge("02/41")
			c.Reference, c.Recurring, c.InitialTransaction = fmt.Sprintf("reference-%d", i), true, "sandbox-first"
			r, err := s.Charge(t.Context(), c)
			said[i] = fmt.Sprint(inWords(r), err)
		})
	}
	wait.Wait()
	slices.Sort(said)
	if said[6] != "approved<nil>" || said[7] != "softly declined<nil>" {
		t.Errorf("of eight at once, one is declined: %q", said)
	}
}

func inWords(r connector.Result) string {
	switch {
	case r.Outcome == approved:
		return "approved"
	case r.Outcome == refused && r.ReasonCode.Soft():
		return "softly declined"
	case r.Outcome == refused:
		return "declined"
	case r.Outcome == connector.OutcomeActionRequired:
		return "next"
	case r.Outcome == unknown:
		return "unknown"
	}
	return "pending"
}

// TestMIDs checks that a MID's setting decides, whatever the card.
func TestMIDs(t *testing.T) {
	other := paymentCard("01/38")
	other.Number = "5555555555554444"
	for _, test := range []struct {
		setting string
		card    card.Card
		want    string
	}{
		{"", paymentCard("01/38"), "approved"},
		{"declines softly", paymentCard("01/38"), "softly declined"},
		{"declines softly", paymentCard("02/38"), "softly declined"},
		{"declines softly", paymentCard("05/38"), "softly declined"},
		{"declines softly", other, "softly declined"},
		{"declines", paymentCard("01/38"), "declined"},
		{"declines", paymentCard("05/39"), "declined"},
		{"never answers", paymentCard("01/38"), "silent, approved"},
		{"never answers", paymentCard("02/38"), "silent, declined"},
		{"never answers", paymentCard("05/38"), "silent, next"},
		{"declines sofly", paymentCard("01/38"), "declined"}, // an unknown setting declines
	} {
		s, _ := newSandbox()
		c := testCharge("01/38")
		c.Card, c.Credentials = test.card, map[string]string{"key": "of no meaning here"}
		if test.setting != "" {
			c.Credentials["sandbox"] = test.setting
		}
		r, err := s.Charge(conformance.Impatient(t.Context()), c)
		got := inWords(result(t)(s.QueryStatus(t.Context(), c.ProviderRequest)))
		if err != nil {
			got = "silent, " + got
		}
		if got != test.want || err == nil && inWords(r) != got {
			t.Errorf("%q with %d/%d: %s", test.setting, test.card.ExpiryMonth, test.card.ExpiryYear, got)
		}
	}
}

func crypto(text, currency, parameters string) connector.Charge {
	c := testCharge("01/38")
	c.Card, c.Method, c.Parameters = card.Card{}, "crypto", json.RawMessage(parameters)
	c.Amount, c.PayerEntersAmount = amount(text, currency), text == ""
	return c
}

func TestCrypto(t *testing.T) {
	for _, test := range []struct {
		name                                         string
		amount, currency, parameters, network        string
		entered                                      string
		shown                                        string // network and amount
		rate, base, coin, exchanged, reported, entry string
	}{
		{"of a fixed amount", "10.00", "USD", `{"crypto_type":"USDT","network_type":"tron"}`, "", "",
			"tron 20.00", "2", "1", "USD", "10.00", "", "10.00"},
		{"of the coin itself", "0.50000000", "BTC", `{"crypto_type":"BTC","bech32":true}`, "", "",
			" 0.50000000", "1", "1", "BTC", "0.50000000", "", "0.50000000"},
		{"of any amount", "", "BTC", `{"crypto_type":"BTC"}`, "lightning", "0.125",
			"lightning ", "1", "1", "BTC", "0.12500000", "0.12500000", "0.12500000"},
		{"without parameters", "10.000000", "USDC", ``, "ERC20", "",
			"ERC20 10.000000", "1", "1", "USDC", "10.000000", "", "10.000000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, sent := newSandbox()
			c := crypto(test.amount, test.currency, test.parameters)
			c.Network = test.network
			r := result(t)(s.Charge(t.Context(), c))
			if r.Outcome != connector.OutcomeActionRequired || r.RequiredAction == nil ||
				r.RequiredAction.Kind != connector.ActionPending || r.RequiredAction.URL != "" {
				t.Fatalf("answered %+v", r)
			}
			shown := map[string]string{}
			for _, one := range r.RequiredAction.Show {
				shown[one.ID] = one.Value
			}
			got := shown["crypto_network"] + " " + shown["crypto_amount"]
			if got != test.shown || !strings.HasPrefix(shown["crypto_address"], "sandbox") {
				t.Errorf("shown %v", shown)
			}
			if again := result(t)(s.QueryStatus(t.Context(), c.ProviderRequest)); !reflect.DeepEqual(again, r) {
				t.Errorf("shown %+v, then %+v", r, again)
			}
			if kind, amount, _, err := s.Step(t.Context(), reference); err != nil || kind != "pending" || amount != test.amount {
				t.Errorf("the page shows %s of %s, %v", kind, amount, err)
			}
			to, err := s.Pay(t.Context(), reference, payAll, test.entered)
			if err != nil || to != "https://pay.example/sandbox/"+reference {
				t.Errorf("paid: %q, %v", to, err)
			}
			if _, err := s.Pay(t.Context(), reference, payAll, "99"); err != nil { // too late for another amount
				t.Error(err)
			}
			n, err := s.HandleNotification(t.Context(), connector.Notification{Body: []byte(sent.bodies[0])})
			if err != nil || n.Reference != reference || n.Result.Outcome != approved ||
				n.Result.Amount.String() != test.reported {
				t.Errorf("reported %+v, %v", n, err)
			}
			if r := n.Result; r.ExchangeRate != test.rate || r.ExchangeBase != test.base ||
				r.ExchangeCoin != test.coin || r.ExchangeAmount != test.exchanged {
				t.Errorf("exchanged %+v", r)
			}
			if e := entered(t, s, reference); e.Captured.String() != test.entry || e.Authorised.String() != test.entry {
				t.Errorf("the ledger: %+v", e)
			}
		})
	}
}

// TestCryptoNotPaid has payments that expire, by the button or with time, and invalid amounts.
func TestCryptoNotPaid(t *testing.T) {
	for _, byItself := range []bool{false, true} {
		s, _ := newSandbox()
		now := noon
		s.Now = func() time.Time { return now }
		c := crypto("", "BTC", "")
		result(t)(s.Charge(t.Context(), c))
		for _, wrong := range []string{"", "0", "x", "1/2", "1e9"} {
			if _, err := s.Pay(t.Context(), reference, payAll, wrong); fault.CodeOf(err) != fault.CodeInvalid {
				t.Errorf("pays %q: %v", wrong, err)
			}
		}
		if _, err := s.Finish(t.Context(), reference, true); fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("confirms no amount: %v", err)
		}
		if byItself {
			now = now.Add(stepLimit)
		}
		for _, confirmed := range []bool{byItself, !byItself} { // the first decision is final
			decide := s.Expire
			if confirmed {
				decide = func(ctx context.Context, reference string) (string, error) { return s.Finish(ctx, reference, true) }
			}
			if _, err := decide(t.Context(), reference); err != nil {
				t.Fatal(err)
			}
			if r := result(t)(s.QueryStatus(t.Context(), c.ProviderRequest)); r.Outcome != refused || r.Reason != tooLate {
				t.Errorf("a look-up says %+v", r)
			}
		}
		if e := entered(t, s, reference); !e.Captured.IsZero() || !e.Amount.IsZero() {
			t.Errorf("the ledger: %+v", e)
		}
	}
}

// TestDispute presses each button of a settled charge. Only the first one has an effect.
func TestDispute(t *testing.T) {
	for _, reversed := range []bool{false, true} {
		s, sent := newSandbox()
		charge := testCharge("01/38")
		charge.Auth = true
		result(t)(s.Charge(t.Context(), charge))
		reported := func() (all []connector.Outcome) {
			for _, body := range sent.bodies {
				n, err := s.HandleNotification(t.Context(), connector.Notification{Body: []byte(body)})
				if err != nil || n.PaymentID != "payment-1" {
					t.Errorf("%s says %+v, %v", body, n, err)
				}
				all = append(all, n.Result.Outcome)
			}
			sent.bodies = nil
			return all
		}
		press := func(reversed bool, kind string, want ...connector.Outcome) {
			t.Helper()
			to, err := s.Dispute(t.Context(), reference, reversed)
			if err != nil || to != "https://pay.example/sandbox/"+reference {
				t.Errorf("sent to %q, %v", to, err)
			}
			if got := reported(); !slices.Equal(got, want) {
				t.Errorf("notices of %d, not %d", got, want)
			}
			if is, _, _, _ := s.Step(t.Context(), reference); is != kind {
				t.Errorf("the page shows %q", is)
			}
		}
		press(reversed, "") // nothing was taken
		result(t)(follow(t.Context(), s, requestOf(connector.RequestCapture)))
		if is, _, _, _ := s.Step(t.Context(), reference); is != "settled" {
			t.Errorf("the page shows %q", is)
		}
		end, kind := connector.OutcomeChargeback, "chargeback"
		if reversed {
			end, kind = connector.OutcomeReversal, "reversal"
		}
		for _, again := range []bool{reversed, reversed, !reversed} {
			press(again, kind, approved, approved, end)
		}
		if r := result(t)(s.QueryStatus(t.Context(), charge.ProviderRequest)); r.Outcome != approved {
			t.Errorf("the charge was approved, and is now %+v", r)
		}
		q := requestOf(connector.RequestRefund)
		if r := result(t)(s.Refund(t.Context(), q)); r.Outcome != refused {
			t.Errorf("a refund of what was taken back: %+v", r)
		}
		dispute := notified(map[string]any{"kind": "capture", "reference": second, "event": eventDisputed})
		if n, err := s.HandleNotification(t.Context(), dispute); err != nil || n.Result.Outcome != approved {
			t.Errorf("of the capture: %+v, %v", n, err)
		}
	}
	for _, expiry := range []string{"02/38", "02/39", "05/38"} { // declined, not known yet, not decided
		s, sent := newSandbox()
		_, _ = s.Charge(conformance.Impatient(t.Context()), testCharge(expiry))
		_, err := s.Dispute(t.Context(), reference, false)
		if err != nil || len(sent.bodies) > 0 || entered(t, s, reference).Disputed != 0 {
			t.Errorf("%s: %v, %q", expiry, err, sent.bodies)
		}
	}
	s, _ := newSandbox()
	if _, err := s.Dispute(t.Context(), "unknown", false); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("unknown: %v", err)
	}
}

// TestDisputeOrRefund makes a dispute and a refund at the same time. Only one of them succeeds.
func TestDisputeOrRefund(t *testing.T) {
	for range 50 {
		s, _ := newSandbox()
		result(t)(s.Charge(t.Context(), testCharge("01/38")))
		q := requestOf(connector.RequestRefund)
		var wait sync.WaitGroup
		wait.Go(func() { _, _ = s.Refund(t.Context(), q) })
		wait.Go(func() { _, _ = s.Dispute(t.Context(), reference, false) })
		wait.Wait()
		if e := entered(t, s, reference); (e.Disputed != 0) == !e.Refunded.IsZero() {
			t.Fatalf("the ledger: %+v", e)
		}
	}
}
