package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/store/memory"
)

func TestSandboxConforms(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		s, _ := newSandbox()
		now := noon
		s.Now = func() time.Time { return now }
		return conformance.Provider{
			Connector: s,
			Charge: func(b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: "card", Card: paymentCard(expiries[b])}
			},
			FollowedCharge: func(kind connector.RequestKind, b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: "card", Card: paymentCard(followedExpiries[b][kind])}
			},
			Wallet: func(kind string, cardFlow bool, b conformance.Behaviour) connector.Charge {
				if !cardFlow {
					return connector.Charge{} // payments with the test key are all in the card flow
				}
				c, of := conformance.WithWallet(kind, cardFlow, testCard), paymentCard(expiries[b])
				c.Card.ExpiryMonth, c.Card.ExpiryYear = of.ExpiryMonth, of.ExpiryYear
				return c
			},
			Cannot: map[conformance.Behaviour]string{
				conformance.Waits: "the sandbox approves no charge later by itself; one that it declines is in the stories",
			},
			SecondForm: func() (begun, filled connector.Charge) {
				begun = connector.Charge{Method: "pull_wallet", Operation: "purchase"}
				filled = begun
				filled.Parameters = json.RawMessage(`{"bankDetails":{"otp":"` + testCode + `"}}`)
				return begun, filled
			},
			Charges: func(t *testing.T, reference string) int { return entered(t, s, reference).Charges },
			Totals: func(t *testing.T, reference string) conformance.Totals {
				e := entered(t, s, reference)
				return conformance.Totals{
					Authorised: minor(t, e.Authorised), Captured: minor(t, e.Captured), Refunded: minor(t, e.Refunded),
					Voided: e.Voided,
				}
			},
			Confirm: func(t *testing.T, reference string, confirmed bool) {
				if to, err := s.Finish(t.Context(), reference, confirmed); err != nil || to != "https://pay.example/back" {
					t.Errorf("the payer is sent to %q, %v", to, err)
				}
			},
			Address: &conformance.Address{
				Charge: func(anyAmount bool) connector.Charge {
					if anyAmount {
						return crypto("", "BTC", `{"crypto_type":"BTC"}`)
					}
					return crypto("10.02", "USD", `{"crypto_type":"USDT","network_type":"tron"}`)
				},
				Send: func(t *testing.T, part string) {
					part = map[string]string{"all": payAll, "half": payHalf, "rest": payRest}[part]
					to, err := s.Pay(t.Context(), reference, part, "0.25")
					if err != nil || to != "https://pay.example/sandbox/"+reference {
						t.Errorf("the payer is sent to %q, %v", to, err)
					}
				},
				Expire: func() { now = now.Add(stepLimit) },
			},
			Notify: func(kind connector.RequestKind, reference string) connector.Notification {
				return notified(map[string]any{"kind": kind, "reference": reference})
			},
			Forge: func(kind connector.RequestKind, reference, paymentID string,
				outcome connector.Outcome) connector.Notification {
				return notified(map[string]any{
					"kind": kind, "reference": reference, "payment_id": paymentID, "outcome": outcome, "event": eventDisputed,
				})
			},
		}
	})
}

// expiries are the expiry dates of cards with which the sandbox has a behaviour, and followedExpiries those whose
// later captures, voids and refunds have it.
var expiries = map[conformance.Behaviour]string{
	conformance.Approves: "01/38", conformance.Declines: "02/38", conformance.DeclinesSoftly: "05/39",
	conformance.RequiresAction:  "05/38",
	conformance.GarblesResponse: "04/39", conformance.NeverResponds: "01/39", conformance.LosesRequest: "06/39",
}

var followedExpiries = map[conformance.Behaviour]map[connector.RequestKind]string{
	conformance.Approves: {connector.RequestCapture: "01/38", connector.RequestVoid: "01/38",
		connector.RequestRefund: "01/38"},
	conformance.Declines: {connector.RequestCapture: "03/38", connector.RequestVoid: "05/40",
		connector.RequestRefund: "04/40"},
	conformance.GarblesResponse: {connector.RequestCapture: "07/40", connector.RequestVoid: "07/40",
		connector.RequestRefund: "07/40"},
	conformance.NeverResponds: {connector.RequestCapture: "01/40", connector.RequestVoid: "06/40",
		connector.RequestRefund: "02/40"},
	conformance.LosesRequest: {connector.RequestCapture: "08/40", connector.RequestVoid: "08/40",
		connector.RequestRefund: "08/40"},
}

// notified is a notification with a JSON body.
func notified(fields map[string]any) connector.Notification {
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return connector.Notification{Body: body}
}

// entered returns the ledger's entry of a charge.
func entered(t *testing.T, s *Sandbox, reference string) entry {
	t.Helper()
	e, _, err := s.read(t.Context(), connector.RequestCharge, reference)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// testCharge is a charge of 10.00 USD with the test card.
func testCharge(expiry string) connector.Charge {
	return connector.Charge{
		ProviderRequest: connector.ProviderRequest{
			Kind: connector.RequestCharge, Reference: reference, PaymentID: "payment-1", SessionID: "session-1",
			Amount: amount("10.00", "USD"),
		},
		Operation: "purchase", Method: "card", Card: paymentCard(expiry), ReturnURL: "https://pay.example/back",
	}
}

// reference is that of the charge, and second that of what follows it.
const (
	reference = "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70"
	second    = "0190a6b2-7c1e-4d33-a5a4-000000000002"
)

// amount parses an amount. "" is the zero Amount.
func amount(text, code string) money.Amount {
	currency, _ := money.Find(code)
	if text == "" {
		return money.Zero(currency)
	}
	a, err := money.Parse(text, currency)
	if err != nil {
		panic(err)
	}
	return a
}

// minor is an amount in minor units.
func minor(t *testing.T, a money.Amount) int {
	t.Helper()
	if a.IsZero() {
		return 0
	}
	n, err := strconv.Atoi(a.Minor())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// result returns a function that fails the test if there is no result.
func result(t *testing.T) func(connector.Result, error) connector.Result {
	return func(r connector.Result, err error) connector.Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// notices are the notices that a sandbox sent.
type notices struct {
	mu     sync.Mutex
	bodies []string
}

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func newSandbox() (*Sandbox, *notices) {
	n := &notices{}
	return &Sandbox{provider.Setup{
		Store: memory.NewStore(), Now: func() time.Time { return noon }, BaseURL: "https://pay.example",
		Notify: func(_ context.Context, _ string, body []byte) error {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.bodies = append(n.bodies, string(body))
			return nil
		},
	}}, n
}

// paymentCard is the test card with an expiry date such as 01/38.
func paymentCard(expiry string) card.Card {
	var month, year int
	if _, err := fmt.Sscanf(expiry, "%d/%d", &month, &year); err != nil {
		panic(err)
	}
	return card.Card{Number: testCard, ExpiryMonth: month, ExpiryYear: 2000 + year, SecurityCode: "123"}
}

// TestCards has the outcomes of protocol.md, Test key and test cards, and the faults as a payer experiences them: the
// result of the charge, what a look-up returns at once and a minute later, and the number of notices.
func TestCards(t *testing.T) {
	const approved, declined, pending = connector.OutcomeApproved, connector.OutcomeDeclined, connector.OutcomePending
	const next, unknown = connector.OutcomeActionRequired, connector.OutcomeUnknown
	const none = connector.Outcome(-1)
	for _, test := range []struct {
		expiry              string
		result, then, later connector.Outcome
		kind                connector.ActionKind // of the required action
		confirmed           connector.Outcome
		soft, auth          bool
		notices             int
	}{
		{expiry: "01/38", result: approved, then: approved, later: approved},
		{expiry: "02/38", result: declined, then: declined, later: declined},
		{expiry: "03/38", result: approved, then: approved, later: approved, auth: true},
		{expiry: "05/38", result: next, then: next, later: next, kind: connector.Action3DS, confirmed: approved},
		{expiry: "06/38", result: next, then: next, later: next, kind: connector.Action3DS, confirmed: declined},
		{expiry: "12/38", result: next, then: next, later: next, kind: connector.ActionRedirect, confirmed: approved},
		{expiry: "12/39", result: next, then: next, later: next, kind: connector.ActionRedirect, confirmed: declined},
		{expiry: "01/39", result: none, then: approved, later: approved},
		{expiry: "02/39", result: none, then: pending, later: approved},
		{expiry: "03/39", result: approved, then: approved, later: approved, notices: 2},
		{expiry: "04/39", result: none, then: approved, later: approved},
		{expiry: "05/39", result: declined, then: declined, later: declined, soft: true},
		{expiry: "06/39", result: none, then: unknown, later: unknown},
		{expiry: "07/39", result: none, then: declined, later: declined},
		{expiry: "01/40", result: approved, then: approved, later: approved},
		{expiry: "02/40", result: approved, then: approved, later: approved},
		{expiry: "03/40", result: approved, then: approved, later: approved},
		{expiry: "04/40", result: approved, then: approved, later: approved},
		{expiry: "05/40", result: approved, then: approved, later: approved},
		{expiry: "06/40", result: approved, then: approved, later: approved},
		{expiry: "07/40", result: approved, then: approved, later: approved},
		{expiry: "08/40", result: approved, then: approved, later: approved},
		{expiry: "09/40", result: approved, then: approved, later: approved},
		{expiry: "01/41", result: approved, then: approved, later: approved},
		{expiry: "02/41", result: approved, then: approved, later: approved},
		{expiry: "09/33", result: declined, then: declined, later: declined},
	} {
		t.Run(strings.ReplaceAll(test.expiry, "/", "-"), func(t *testing.T) {
			s, sent := newSandbox()
			now := noon
			s.Now = func() time.Time { return now }
			ask := testCharge(test.expiry)
			r, err := s.Charge(conformance.Impatient(t.Context()), ask)
			if err != nil && test.result != none || err == nil && r.Outcome != test.result {
				t.Errorf("answers %+v, %v", r, err)
			}
			required := r.RequiredAction != nil
			if err == nil && (r.ReasonCode.Soft() != test.soft || r.Authorised != test.auth || required != (test.kind != "")) {
				t.Errorf("answers %+v", r)
			}
			page := "https://pay.example/sandbox/" + reference
			if required && (r.RequiredAction.Kind != test.kind || r.RequiredAction.URL != page) {
				t.Errorf("leads to %+v", r.RequiredAction)
			}
			if found := result(t)(s.QueryStatus(t.Context(), ask.ProviderRequest)); found.Outcome != test.then {
				t.Errorf("at once: %+v", found)
			}
			now = now.Add(time.Minute)
			if found := result(t)(s.QueryStatus(t.Context(), ask.ProviderRequest)); found.Outcome != test.later {
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
			found := result(t)(s.QueryStatus(t.Context(), ask.ProviderRequest))
			if found.Outcome != test.confirmed || len(sent.bodies) != 1 {
				t.Errorf("confirmed: %+v, notices %q", found, sent.bodies)
			}
		})
	}
	s, _ := newSandbox()
	other := testCharge("01/38")
	other.Card.Number = "5555555555554444"
	if r := result(t)(s.Charge(t.Context(), other)); r.Outcome != declined {
		t.Errorf("another card: %+v", r)
	}
}

// TestStepTooLate has payers who take no required action within the limit.
func TestStepTooLate(t *testing.T) {
	s, _ := newSandbox()
	now := noon
	s.Now = func() time.Time { return now }
	ask := testCharge("05/38")
	result(t)(s.Charge(t.Context(), ask))
	now = now.Add(stepLimit)
	for range 2 {
		r := result(t)(s.QueryStatus(t.Context(), ask.ProviderRequest))
		if r.Outcome != connector.OutcomeDeclined || r.Reason != tooLate {
			t.Errorf("a look-up says %+v", r)
		}
		if e := entered(t, s, reference); e.Outcome == connector.OutcomeApproved || !e.Captured.IsZero() {
			t.Errorf("the ledger: %+v", e)
		}
		if _, err := s.Finish(t.Context(), reference, true); err != nil {
			t.Fatal(err)
		}
	}
	for _, unknown := range []string{"other", strings.Repeat("x", 5000)} {
		if _, _, _, err := s.Step(t.Context(), unknown); fault.CodeOf(err) != fault.CodeNotFound {
			t.Errorf("step of an unknown reference: %v", err)
		}
		if _, err := s.Finish(t.Context(), unknown, true); fault.CodeOf(err) != fault.CodeNotFound {
			t.Errorf("finish of an unknown reference: %v", err)
		}
	}
}
