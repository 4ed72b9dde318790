package story

import (
	"fmt"
	"strings"
	"testing"
	"time"
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
