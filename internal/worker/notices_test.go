package worker

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
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

// atFourthMID has the first MID decline the charge, and sends it to another one of the same account.
func atFourthMID(p *payment.Payment) {
	atOtherMID(p)
	p.MID, p.Connector = "four", "bank"
}

// fourMIDs gives the merchant another MID of the first one's account.
var fourMIDs = set(func(m *settings.Merchant) {
	m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, settings.MID{Name: "four", Connector: "bank"})
})

// atFourth is a stage at the fourth MID.
func atFourth(of string, changes ...func(*payment.Payment)) at {
	return at{name: of, make: with(append([]func(*payment.Payment){atFourthMID}, changes...)...)}
}

// noticed is a notice that comes at a stage of its own.
type noticed struct {
	at
	news
	before    func(*world)
	body      int    // its size
	connector string // of its address, "" for that of the MID
}

// payerEnters has the payer enter the amount at the provider.
func payerEnters(p *payment.Payment) { p.Amount = money.Amount{} }

func requested(amount string) func(*connector.Notice) {
	return func(n *connector.Notice) { n.Requested = new(amountOf(amount)) }
}

func of(reference string) func(*connector.Notice) {
	return func(n *connector.Notice) { n.Reference = reference }
}

var (
	sentCharge = at{name: "a charge that was sent", make: has(payment.JobCharge, "", sent)}
	isDeclined = connector.Result{Outcome: connector.OutcomeDeclined}
	pays       = connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.ActionPending, Show: []screen.Shown{{ID: "reference", Type: screen.ShownText, Value: "12"}}}}
)

var noticesAt = []noticed{
	{at: sentCharge, news: news{name: "to a connector without notices", says: approves, mid: "three"}, connector: "blind"},
	{at: sentCharge, news: news{name: "to a connector that nobody knows", says: approves}, connector: "x"},
	{at: sentCharge, news: news{name: "as large as may be", says: approves}, body: request.MaxBody},
	{at: sentCharge, news: news{name: "too large", says: approves}, body: request.MaxBody + 1},
	{at: sentCharge, news: news{name: "with a response", says: approves, change: func(n *connector.Notice) {
		n.Response.Status = 202
	}}},
	{at: sentCharge, news: news{name: "nothing of ours, without a response", says: approves,
		change: func(n *connector.Notice) { n.PaymentID = "" }}},
	{at: sentCharge, news: news{name: "declined of 9.00", says: isDeclined, change: requested("9.00 USD")}},
	{at: sentCharge, news: news{name: "approved of nothing", says: approves, change: requested("")}},
	{at: sentCharge, news: news{name: "approved of another amount than it names", says: approves,
		change: func(n *connector.Notice) {
			n.OtherAmount, n.Requested = connector.OtherAmountError{Moved: amountOf("9.00 USD")}, new(amountOf("10.00 USD"))
		}}},
	{at: sentCharge, news: news{name: "it is approved, by another MID", says: approves, change: of(chargeID), mid: "two"}},
	{at: at{name: "a charge of a test", make: with(has(payment.JobCharge, "", sent), ofTest)}, connector: "sandbox",
		news: news{name: "unreadable", unread: connector.Unreadable(errors.New("no status"))}},
	{at: at{name: "a charge of a test", make: with(has(payment.JobCharge, "", sent), ofTest)}, connector: "sandbox",
		news: news{name: "a request of nobody", change: of("x")}},
	{at: at{name: "a charge with a page", make: with(has(payment.JobCharge, "", sent), func(p *payment.Payment) {
		p.SessionID = aSession
	})}, news: news{name: "its session's", says: approves, change: func(n *connector.Notice) {
		n.SessionID = store.PublicID(aSession)
	}}},
	{at: at{name: "a charge that is paid offline", make: with(has(payment.JobCharge, "", sent), func(p *payment.Payment) {
		p.SessionID, p.Method = aSession, "cash_mx"
		p.BillingAddress.Country = "MX"
	})}, news: news{name: "the payer has to pay", says: pays}, before: hasSession},
	{at: at{name: "of an amount that the payer enters", make: with(has(payment.JobCharge, "", sent), payerEnters)},
		news: news{name: "approved of what they enter", change: requested(""),
			says: connector.Result{Outcome: connector.OutcomeApproved, Amount: amountOf("5.00 USD")}}},
	{at: at{name: "of an amount that the payer enters", make: with(has(payment.JobCharge, "", sent), payerEnters)},
		news: news{name: "approved of an amount that was asked for", change: requested("5.00 USD"),
			says: connector.Result{Outcome: connector.OutcomeApproved, Amount: amountOf("5.00 USD")}}},
	{at: at{name: "declined", make: charged(declined)}, news: news{name: "approved of its amount, which has ended",
		says: approves, change: requested("10.00 USD")}},
	{at: at{name: "refunded", make: with(charged(settled), refunded(payment.Success))}, news: news{
		name: "the refund is declined", says: isDeclined, change: of("the-refund")}},
	{at: at{name: "a refund was declined", make: with(charged(settled), refunded(payment.Fail))}, news: news{
		name: "the refund is approved of 9.00", says: approves, change: func(n *connector.Notice) {
			n.Reference, n.Requested = "the-refund", new(amountOf("9.00 USD"))
		}}},
	{at: at{name: "a refund was declined", make: with(charged(settled), refunded(payment.Fail))}, news: news{
		name: "the refund is approved of 3.00", says: approves, change: func(n *connector.Notice) {
			n.Reference, n.Requested = "the-refund", new(amountOf("3.00 USD"))
		}}},
	{at: at{name: "settled, with a dispute that came before", make: with(charged(settled), func(p *payment.Payment) {
		p.EarlyDispute = &payment.EarlyDispute{To: payment.StatusChargeback, ID: "d"}
	})}, news: news{name: "approved", says: approves}},
	{at: atFourth("at a second MID of the account"), news: news{name: "approved", says: approves}, before: fourMIDs},
	{at: atFourth("at a second MID of the account"), news: news{name: "charged back", says: elsewhere(
		connector.OutcomeChargeback, "")}, before: fourMIDs},
	{at: atFourth("at a second MID of the account"), news: news{name: "the first is approved", says: approves,
		change: of(chargeID)}, before: fourMIDs},
	{at: atFourth("at a second MID of the account"), news: news{name: "the second is approved", says: approves,
		change: of(chargeID + "-2")}, before: fourMIDs},
	{at: atFourth("declined by a second MID of the account", declinedAgain), news: news{name: "approved", says: approves},
		before: fourMIDs},
	{at: at{name: "declined by a second MID", make: with(atOtherMID, declinedAgain)}, news: news{
		name: "approved, by the first", says: approves}},
	{at: at{name: "declined by a second MID", make: with(atOtherMID, declinedAgain)}, news: news{
		name: "the first is approved, by the second", says: approves, change: of(chargeID), mid: "two"}},
	{at: at{name: "refunded at the first MID after its decline", make: with(atOtherMID, declinedAgain,
		func(p *payment.Payment) {
			p.MID = "one"
			refunded(payment.Success)(p)
			p.MID, p.Transactions[2].Type, p.Transactions[2].About = "two", payment.EventGiveBack, chargeID
			p.Transactions[2].Connector = "bank"
		})}, news: news{name: "declined, by the first", says: isDeclined}},
	{at: at{name: "authorised", make: charged(authorised)}, before: savesFail, news: news{
		name: "charged back, and the store fails", says: elsewhere(connector.OutcomeChargeback, "")}},
	{at: givesBack, news: news{name: "it is refunded", says: approves, change: of("back")}},
	{at: givesBack, news: news{name: "it is refunded, by another MID", says: approves, change: of("back"), mid: "two"}},
}

// savesFail has the store fail to save.
func savesFail(w *world) {
	w.core.Store = &storetest.Scripted{Store: w.core.Store, Before: func(request string) error {
		if strings.HasPrefix(request, "save") {
			return storetest.ErrFails
		}
		return nil
	}}
}

// givesBack is a charge that was approved by the first MID after its decline, and is refunded there.
var givesBack = at{name: "a give-back at the first MID", make: with(charged(declined),
	contradicted(connector.OutcomeApproved, ""), func(p *payment.Payment) {
		p.Jobs[0].GiveBack("back", "", storedAt)
		sent(p.Jobs.Find("back"))
		p.MID, p.Connector = "two", "other"
	})}

// declinedAgain has the second MID decline the charge, too.
func declinedAgain(p *payment.Payment) {
	p.Jobs = nil
	p.Status, p.ChargeReference = declined, chargeID+"-2"
	ended(p, payment.EventSale, payment.Fail, "10.00 USD")
	p.Transactions[1].Reference = p.ChargeReference
}

// refunded ends a refund.
func refunded(status payment.TransactionStatus) func(*payment.Payment) {
	return func(p *payment.Payment) {
		ended(p, payment.EventRefund, status, "3.00 USD")
		p.Transactions[len(p.Transactions)-1].Reference = "the-refund"
	}
}

// hasSession stores the session of a payment with a page.
func hasSession(w *world) {
	w.t.Helper()
	s := &checkout.Session{ID: aSession, State: checkout.SessionProcessing, Mapping: "all", CreatedAt: storedAt,
		ExpiresAt: storedAt.Add(2 * time.Hour), LatestAttempt: checkout.LatestAttempt{PaymentID: chargeID, Method: "cash_mx"}}
	s.Request.Owner = fault.Owner{Merchant: "shop"}
	if err := w.core.Store.Save(w.t.Context(), w.now, s.Record()); err != nil {
		w.t.Fatal(err)
	}
}

// comes has the notice come.
func (n noticed) comes(w *world) (connector.NoticeResponse, error) {
	w.notice, w.unread = connector.Notice{PaymentID: chargeID, Result: n.says}, n.unread
	w.notice.Response.Body = []byte("taken")
	if n.change != nil {
		n.change(&w.notice)
	}
	mid := cmp.Or(n.mid, "one")
	from := map[string]string{"one": "bank", "two": "other", "three": "bank"}[mid]
	address := settings.NoticeAddressOf(cmp.Or(n.connector, from), "shop", "all", mid)
	return w.notices.HandleNotification(w.t.Context(), address, connector.Notification{Body: make([]byte, n.body)})
}

// take has the notice come, and tells what has happened.
func (n noticed) take(w *world) string {
	response, err := n.comes(w)
	told := w.told(err)
	if response.Body != nil || response.Status != 0 {
		told = " responds," + told
	}
	return told
}

// What a notice does, by where the payment stands: testdata/notices.golden.
func TestNotices(t *testing.T) {
	table := golden.Table{}
	for _, stage := range noticeStages {
		table.Begin(stage.name)
		for _, n := range notices {
			w := newWorld(t, reply{}, storedAt.Add(time.Hour), stage.payment().Record())
			table.Add(n.name, noticed{news: n}.take(w))
		}
	}
	stage := ""
	for _, n := range noticesAt {
		if n.at.name != stage {
			stage = n.at.name
			table.Begin(stage)
		}
		w := newWorld(t, reply{}, storedAt.Add(time.Hour), n.payment().Record())
		w.Connectors["sandbox"] = bank{"the sandbox", reply{}, reply{}, w}
		if n.before != nil {
			n.before(w)
		}
		table.Add(n.news.name, n.take(w))
	}
	golden.Compare(t, "testdata/notices.golden", table.Text(), *update)
}

// A notice is refused where a read or write fails, so that it comes again.
func TestANoticeSaysWhatFails(t *testing.T) {
	for _, n := range []noticed{
		{at: sentCharge, news: news{name: "approved", says: approves}},
		{at: at{name: "authorised", make: charged(authorised)}, news: news{name: "approved of 9.00", says: approves,
			change: requested("9.00 USD")}},
	} {
		storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
			w := newWorld(t, reply{}, storedAt.Add(time.Hour), n.payment().Record())
			script := &storetest.Scripted{Store: w.core.Store}
			w.core.Store = script
			return script, func() error {
				_, err := n.comes(w)
				return err
			}
		})
	}
}

// acts are what two processes do at one moment: a notice comes, or a job is run whose provider says something.
var acts = map[string]func(*world) error{
	"approved": noticeOf(news{says: approves}), "declined": noticeOf(news{says: isDeclined}),
	"of 9.00":      noticeOf(news{says: approves, change: requested("9.00 USD")}),
	"no refund":    noticeOf(news{says: isDeclined, change: of("the-refund")}),
	"captured":     noticeOf(news{says: elsewhere(connector.OutcomeCapturedElsewhere, "4.00 USD")}),
	"charged back": noticeOf(news{says: elsewhere(connector.OutcomeChargeback, "")}),
	"looked up":    runsAt(approved), "looked up, declined": runsAt(softly),
}

func noticeOf(n news) func(*world) error {
	return func(w *world) error {
		_, err := noticed{news: n}.comes(w)
		return err
	}
}

func runsAt(says reply) func(*world) error {
	return func(w *world) error {
		w.Connectors["bank"] = bank{"one", says, says, w}
		return w.RunJob(w.t.Context(), payment.JobMessage{PaymentID: chargeID, Slow: true})
	}
}

// A notice that comes while something else is stored leaves what is left if one comes after the other.
func TestNoticesThatMeet(t *testing.T) {
	for _, i := range []int{0, 1, 3, 5, 7} { // in which something may happen
		stage := noticeStages[i]
		begin := func() *world { return newWorld(t, reply{}, storedAt.Add(time.Hour), stage.payment().Record()) }
		serial := func(all ...string) map[string]map[string]string {
			w := begin()
			for _, name := range all {
				_ = acts[name](w)
			}
			return w.documents()
		}
		for a := range acts {
			if strings.HasPrefix(a, "looked up") {
				continue
			}
			for b := range acts {
				ab, ba := serial(a, b), serial(b, a)
				for n, met := 1, true; met; n++ {
					w := begin()
					docs, count := w.core.Store, 0
					w.core.Store = &storetest.Scripted{Store: docs, Before: func(string) error {
						if count++; count == n {
							script, notice := w.core.Store, w.notice
							w.core.Store = docs
							_ = acts[b](w)
							w.core.Store, w.notice = script, notice
						}
						return nil
					}}
					_ = acts[a](w)
					w.core.Store = docs
					met = count >= n
					if got := w.documents(); met && !reflect.DeepEqual(got, ab) && !reflect.DeepEqual(got, ba) {
						t.Errorf("%s: %s, and %s before request %d: %v", stage.name, a, b, n, w.told(nil))
					}
				}
			}
		}
	}
}
