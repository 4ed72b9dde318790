package adapter

import (
	"context"
	"errors"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
)

// what is what a request with a fault returns, and what a look-up returns after it.
type what struct {
	unknown, notSent bool // the error; none: the outcome below
	then             connector.Outcome
	unclear          bool // so is the look-up, and a person decides
}

// TestFaults sends a charge that meets each fault of the simulator. Nothing is approved that was not, or with another
// amount, and a repeat with the same reference has no second effect.
func TestFaults(t *testing.T) {
	const approved, never = connector.OutcomeApproved, connector.OutcomeUnknown
	for fault, want := range map[simulator.Fault]what{
		simulator.NoFault:         {then: approved},
		simulator.NeverResponds:   {unknown: true, then: approved},
		simulator.RespondsLate:    {unknown: true, then: approved},
		simulator.ReportsTwice:    {then: approved},
		simulator.DropsConnection: {unknown: true, then: approved},
		simulator.LosesRequest:    {unknown: true, then: never},
		simulator.NoticeFirst:     {then: approved},
		simulator.NoticesDoubled:  {then: approved},
		simulator.NoticesDisorder: {then: approved},
		simulator.BrokenJSON:      {unknown: true, then: approved},
		simulator.WrongSignature:  {then: approved}, // of notices
		simulator.TooManyRequests: {notSent: true, then: never},
		simulator.ServerError:     {unknown: true, then: approved},
		simulator.SlowDrip:        {unknown: true, then: approved},
		simulator.FailsLater:      {then: approved},
		simulator.OtherAmount:     {unknown: true, unclear: true},
	} {
		u := begin(t)
		u.simulator.Expect(simulator.Next{Family: "adapter", Fault: fault})
		c := whole()
		c.Credentials, c.Auth = u.credentials, false
		limit := time.Minute
		if want.unknown {
			limit = 5 * time.Second // in which the request arrives, also on a busy machine
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		r, err := u.connector.Charge(ctx, c)
		cancel()
		notSent := errors.Is(err, connector.ErrNotSent)
		if (err != nil && !notSent) != want.unknown || notSent != want.notSent || err == nil && r.Outcome != approved {
			t.Errorf("%s: %+v, %v", fault, r, err)
		}
		found, err := u.connector.(*Adapter).QueryStatus(t.Context(), c.ProviderRequest)
		if (err != nil) != want.unclear || found.Outcome != want.then {
			t.Errorf("%s: a look-up returns %+v, %v", fault, found, err)
		}
		again, err := u.connector.Charge(t.Context(), c)
		if (err != nil) != want.unclear || !want.unclear && again.Outcome != approved || u.charges(t, c.Reference) != 1 {
			t.Errorf("%s: sent again: %+v, %v, %d times in the ledger", fault, again, err, u.charges(t, c.Reference))
		}
	}
}
