package worker

import (
	"errors"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/local/golden"
	"checkout/internal/payment"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// atOtherMID has the first MID decline the charge, and sends it to the second one.
func atOtherMID(p *payment.Payment) {
	ended(p, payment.EventSale, payment.Fail, "10.00 USD")
	p.MID, p.Connector = "two", "other"
	sent(job(p, payment.JobCharge, ""))
	p.Jobs[0].Reference = chargeID + "-2"
}

var noticeStages = []at{
	{name: "a charge that was sent", make: has(payment.JobCharge, "", sent)},
	{name: "a charge that was sent to the second MID", make: atOtherMID},
	{name: "authorised", make: charged(authorised)},
	{name: "a capture that was sent", make: with(charged(authorised), has(payment.JobCapture, "7.00 USD", sent))},
	{name: "settled", make: charged(settled)},
	{name: "a refund that was sent", make: with(charged(settled), has(payment.JobRefund, "3.00 USD", sent))},
	{name: "a void that was sent", make: with(charged(settled), has(payment.JobVoid, "10.00 USD", sent))},
	{name: "declined", make: charged(declined)},
	{name: "approved after its decline", make: with(charged(declined), contradicted(connector.OutcomeApproved, ""))},
	{name: "settled by a person", make: with(charged(settled), func(p *payment.Payment) {
		p.Transactions[0].Decision = &payment.Decision{By: "Ann", Verdict: payment.VerdictApproved}
	})},
}

// news is a notice about the payment, changed, or why its connector does not read it.
type news struct {
	name   string
	says   connector.Result
	change func(*connector.Notice)
	unread error
	mid    string // "" for the first one
}

var approves = connector.Result{Outcome: connector.OutcomeApproved}

// elsewhere is what a provider has done by itself.
func elsewhere(outcome connector.Outcome, amount string) connector.Result {
	return connector.Result{Outcome: outcome, OperationID: "e", Amount: amountOf(amount)}
}

var notices = []news{
	{name: "approved", says: approves},
	{name: "declined", says: connector.Result{Outcome: connector.OutcomeDeclined, Code: "51"}},
	{name: "not decided", says: connector.Result{Outcome: connector.OutcomePending}},
	{name: "an action that nobody can be given", says: connector.Result{Outcome: connector.OutcomeActionRequired,
		RequiredAction: &connector.RequiredAction{Kind: connector.ActionRedirect, URL: "javascript:pay()"}}},
	{name: "charged back", says: elsewhere(connector.OutcomeChargeback, "")},
	{name: "captured 4.00 elsewhere", says: elsewhere(connector.OutcomeCapturedElsewhere, "4.00 USD")},
	{name: "voided elsewhere", says: elsewhere(connector.OutcomeVoidedElsewhere, "")},
	{name: "refunded 2.00 elsewhere", says: elsewhere(connector.OutcomeRefundedElsewhere, "2.00 USD")},
	{name: "a dispute was won", says: elsewhere(connector.OutcomeDisputeWon, "")},
	{name: "approved of its amount", says: approves, change: func(n *connector.Notice) {
		n.Requested = new(amountOf("10.00 USD"))
	}},
	{name: "approved of 9.00", says: approves, change: func(n *connector.Notice) {
		n.Requested = new(amountOf("9.00 USD"))
	}},
	{name: "approved of another amount", says: approves, change: func(n *connector.Notice) {
		n.OtherAmount = connector.OtherAmountError{Moved: amountOf("9.00 USD"), Approved: true}
	}},
	{name: "the refund is approved", says: approves, change: func(n *connector.Notice) { n.Reference = "the-refund" }},
	{name: "the refund is declined", says: connector.Result{Outcome: connector.OutcomeDeclined},
		change: func(n *connector.Notice) { n.Reference, n.Kind = "the-refund", connector.RequestRefund }},
	{name: "the charge is declined at the second MID", says: connector.Result{Outcome: connector.OutcomeDeclined},
		change: func(n *connector.Notice) { n.Reference = chargeID + "-2" }, mid: "two"},
	{name: "a request of nobody", says: approves, change: func(n *connector.Notice) { n.Reference = "x" }},
	{name: "the charge as a refund", says: approves, change: func(n *connector.Notice) {
		n.Kind = connector.RequestRefund
	}},
	{name: "another session's", says: approves, change: func(n *connector.Notice) { n.SessionID = "s" }},
	{name: "another payment's", says: approves, change: func(n *connector.Notice) {
		n.PaymentID = store.NewPaymentID(store.OrderHash("live/shop", "2"), storedAt, make([]byte, 4))
	}},
	{name: "nothing of ours, with a response", change: func(n *connector.Notice) {
		n.PaymentID, n.Response.Status = "", 204
	}},
	{name: "from the second MID", says: approves, mid: "two"},
	{name: "from a MID of nobody", says: approves, mid: "three"},
	{name: "not authentic", unread: connector.ErrNotAuthentic},
	{name: "not authentic, from a MID of nobody", unread: connector.ErrNotAuthentic, mid: "three"},
	{name: "too many", unread: connector.ErrTooManyNotices},
	{name: "unreadable", unread: connector.Unreadable(errors.New("no status"))},
	{name: "not read", unread: errors.New("no time")},
}

// What a notice does, by where the payment stands: testdata/notices.golden.
func TestNotices(t *testing.T) {
	table := golden.Table{}
	for _, stage := range noticeStages {
		table.Begin(stage.name)
		for _, n := range notices {
			w := newWorld(t, reply{}, storedAt.Add(time.Hour), stage.payment().Record())
			w.notice, w.unread = connector.Notice{PaymentID: chargeID, Result: n.says}, n.unread
			w.notice.Response.Body = []byte("taken")
			if n.change != nil {
				n.change(&w.notice)
			}
			address := settings.NoticeAddressOf("bank", "shop", "all", "one")
			if n.mid != "" {
				address = settings.NoticeAddressOf(map[string]string{"two": "other", "three": "bank"}[n.mid], "shop", "all", n.mid)
			}
			response, err := w.HandleNotification(t.Context(), address, connector.Notification{})
			told := w.told(err)
			if response.Body != nil || response.Status != 0 {
				told = " responds," + told
			}
			table.Add(n.name, told)
		}
	}
	golden.Compare(t, "testdata/notices.golden", table.Text(), *update)
}
