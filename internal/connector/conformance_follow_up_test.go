package connector

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"checkout/internal/checkout"
)

// conformFollowUps is what every connector does that captures, voids and refunds.
func conformFollowUps(t *testing.T, start func(t *testing.T) provider) {
	for _, kind := range []checkout.JobKind{checkout.JobCapture, checkout.JobVoid, checkout.JobRefund} {
		for _, test := range []struct {
			name string
			run  func(*testing.T, follower)
		}{
			{"accepted", followAccepted},
			{"declined", followDeclined},
			{"broken answer", followBroken},
			{"no answer", followUnanswered},
			{"question lost", followLost},
			{"repeated reference", followRepeated},
			{"one reference, many at once", followManyOfOne},
			{"many references at once", followManyAtOnce},
			{"unknown reference", followUnknown},
			{"more than there is", followTooMuch},
			{"notices that lie", followLies},
			{"no card data", followNoCardData},
		} {
			t.Run(string(kind)+", "+test.name, func(t *testing.T) {
				p := start(t)
				if p.followed == nil {
					t.Skip("this connector can't")
				}
				test.run(t, follower{p, kind})
			})
		}
	}
}

// follower asks a provider for one kind of what follows a charge of 10.00 USD.
type follower struct {
	provider
	kind checkout.JobKind
}

const second = "0190a6b2-7c1e-4d33-a5a4-000000000002" // the reference of what follows

// charges has the charge made, only authorised where that is to be captured or voided, whose follow-ups behave so.
func (f follower) charges(t *testing.T, b behaviour) checkout.Result {
	t.Helper()
	ask := f.charge(approves)
	ask.Card, ask.Auth = f.followed(f.kind, b), f.kind != checkout.JobRefund
	r := given(t)(f.connector.Charge(t.Context(), ask))
	if r.Outcome != checkout.OutcomeApproved {
		t.Fatalf("the charge: %+v", r)
	}
	return r
}

func (f follower) question() checkout.Question {
	return checkout.Question{
		Kind: f.kind, Reference: second, Charged: reference, PaymentID: "payment-1", SessionID: "session-1", Amount: "10.00", Currency: "USD",
	}
}

func (p provider) follow(ctx context.Context, q checkout.Question) (checkout.Result, error) {
	switch q.Kind {
	case checkout.JobCapture:
		return p.connector.(checkout.Capturer).Capture(ctx, q)
	case checkout.JobVoid:
		return p.connector.(checkout.Voider).Void(ctx, q)
	}
	return p.connector.(checkout.Refunder).Refund(ctx, q)
}

// before and done are the charge's sums before the question and when it was carried out, once.
func (f follower) before() sums {
	if f.kind == checkout.JobRefund {
		return sums{authorised: "10.00", captured: "10.00"}
	}
	return sums{authorised: "10.00"}
}

func (f follower) done() sums {
	s := f.before()
	switch f.kind {
	case checkout.JobCapture:
		s.captured = "10.00"
	case checkout.JobVoid:
		s.voided = true
	default:
		s.refunded = "10.00"
	}
	return s
}

// knows compares a look-up and the sums of the charge.
func (f follower) knows(t *testing.T, want checkout.Outcome, books sums) checkout.Result {
	t.Helper()
	found := given(t)(f.connector.Lookup(t.Context(), f.question()))
	if found.Outcome != want {
		t.Errorf("a look-up says %+v, not %d", found, want)
	}
	if got := f.sums(t, reference); got != books {
		t.Errorf("the books have %+v, not %+v", got, books)
	}
	return found
}

func followAccepted(t *testing.T, f follower) {
	charge := f.charges(t, approves)
	r := given(t)(f.follow(t.Context(), f.question()))
	if r.Outcome != checkout.OutcomeApproved || r.Reason != "" || r.Soft || r.Next != nil || r.Authorised || r.Amount != "" {
		t.Errorf("answered %+v", r)
	}
	if r.ProviderID != "" && r.ProviderID != charge.ProviderID { // later questions name the charge by it
		t.Errorf("the payment is called %q, then %q", charge.ProviderID, r.ProviderID)
	}
	if found := f.knows(t, checkout.OutcomeApproved, f.done()); !reflect.DeepEqual(found, r) {
		t.Errorf("answered %+v, and asked %+v", r, found)
	}
	if again := given(t)(f.connector.Lookup(t.Context(), f.charge(approves).Question)); !reflect.DeepEqual(again, charge) {
		t.Errorf("the charge was %+v, now it is %+v", charge, again)
	}
}

func followDeclined(t *testing.T, f follower) {
	f.charges(t, declines)
	r := given(t)(f.follow(t.Context(), f.question()))
	if r.Outcome != checkout.OutcomeDeclined || r.Reason == "" {
		t.Errorf("answered %+v", r)
	}
	if found := f.knows(t, checkout.OutcomeDeclined, f.before()); !reflect.DeepEqual(found, r) {
		t.Errorf("answered %+v, and asked %+v", r, found)
	}
}

func followBroken(t *testing.T, f follower) {
	f.charges(t, answersGarbage)
	r, err := f.follow(t.Context(), f.question())
	unclear(t, r, err)
	f.knows(t, checkout.OutcomeApproved, f.done())
}

func followUnanswered(t *testing.T, f follower) {
	f.charges(t, staysSilent)
	r, err := f.follow(&impatient{Context: t.Context()}, f.question())
	unclear(t, r, err)
	f.knows(t, checkout.OutcomeApproved, f.done())
}

func followLost(t *testing.T, f follower) {
	f.charges(t, hearsNothing)
	r, err := f.follow(&impatient{Context: t.Context()}, f.question())
	unclear(t, r, err)
	f.knows(t, checkout.OutcomeUnknown, f.before())
	if again := given(t)(f.follow(t.Context(), f.question())); again.Outcome != checkout.OutcomeApproved {
		t.Errorf("asked again: %+v", again)
	}
	f.knows(t, checkout.OutcomeApproved, f.done())
}

func followRepeated(t *testing.T, f follower) {
	f.charges(t, approves)
	q := f.question()
	first := given(t)(f.follow(t.Context(), q))
	for _, amount := range []string{"10.00", "1.00"} { // even if the amount were another
		q.Amount = amount
		if again := given(t)(f.follow(t.Context(), q)); !reflect.DeepEqual(first, again) {
			t.Errorf("answered %+v, then %+v", first, again)
		}
	}
	f.knows(t, checkout.OutcomeApproved, f.done())

	q.Reference = second + "-2" // what is refused stays so, too
	refused := given(t)(f.follow(t.Context(), q))
	again := given(t)(f.follow(t.Context(), q))
	if refused.Outcome != checkout.OutcomeDeclined || !reflect.DeepEqual(refused, again) {
		t.Errorf("answered %+v, then %+v", refused, again)
	}
	f.knows(t, checkout.OutcomeApproved, f.done())
}

// atOnce asks n questions at the same time and counts those that are carried out.
func (f follower) atOnce(t *testing.T, n int, question func(i int) checkout.Question) (approved int) {
	t.Helper()
	results, errs := make([]checkout.Result, n), make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { results[i], errs[i] = f.follow(t.Context(), question(i)) })
	}
	wait.Wait()
	for i, r := range results {
		if errs[i] != nil || r.Outcome != checkout.OutcomeApproved && (r.Outcome != checkout.OutcomeDeclined || r.Reason == "") {
			t.Errorf("answered %+v, %v", r, errs[i])
		}
		if r.Outcome == checkout.OutcomeApproved {
			approved++
		}
	}
	return approved
}

func followManyOfOne(t *testing.T, f follower) {
	f.charges(t, approves)
	if n := f.atOnce(t, 8, func(int) checkout.Question { return f.question() }); n != 8 {
		t.Errorf("%d of 8 repeats are answered alike", n)
	}
	f.knows(t, checkout.OutcomeApproved, f.done())
}

func followManyAtOnce(t *testing.T, f follower) {
	f.charges(t, approves)
	want, books := 1, f.done()
	if f.kind == checkout.JobRefund { // three times 3.00 of 10.00
		want, books.refunded = 3, "9.00"
	}
	approved := f.atOnce(t, 16, func(i int) checkout.Question {
		q := f.question()
		q.Reference = fmt.Sprintf("reference-%d", i)
		if f.kind == checkout.JobRefund {
			q.Amount = "3.00"
		}
		return q
	})
	if approved != want {
		t.Errorf("%d were carried out, not %d", approved, want)
	}
	f.knows(t, checkout.OutcomeUnknown, books)
}

func followUnknown(t *testing.T, f follower) {
	for _, strange := range []string{second, "..", "a/b", "%00", "ä", strings.Repeat("x", 5000)} {
		q := f.question()
		q.Reference = strange
		if r := given(t)(f.connector.Lookup(t.Context(), q)); !reflect.DeepEqual(r, checkout.Result{Outcome: checkout.OutcomeUnknown}) {
			t.Errorf("%.20s: %+v", strange, r)
		}
	}
	f.charges(t, approves) // under the reference of a charge there is no follow-up
	q := f.question()
	q.Reference = reference
	if r := given(t)(f.connector.Lookup(t.Context(), q)); r.Outcome != checkout.OutcomeUnknown {
		t.Errorf("the charge is taken for its %s: %+v", f.kind, r)
	}
	q = f.question()
	q.Charged = "reference-of-no-charge"
	if r := given(t)(f.follow(t.Context(), q)); r.Outcome != checkout.OutcomeDeclined || r.Reason == "" {
		t.Errorf("of a charge that is not known: %+v", r)
	}
	f.knows(t, checkout.OutcomeDeclined, f.before())
}

// followTooMuch asks for what no provider does, and for something of another currency.
func followTooMuch(t *testing.T, f follower) {
	f.charges(t, approves)
	for i, wrong := range []func(*checkout.Question){
		func(q *checkout.Question) { q.Amount = "10.01" },
		func(q *checkout.Question) { q.Amount = "0.00" },
		func(q *checkout.Question) { q.Amount = "" },
		func(q *checkout.Question) { q.Currency = "EUR" },
	} {
		q := f.question()
		q.Reference = fmt.Sprintf("reference-%d", i)
		wrong(&q)
		if f.kind == checkout.JobVoid {
			break // has no amount of its own
		}
		if r := given(t)(f.follow(t.Context(), q)); r.Outcome != checkout.OutcomeDeclined || r.Reason == "" {
			t.Errorf("%s of %s %s: %+v", f.kind, q.Amount, q.Currency, r)
		}
	}
	f.knows(t, checkout.OutcomeUnknown, f.before())
}

func followLies(t *testing.T, f follower) {
	if f.lie == nil {
		t.Skip("this provider sends no notices")
	}
	noticer := f.connector.(checkout.Noticer)
	if n, err := noticer.Notice(t.Context(), f.lie(f.kind, second, "payment-1")); err == nil && n.PaymentID != "" {
		t.Errorf("of what the provider was never asked for: %+v", n)
	}
	f.charges(t, declines)
	given(t)(f.follow(t.Context(), f.question()))
	n, err := noticer.Notice(t.Context(), f.lie(f.kind, second, "payment-of-somebody-else"))
	if err == nil && (n.PaymentID != "payment-1" || n.SessionID != "session-1" || n.Reference != second || n.Result.Outcome != checkout.OutcomeDeclined) {
		t.Errorf("of what was declined: %+v", n)
	}
	f.knows(t, checkout.OutcomeDeclined, f.before())
}

// followNoCardData reads what a connector says. Nothing that follows a charge has a card, but its books began with one.
func followNoCardData(t *testing.T, f follower) {
	for b := approves; b <= hearsNothing; b++ {
		ask := f.charge(approves)
		ask.Reference, ask.Card, ask.Auth = fmt.Sprintf("charge-%d", b), f.followed(f.kind, b), f.kind != checkout.JobRefund
		ask.Card.SecurityCode = "9173"
		given(t)(f.connector.Charge(t.Context(), ask))
		q := f.question()
		q.Charged, q.Reference = ask.Reference, fmt.Sprintf("reference-%d", b)
		r, err := f.follow(&impatient{Context: t.Context()}, q)
		found, lookupErr := f.connector.Lookup(t.Context(), q)
		said := fmt.Sprintf("%+v %+v %v", r, found, errors.Join(err, lookupErr))
		for _, secret := range []string{ask.Card.Number, ask.Card.SecurityCode} {
			if strings.Contains(said, secret) {
				t.Errorf("it says %s", said)
			}
		}
	}
}
