package connector

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"checkout/internal/card"
	"checkout/internal/checkout"
)

// provider is a connector and a provider behind it that does what a test says.
type provider struct {
	connector interface {
		checkout.Connector
		checkout.Lookuper
	}
	card  func(behaviour) card.Card // which has the provider behave so
	books func(t *testing.T, reference string) (charges int)

	// Of a provider that sends payers elsewhere first; else nil.
	finish func(t *testing.T, reference string, confirmed bool)
	// Of a connector that is a Noticer; else nil: what anybody could send in the provider's name, with an approval of that
	// question wherever the form of a notice has room for it.
	lie func(kind checkout.JobKind, reference, paymentID string) []byte

	// Of a provider that shows payers where to send money to; else nil.
	address *addressed

	// Of a connector that is a Capturer, Voider and Refunder; else nil: a card whose charge is approved and whose later
	// captures, voids or refunds the provider behaves so with, and the sums in its books.
	followed func(checkout.JobKind, behaviour) card.Card
	sums     func(t *testing.T, reference string) sums
}

// sums are what a provider's books say of a charge: amounts as decimal texts, "" for none.
type sums struct {
	authorised, captured, refunded string
	voided                         bool
}

// behaviour is what a provider does with a card.
type behaviour int

const (
	approves behaviour = iota
	declines
	answersGarbage // having approved
	staysSilent    // having approved
	hearsNothing   // of the first question
	asksThePayer   // and approves if the payer confirms
)

// conform is what every connector does, whatever its provider is like. start makes a new provider for each test.
func conform(t *testing.T, start func(t *testing.T) provider) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, provider)
	}{
		{"accepted", accepted},
		{"declined", declinedOnce},
		{"broken answer", brokenAnswerIsLookedUp},
		{"no answer", noAnswerIsLookedUp},
		{"question lost", lostQuestionIsAskedAgain},
		{"repeated reference", repeatedReference},
		{"many at once", manyAtOnce},
		{"unknown reference", unknownReference},
		{"next step confirmed", nextStepConfirmed},
		{"next step refused", nextStepRefused},
		{"notices that lie", noticesThatLie},
		{"no card data", noCardData},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, start(t)) })
	}
	conformFollowUps(t, start)
	conformAddress(t, start)
}

const reference = "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70"

func (p provider) charge(b behaviour) checkout.Charge {
	return checkout.Charge{
		Question: checkout.Question{
			Kind: checkout.JobCharge, Reference: reference, PaymentID: "payment-1", SessionID: "session-1", Amount: "10.00", Currency: "USD",
		},
		Operation: "purchase", Method: "card", Description: "A pen", Card: p.card(b), ReturnURL: "https://pay.example/back",
	}
}

// given is an answer that there must be.
func given(t *testing.T) func(checkout.Result, error) checkout.Result {
	return func(r checkout.Result, err error) checkout.Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// unclear is a question after which nobody knows.
func unclear(t *testing.T, r checkout.Result, err error) {
	t.Helper()
	if err == nil || errors.Is(err, checkout.ErrNotSent) || !reflect.DeepEqual(r, checkout.Result{}) {
		t.Fatalf("answered %+v and %v, although nobody can know", r, err)
	}
}

// knows compares what a look-up says with an outcome, and the provider's books with a number of charges.
func (p provider) knows(t *testing.T, want checkout.Outcome, charges int) checkout.Result {
	t.Helper()
	found := given(t)(p.connector.Lookup(t.Context(), p.charge(approves).Question))
	if found.Outcome != want {
		t.Errorf("a look-up says %+v, not %d", found, want)
	}
	if n := p.books(t, reference); n != charges {
		t.Errorf("charged %d times, not %d", n, charges)
	}
	return found
}

func accepted(t *testing.T, p provider) {
	r := given(t)(p.connector.Charge(t.Context(), p.charge(approves)))
	if r.Outcome != checkout.OutcomeApproved || r.ProviderID == "" || r.Reason != "" || r.Soft || r.Next != nil {
		t.Errorf("answered %+v", r)
	}
	if found := p.knows(t, checkout.OutcomeApproved, 1); !reflect.DeepEqual(found, r) {
		t.Errorf("answered %+v, and asked %+v", r, found)
	}
}

func declinedOnce(t *testing.T, p provider) {
	r := given(t)(p.connector.Charge(t.Context(), p.charge(declines)))
	if r.Outcome != checkout.OutcomeDeclined || r.Reason == "" || r.Next != nil {
		t.Errorf("answered %+v", r)
	}
	if found := p.knows(t, checkout.OutcomeDeclined, 1); !reflect.DeepEqual(found, r) {
		t.Errorf("answered %+v, and asked %+v", r, found)
	}
}

func brokenAnswerIsLookedUp(t *testing.T, p provider) {
	r, err := p.connector.Charge(t.Context(), p.charge(answersGarbage))
	unclear(t, r, err)
	p.knows(t, checkout.OutcomeApproved, 1)
}

func noAnswerIsLookedUp(t *testing.T, p provider) {
	r, err := p.connector.Charge(&impatient{Context: t.Context()}, p.charge(staysSilent))
	unclear(t, r, err)
	p.knows(t, checkout.OutcomeApproved, 1)
}

func lostQuestionIsAskedAgain(t *testing.T, p provider) {
	r, err := p.connector.Charge(&impatient{Context: t.Context()}, p.charge(hearsNothing))
	unclear(t, r, err)
	p.knows(t, checkout.OutcomeUnknown, 0)
	again := given(t)(p.connector.Charge(t.Context(), p.charge(hearsNothing)))
	if again.Outcome != checkout.OutcomeApproved {
		t.Errorf("asked again: %+v", again)
	}
	p.knows(t, checkout.OutcomeApproved, 1)
}

func repeatedReference(t *testing.T, p provider) {
	for _, b := range []behaviour{approves, declines} {
		first := given(t)(p.connector.Charge(t.Context(), p.charge(approves)))
		again := given(t)(p.connector.Charge(t.Context(), p.charge(b))) // even if the card were another
		if !reflect.DeepEqual(first, again) {
			t.Errorf("answered %+v, then %+v", first, again)
		}
	}
	p.knows(t, checkout.OutcomeApproved, 1)
}

func manyAtOnce(t *testing.T, p provider) {
	results, errs := make([]checkout.Result, 8), make([]error, 8)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = p.connector.Charge(t.Context(), p.charge(approves)) })
	}
	wait.Wait()
	for i, r := range results {
		if errs[i] != nil || !reflect.DeepEqual(r, results[0]) {
			t.Errorf("answered %+v and %v, another %+v", r, errs[i], results[0])
		}
	}
	p.knows(t, checkout.OutcomeApproved, 1)
}

func unknownReference(t *testing.T, p provider) {
	for _, strange := range []string{reference, "..", "a/b", "%00", "ä", strings.Repeat("x", 5000)} {
		ask := p.charge(approves).Question
		ask.Reference = strange
		if r := given(t)(p.connector.Lookup(t.Context(), ask)); !reflect.DeepEqual(r, checkout.Result{Outcome: checkout.OutcomeUnknown}) {
			t.Errorf("%.20s: %+v", strange, r)
		}
	}
}

// leads asks for money that the payer has to confirm.
func (p provider) leads(t *testing.T) {
	t.Helper()
	if p.finish == nil {
		t.Skip("this provider sends payers nowhere")
	}
	r := given(t)(p.connector.Charge(t.Context(), p.charge(asksThePayer)))
	if r.Outcome != checkout.OutcomeNext || r.Next == nil || r.Next.URL == "" || r.Next.Kind == "" {
		t.Fatalf("answered %+v", r)
	}
	p.knows(t, checkout.OutcomeNext, 1)
}

func nextStepConfirmed(t *testing.T, p provider) {
	p.leads(t)
	for _, confirmed := range []bool{true, false} { // what is decided stays
		p.finish(t, reference, confirmed)
		p.knows(t, checkout.OutcomeApproved, 1)
	}
	again := given(t)(p.connector.Charge(t.Context(), p.charge(asksThePayer)))
	if again.Outcome != checkout.OutcomeApproved {
		t.Errorf("asked again: %+v", again)
	}
}

func nextStepRefused(t *testing.T, p provider) {
	p.leads(t)
	for _, confirmed := range []bool{false, true} {
		p.finish(t, reference, confirmed)
		if r := p.knows(t, checkout.OutcomeDeclined, 1); r.Reason == "" {
			t.Error("no reason")
		}
	}
}

func noticesThatLie(t *testing.T, p provider) {
	if p.lie == nil {
		t.Skip("this provider sends no notices")
	}
	noticer := p.connector.(checkout.Noticer)
	if n, err := noticer.Notice(t.Context(), p.lie(checkout.JobCharge, reference, "payment-1")); err == nil && (n.PaymentID != "" || n.Result.Outcome == checkout.OutcomeApproved) {
		t.Errorf("of a payment that the provider has never seen: %+v", n)
	}
	given(t)(p.connector.Charge(t.Context(), p.charge(declines)))
	for _, payment := range []string{"payment-1", "payment-of-somebody-else"} {
		n, err := noticer.Notice(t.Context(), p.lie(checkout.JobCharge, reference, payment))
		if err != nil {
			continue // refused
		}
		if n.PaymentID != "payment-1" || n.SessionID != "session-1" || n.Reference != "" && n.Reference != reference || n.Result.Outcome != checkout.OutcomeDeclined {
			t.Errorf("of a payment that was declined: %+v", n)
		}
	}
	for _, body := range []string{"", "null", "[]", "{}", "not JSON", `{"reference":1}`, strings.Repeat("[", 100000), "\x00\xff"} {
		if n, err := noticer.Notice(t.Context(), []byte(body)); err == nil && n.PaymentID != "" {
			t.Errorf("%.20q is taken for %+v", body, n)
		}
	}
	p.knows(t, checkout.OutcomeDeclined, 1)
}

// noCardData reads what a connector says: results are stored, errors logged.
func noCardData(t *testing.T, p provider) {
	for b := approves; b <= asksThePayer; b++ {
		ask := p.charge(b)
		ask.Reference = fmt.Sprintf("reference-%d", b)
		ask.Card.SecurityCode = "9173"
		r, err := p.connector.Charge(&impatient{Context: t.Context()}, ask)
		for _, secret := range []string{ask.Card.Number, ask.Card.SecurityCode} {
			if said := fmt.Sprintf("%+v %+v %v", r, r.Next, err); strings.Contains(said, secret) {
				t.Errorf("it says %s", said)
			}
		}
	}
}

// impatient is a context that ends when somebody begins to wait for its end: a time limit without the time.
type impatient struct {
	context.Context
	mu    sync.Mutex
	ended bool
}

func (c *impatient) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	over := make(chan struct{})
	close(over)
	return over
}

func (c *impatient) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}
