package story

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// Many payments at the same time open the circuit breaker once, with few writes. Of many that find it half-open, one is
// the probe.
func TestCircuitBreakerWithManyPaymentsAtOnce(t *testing.T) {
	const many = 20
	w, one, other := twoBanks(t)
	one.charge = noResponse
	visits := make([]*Visit, 3*many)
	for i := range visits {
		visits[i] = w.shop.visits(fmt.Sprintf("pen-%d", i))
	}
	atOnce := func(from int) {
		t.Helper()
		w.queue.lose = loseAll
		for _, v := range visits[from : from+many] {
			v.send(v.attempt("01/38"))
		}
		w.queue.lose = nil
		w.atOnce(many, func(i int) {
			if err := visits[from+i].runs(); err != nil {
				t.Error(err)
			}
		})
		w.work() // through the queue for slow providers
	}
	atOnce(0)
	first := len(one.charges)
	if first < 5 || strings.Count(w.log.String(), `"msg":"circuit breaker opens"`) != 1 {
		t.Errorf("%d charges failed, opened %d times", first, strings.Count(w.log.String(), `"msg":"circuit breaker opens"`))
	}
	if got := w.shop.explainsCircuit("mid-1"); got != "open no_outcome 1m0s" {
		t.Errorf("the circuit breaker is %s", got)
	}
	atOnce(many)
	if len(one.charges) != first || len(other.charges) != 2*many-first {
		t.Errorf("%d more charges at the open MID, %d at the other", len(one.charges)-first, len(other.charges))
	}
	w.skip(time.Minute)
	atOnce(2 * many)
	if got := len(one.charges) - first; got != 1 {
		t.Errorf("%d probes", got)
	}
}

// A cascade goes around a MID with an open circuit breaker, and comes to it only after all others.
func TestCascadeGoesAroundOpenMIDs(t *testing.T) {
	const thirdBank = "third-bank"
	w := open(t)
	w.declares(thirdBank, w.app.Core.Declarations[realBank])
	w.shop.set(mids("", "", ""), func(m *settings.Merchant) {
		m.Mappings[0].MIDs[1].Connector, m.Mappings[0].MIDs[2].Connector = anotherBank, thirdBank
	})
	one, two := &provider{charge: onCharge(soft)}, &provider{charge: noResponse}
	three := &provider{charge: onCharge(soft)}
	w.goesLive(one)
	w.connects(anotherBank, two)
	w.connects(thirdBank, three)
	w.shop.pay(0, 5)
	if len(one.charges) != 5 || len(two.charges) != 5 || len(three.charges) != 0 {
		t.Fatalf("%d, %d and %d charges before", len(one.charges), len(two.charges), len(three.charges))
	}
	w.shop.pay(5, 1)
	if len(three.charges) != 1 || len(two.charges) != 6 {
		t.Errorf("after soft declines of both others: %d and %d charges", len(two.charges)-5, len(three.charges))
	}
	three.charge = nil
	v := w.shop.pay(6, 1)[0]
	v.is("settled")
	if len(two.charges) != 6 || v.payment().MID != "mid-3" {
		t.Errorf("the payment ended at %s, %d charges at the open MID", v.payment().MID, len(two.charges)-6)
	}
}

// A MID whose circuit breaker is open is removed or given another connector before the next payments.
func TestMIDChangedWhileItsCircuitBreakerIsOpen(t *testing.T) {
	for name, test := range map[string]struct {
		change func(m *settings.Mapping)
		open   string // the MID that is explained as open
	}{
		"removed":           {func(m *settings.Mapping) { m.MIDs = m.MIDs[1:] }, ""},
		"another connector": {func(m *settings.Mapping) { m.MIDs[0].Connector = anotherBank }, ""},
		"the other removed": {func(m *settings.Mapping) { m.MIDs = m.MIDs[:1] }, "mid-1"},
	} {
		t.Run(name, func(t *testing.T) {
			w, one, _ := twoBanks(t)
			one.charge = noResponse
			w.shop.pay(0, 5)
			waiting := w.shop.visits("pen-waiting")
			w.queue.lose = loseAll
			waiting.send(waiting.attempt("01/38"))
			w.queue.lose = nil
			one.charge = nil
			w.shop.set(func(m *settings.Merchant) { test.change(&m.Mappings[0]) })
			w.skip(59 * time.Second) // settings are cached for a minute; the circuit breaker is open for one
			before := len(one.charges)
			w.skip(time.Second)
			w.sweep()
			w.work()
			for _, v := range w.shop.pay(10, 2) {
				v.is("settled")
			}
			if got := w.shop.explainsCircuit("mid-1"); got != "" && test.open == "" {
				t.Errorf("mid-1 is %s", got)
			}
			if test.open != "" && len(one.charges) == before {
				t.Error("the only MID that is left got no charge")
			}
			if waiting.payment().Status == payment.StatusPrepare {
				t.Errorf("the payment that waited is %s", waiting.payment().Status)
			}
		})
	}
}
