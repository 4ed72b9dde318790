package query

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/local/golden"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/operatortest"
	"checkout/internal/operator/words"
)

var update = flag.Bool("update", false, "rewrite golden files")

// told are callbacks in states, each with one try.
func told(states ...callback.State) (all []*callback.Callback) {
	for _, state := range states {
		all = append(all, &callback.Callback{PaymentID: paymentID(1), State: state, Tries: make([]callback.Try, 1)})
	}
	return all
}

// situation is where a payment stands, and its callbacks.
type situation struct {
	operatortest.Situation
	told []*callback.Callback
	by   grant.Role // "": whoever may do all that there is to do
}

func situations() (all []situation) {
	for _, s := range operatortest.Situations() {
		all = append(all, situation{Situation: s})
	}
	of := func(name string, p *payment.Payment) operatortest.Situation {
		return operatortest.Situation{Name: name, Payment: p}
	}
	const settled, pending, waiting = payment.StatusSettled, payment.StatusPending, callback.Waiting
	forPerson := func() *payment.Payment { return paid(settled, forPerson(job(payment.JobRefund))) }
	return append(all, []situation{
		{Situation: of("settled, and the shop was told", paid(settled)), told: told(callback.Delivered)},
		{Situation: of("settled, and the shop can't be told", paid(settled)), told: told(waiting, callback.Parked)},
		{Situation: of("authorised, and the shop can't be told", paid(pending)), told: told(callback.Parked)},
		{Situation: of("settled, and the shop was not reached yet", paid(settled)), told: told(waiting)},
		{Situation: of("settled, and the shop is about to be told", paid(settled)),
			told: []*callback.Callback{{PaymentID: paymentID(1), State: waiting}}},
		{Situation: of("for a viewer", forPerson()), by: grant.Viewer},
		{Situation: of("for support", forPerson()), by: grant.Support},
		{Situation: of("for finance", forPerson()), by: grant.Finance},
		{Situation: of("for an administrator", forPerson()), by: grant.Admin},
	}...)
}

// What people are told of a payment, and what they may do, by where it stands. Acts with the same outcome stand
// together.
func TestSituations(t *testing.T) {
	table := golden.Table{}
	for _, x := range situations() {
		x.Payment.ID = paymentID(1)
		l := operatortest.Situated(t, x.Payment)
		by := operatortest.AnyAct()
		if x.by != "" {
			by = person(x.by, "*")
		}
		table.Begin(x.Name + ":")
		if x.by == "" {
			order := words.Order{Payments: []*payment.Payment{x.Payment}, Callbacks: x.told}
			text := summaryText(words.Standing{
				State: string(x.Payment.Status), ID: x.Payment.ID, Payment: x.Payment, Order: order,
			}.Summary(l.Now))
			table.Add("summary", text)
			checkAmounts(t, x.Name, text, order)
		}
		for _, act := range NewReader(l.Core).possible(by, x.Payment, x.Session, l.Now) {
			if act.Allowed == (act.Why != "") {
				t.Errorf("%s: %+v", x.Name, act)
			}
			if x.told == nil {
				table.Add(strings.TrimSpace(act.Act+" "+act.Reference), " "+actText(act))
			}
		}
	}
	golden.Compare(t, "testdata/situations.golden", table.Text(), *update)
}

var amountInText = regexp.MustCompile(`\d+(\.\d+)? [A-Z]{3,}`)

// checkAmounts finds amounts of a text that the order does not name.
func checkAmounts(t *testing.T, name, text string, o words.Order) {
	t.Helper()
	all := o.Amounts()
	for _, found := range amountInText.FindAllString(text, -1) {
		number, currency, _ := strings.Cut(found, " ")
		if currency != "UTC" && !slices.Contains(all, words.Amount{Amount: number, Currency: currency}) {
			t.Errorf("%s: %s is none of %v", name, found, all)
		}
	}
}

// actText says what is offered. Whether less may be named of a contradiction depends on what was reported.
func actText(act Possible) string {
	switch text := strings.Join(act.Verdicts, ", ") + " " + act.Amount; {
	case act.Act == words.ActLookUp:
		return fmt.Sprint(act.Allowed)
	case !act.Allowed:
		return act.Why
	case act.Partial && !slices.Contains(act.Verdicts, string(payment.VerdictClose)):
		return strings.TrimSpace(text + " or less")
	default:
		return strings.TrimSpace(text)
	}
}

func summaryText(s words.Summary) string {
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
		of := words.Describe().Statuses[string(state)]
		want := words.Summary{State: string(state), Means: of.Means, Turn: of.Turn, Tell: of.Tell}
		if closes {
			want.Next, want.At = "The checkout page closes.", sentAt
		}
		if got := (words.Standing{State: string(state), OpenUntil: sentAt}).Summary(sentAt); got != want {
			t.Errorf("%s: %+v", state, got)
		}
	}
}
