package adapter

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/local/simulator"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// cards are those for which the simulator has a behaviour.
var cards = map[conformance.Behaviour]string{
	conformance.Approves: "4111111111111111", conformance.Declines: "4000000000009979",
	conformance.DeclinesSoftly: "4000000000009995", conformance.Waits: "4000000000009094",
	conformance.RequiresAction: "4000000000003220",
}

func cardOf(b conformance.Behaviour) card.Card {
	return card.Card{Number: cards[b], ExpiryMonth: 12, ExpiryYear: 2030, SecurityCode: "123"}
}

// unsent is a client of the simulator whose notices go nowhere: the suite passes them on itself.
var unsent = &http.Client{Transport: nowhere{}}

type nowhere struct{}

func (nowhere) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrNotSupported }

// setUp is a connector with a simulated provider behind a server with faults.
type setUp struct {
	simulator   *simulator.Simulator
	faults      *conformance.Faults
	connector   connector.Connector
	credentials map[string]string
}

func begin(t *testing.T) setUp {
	t.Helper()
	s := simulator.New(simulator.Options{
		URL: "https://simulator.example", Client: unsent,
		After: func(time.Duration, func()) {}, // nothing happens by itself
	})
	faults := conformance.NewFaults(t, s, func(r *http.Request) bool { return !strings.HasSuffix(r.URL.Path, "/lookup") })
	return setUp{
		s, faults, New(provider.Setup{Now: time.Now, Client: provider.NewClient()}),
		map[string]string{"url": faults.URL + "/adapter", "key": simulator.Key, "secret": simulator.Secret},
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		u := begin(t)
		return conformance.Provider{
			Connector: u.connector, Credentials: u.credentials, Faults: u.faults,
			Charge: func(b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: "card", Card: cardOf(b)}
			},
			FollowedCharge: func(kind connector.RequestKind, b conformance.Behaviour) connector.Charge {
				if b == conformance.Declines {
					u.simulator.Expect(simulator.Next{Kind: simulator.Kind(kind), Decline: "not_allowed"})
				}
				if b == conformance.Waits {
					u.simulator.Expect(simulator.Next{Kind: simulator.Kind(kind), Waits: true})
				}
				return connector.Charge{Method: "card", Card: cardOf(conformance.Approves)}
			},
			Charges: u.charges, Totals: u.totals, Address: u.address(), Confirm: u.confirm, Decide: u.confirm,
			Notify: func(_ connector.RequestKind, reference string) connector.Notification {
				return notificationOf(u.simulator.Notice("adapter", reference))
			},
			Forge: forge,
			Wallet: func(kind string, cardFlow bool, b conformance.Behaviour) connector.Charge {
				if b == conformance.RequiresAction && !cardFlow {
					return connector.Charge{} // nobody can read the token here
				}
				if b == conformance.Declines && !cardFlow {
					u.simulator.Expect(simulator.Next{Kind: simulator.Charge, Decline: "do_not_honor"})
				}
				return conformance.WithWallet(kind, cardFlow, cards[b])
			},
			SecondForm: func() (begun, filled connector.Charge) {
				begun = connector.Charge{Method: "pull_wallet", Operation: "purchase"}
				filled = begun
				filled.Card.Values = map[string]string{"bankDetails.otp": simulator.RightCode}
				return begun, filled
			},
		}
	})
}

func (u setUp) charges(_ *testing.T, reference string) (n int) {
	for _, o := range u.simulator.Operations() {
		if o.Reference == reference {
			n++
		}
	}
	return n
}

func (u setUp) totals(t *testing.T, reference string) conformance.Totals {
	t.Helper()
	all, found := u.simulator.Totals("adapter", reference)
	if !found {
		t.Fatalf("the ledger has no charge %s", reference)
	}
	return conformance.Totals{
		Authorised: cents(all.Authorised), Captured: cents(all.Captured), Refunded: cents(all.Refunded), Voided: all.Voided,
	}
}

func cents(a money.Amount) (n int) {
	for _, digit := range a.Minor() {
		n = n*10 + int(digit-'0')
	}
	return n
}

func (u setUp) confirm(t *testing.T, reference string, confirmed bool) {
	t.Helper()
	o, found := u.simulator.Find("adapter", reference)
	if !found {
		t.Fatalf("the ledger has no charge %s", reference)
	}
	u.simulator.Act(o.ID, map[bool]simulator.Choice{true: simulator.Approve, false: simulator.Decline}[confirmed])
}

// addressReference is the reference of a charge that shows an address: the suite's own, so that it can be ended.
const addressReference = "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70"

func (u setUp) address() *conformance.Address {
	find := func() simulator.Operation {
		o, _ := u.simulator.Find("adapter", addressReference)
		return o
	}
	return &conformance.Address{
		Charge: func(anyAmount bool) connector.Charge {
			r := connector.ProviderRequest{
				Kind: connector.RequestCharge, Reference: addressReference, PaymentID: "payment-1", SessionID: "session-1",
				Amount: usd("1000"), PayerEntersAmount: anyAmount, Credentials: u.credentials,
			}
			if anyAmount {
				r.Amount = usd("0")
			}
			return connector.Charge{
				ProviderRequest: r, Operation: "purchase", Method: "crypto", Parameters: []byte(`{"crypto_type":"BTC"}`),
			}
		},
		Send: func(_ *testing.T, part string) {
			share := map[string]string{"all": "1000", "half": "500", "rest": "500"}[part]
			u.simulator.Receive(find().ID, usd(share))
		},
		Expire: func() { u.simulator.Act(find().ID, simulator.Expire) },
	}
}

func usd(minor string) money.Amount {
	currency, _ := money.Find("USD")
	amount, _ := money.ParseMinor(minor, currency) // of this file's own amounts
	return amount
}

// notificationOf is a notice as it arrives.
func notificationOf(r *http.Request) connector.Notification {
	body := make([]byte, r.ContentLength)
	_, _ = r.Body.Read(body)
	return connector.Notification{Header: r.Header, Body: body}
}

// forge is a notice as somebody without the secret can send it.
func forge(
	kind connector.RequestKind, reference, paymentID string, outcome connector.Outcome,
) connector.Notification {
	money := `{"value":"10.00","currency":"USD","exponent":2}`
	what := map[connector.Outcome]string{
		connector.OutcomeApproved:   `"status":"approved","requested":` + money + `,"amount":` + money,
		connector.OutcomeDeclined:   `"status":"declined","decline":{"reason":"declined"}`,
		connector.OutcomeChargeback: `"status":"approved","elsewhere":{"what":"chargeback"}`,
	}[outcome]
	body := `{"kind":"` + string(kind) + `","reference":"` + reference + `","payment":"` + paymentID + `",` + what + `}`
	at := time.Now()
	header := http.Header{}
	header.Set(headerID, "notice_1")
	header.Set(headerTime, seconds(at))
	header.Set(headerSignature, sign("", "notice_1", seconds(at), body))
	return connector.Notification{Header: header, Body: []byte(body)}
}

// TestDoneElsewhere reads notices of what was done without a request.
func TestDoneElsewhere(t *testing.T) {
	const five = `"amount":{"value":"5.00","currency":"USD","exponent":2}`
	amount, lost := usd("500"), time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for done, want := range map[string]connector.Result{
		`{"what":"refunded","id":"re-1","code":"fraud",` + five + `}`: {
			Outcome: connector.OutcomeRefundedElsewhere, OperationID: "re-1", Code: "fraud", Amount: amount},
		`{"what":"captured","id":"c-1",` + five + `}`: {
			Outcome: connector.OutcomeCapturedElsewhere, OperationID: "c-1", Amount: amount},
		`{"what":"voided","id":"v-1"}`: {Outcome: connector.OutcomeVoidedElsewhere, OperationID: "v-1"},
		`{"what":"expired","id":"v-1"}`: {
			Outcome: connector.OutcomeVoidedElsewhere, OperationID: "v-1", ReasonCode: reason.Expired},
		`{"what":"chargeback"}`:              {Outcome: connector.OutcomeChargeback},
		`{"what":"reversal",` + five + `}`:   {Outcome: connector.OutcomeReversal, Amount: amount},
		`{"what":"dispute_won","id":"dp-1"}`: {Outcome: connector.OutcomeDisputeWon, OperationID: "dp-1"},
		`{"what":"chargeback","stage":"lost","at":"2030-01-02T03:04:05Z"}`: {
			Outcome: connector.OutcomeChargeback, Stage: connector.StageLost, StageAt: lost},
	} {
		if got, err := readElsewhere(done); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", done, got, err)
		}
	}
	for done, want := range map[string]string{
		`{"what":"chargeback","stage":"won"}`:            "elsewhere.stage is not one of a chargeback",
		`{"what":"reversal","stage":"lost"}`:             "elsewhere.stage is not one of a chargeback",
		`{"what":"refund","id":"re-1"}`:                  "elsewhere.what is not one of the contract's",
		`{}`:                                             "elsewhere.what is not one of the contract's",
		`{"what":"refunded",` + five + `}`:               "elsewhere.id is missing",
		`{"what":"expired"}`:                             "elsewhere.id is missing",
		`{"what":"refunded","id":"re-1"}`:                "elsewhere.amount is missing",
		`{"what":"captured","id":"c-1","amount":{}}`:     "elsewhere.amount can't be read",
		`{"what":"refunded","id":"re-1","amount":"5.0"}`: "elsewhere.amount is of the JSON type string",
	} {
		if got, err := readElsewhere(done); err == nil || err.Error() != want {
			t.Errorf("%s: %+v, %v", done, got, err)
		}
	}
	if _, err := readNotice([]byte(`{"kind":"refund","reference":"r","payment":"p","elsewhere":{}}`)); err == nil {
		t.Error("a refund was refunded")
	}
}

// readElsewhere reads a notice of what was done to a charge.
func readElsewhere(done string) (connector.Result, error) {
	notice, err := readNotice([]byte(`{"kind":"charge","reference":"r","payment":"p","status":"approved","elsewhere":` +
		done + `}`))
	return notice.Result, err
}
