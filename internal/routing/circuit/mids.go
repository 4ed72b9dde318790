package circuit

import (
	"log/slog"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/store"
)

// A MID's circuit breaker opens at the fifth failure within five minutes, for a minute. Then one charge is sent as a
// probe. If that fails, too, the breaker is open twice as long as before, up to a quarter of an hour. A breaker that no
// charge has probed for another quarter closes.
const (
	failuresWithin = 5 * time.Minute
	openFor        = time.Minute
)

var ofMIDs = Rule{
	Failures: 5, Within: failuresWithin, OpenFor: openFor, MaxOpenFor: 15 * time.Minute, ProbeWithin: 15 * time.Minute,
}

// MID names a MID and the connector behind it. Owner is a merchant in live or test mode, whose circuit breakers are
// apart. A MID that is given another connector has no circuit breaker yet.
type MID struct {
	Owner     string `json:"-"` // in the key
	Mapping   string `json:"mapping"`
	Name      string `json:"mid"`
	Connector string `json:"connector"`
}

// attrs names a MID in the log.
func (m MID) attrs() []slog.Attr {
	return []slog.Attr{slog.String("owner", m.Owner), slog.String("mapping", m.Mapping), slog.String("mid", m.Name),
		slog.String("connector", m.Connector)}
}

// is reports whether both are the same MID of an owner, behind the same connector.
func (m MID) is(other MID) bool {
	return m.Mapping == other.Mapping && m.Name == other.Name && m.Connector == other.Connector
}

// breaker is the circuit breaker of a MID that has failed.
type breaker struct {
	MID
	Breaker
}

func (b *breaker) state(now time.Time) State {
	if b == nil {
		return Closed
	}
	return b.State(ofMIDs, now)
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
	d.Breakers = slices.DeleteFunc(d.Breakers, func(b *breaker) bool { return !now.Before(b.Ends(ofMIDs)) })
	d.Speeds = slices.DeleteFunc(d.Speeds, func(s *speed) bool { return !now.Before(s.ends()) })
}

// record returns the document, which expires with the last of what it holds: at now, if that is nothing.
func (d document) record(now time.Time, owner string) store.Record {
	ends := now
	for _, b := range d.Breakers {
		if b.Ends(ofMIDs).After(ends) {
			ends = b.Ends(ofMIDs)
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
