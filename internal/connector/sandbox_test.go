package connector

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/request"
	"checkout/internal/store/memory"
)

func TestSandboxConforms(t *testing.T) {
	conform(t, func(t *testing.T) provider {
		s, _ := newSandbox()
		now := noon
		s.Now = func() time.Time { return now }
		return provider{
			connector: s,
			address: &addressed{
				charge: func(anyAmount bool) checkout.Charge {
					if anyAmount {
						return crypto("", "BTC", `{"crypto":{"crypto_type":"BTC"}}`)
					}
					return crypto("10.01", "USD", `{"crypto":{"crypto_type":"USDT","network_type":"tron"}}`)
				},
				sends: func(t *testing.T, part string) {
					part = map[string]string{"all": PayAll, "half": PayHalf, "rest": PayRest}[part]
					if to, err := s.Pay(t.Context(), reference, part, "0.25"); err != nil || to != "https://pay.example/sandbox/"+reference {
						t.Errorf("the payer is sent to %q, %v", to, err)
					}
				},
				timePasses: func() { now = now.Add(stepLimit) },
			},
			card: func(b behaviour) card.Card {
				return paymentCard(map[behaviour]string{
					approves: "01/38", declines: "02/38", answersGarbage: "04/39", staysSilent: "01/39", hearsNothing: "06/39", asksThePayer: "05/38",
				}[b])
			},
			books: func(t *testing.T, reference string) int {
				return booked(t, s, reference).Charges
			},
			finish: func(t *testing.T, reference string, confirmed bool) {
				if to, err := s.Finish(t.Context(), reference, confirmed); err != nil || to != "https://pay.example/back" {
					t.Errorf("the payer is sent to %q, %v", to, err)
				}
			},
			lie: func(kind checkout.JobKind, reference, paymentID string) []byte {
				body, _ := json.Marshal(map[string]any{
					"kind": kind, "reference": reference, "payment_id": paymentID, "outcome": checkout.OutcomeApproved, "event": eventTakenBack,
				})
				return body
			},
			followed: func(kind checkout.JobKind, b behaviour) card.Card {
				return paymentCard(map[behaviour]map[checkout.JobKind]string{
					approves:       {checkout.JobCapture: "01/38", checkout.JobVoid: "01/38", checkout.JobRefund: "01/38"},
					declines:       {checkout.JobCapture: "03/38", checkout.JobVoid: "05/40", checkout.JobRefund: "04/40"},
					staysSilent:    {checkout.JobCapture: "01/40", checkout.JobVoid: "06/40", checkout.JobRefund: "02/40"},
					answersGarbage: {checkout.JobCapture: "07/40", checkout.JobVoid: "07/40", checkout.JobRefund: "07/40"},
					hearsNothing:   {checkout.JobCapture: "08/40", checkout.JobVoid: "08/40", checkout.JobRefund: "08/40"},
				}[b][kind])
			},
			sums: func(t *testing.T, reference string) sums {
				e := booked(t, s, reference)
				return sums{e.Authorised, e.Captured, e.Refunded, e.Voided}
			},
		}
	})
}

// booked is what the sandbox's books say of a charge.
func booked(t *testing.T, s *Sandbox, reference string) entry {
	t.Helper()
	e, _, err := s.read(t.Context(), checkout.JobCharge, reference)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ask is a charge of 10.00 USD with the test card.
func ask(expiry string) checkout.Charge {
	return checkout.Charge{
		Question: checkout.Question{
			Kind: checkout.JobCharge, Reference: reference, PaymentID: "payment-1", SessionID: "session-1", Amount: "10.00", Currency: "USD",
		},
		Operation: "purchase", Method: "card", Card: paymentCard(expiry), ReturnURL: "https://pay.example/back",
	}
}

// notices are those that a sandbox sent.
type notices struct {
	mu     sync.Mutex
	bodies []string
}

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func newSandbox() (*Sandbox, *notices) {
	n := &notices{}
	return &Sandbox{
		Store: memory.NewStore(), Now: func() time.Time { return noon }, BaseURL: "https://pay.example",
		Notify: func(_ context.Context, body []byte) error {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.bodies = append(n.bodies, string(body))
			return nil
		},
	}, n
}

// paymentCard is the test card with an expiry date such as 01/38.
func paymentCard(expiry string) card.Card {
	var month, year int
	if _, err := fmt.Sscanf(expiry, "%d/%d", &month, &year); err != nil {
		panic(err)
	}
	return card.Card{Number: testCard, ExpiryMonth: month, ExpiryYear: 2000 + year, SecurityCode: "123"}
}

// TestCards is decisions.md 8 and the faults, as a payer would find them: the answer to the question, what a look-up says
// at once and a minute later, and how many notices came.
func TestCards(t *testing.T) {
	const approved, declined, pending, next, unknown = checkout.OutcomeApproved, checkout.OutcomeDeclined, checkout.OutcomePending, checkout.OutcomeNext, checkout.OutcomeUnknown
	const none = checkout.Outcome(-1)
	for _, test := range []struct {
		expiry              string
		answer, then, later checkout.Outcome
		kind                checkout.Status // of the next step
		confirmed           checkout.Outcome
		soft, auth          bool
		notices             int
	}{
		{expiry: "01/38", answer: approved, then: approved, later: approved},
		{expiry: "02/38", answer: declined, then: declined, later: declined},
		{expiry: "03/38", answer: approved, then: approved, later: approved, auth: true},
		{expiry: "05/38", answer: next, then: next, later: next, kind: checkout.Status3DS, confirmed: approved},
		{expiry: "06/38", answer: next, then: next, later: next, kind: checkout.Status3DS, confirmed: declined},
		{expiry: "12/38", answer: next, then: next, later: next, kind: checkout.StatusRedirect, confirmed: approved},
		{expiry: "12/39", answer: next, then: next, later: next, kind: checkout.StatusRedirect, confirmed: declined},
		{expiry: "01/39", answer: none, then: approved, later: approved},
		{expiry: "02/39", answer: none, then: pending, later: approved},
		{expiry: "03/39", answer: approved, then: approved, later: approved, notices: 2},
		{expiry: "04/39", answer: none, then: approved, later: approved},
		{expiry: "05/39", answer: declined, then: declined, later: declined, soft: true},
		{expiry: "06/39", answer: none, then: unknown, later: unknown},
		{expiry: "07/39", answer: none, then: declined, later: declined},
		{expiry: "01/40", answer: approved, then: approved, later: approved},
		{expiry: "02/40", answer: approved, then: approved, later: approved},
		{expiry: "03/40", answer: approved, then: approved, later: approved},
		{expiry: "04/40", answer: approved, then: approved, later: approved},
		{expiry: "05/40", answer: approved, then: approved, later: approved},
		{expiry: "06/40", answer: approved, then: approved, later: approved},
		{expiry: "07/40", answer: approved, then: approved, later: approved},
		{expiry: "08/40", answer: approved, then: approved, later: approved},
		{expiry: "09/40", answer: approved, then: approved, later: approved},
		{expiry: "01/41", answer: approved, then: approved, later: approved},
		{expiry: "02/41", answer: approved, then: approved, later: approved},
		{expiry: "09/33", answer: declined, then: declined, later: declined},
	} {
		t.Run(strings.ReplaceAll(test.expiry, "/", "-"), func(t *testing.T) {
			s, sent := newSandbox()
			now := noon
			s.Now = func() time.Time { return now }
			ask := ask(test.expiry)
			r, err := s.Charge(&impatient{Context: t.Context()}, ask)
			if err != nil && test.answer != none || err == nil && r.Outcome != test.answer {
				t.Errorf("answers %+v, %v", r, err)
			}
			if err == nil && (r.Soft != test.soft || r.Authorised != test.auth || (r.Next != nil) != (test.kind != "")) {
				t.Errorf("answers %+v", r)
			}
			if r.Next != nil && (r.Next.Kind != test.kind || r.Next.URL != "https://pay.example/sandbox/"+reference) {
				t.Errorf("leads to %+v", r.Next)
			}
			if found := given(t)(s.Lookup(t.Context(), ask.Question)); found.Outcome != test.then {
				t.Errorf("at once: %+v", found)
			}
			now = now.Add(time.Minute)
			if found := given(t)(s.Lookup(t.Context(), ask.Question)); found.Outcome != test.later {
				t.Errorf("a minute later: %+v", found)
			}
			if len(sent.bodies) != test.notices {
				t.Errorf("notices %q", sent.bodies)
			}
			if test.kind == "" {
				return
			}
			if _, err := s.Finish(t.Context(), reference, true); err != nil {
				t.Fatal(err)
			}
			if found := given(t)(s.Lookup(t.Context(), ask.Question)); found.Outcome != test.confirmed || len(sent.bodies) != 1 {
				t.Errorf("confirmed: %+v, notices %q", found, sent.bodies)
			}
		})
	}
	s, _ := newSandbox()
	other := ask("01/38")
	other.Card.Number = "5555555555554444"
	if r := given(t)(s.Charge(t.Context(), other)); r.Outcome != declined {
		t.Errorf("another card: %+v", r)
	}
}

// TestStepTooLate is a payer who takes no step within the limit.
func TestStepTooLate(t *testing.T) {
	s, _ := newSandbox()
	now := noon
	s.Now = func() time.Time { return now }
	ask := ask("05/38")
	given(t)(s.Charge(t.Context(), ask))
	now = now.Add(stepLimit)
	for range 2 {
		if r := given(t)(s.Lookup(t.Context(), ask.Question)); r.Outcome != checkout.OutcomeDeclined || r.Reason != tooLate {
			t.Errorf("a look-up says %+v", r)
		}
		if e := booked(t, s, reference); e.Outcome == checkout.OutcomeApproved || e.Captured != "" {
			t.Errorf("the books: %+v", e)
		}
		if _, err := s.Finish(t.Context(), reference, true); err != nil {
			t.Fatal(err)
		}
	}
	for _, unknown := range []string{"other", strings.Repeat("x", 5000)} {
		if _, _, _, err := s.Step(t.Context(), unknown); request.ErrorCode(err) != request.CodeNotFound {
			t.Errorf("step of an unknown reference: %v", err)
		}
		if _, err := s.Finish(t.Context(), unknown, true); request.ErrorCode(err) != request.CodeNotFound {
			t.Errorf("finish of an unknown reference: %v", err)
		}
	}
}
