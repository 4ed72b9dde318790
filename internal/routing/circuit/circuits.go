package circuit

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
)

// cacheTTL is how late a change that another instance stored can take effect.
const cacheTTL = 10 * time.Second

// saveTries is how often a change is tried. Where it fails each time, other instances have stored the same.
const saveTries = 5

// Circuits are the circuit breakers of all MIDs: they say which MIDs new payments should go around for a while, and
// whose requests take places of their own because their providers are slow. Each instance counts in memory. The table
// holds what has failed, and twice a day that a provider is fast, so healthy payments write nothing else. A table that
// can't be read or written never fails a payment: all circuit breakers are closed then.
type Circuits struct {
	Store  store.Store
	Memory *Memory
	metric.Meter
}

// Charge is a charge that was sent to a MID, with the reason why it counts as a failure, "" if it does not.
type Charge struct {
	MID    MID
	SentAt time.Time
	Probe  bool
	Reason Reason
	Test   bool // of a test key, whose circuit breakers are logged, but not measured
}

// State returns the state of a MID's circuit breaker. It may be seconds out of date.
func (c Circuits) State(ctx context.Context, now time.Time, mid MID) State {
	return c.cached(ctx, now, mid.Owner).of(mid).state(now)
}

// Probe returns the document by whose write a charge acquires the lease of the probe of a MID whose circuit breaker is
// half-open. It is to be stored in the same write as that the charge is being sent: so of several charges one is the
// probe, and none that is not sent has the lease. usable is false if another charge has it. A circuit breaker that was
// closed meanwhile needs none: lease is nil then.
func (c Circuits) Probe(ctx context.Context, mid MID, ttl time.Duration) (lease *store.Record, usable bool) {
	now := c.Now()
	c.Memory.cache.Forget(mid.Owner) // whoever meets a conflict on the document is to read it
	d, err := c.read(ctx, now, mid.Owner)
	if err != nil {
		c.Log.WarnContext(ctx, "circuit breakers not read", "owner", mid.Owner, "error", err)
		return nil, false
	}
	b := d.of(mid)
	if state := b.state(now); state != HalfOpen {
		return nil, state == Closed
	}
	b.ProbeUntil = now.Add(ttl)
	r := d.record(now, mid.Owner)
	return &r, true
}

// Count counts a charge. It reads the table only if the MID has failed lately or the charge was the probe, and writes
// to it only what changes a circuit breaker: at most five times until it opens, and once for each probe.
func (c Circuits) Count(ctx context.Context, charged Charge) {
	now := c.Now()
	mid, f := charged.MID, Failure{charged.SentAt, now, charged.Reason}
	failing, failed := c.Memory.add(now, mid, charge{Failure: f})
	if !failed && !charged.Probe {
		return
	}
	known := c.cached(ctx, now, mid.Owner).of(mid)
	open := charged.Probe || known.state(now) != Closed
	switch {
	case !charged.Probe && open && charged.SentAt.Before(known.OpenUntil): // says nothing new
	case open && charged.Reason == "":
		c.succeed(ctx, charged)
	case open:
		c.fail(ctx, charged, []Failure{f})
	case len(failing) > 0:
		c.fail(ctx, charged, failing)
	}
}

// fail stores failures, and measures a circuit breaker that they opened.
func (c Circuits) fail(ctx context.Context, charged Charge, failures []Failure) {
	var opened bool
	var failed *breaker
	err := c.change(ctx, charged.MID.Owner, func(d *document, now time.Time) (changed bool) {
		b := d.of(charged.MID)
		if b == nil {
			b = &breaker{MID: charged.MID}
			d.Breakers = append(d.Breakers, b)
		}
		failed = b
		opened, changed = b.Fail(ofMIDs, now, failures...)
		return changed
	})
	if err != nil || !opened {
		return
	}
	attrs := append(charged.MID.attrs(), slog.String("reason_code", string(failed.Reason)),
		slog.Time("since", failed.Since), slog.Time("open_until", failed.OpenUntil))
	c.Measure(ctx, metric.Line{Message: "circuit breaker opens", Test: charged.Test, Dimension: "connector", Total: true,
		Metrics: []metric.Metric{metric.Count("circuits_open")}}, attrs...)
}

// succeed closes the circuit breaker of a MID, if the charge was sent when it could have been probed.
func (c Circuits) succeed(ctx context.Context, charged Charge) {
	closed := false
	err := c.change(ctx, charged.MID.Owner, func(d *document, _ time.Time) bool {
		b := d.of(charged.MID)
		if closed = b != nil && !b.OpenUntil.IsZero() && !charged.SentAt.Before(b.OpenUntil); closed {
			d.remove(charged.MID)
		}
		return closed
	})
	if err == nil && closed {
		c.Log.LogAttrs(ctx, slog.LevelInfo, "circuit breaker closes", charged.MID.attrs()...)
	}
}

// change reads an owner's document, and stores it if f changes it. If another instance changed it meanwhile, it reads
// the document again and repeats.
func (c Circuits) change(ctx context.Context, owner string, f func(d *document, now time.Time) bool) error {
	var d document
	var readAt time.Time
	update := store.Update{Doing: "store circuit breakers", Store: c.Store, Now: c.Now, Tries: saveTries}
	err := update.Do(ctx, func(now time.Time) (records []store.Record, err error) {
		readAt = now
		if d, err = c.read(ctx, now, owner); err != nil || !f(&d, now) {
			return nil, err
		}
		acts := d.act.Records(now, d.acted.What, d.acted.Changes...)
		return slices.Concat(d.acted.Records, []store.Record{d.record(now, owner)}, acts), nil
	})
	if err != nil {
		c.Memory.cache.Forget(owner)
		c.Log.WarnContext(ctx, "circuit breaker not stored", "owner", owner, "error", err)
		return err
	}
	c.Memory.cache.Put(owner, document{Breakers: d.Breakers, Speeds: d.Speeds}, readAt.Add(cacheTTL))
	return nil
}

func (c Circuits) read(ctx context.Context, now time.Time, owner string) (d document, err error) {
	record, err := store.GetOne(ctx, c.Store, now, store.CircuitsKey(owner))
	if err != nil {
		return d, err
	}
	err = record.Decode(&d)
	d.version = record.Version
	d.removeEnded(now)
	return d, err
}

// cached returns an owner's document as it was within the last seconds, empty if it can't be read.
func (c Circuits) cached(ctx context.Context, now time.Time, owner string) document {
	d, err := c.Memory.cache.Get(owner, now, cacheTTL, func() (document, error) { return c.read(ctx, now, owner) })
	if err != nil {
		c.Log.WarnContext(ctx, "circuit breakers not read", "owner", owner, "error", err)
	}
	return d
}
