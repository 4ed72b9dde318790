// Package conformance has the tests that every connector passes. Each family of connectors runs them against a
// provider that it simulates.
package conformance

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/settings"
)

// Provider is a connector with a simulated provider, whose behaviour a test chooses. Each test starts a new one.
type Provider struct {
	Connector   connector.Connector
	Credentials map[string]string // of the MID that all requests are for

	// Declaration is left out: the suite takes that of the test's folder. Only the suite's own test is in a folder without
	// one.
	Declaration settings.Declaration

	// Charge is a charge for which the provider has that behaviour. The suite sets its reference, ids, amount and
	// credentials.
	Charge func(b Behaviour) connector.Charge
	// Charges is how often the provider charged a reference, by its own ledger.
	Charges func(t *testing.T, reference string) int

	// Faults is the server in front of the provider of a connector that speaks HTTP. For other connectors it is nil, and
	// the charges of Charge and FollowedCharge have the behaviours that are faults; where no response comes, they wait
	// until the context ends.
	Faults *Faults

	// Confirm takes or refuses the required action of RequiresAction. It is nil for a provider without required actions.
	Confirm func(t *testing.T, reference string, confirmed bool)

	// Decide lets the provider decide a charge or refund that waits for it.
	Decide func(t *testing.T, reference string, approved bool)
	// Cannot has the behaviours that the provider does not have, with the reason. Only DeclinesSoftly and Waits can be
	// missing.
	Cannot map[Behaviour]string

	// Method is a charge with a method that the connector declares. Without it, it is that of Charge with another name.
	Method func(id string) connector.Charge
	// SecondForm is a charge that asks for a second form, and the same with what the payer fills in. It is set for a
	// connector that continues charges.
	SecondForm func() (begun, filled connector.Charge)

	// Wallet is a charge with a wallet, in the card flow with its decrypted card, for which the provider has that
	// behaviour: Approves, Declines or RequiresAction. A charge without a Wallet says that the provider can't have it. It
	// is set for a connector that declares wallets.
	Wallet func(kind string, cardFlow bool, b Behaviour) connector.Charge

	// Address is set for a provider that shows payers where to send money.
	Address *Address

	// FollowedCharge is an approved charge for whose captures, voids or refunds the provider has that behaviour. Totals
	// are the sums of a charge in the provider's ledger. Both are set for a connector that captures, voids or refunds.
	FollowedCharge func(kind connector.RequestKind, b Behaviour) connector.Charge
	Totals         func(t *testing.T, reference string) Totals

	// Notify is the provider's notice about the request with that reference, by its ledger. Forge is a notice that
	// somebody without the credentials could send, with that outcome if the provider's notices have one. Both are set
	// for a connector with notices.
	Notify func(kind connector.RequestKind, reference string) connector.Notification
	Forge  func(kind connector.RequestKind, reference, paymentID string, outcome connector.Outcome) connector.Notification

	watch *watch
}

// Behaviour is what a provider does with a request.
type Behaviour int

// The behaviours. GarblesResponse and those after it are faults.
const (
	Approves        Behaviour = iota
	Declines                  // for a reason that is not soft
	DeclinesSoftly            // for a reason that is
	Waits                     // for the provider itself, which decides later
	RequiresAction            // approves if the payer confirms
	GarblesResponse           // after it approved
	NeverResponds             // after it approved
	LosesRequest              // only the first one
)

// Totals are the sums of a charge in a provider's ledger, in minor units.
type Totals struct {
	Authorised, Captured, Refunded int
	Voided                         bool
}

// test is one test of the suite. P is what it needs.
type test[P any] struct {
	name string
	run  func(*testing.T, P)
}

func run[P any](t *testing.T, start func(t *testing.T) P, prefix string, tests []test[P]) {
	for _, one := range tests {
		t.Run(prefix+one.name, func(t *testing.T) { one.run(t, start(t)) })
	}
}

const (
	reference = "0190a6b2-7c1e-8d33-b5a4-2f0c9d1e6a70" // of the charge
	paymentID = "payment-1"
	sessionID = "session-1"
)

// charge is a charge of 10.00 USD.
func (p Provider) charge(b Behaviour) connector.Charge {
	c := p.Charge(b)
	c.ProviderRequest = p.request(connector.RequestCharge, reference)
	if c.Operation == "" {
		c.Operation = "purchase"
	}
	c.Description, c.ReturnURL = "A pen", "https://pay.example/back"
	if c.Card.Number != "" {
		c.Card.SecurityCode = "9173" // which is found, unlike 123, in nothing else
	}
	p.watch.hide(c)
	return c
}

// request is a request about 10.00 USD.
func (p Provider) request(kind connector.RequestKind, reference string) connector.ProviderRequest {
	return connector.ProviderRequest{
		Kind: kind, Reference: reference, PaymentID: paymentID, SessionID: sessionID,
		Amount: usd("1000"), Credentials: p.Credentials, NoticeURL: "https://pay.example/api/v1/notify/connector/mid",
	}
}

func usd(cents string) money.Amount {
	currency, _ := money.Find("USD")
	amount, err := money.ParseMinor(cents, currency)
	if err != nil {
		panic(err) // not possible with this package's own amounts
	}
	return amount
}

// wanted returns a function that fails the test if there is no result.
func wanted(t *testing.T) func(connector.Result, error) connector.Result {
	return func(r connector.Result, err error) connector.Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// wantUnknown fails the test unless the outcome is reported as unknown.
func wantUnknown(t *testing.T, r connector.Result, err error) {
	t.Helper()
	if err == nil || errors.Is(err, connector.ErrNotSent) || !reflect.DeepEqual(r, connector.Result{}) {
		t.Errorf("returned %+v and %v, although nobody can know", r, err)
	}
}

// query looks up a request. It skips the rest of the test if the connector is no StatusQuerier.
func (p Provider) query(t *testing.T, r connector.ProviderRequest) connector.Result {
	t.Helper()
	querier, ok := p.Connector.(connector.StatusQuerier)
	if !ok {
		t.Skip("this connector can't look up")
	}
	return wanted(t)(querier.QueryStatus(t.Context(), r))
}

// wantKnown checks the outcome of a look-up of the charge, and the number of charges in the provider's ledger.
func (p Provider) wantKnown(t *testing.T, want connector.Outcome, charges int) connector.Result {
	t.Helper()
	if n := p.Charges(t, reference); n != charges {
		t.Errorf("charged %d times, not %d", n, charges)
	}
	found := p.query(t, p.request(connector.RequestCharge, reference))
	if found.Outcome != want {
		t.Errorf("a look-up returns %+v, not %d", found, want)
	}
	return found
}

// faulty makes a request with a fault: of the HTTP in front of the provider, or of the provider itself. The context
// that it passes to send ends as soon as something waits for its end.
func (p Provider) faulty(
	t *testing.T, b Behaviour, send func(context.Context, Behaviour) (connector.Result, error),
) (connector.Result, error) {
	t.Helper()
	if p.Faults == nil {
		return send(Impatient(t.Context()), b)
	}
	p.Faults.breakNext(map[Behaviour]fault{GarblesResponse: garbage, NeverResponds: stalls, LosesRequest: loses}[b], true)
	return p.limited(t, func(ctx context.Context) (connector.Result, error) { return send(ctx, Approves) })
}

// The time limits of a request to a provider that is broken. The context ends as soon as the provider stalls, or after
// patience if it does not; then the connector has to return.
const (
	patience = 10 * time.Second
	grace    = 15 * time.Second // from the beginning; less than the limit of package provider
)

// limited calls a connector with a time limit, and fails the test if the call does not end by then.
func (p Provider) limited(
	t *testing.T, call func(context.Context) (connector.Result, error),
) (r connector.Result, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	defer context.AfterFunc(p.Faults.stalling(), cancel)()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r, err = call(ctx)
	}()
	select {
	case <-ended:
		p.watch.check(t, r, err)
		return r, err
	case <-time.After(grace):
		t.Fatal("the connector still waits for its provider, although the time is over")
		return r, err
	}
}

// Impatient returns a context that ends as soon as something waits for its end, which tests a time limit without
// waiting.
func Impatient(ctx context.Context) context.Context { return &impatient{Context: ctx} }

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
