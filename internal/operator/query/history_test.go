package query

import (
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/operator/operatortest"
	"checkout/internal/operator/words"
	"checkout/internal/reason"
	"checkout/internal/request"
	"checkout/internal/store"
)

// after is a time that events of tests happen at.
func after(minutes int) time.Time { return sentAt.Add(time.Duration(minutes) * time.Minute) }

// withTransactions gives a payment one of each kind of transactions, two minutes apart, whose charge was not decided by
// the first MID.
func withTransactions(p *payment.Payment) {
	const success, fail = payment.Success, payment.Fail
	p.Transactions = nil
	for i, t := range []payment.Transaction{
		{Type: payment.EventSale, Status: fail, Reference: "first", MID: "one", LookUps: 1, Code: "51",
			Sending:      payment.Sending{Trouble: "no response that tells an outcome: dial tcp 10.0.0.1:443"},
			StoredReason: payment.StoredReason{Reason: "No.", ReasonCode: reason.InsufficientFunds}},
		{Type: payment.EventContradiction, Status: success, Reference: "first", MID: "one", Code: "00"},
		{Type: payment.EventGiveBack, Status: success, Reference: "back", MID: "one", LookUps: 2},
		{Type: payment.EventSale, Status: success, Reference: "charge", MID: "mid", Authentication: connector.Authentication{
			ThreeDSVersion: "2.2", ECI: "05", LiabilityShift: "true", DSTransaction: "ds"}},
		{Type: payment.EventContradiction, Status: fail, Reference: "charge", MID: "mid"},
		{Type: payment.EventCapture, Status: fail, Reference: "capture"},
		{Type: payment.EventRefund, Status: fail, Reference: "refund", MID: "mid", SucceededAt: after(1)},
		{Type: payment.EventRefund, Status: success, Reference: "re_1", MID: "mid", Elsewhere: true},
		{Type: payment.EventChargeback, Status: success, Reference: "cb", MID: "mid"},
		{Type: payment.EventChargeback, Status: fail, Reference: "cb", MID: "mid"},
		{Type: payment.EventReversal, Status: success, MID: "mid"},
	} {
		t.Date, t.Amount, t.Connector = after(2*i+2), usd("3.00"), "bank"
		elsewhere := t.Elsewhere || t.Type == payment.EventChargeback || t.Type == payment.EventReversal
		if !elsewhere && t.Type != payment.EventCapture {
			t.SentAt = t.Date.Add(-time.Second)
		}
		p.Transactions = append(p.Transactions, t)
	}
}

// What has happened to a payment is told in the order in which it did, with what is due.
func TestHistories(t *testing.T) {
	f := newListed(t)
	sessionID := store.NewSessionID(store.OrderHash("live/shop", "1"), sentAt, make([]byte, 32))
	whole := with(paid(payment.StatusSettled), withTransactions, func(p *payment.Payment) {
		p.ID, p.SessionID, p.Owner, p.CreatedAt = paymentID(1), sessionID, fault.Owner{Merchant: "m-1"}, sentAt
		p.Order.Number, p.Mapping, p.MID, p.Method = "1", "all", "mid", "card"
		p.Card, p.Reason, p.ReasonCode = &card.View{Mask: "411111******4242", PANType: card.PANOfDevice}, "Fine.", "other"
		p.ProviderData = connector.ProviderData{ProviderID: "pr", ApprovalCode: "ok", RRN: "rrn", NetworkTransactionID: "net"}
		p.RetriedBy, p.Chain = paymentID(9), paymentID(1)
		p.Moves = []payment.StatusMove{{To: payment.Status3DS, At: after(1)}, {To: payment.StatusPending, At: after(8)},
			{To: payment.StatusSettled, At: after(9)}, {To: payment.StatusRedirect, At: after(90)}}
		p.Acts = []payment.Act{
			{At: after(30), Do: payment.VerdictLookUp, Type: payment.EventSale, Reference: "charge", Result: "found"},
			{At: after(31), Do: payment.VerdictRequest, By: "Ann", Reason: "Asked", Type: payment.EventRefund,
				Reference: "refund", Amount: usd("3.00")},
			{At: after(32), Do: payment.VerdictApproved, By: "Ann", Reason: "Seen!", Type: payment.EventVoid, Reference: "void"},
		}
		wait := forPerson(job(payment.JobRefund))
		wait.LookUps, wait.Fault, wait.Finding = 2, "it can't go on", &payment.Finding{Text: "nothing"}
		once, report := operatortest.Unknown(job(payment.JobVoid)), forPerson(job(payment.JobContradiction))
		once.LookUps, once.Cause, report.Reference = 1, "req", "first"
		back := payment.Job{Kind: payment.JobGiveBack, Reference: "back 2", About: "first", SentAt: after(50)}
		back.DueAt = after(51)
		p.Jobs = payment.Jobs{wait, once, operatortest.Queued(job(payment.JobCapture)), report, back}
		p.Callbacks = 2
	})
	declined := with(paid(payment.StatusDecline), func(p *payment.Payment) {
		p.ID, p.SessionID, p.Method, p.CreatedAt = paymentID(0), sessionID, "pix", sentAt.Add(-time.Minute)
		p.ReasonCode, p.Reason = "declined", "No."
	})
	later := with(paid(payment.StatusSettled), func(p *payment.Payment) {
		p.ID, p.CreatedAt, p.Recurring, p.Chain, p.Method = paymentID(2), after(100), true, paymentID(1), "card"
		p.MID, p.Operation, p.Amount, p.Captured, p.Card = "mid", method.Debit, usd(""), usd(""), &card.View{}
		p.Transactions[0].Type, p.Transactions[0].Amount = payment.EventRecurring, usd("")
	})
	gone := with(paid(payment.StatusVoid), func(p *payment.Payment) {
		p.ID, p.CreatedAt, p.SessionID, p.MID, p.Method = paymentID(3), after(100), sessionID[:60]+"ffff", "mid", "pix"
	})
	sess := &checkout.Session{ID: sessionID, State: checkout.SessionComplete, CreatedAt: sentAt.Add(-time.Hour),
		ExpiresAt: sentAt.Add(time.Hour), Mapping: "all", Attempts: []string{"a", "b"}}
	sess.Extension = &checkout.Extension{At: sentAt.Add(-15 * time.Minute), Before: sentAt}
	sess.Request.Operation, sess.Request.Order.Currency, sess.PaymentID = method.Purchase, "USD", whole.ID
	sess.Request.Order.Amount = request.Entered(usd("10.00"))
	open := &checkout.Session{ID: sessionID[:60] + "eeee", State: checkout.SessionOpen, ExpiresAt: after(60),
		FirstPaymentID: paymentID(4), CreatedAt: sentAt}
	open.Request.Owner, open.Request.Order.Number = fault.Owner{Merchant: "m-1", Test: true}, "2"
	open.Request.Operation, open.Request.Order.Currency = method.Purchase, "USD"
	f.Save(whole.Record(), declined.Record(), later.Record(), gone.Record(), sess.Record(), open.Record())
	chain := &checkout.Chain{PaymentID: whole.ID, ScheduleID: "daily", Charges: 3, NextAt: after(200)}
	chain.Amount, chain.Order.Currency = request.Entered(usd("2.00")), "USD"
	f.Save(chain.Record(), (&checkout.Chain{PaymentID: later.ID, Charges: 1}).Record())
	for seq, c := range []callback.Callback{
		{State: callback.Waiting, NextAt: after(150), SentAgainAt: after(120), Tries: []callback.Try{
			{At: after(110), Status: 199}, {At: after(111), Status: 300}, {At: after(112), Error: "no address"}}},
		{State: callback.Delivered, Cause: "req", Tries: []callback.Try{
			{At: after(113), Status: 200}, {At: after(114), Status: 299}}},
	} {
		c.PaymentID, c.Seq, c.CreatedAt = whole.ID, seq+1, after(105)
		c.Fields = callback.Fields{{Name: "id", Value: whole.ID}, {Name: "type", Value: "sale"}}
		f.Save(c.Record(after(150)))
	}
	text := ""
	for _, id := range []string{whole.ID, later.ID, gone.ID, open.FirstPaymentID} {
		h, err := words.PaymentHistory(t.Context(), f.Docs, f.Now, id)
		if err != nil {
			t.Fatal(err)
		}
		text += h.String() + "\n"
		records, err := words.ListOrder(t.Context(), f.Docs, f.Now, id)
		if err != nil {
			t.Fatal(err)
		}
		o, err := words.ReadOrder(records)
		if err != nil {
			t.Fatal(err)
		}
		checkAmounts(t, id, h.String(), o)
	}
	golden.Compare(t, "testdata/histories.golden", text, *update)
	if _, err := words.PaymentHistory(t.Context(), f.Docs, f.Now, paymentID(5)); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("of no payment: %v", err)
	}
}
