package worker

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/routing/circuit"
	"checkout/internal/store/storetest"
)

// otherProbes has another process send the probe of a MID.
func otherProbes(mid circuit.MID) func(*world) {
	return func(w *world) {
		other := circuit.Circuits{Store: w.docs, Memory: &circuit.Memory{}, Meter: w.core.Meter()}
		lease, usable := other.Probe(w.t.Context(), mid, payment.JobLease)
		if !usable || lease == nil {
			w.t.Fatalf("%v can't be probed", mid)
		}
		if err := w.docs.Save(w.t.Context(), w.now, *lease); err != nil {
			w.t.Fatal(err)
		}
	}
}

// A charge that is to be a probe goes to another MID where another process sends the probe first, whether that was
// before its own write or comes between. It is never sent beside it.
func TestAnotherChargeIsTheProbe(t *testing.T) {
	mayBeProbed := func(mids ...circuit.MID) func(*world) {
		return first(fail(5, time.Minute, mids...), func(w *world) {
			for _, mid := range mids { // the process has read it
				if state := w.core.Circuits().State(w.t.Context(), w.now, mid); state != circuit.HalfOpen {
					w.t.Fatalf("%v is %q", mid, state)
				}
			}
		})
	}
	for name, test := range map[string]struct {
		sending
		probed circuit.MID
		save   int // of the payment, before which the other one is the probe; 0: before the run
		want   string
	}{
		"before":    {sending{before: mayBeProbed(midOne), make: charge}, midOne, 0, "two"},
		"meanwhile": {sending{before: mayBeProbed(midOne), make: charge}, midOne, 1, "two"},
		"the next one, before": {sending{before: mayBeProbed(midTwo), make: charge, says: []reply{softly}},
			midTwo, 0, "one three"},
		"the next one, meanwhile": {sending{before: mayBeProbed(midTwo), make: charge, says: []reply{softly}},
			midTwo, 2, "one three"},
		"another one, before": {sending{before: mayBeProbed(midTwo), make: charge, says: []reply{notReached}},
			midTwo, 0, "one three"},
		"another one, meanwhile": {sending{before: mayBeProbed(midTwo), make: charge, says: []reply{notReached}},
			midTwo, 2, "one three"},
		"and there is no other": {sending{before: mayBeProbed(midOne), make: has(payment.JobCharge, "")}, midOne, 1, "one"},
		"another MID's probe":   {sending{before: mayBeProbed(midOne, midTwo), make: charge}, midTwo, 1, "one"},
	} {
		t.Run(name, func(t *testing.T) {
			w := test.begin(t)
			if test.save == 0 {
				otherProbes(test.probed)(w)
			}
			saves := 0
			w.core.Store = &storetest.Scripted{Store: w.docs, Before: func(request string) error {
				if request == "save o" {
					if saves++; saves == test.save {
						otherProbes(test.probed)(w)
					}
				}
				return nil
			}}
			told := w.told(test.send(w, true))
			var sent []string
			for part := range strings.SplitSeq(strings.TrimSpace(told), ", ") {
				if _, mid, found := strings.Cut(part, " at "); found && strings.HasPrefix(part, "send the charge") {
					sent = append(sent, mid)
				}
			}
			if got := strings.Join(sent, " "); got != test.want {
				t.Errorf("sent at %q, want %q: %s", got, test.want, told)
			}
		})
	}
}

// A charge that is not sent does not keep others from being the probe.
func TestNoProbeOfWhatIsNotSent(t *testing.T) {
	for name, s := range map[string]sending{
		"another worker sends it": {make: charge, meets: meet(sentNow)},
		"it has ended":            {make: charge, meets: meet(func(p *payment.Payment) { p.Jobs = nil })},
		"it can't be read": {make: with(charge, func(p *payment.Payment) {
			p.Parameters = []byte(`[1]`)
		})},
		"what a person decides": {make: has(payment.JobCharge, "", changes(func(j *payment.Job) {
			decided(payment.VerdictDeclined)(j).MIDs = []string{"two"}
		}))},
	} {
		t.Run(name, func(t *testing.T) {
			s.before = fail(5, time.Minute, midOne)
			w := s.begin(t)
			w.meeting(s.meets)
			told := w.told(s.send(w, true))
			w.now = w.now.Add(time.Second)
			lease, usable := w.core.Circuits().Probe(t.Context(), midOne, payment.JobLease)
			if !usable || lease == nil || strings.Contains(told, "send the charge") {
				t.Errorf("%s: usable: %t, a probe: %t", told, usable, lease != nil)
			}
		})
	}
}
