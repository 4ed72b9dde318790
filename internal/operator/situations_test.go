package operator

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

// paymentID is the id of the n-th payment of an order.
func paymentID(n byte) string {
	return store.NewPaymentID(store.OrderHash("live/shop", "1"), sentAt, []byte{0, 0, 0, n})
}

// The states of a request.
func queued(j payment.Job) payment.Job {
	j.SentAt, j.Released, j.DueAt = time.Time{}, false, sentAt.Add(time.Minute)
	return j
}

func sending(j payment.Job) payment.Job {
	j.Released, j.DueAt = false, sentAt.Add(payment.JobLease)
	return j
}

func undecided(j payment.Job) payment.Job { return j }

func unknown(j payment.Job) payment.Job {
	j.UnknownSince = sentAt.Add(time.Second)
	return j
}

func forPerson(j payment.Job) payment.Job {
	j.UnknownSince, j.Person, j.DueAt = sentAt.Add(time.Second), true, time.Time{}
	return j
}

func decided(j payment.Job) payment.Job {
	j.Decide(payment.Decision{By: "Ann", Verdict: payment.VerdictApproved, At: sentAt})
	return j
}

// with returns a payment after changes.
func with(p *payment.Payment, changes ...func(p *payment.Payment)) *payment.Payment {
	for _, change := range changes {
		change(p)
	}
	return p
}

// charging is a payment of which only the charge has begun.
func charging(
	status payment.Status, state func(payment.Job) payment.Job, shown *connector.RequiredAction,
) *payment.Payment {
	p := paid(status, state(job(payment.JobCharge)))
	p.Transactions, p.Captured, p.ChargeReference, p.Action = nil, usd(""), "", shown
	p.Jobs[0].Amount = usd("")
	return p
}

// placed has the charge sent to a MID.
func placed(p *payment.Payment) {
	p.Transactions[0].MID, p.Transactions[0].Connector, p.Transactions[0].SentAt = "mid", "bank", sentAt
}

// reports has the provider report something else of a request that has ended.
func reports(reference string, outcome connector.Outcome, amount string) func(p *payment.Payment) {
	return func(p *payment.Payment) {
		p.Contradictions().Add(reference, connector.Result{Outcome: outcome, Amount: usd(amount)}, sentAt)
	}
}

// declined is a payment that was declined for a reason.
func declined(reason reason.Code) *payment.Payment {
	return with(paid(payment.StatusDecline), func(p *payment.Payment) { p.ReasonCode = reason })
}

// told are callbacks in states, each with one try.
func told(states ...callback.State) (all []Delivery) {
	for _, state := range states {
		all = append(all, Delivery{State: state, Tries: make([]callback.Try, 1)})
	}
	return all
}

// situation is where a payment stands.
type situation struct {
	name string
	p    *payment.Payment
	told []Delivery
	sess *checkout.Session
	by   grant.Role // "": whoever may do all that there is to do
}

func situations() []situation {
	const (
		approved, failed = connector.OutcomeApproved, connector.OutcomeDeclined
		prepare, pending = payment.StatusPrepare, payment.StatusPending
		settled, decline = payment.StatusSettled, payment.StatusDecline
		refund           = payment.JobRefund
	)
	pays := &connector.RequiredAction{Kind: connector.ActionPending, Text: "Pay."}
	soon := &connector.RequiredAction{Kind: connector.ActionPending, Text: "Pay.", ExpiresAt: sentAt.Add(time.Hour)}
	complete := &checkout.Session{State: checkout.SessionComplete}
	payout := func(p *payment.Payment) { p.Operation = method.Credit }
	return []situation{
		{name: "a charge to be sent", p: charging(prepare, queued, nil)},
		{name: "a charge that is being sent", p: charging(prepare, sending, nil)},
		{name: "a charge that the provider has not decided", p: charging(prepare, undecided, nil)},
		{name: "a charge of unknown outcome", p: charging(prepare, unknown, nil)},
		{name: "a payout of unknown outcome", p: with(charging(prepare, unknown, nil), payout)},
		{name: "a charge for a person", p: charging(prepare, forPerson, nil)},
		{name: "a charge of an amount that the payer entered, for a person", p: with(charging(prepare, forPerson, nil),
			func(p *payment.Payment) { p.Amount = usd("") })},
		{name: "a charge that a person has decided", p: charging(prepare, decided, nil)},
		{name: "the payer confirms it at the bank", p: charging(payment.Status3DS, undecided, pays)},
		{name: "the payer pays elsewhere, in an hour", p: charging(payment.StatusRedirect, undecided, soon)},
		{name: "the payer was shown how to pay", p: charging(pending, undecided, pays)},
		{name: "the payer was shown how to pay, in an hour", p: charging(pending, undecided, soon)},
		{name: "the payer was shown how to pay, of unknown outcome", p: charging(pending, unknown, pays)},
		{name: "pending at the provider", p: charging(pending, undecided, nil)},
		{name: "authorised", p: with(paid(pending), placed)},
		{name: "a capture to be sent", p: paid(pending, queued(job(payment.JobCapture)))},
		{name: "a void of unknown outcome", p: paid(pending, unknown(job(payment.JobVoid)))},
		{name: "settled", p: with(paid(settled), placed)},
		{name: "settled, of a MID that is not known", p: with(paid(settled), placed, func(p *payment.Payment) {
			p.Transactions[0].MID = ""
		})},
		{name: "a void of the settled payment for a person", p: paid(settled, forPerson(job(payment.JobVoid)))},
		{name: "a refund to be sent", p: paid(settled, queued(job(refund)))},
		{name: "a refund that the provider has not decided", p: paid(settled, undecided(job(refund)))},
		{name: "a refund for a person", p: paid(settled, forPerson(job(refund)))},
		{name: "a refund for a person after one to be sent",
			p: paid(settled, queued(job(payment.JobCapture)), forPerson(job(refund)), forPerson(job(payment.JobVoid)))},
		{name: "refunded in part", p: with(paid(settled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Success, "4.00")
		})},
		{name: "a refund of more than is left", p: with(paid(settled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Fail, "1.00")
		}, reports("refund", approved, "1.00"))},
		{name: "refunded", p: paid(payment.StatusRefund)}, {name: "voided", p: paid(payment.StatusVoid)},
		{name: "charged back", p: paid(payment.StatusChargeback)}, {name: "reversed", p: paid(payment.StatusReversal)},
		{name: "paid out", p: with(paid(settled), payout)},
		{name: "declined softly", p: with(declined(reason.InsufficientFunds), placed)},
		{name: "declined as stolen", p: declined(reason.CardStolen)},
		{name: "approved after a decline", p: with(declined(reason.TryAgainLater),
			reports("charge", approved, ""))},
		{name: "approved after a decline, and paid again", sess: complete, p: with(declined(reason.Declined),
			reports("charge", approved, ""))},
		{name: "a payout approved after its decline", p: with(declined(reason.Declined), payout,
			reports("charge", approved, ""))},
		{name: "declined after a person had approved it", p: with(paid(settled), reports("charge", failed, ""))},
		{name: "a charge at the next MID, and one for a person", p: with(declined(reason.Declined),
			reports("charge", approved, ""), func(p *payment.Payment) {
				p.Status, p.Jobs = prepare, append(p.Jobs, undecided(job(payment.JobCharge)))
				p.Jobs[1].Reference = "next"
			})},
		{name: "settled, and the shop was told", p: paid(settled), told: told(callback.Delivered)},
		{name: "settled, and the shop can't be told", p: paid(settled), told: told(callback.Waiting, callback.Parked)},
		{name: "authorised, and the shop can't be told", p: paid(pending), told: told(callback.Parked)},
		{name: "settled, and the shop was not reached yet", p: paid(settled), told: told(callback.Waiting)},
		{name: "settled, and the shop is about to be told", p: paid(settled), told: []Delivery{{State: callback.Waiting}}},
		{name: "for a viewer", by: grant.Viewer, p: paid(settled, forPerson(job(refund)))},
		{name: "for support", by: grant.Support, p: paid(settled, forPerson(job(refund)))},
		{name: "for finance", by: grant.Finance, p: paid(settled, forPerson(job(refund)))},
		{name: "for an administrator", by: grant.Admin, p: paid(settled, forPerson(job(refund)))},
	}
}

// What people are told of a payment, and what they may do, by where it stands. Acts with the same outcome stand
// together. What is offered of look-ups and settlements can be done, and nothing else.
func TestSituations(t *testing.T) {
	table := golden.Table{}
	for _, x := range situations() {
		x.p.ID = paymentID(1)
		l := situated(t, x.p)
		by := person(grant.Support, "*")
		by.Grants = append(by.Grants, person(grant.Finance, "*").Grants...)
		if x.by != "" {
			by = person(x.by, "*")
		}
		table.Begin(x.name + ":")
		if x.by == "" {
			table.Add("summary", summaryText(summaryOf(Row{State: string(x.p.Status)}, x.p, x.told, l.now)))
		}
		for _, act := range l.possible(by, x.p, x.sess, l.now) {
			if act.Allowed == (act.Why != "") {
				t.Errorf("%s: %+v", x.name, act)
			}
			if x.told == nil {
				table.Add(strings.TrimSpace(act.Act+" "+act.Reference), " "+actText(act))
			}
			if x.sess == nil && x.by == "" {
				tryAct(t, x.p, act)
			}
		}
	}
	golden.Compare(t, "testdata/situations.golden", table.Text(), *update)
}

// situatedAt is when requests that were sent may still be sent.
var situatedAt = sentAt.Add(payment.JobLease - time.Second)

// situated is a service with a payment at that time.
func situated(t *testing.T, p *payment.Payment) *listed {
	l := newListed(t)
	l.now = situatedAt
	l.core.Declarations = settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}}
	l.save(p.Record())
	return l
}

// actText says what is offered. Whether less may be named of a contradiction depends on what was reported.
func actText(act Possible) string {
	switch text := strings.Join(act.Verdicts, ", ") + " " + act.Amount; {
	case act.Act == actLookUp:
		return fmt.Sprint(act.Allowed)
	case !act.Allowed:
		return act.Why
	case act.Partial && !slices.Contains(act.Verdicts, string(payment.VerdictClose)):
		return strings.TrimSpace(text + " or less")
	default:
		return strings.TrimSpace(text)
	}
}

// tryAct does a look-up or settlement that is offered, and is refused one that is not.
func tryAct(t *testing.T, p *payment.Payment, act Possible) {
	t.Helper()
	if act.Act == actLookUp {
		_, err := situated(t, p).acts().lookUp(t.Context(), p.ID, act.Reference, nil)
		if (err == nil) != act.Allowed || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v: %v", act, err)
		}
		return
	}
	for _, verdict := range payment.Verdicts {
		if act.Act != actSettle {
			return
		}
		d := Settlement{PaymentID: p.ID, Reference: act.Reference, Verdict: verdict, By: "Ann", Reason: "Seen."}
		if act.Amount == "" && verdict == payment.VerdictApproved {
			d.Amount = "7.00" // as the payer entered it
		}
		_, err := situated(t, p).acts().settle(t.Context(), d, nil)
		may := slices.Contains(act.Verdicts, string(verdict))
		if (err == nil) != may || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%s: %+v, %v", verdict, act, err)
		}
	}
}

func summaryText(s Summary) string {
	at := ""
	if !s.At.IsZero() {
		at = " +" + s.At.Sub(sentAt).String()
	}
	return fmt.Sprintf("\n    %s's turn: %s\n    next: %s%s\n    tell: %s %s",
		s.Turn, s.Means, s.Next, at, s.Tell, s.Retry)
}

// Of a session that nobody has tried to pay it is said when it closes.
func TestSummaryOfSession(t *testing.T) {
	for state, closes := range map[checkout.SessionState]bool{
		checkout.SessionOpen: true, checkout.SessionExpired: false, checkout.SessionCancelled: false} {
		row := Row{State: string(state), Row: listing.Row{OpenUntil: sentAt}}
		words := statusWords[row.State]
		want := Summary{State: row.State, Means: words.Means, Turn: words.Turn, Tell: words.Tell}
		if closes {
			want.Next, want.At = "The checkout page closes.", sentAt
		}
		if got := summaryOf(row, nil, nil, sentAt); got != want {
			t.Errorf("%s: %+v", state, got)
		}
	}
}
