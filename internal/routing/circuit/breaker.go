// Package circuit has the circuit breakers of all that fails: of MIDs, whose charges then go to others, and of the
// addresses for callbacks, which package callback stores.
package circuit

import (
	"slices"
	"time"
)

// Reason says why a call counts as a failure. Codes never change.
type Reason string

// The reasons. A decline is none, whatever its reason: the provider responded as agreed, the next MID is tried at once,
// and payers who can provoke declines must not be able to turn a MID off.
const (
	NotReached Reason = "not_reached" // nothing was sent, or the provider refused the request unread
	TimedOut   Reason = "timeout"     // no response within the time limit
	NoOutcome  Reason = "no_outcome"  // an error or a response that tells no outcome
	Slow       Reason = "slow"        // a response, but so late that payers give up
)

// State is where a circuit breaker stands. The zero value is closed: calls pass.
type State string

// The states.
const (
	Closed   State = ""
	Open     State = "open"      // calls go elsewhere or wait
	HalfOpen State = "half_open" // the next call is a probe, whose result closes or opens it
)

// Rule says when a circuit breaker opens, and for how long.
type Rule struct {
	Failures   int           // so many
	Within     time.Duration // such a time open it
	OpenFor    time.Duration // the first time, and then each time twice as long,
	MaxOpenFor time.Duration // up to this
	// ProbeWithin is how long it waits for a probe, after which it closes. Zero: it closes without one.
	ProbeWithin time.Duration
}

// Breaker is the circuit breaker of what has failed lately. The zero value is closed.
type Breaker struct {
	Failures   []time.Time `json:"failures,omitempty"`   // while it is closed
	Reason     Reason      `json:"reason"`               // of the latest failure
	Since      time.Time   `json:"since,omitzero"`       // when it opened
	OpenUntil  time.Time   `json:"open_until,omitzero"`  // zero: it is closed
	Openings   int         `json:"openings,omitempty"`   // since it was closed
	ProbeUntil time.Time   `json:"probe_until,omitzero"` // end of the lease of the call that is the probe
}

// Failure is a call that failed.
type Failure struct {
	SentAt, At time.Time
	Reason     Reason
}

// State returns the state at now. While a probe is under way, other calls find the circuit breaker open.
func (b *Breaker) State(r Rule, now time.Time) State {
	switch {
	case b.OpenUntil.IsZero() || !now.Before(b.Ends(r)):
		return Closed
	case now.Before(b.OpenUntil) || now.Before(b.ProbeUntil):
		return Open
	}
	return HalfOpen
}

// Ends returns when nothing of the circuit breaker counts any more.
func (b *Breaker) Ends(r Rule) time.Time {
	if !b.OpenUntil.IsZero() {
		return b.OpenUntil.Add(r.ProbeWithin)
	}
	if len(b.Failures) == 0 {
		return time.Time{}
	}
	return slices.MaxFunc(b.Failures, time.Time.Compare).Add(r.Within)
}

// Fail adds failures, and reports whether they opened the circuit breaker. Calls that were sent before it would have
// been probed say nothing new.
func (b *Breaker) Fail(r Rule, now time.Time, failures ...Failure) (opened, changed bool) {
	if !now.Before(b.Ends(r)) {
		*b = Breaker{}
	}
	closed := b.OpenUntil.IsZero()
	for _, f := range failures {
		if closed {
			b.Failures, b.Reason = append(b.Failures, f.At), f.Reason
		} else if !f.SentAt.Before(b.OpenUntil) {
			b.Reason = f.Reason
			b.open(r, now)
			return true, true
		}
	}
	b.Failures = slices.DeleteFunc(b.Failures, func(at time.Time) bool { return now.Sub(at) >= r.Within })
	if opened = len(b.Failures) >= r.Failures; opened {
		b.open(r, now)
	}
	return opened, closed
}

// open opens the circuit breaker, each time for twice as long.
func (b *Breaker) open(r Rule, now time.Time) {
	if b.Since.IsZero() {
		b.Since = now
	}
	b.OpenUntil = now.Add(min(r.OpenFor<<min(b.Openings, 10), r.MaxOpenFor))
	b.Openings++
	b.Failures, b.ProbeUntil = nil, time.Time{}
}
