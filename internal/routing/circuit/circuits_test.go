package circuit

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

var mid = MID{Owner: "live/shop", Mapping: "cards", Name: "mid-1", Connector: "bank"}

// clock is a time that stands still until it is moved.
type clock struct{ now time.Time }

// instances returns n instances of the connector function with one table and one log.
func instances(n int) (all []Circuits, at *clock, log *bytes.Buffer) {
	at, log = &clock{time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)}, &bytes.Buffer{}
	table := &counting{Store: memory.NewStore()}
	for range n {
		meter := metric.Meter{Log: slog.New(slog.NewJSONHandler(log, nil)), Now: func() time.Time { return at.now }}
		all = append(all, Circuits{Store: table, Memory: &Memory{}, Meter: meter})
	}
	return all, at, log
}

// counting counts saves and their conflicts.
type counting struct {
	store.Store
	saves, conflicts int
}

func (c *counting) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	err := c.Store.Save(ctx, now, records...)
	c.saves++
	if store.IsConflict(err) {
		c.conflicts++
	}
	return err
}

func (c Circuits) counts(t *testing.T, reasons ...Reason) {
	t.Helper()
	for _, reason := range reasons {
		c.Count(t.Context(), Charge{MID: mid, SentAt: c.Now(), Reason: reason})
	}
}

func (c Circuits) is(t *testing.T, want State) {
	t.Helper()
	if got := c.State(t.Context(), c.Now(), mid); got != want {
		t.Errorf("the circuit breaker is %q, want %q", got, want)
	}
}

// Failures of several instances count together, and all know of the open circuit breaker within seconds.
func TestInstances(t *testing.T) {
	all, at, _ := instances(4)
	all[3].is(t, Closed)
	all[0].counts(t, TimedOut, TimedOut)
	all[1].counts(t, NotReached, NotReached)
	all[2].counts(t, Slow) // one failure of an instance is everyday
	all[2].is(t, Closed)
	all[2].counts(t, Slow)
	for _, c := range all[:3] {
		at.now = at.now.Add(cacheTTL)
		c.is(t, Open)
	}
	all[3].is(t, Open)
	saves := all[0].Store.(*counting).saves
	for _, c := range all {
		c.counts(t, TimedOut, TimedOut, TimedOut)
	}
	if more := all[0].Store.(*counting).saves - saves; saves != 3 || more != 0 {
		t.Errorf("%d writes until it opened and %d after that", saves, more)
	}
}

// probes acquires the lease of the probe, if that is free, and returns whether the charge passes and is the probe.
func (c Circuits) probes(t *testing.T) string {
	t.Helper()
	lease, usable := c.Probe(t.Context(), mid, 40*time.Second)
	if lease != nil {
		if err := c.Store.Save(t.Context(), c.Now(), *lease); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(usable, " ", lease != nil)
}

// Whoever sends nothing has no lease. Of two charges that are sent at once one is the probe.
func TestOneProbeAtOnce(t *testing.T) {
	all, at, _ := instances(3)
	all[0].counts(t, TimedOut, TimedOut, TimedOut, TimedOut, TimedOut)
	at.now = at.now.Add(openFor)
	var leases []*store.Record
	for _, c := range all {
		lease, usable := c.Probe(t.Context(), mid, 40*time.Second)
		if lease == nil || !usable {
			t.Fatalf("%v, usable: %t", lease, usable)
		}
		leases = append(leases, lease)
		c.is(t, HalfOpen)
	}
	for i, lease := range leases[1:] { // the first one is not sent
		if err := all[0].Store.Save(t.Context(), at.now, *lease); store.IsConflict(err) != (i > 0) {
			t.Errorf("charge %d: %v", i, err)
		}
	}
	if got := all[0].probes(t); got != "false false" {
		t.Errorf("while one is the probe: %s", got)
	}
}

// One instance gets the lease of the probe. If it never reports, another one gets the lease when it is over.
func TestProbe(t *testing.T) {
	all, at, log := instances(2)
	all[0].counts(t, TimedOut, TimedOut, TimedOut, TimedOut, TimedOut)
	at.now = at.now.Add(openFor)
	probe := func(c Circuits) string { return c.probes(t) }
	for i, want := range []string{"true true", "false false"} {
		if got := probe(all[i]); got != want {
			t.Errorf("instance %d: %s, want %s", i, got, want)
		}
	}
	all[1].is(t, Open)
	at.now = at.now.Add(40 * time.Second)
	all[1].is(t, HalfOpen)
	if got := probe(all[1]); got != "true true" {
		t.Errorf("after the lease: %s", got)
	}
	all[1].Count(t.Context(), Charge{MID: mid, SentAt: at.now, Probe: true})
	at.now = at.now.Add(cacheTTL)
	for _, c := range all {
		c.is(t, Closed)
		if got := probe(c); got != "true false" {
			t.Errorf("a closed circuit breaker: %s", got)
		}
	}
	if n := bytes.Count(log.Bytes(), []byte("circuit breaker closes")); n != 1 {
		t.Errorf("closed %d times", n)
	}
}

// Charges that were sent before the circuit breaker opened don't close it, nor open it for longer.
func TestLateResponses(t *testing.T) {
	all, at, _ := instances(1)
	c, sent := all[0], at.now
	c.counts(t, TimedOut, TimedOut, TimedOut, TimedOut, TimedOut)
	at.now = at.now.Add(openFor + time.Second)
	c.Count(t.Context(), Charge{MID: mid, SentAt: sent})
	c.is(t, HalfOpen)
	c.Count(t.Context(), Charge{MID: mid, SentAt: sent, Reason: Slow})
	c.is(t, HalfOpen)
	c.counts(t, "")
	at.now = at.now.Add(cacheTTL)
	c.is(t, Closed)
}

// Old failures don't count.
func TestFailuresWithinFiveMinutes(t *testing.T) {
	all, at, _ := instances(1)
	for range 10 {
		all[0].counts(t, TimedOut)
		at.now = at.now.Add(failuresWithin/4 + time.Second)
	}
	all[0].is(t, Closed)
	all[0].counts(t, TimedOut)
	all[0].is(t, Closed)
}
