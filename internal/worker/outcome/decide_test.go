package outcome

import (
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The payment and session that are changed.
var (
	paidAt              = paymenttest.At
	usd, paid, job, did = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did

	orderHash = store.OrderHash("live/shop", "1")
	aPayment  = store.NewPaymentID(orderHash, paidAt, make([]byte, 4))
	aSession  = store.NewSessionID(orderHash, paidAt, make([]byte, 24))
)

// attempt is a payment of 10.00 USD in a session, with a charge that was sent.
func attempt(change func(*payment.Payment, *checkout.Session)) (*payment.Payment, *checkout.Session) {
	p := &payment.Payment{ID: aPayment, SessionID: aSession, Status: payment.StatusPrepare, Amount: usd("10.00"),
		ChargeOutcome: payment.ChargeOutcome{ChargeReference: aPayment},
		Times:         payment.Times{CreatedAt: paidAt, ChangedAt: paidAt},
		Jobs:          payment.Jobs{job(payment.JobCharge)}}
	p.Owner, p.Mapping, p.MID, p.Connector = fault.Owner{Merchant: "shop"}, "all", "one", "bank"
	p.Operation, p.Method, p.Order.Number, p.Order.Currency = method.Purchase, "crypto", "1", "USD"
	p.Jobs[0].Reference, p.Jobs[0].Amount, p.Jobs[0].DueAt = aPayment, usd(""), paidAt.Add(time.Minute)
	s := &checkout.Session{ID: aSession, State: checkout.SessionProcessing, Mapping: "all", CreatedAt: paidAt,
		MaxDeclines: 2, ExpiresAt: paidAt.Add(time.Hour),
		LatestAttempt: checkout.LatestAttempt{PaymentID: aPayment, Method: "crypto"}}
	s.Request.Owner, s.Request.Order = p.Owner, p.Order
	change(p, s)
	return p, s
}

var (
	redirect = connector.RequiredAction{Kind: connector.ActionRedirect, URL: "https://bank.example"}
	shows    = connector.RequiredAction{Kind: connector.ActionPending,
		Show: []screen.Shown{{ID: "address", Type: screen.ShownText, Value: "bc1"}}}
	asks = connector.RequiredAction{Kind: connector.ActionPending,
		Fields: []connector.FormField{{ID: "code", Label: map[string]string{"en": "Code"}}}}
)

// mustAct has the payer do something elsewhere, or in a second form.
func mustAct(p *payment.Payment, s *checkout.Session, a connector.RequiredAction) {
	p.Status, p.Action, s.Action = payment.Status(a.Kind), &a, &a
}

func requires(a *connector.RequiredAction) connector.Result {
	return connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: a}
}

func received(amount string) connector.Result {
	return connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &shows,
		Received: &connector.Received{Currency: "USD", Amount: amount, Due: "10.00"}}
}

// What a result of a charge makes of its payment and session, in one write, and what the merchant is told:
// testdata/changes.golden.
func TestChanges(t *testing.T) {
	table := golden.Table{}
	for _, at := range []struct {
		name   string
		change func(p *payment.Payment, s *checkout.Session)
	}{
		{"a charge that was sent", func(*payment.Payment, *checkout.Session) {}},
		{"the last one that may be declined", func(_ *payment.Payment, s *checkout.Session) { s.Declines = 1 }},
		{"whose payer is at the bank", func(p *payment.Payment, s *checkout.Session) { mustAct(p, s, redirect) }},
		{"whose payer pays to an address", func(p *payment.Payment, s *checkout.Session) { mustAct(p, s, shows) }},
		{"of which 4.00 has arrived", func(p *payment.Payment, s *checkout.Session) {
			mustAct(p, s, shows)
			p.Received = received("4.00").Received
			s.Received = p.Received
		}},
		{"that its payer wants to end", func(p *payment.Payment, s *checkout.Session) {
			mustAct(p, s, shows)
			p.Jobs[0].End, s.Ending = true, screen.ActionCancel
		}},
		{"whose payer has filled in a form", func(p *payment.Payment, s *checkout.Session) {
			mustAct(p, s, connector.RequiredAction{Kind: connector.ActionPending, Step: 1})
		}},
		{"that the merchant was told of often", func(p *payment.Payment, s *checkout.Session) {
			mustAct(p, s, shows)
			p.Callbacks = payment.MaxNotified
		}},
	} {
		table.Begin(at.name)
		for _, r := range []struct {
			name   string
			result connector.Result
		}{
			{"approved", connector.Result{Outcome: connector.OutcomeApproved,
				ProviderData: connector.ProviderData{ProviderID: "id"}}},
			{"declined", connector.Result{Outcome: connector.OutcomeDeclined, Code: "51",
				ProviderData: connector.ProviderData{RRN: "rrn"}}},
			{"not decided", connector.Result{Outcome: connector.OutcomePending}},
			{"the payer goes to the bank", requires(&redirect)},
			{"the payer pays to an address", requires(&shows)},
			{"the payer fills in a form", requires(&asks)},
			{"4.00 has arrived", received("4.00")}, {"6.00 has arrived", received("6.00")},
		} {
			table.Add(r.name, changed(t, at.change, r.result))
		}
	}
	golden.Compare(t, "testdata/changes.golden", table.Text(), *update)
}

// changed stores an attempt, changes it by a result of its charge and tells what has become of it.
func changed(t *testing.T, make func(*payment.Payment, *checkout.Session), result connector.Result) string {
	t.Helper()
	now := paidAt.Add(time.Minute)
	core := &checkout.Core{Store: memory.NewStore(), Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }, Random: func(n int) []byte { return slices.Repeat([]byte{7}, n) }}
	p, s := attempt(make)
	m := settings.Merchant{ID: "shop", NotificationURL: "https://shop", Mappings: []settings.Mapping{{Name: "all"}}}
	err := core.Store.Save(t.Context(), now, p.Record(), s.Record(), store.Encode(store.SettingsKey("shop"), 0, m))
	if err != nil {
		t.Fatal(err)
	}
	read := func() (*payment.Payment, *checkout.Session, map[string]string) {
		p, s, err := core.PaymentAndSession(t.Context(), now, aPayment, aSession)
		if err != nil || p == nil || s == nil {
			t.Fatal(p, s, err)
		}
		all := map[string]string{}
		for kind, doc := range map[string]any{"payment": p, "session": s} {
			for name, value := range golden.Members(doc) {
				if name != "changed_at" && name != "callbacks" && !strings.HasPrefix(name, "moves") {
					all[kind+" "+name] = value
				}
			}
		}
		return p, s, all
	}
	p, s, before := read()
	stored, told, err := core.Change(t.Context(), checkout.Task{Payment: p, Session: s, Reference: aPayment},
		func(task checkout.Task, now time.Time) (payment.Effects, error) {
			parsed := payment.ParsedResult{Result: result}
			if result.Received != nil {
				receipt, err := payment.ParseReceipt(result.Received, task.Payment.Received)
				if err != nil {
					return payment.Effects{}, err
				}
				parsed.Receipt = receipt
			}
			if task.Job() == nil {
				return payment.Effects{}, nil
			}
			return Decide(task, *task.Job(), parsed, now)
		})
	_, _, after := read()
	var all strings.Builder
	if err != nil {
		fmt.Fprintf(&all, " error (%v)", err)
	}
	if stored {
		all.WriteString(" stored")
	}
	if told != nil {
		withheld := ""
		if told.SessionID != "" {
			withheld = ", withheld"
		}
		fmt.Fprintf(&all, ", the merchant is told %s%s", told.Event(), withheld)
	}
	all.WriteString(golden.Differences(before, after))
	return golden.Since(paidAt, strings.NewReplacer(aPayment, "id", aSession, "session").Replace(all.String()))
}

// If the payer enters the amount at the provider, the outcome of an approval without an amount in the order's currency
// is not known.
func TestApprovedWithoutAnAmount(t *testing.T) {
	btc, _ := money.Find("BTC")
	usd, _ := money.Find("USD")
	half, errHalf := money.Parse("0.5", btc)
	dollar, errDollar := money.Parse("1", usd)
	if errHalf != nil || errDollar != nil {
		t.Fatal(errHalf, errDollar)
	}
	for amount, want := range map[money.Amount]string{{}: "", money.Zero(btc): "", dollar: "", half: "0.50000000"} {
		job := payment.Job{Kind: payment.JobCharge, Reference: "p"}
		p := &payment.Payment{ID: "p", Status: payment.StatusPending, Jobs: payment.Jobs{job}}
		p.Details = request.Details{Order: request.Order{Currency: "BTC"}}
		result := payment.ParsedResult{Result: connector.Result{Outcome: connector.OutcomeApproved, Amount: amount}}
		_, err := Decide(checkout.Task{Payment: p, Reference: "p"}, p.Jobs[0], result, time.Now())
		if approved := want != ""; (err == nil) != approved || (p.Status == payment.StatusSettled) != approved {
			t.Errorf("%s: %v, status %s", amount, err, p.Status)
		}
		if p.Amount.String() != want || p.Order.Amount.Text != want {
			t.Errorf("%s: amount %q, of the order %q", amount, p.Amount, p.Order.Amount.Text)
		}
	}
}
