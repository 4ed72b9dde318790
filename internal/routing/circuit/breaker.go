// Package circuit keeps the circuit breakers of MIDs: it counts the charges that a provider did not respond to as it
// should, and says which MIDs new payments should go around for a while, and whose requests take places of their own
// because their providers are slow. Each instance counts in memory. The table holds what has failed, and twice a day
// that a provider is fast, so healthy payments write nothing else.
package circuit

import (
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/store"
)

// A MID's circuit breaker opens at the fifth failure within five minutes, for a minute. Then one charge is sent as a
// probe. If that fails, too, the breaker is open twice as long as before, up to a quarter of an hour. A breaker that no
// charge has probed for another quarter closes.
const (
	failuresToOpen = 5
	failuresWithin = 5 * time.Minute
	openFor        = time.Minute
	maxOpenFor     = 15 * time.Minute
	probeWithin    = 15 * time.Minute
)

// MID names a MID and the connector behind it. Owner is a merchant in live or test mode, whose circuit breakers are
// apart. A MID that is given another connector has no circuit breaker yet.
type MID struct {
	Owner     string `json:"-"` // in the key
	Mapping   string `json:"mapping"`
	Name      string `json:"mid"`
	Connector string `json:"connector"`
}

// is reports whether both are the same MID of an owner, behind the same connector.
func (m MID) is(other MID) bool {
	return m.Mapping == other.Mapping && m.Name == other.Name && m.Connector == other.Connector
}

// Reason says why a charge counts as a failure. Codes never change.
type Reason string

// The reasons. A decline is none, whatever its reason: the provider responded as agreed, the next MID is tried at once,
// and payers who can provoke declines must not be able to turn a MID off.
const (
	NotReached Reason = "not_reached" // nothing was sent, or the provider refused the request unread
	TimedOut   Reason = "timeout"     // no response within the time limit
	NoOutcome  Reason = "no_outcome"  // an error or a response that tells no outcome
	Slow       Reason = "slow"        // a response, but so late that payers give up
)

// State is where a circuit breaker stands. The zero value is closed.
type State string

// The states.
const (
	Closed   State = ""
	Open     State = "open"      // charges go to another MID, if one takes them
	HalfOpen State = "half_open" // the next charge is a probe, whose result closes or opens it
)

// breaker is the circuit breaker of a MID that has failed.
type breaker struct {
	MID
	Failures   []time.Time `json:"failures,omitempty"` // while it is closed
	Reason     Reason      `json:"reason"`             // of the latest failure
	Since      time.Time   `json:"since,omitzero"`     // when it opened; zero: it is closed
	OpenUntil  time.Time   `json:"open_until,omitzero"`
	Openings   int         `json:"openings,omitempty"`   // since it was closed
	ProbeUntil time.Time   `json:"probe_until,omitzero"` // end of the lease of the charge that is the probe
}

// state returns the state at now. While a probe is under way, other charges find the circuit breaker open.
func (b *breaker) state(now time.Time) State {
	switch {
	case b == nil || b.Since.IsZero() || !now.Before(b.ends()):
		return Closed
	case now.Before(b.OpenUntil) || now.Before(b.ProbeUntil):
		return Open
	}
	return HalfOpen
}

// ends returns when nothing of the circuit breaker counts any more.
func (b *breaker) ends() time.Time {
	if !b.Since.IsZero() {
		return b.OpenUntil.Add(probeWithin)
	}
	if len(b.Failures) == 0 {
		return time.Time{}
	}
	return slices.MaxFunc(b.Failures, time.Time.Compare).Add(failuresWithin)
}

// open opens the circuit breaker, each time for twice as long.
func (b *breaker) open(now time.Time) {
	if b.Since.IsZero() {
		b.Since = now
	}
	b.OpenUntil = now.Add(min(openFor<<min(b.Openings, 10), maxOpenFor))
	b.Openings++
	b.Failures, b.ProbeUntil = nil, time.Time{}
}

// fail adds failures of charges, and reports whether they opened the circuit breaker. Charges that were sent before it
// would have been probed say nothing new.
func (b *breaker) fail(now time.Time, failures []failure) (opened, changed bool) {
	if b.Since.IsZero() {
		for _, f := range failures {
			b.Failures, b.Reason = append(b.Failures, f.at), f.reason
		}
		b.Failures = slices.DeleteFunc(b.Failures, func(at time.Time) bool { return now.Sub(at) >= failuresWithin })
		if len(b.Failures) < failuresToOpen {
			return false, true
		}
		b.open(now)
		return true, true
	}
	for _, f := range failures {
		if !f.sentAt.Before(b.OpenUntil) {
			b.Reason = f.reason
			b.open(now)
			return true, true
		}
	}
	return false, false
}

// document is what the table holds of an owner's MIDs: the circuit breakers of those that have failed lately, and how
// fast their providers respond.
type document struct {
	Breakers []*breaker `json:"breakers"`
	Speeds   []*speed   `json:"speeds,omitempty"`

	version int64
	act     audit.Act    // of an operator, without an id for none
	acted   audit.Change // what the act changes
}

// of returns the circuit breaker of a MID, nil if it has none.
func (d document) of(mid MID) *breaker {
	for _, b := range d.Breakers {
		if b.is(mid) {
			return b
		}
	}
	return nil
}

// remove removes the circuit breaker of a MID, which closes it.
func (d *document) remove(mid MID) {
	found := d.of(mid)
	d.Breakers = slices.DeleteFunc(d.Breakers, func(b *breaker) bool { return b == found })
}

// removeEnded removes what does not count any more.
func (d *document) removeEnded(now time.Time) {
	d.Breakers = slices.DeleteFunc(d.Breakers, func(b *breaker) bool { return !now.Before(b.ends()) })
	d.Speeds = slices.DeleteFunc(d.Speeds, func(s *speed) bool { return !now.Before(s.ends()) })
}

// record returns the document, which expires with the last of what it holds: at now, if that is nothing.
func (d document) record(now time.Time, owner string) store.Record {
	ends := now
	for _, b := range d.Breakers {
		if b.ends().After(ends) {
			ends = b.ends()
		}
	}
	for _, s := range d.Speeds {
		if s.ends().After(ends) {
			ends = s.ends()
		}
	}
	r := store.Encode(store.CircuitsKey(owner), d.version, d)
	r.ExpiresAt = ends
	return r
}
