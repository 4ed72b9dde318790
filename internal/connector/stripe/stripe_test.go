package stripe_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/connector/stripe"
	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/money"
)

const family = "stripe"

// cards are Stripe's test cards of the suite's behaviours.
var cards = map[conformance.Behaviour]string{
	conformance.Approves: "4242424242424242", conformance.Declines: "4000000000009979",
	conformance.DeclinesSoftly: "4000000000009995", conformance.Waits: "4000000000009094",
	conformance.RequiresAction: "4000002760003184",
}

func cardOf(b conformance.Behaviour) card.Card {
	return card.Card{Number: cards[b], ExpiryMonth: 12, ExpiryYear: 2038, SecurityCode: "123"}
}

// movesMoney reports whether a request charges, captures, voids or refunds.
func movesMoney(r *http.Request) bool {
	last := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	return r.Method == http.MethodPost && strings.Contains("confirm capture cancel refunds", last)
}

func credentials(url string) map[string]string {
	return map[string]string{
		"url": url + "/stripe", "key": simulator.Key, "webhook_secret": simulator.Secret, "raw_cards": "true",
	}
}

func newConnector() connector.Connector {
	return stripe.New(provider.Setup{Now: time.Now, Client: provider.NewClient()})
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		s := simulator.New(simulator.Options{})
		faults := conformance.NewFaults(t, s, movesMoney)
		s.URL = faults.URL
		return conformance.Provider{
			Connector: newConnector(), Credentials: credentials(faults.URL), Faults: faults,
			Charge: func(b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: "card", Card: cardOf(b)}
			},
			FollowedCharge: func(kind connector.RequestKind, b conformance.Behaviour) connector.Charge {
				if b == conformance.Declines {
					s.Expect(simulator.Next{Family: family, Kind: simulator.Kind(kind), Decline: "do_not_honor"})
				}
				if b == conformance.Waits {
					s.Expect(simulator.Next{Family: family, Kind: simulator.Kind(kind), Waits: true})
				}
				return connector.Charge{Method: "card", Card: cardOf(conformance.Approves)}
			},
			Wallet: func(_ string, _ bool, b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: method.GooglePay, Wallet: walletOf(map[conformance.Behaviour]string{
					conformance.Approves: "tok_1MadeByTheWalletForAPayment", conformance.Declines: "tok_walletDeclinedStolenCard",
					conformance.RequiresAction: "tok_walletThreeDSecureRequired",
				}[b])}
			},
			Method: func(id string) connector.Charge {
				if id == method.GooglePay {
					return connector.Charge{Wallet: walletOf("tok_1MadeByTheWalletForAPayment")}
				}
				return connector.Charge{Card: cardOf(conformance.Approves)}
			},
			Charges: func(_ *testing.T, reference string) int {
				n := 0
				for _, o := range s.Operations() {
					if o.Kind == simulator.Charge && o.Reference == reference {
						n++
					}
				}
				return n
			},
			Totals:  func(_ *testing.T, reference string) conformance.Totals { return totals(s, reference) },
			Confirm: decide(s), Decide: decide(s),
			Notify: func(_ connector.RequestKind, reference string) connector.Notification {
				return notification(s.Notice(family, reference))
			},
			Forge: func(_ connector.RequestKind, reference, paymentID string, outcome connector.Outcome) connector.Notification {
				return signed("another secret", time.Now(), false, forged(outcome), map[string]any{
					"id": "pi_1", "object": "payment_intent", "status": "succeeded",
					"metadata": map[string]string{"reference": reference, "payment_id": paymentID},
				})
			},
		}
	})
}

// walletOf is a wallet whose token Stripe made, as the gateway.
func walletOf(token string) *connector.Wallet {
	return &connector.Wallet{Kind: method.GooglePay, Token: `{"id":"` + token + `","object":"token","type":"card"}`}
}

// decide is what a payer, or Stripe itself, does with a charge that waits.
func decide(s *simulator.Simulator) func(*testing.T, string, bool) {
	return func(_ *testing.T, reference string, approved bool) {
		choice := simulator.Decline
		if approved {
			choice = simulator.Approve
		}
		o, _ := s.Find(family, reference)
		s.Act(o.ID, choice)
	}
}

func forged(outcome connector.Outcome) string {
	switch outcome {
	case connector.OutcomeApproved:
		return "payment_intent.succeeded"
	case connector.OutcomeChargeback:
		return "charge.dispute.created"
	}
	return "payment_intent.payment_failed"
}

// totals are the simulator's sums of a charge.
func totals(s *simulator.Simulator, reference string) conformance.Totals {
	t, _ := s.Totals(family, reference)
	if t.Voided {
		o, _ := s.Find(family, reference)
		t.Authorised = o.Amount
	}
	minor := func(a money.Amount) int {
		n, _ := strconv.Atoi(a.Minor())
		return n
	}
	return conformance.Totals{
		Authorised: minor(t.Authorised), Captured: minor(t.Captured), Refunded: minor(t.Refunded), Voided: t.Voided,
	}
}

// notification is a request of the simulator as the service gets it.
func notification(r *http.Request) connector.Notification {
	if r == nil {
		return connector.Notification{}
	}
	body, _ := io.ReadAll(r.Body)
	return connector.Notification{Header: r.Header, Body: body}
}

// signed is an event that is signed with a secret, once with a wrong and once with the right signature.
func signed(secret string, at time.Time, live bool, kind string, object any) connector.Notification {
	body, _ := json.Marshal(map[string]any{
		"id": "evt_1", "object": "event", "livemode": live, "type": kind, "data": map[string]any{"object": object},
	})
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", at.Unix(), body)
	header := fmt.Sprintf("t=%d,v1=%s,v1=%s,v0=00", at.Unix(), strings.Repeat("00", 32), hex.EncodeToString(mac.Sum(nil)))
	return connector.Notification{Header: http.Header{"Stripe-Signature": {header}}, Body: body}
}
