package callback

import (
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/routing/circuit"
	"checkout/internal/store"
)

// ofAddresses is the rule of the circuit breakers of addresses (protocol.md, Delivery). None is probed: while it is not
// known how fast an address is, which is so after it was open, one callback at a time is sent to it.
var ofAddresses = circuit.Rule{
	Failures: 5, Within: 5 * time.Minute, OpenFor: 15 * time.Minute, MaxOpenFor: 15 * time.Minute,
}

// breaker is the circuit breaker of an address, which is a notification_url of an owner, and how fast it responds.
type breaker struct {
	Timeouts   []time.Time `json:"timeouts,omitempty"`
	OpenUntil  time.Time   `json:"open_until,omitzero"`
	FastUntil  time.Time   `json:"fast_until,omitzero"`
	SlowUntil  time.Time   `json:"slow_until,omitzero"`
	ProbeUntil time.Time   `json:"probe_until,omitzero"` // one callback is being sent to see how fast the address is
}

func (b *breaker) breaker() circuit.Breaker {
	return circuit.Breaker{Failures: b.Timeouts, OpenUntil: b.OpenUntil}
}

// BreakerCache caches circuit breakers for some seconds, and counts the callbacks that this process is sending. The
// zero value is empty.
type BreakerCache struct {
	cache   store.Cache[breaker]
	running store.Places // callbacks, by address
}

// AddressState is how an address does.
type AddressState struct {
	OpenUntil time.Time // of its circuit breaker; zero: it is closed
	Slow      bool
}

// BreakerAddress is what the circuit breaker of an owner's notification_url is named by: a merchant who names another's
// url does not slow that one's callbacks.
func BreakerAddress(o fault.Owner, url string) string { return o.Text() + " " + url }

// record returns the document of an address, which is stored for as long as any of it counts, and a minute at least.
func (b *breaker) record(now time.Time, address string, version int64) store.Record {
	r, of := store.Encode(store.BreakerKey(address), version, b), b.breaker()
	r.ExpiresAt = slices.MaxFunc([]time.Time{
		now.Add(time.Minute), b.FastUntil, b.SlowUntil, b.ProbeUntil, of.Ends(ofAddresses),
	}, time.Time.Compare)
	return r
}
