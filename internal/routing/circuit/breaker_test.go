package circuit

import (
	"fmt"
	"testing"
	"time"
)

// A circuit breaker opens at the third failure within a minute, and for twice as long each time that a call fails that
// was sent when it could be probed. Without a time for probes it closes by itself, and counts anew.
func TestBreaker(t *testing.T) {
	rule := Rule{
		Failures: 3, Within: time.Minute, OpenFor: time.Minute, MaxOpenFor: 3 * time.Minute, ProbeWithin: time.Hour,
	}
	closes := rule
	closes.ProbeWithin = 0
	at := func(seconds int) time.Time { return time.Date(2030, 1, 2, 3, 0, seconds, 0, time.UTC) }
	type calls [][2]int // each that fails: when it was sent and when it failed, in seconds
	three := calls{{0, 0}, {0, 0}, {0, 0}}
	for name, test := range map[string]struct {
		rule Rule
		fail calls
		now  int
		want string // state, failures, and for how many seconds it was opened last, how often
	}{
		"nothing":                    {rule, nil, 0, "closed 0, 0s 0"},
		"two":                        {rule, three[:2], 0, "closed 2, 0s 0"},
		"three":                      {rule, three, 0, "open 0, 1m0s 1"},
		"three, the first too early": {rule, calls{{0, 0}, {1, 1}, {60, 60}}, 60, "closed 2, 0s 0"},
		"three, just in time":        {rule, calls{{0, 0}, {1, 1}, {59, 59}}, 59, "open 0, 1m0s 1"},
		"two long ago":               {rule, calls{{0, 0}, {0, 0}, {99, 99}}, 99, "closed 1, 0s 0"},
		"a moment before a probe":    {rule, three, 59, "open 0, 1m0s 1"},
		"to be probed":               {rule, three, 60, "half_open 0, 1m0s 1"},
		"the probe fails":            {rule, append(three[:3:3], [2]int{60, 61}), 180, "open 0, 2m0s 2"},
		"two probes fail":            {rule, append(three[:3:3], [2]int{60, 61}, [2]int{181, 182}), 361, "open 0, 3m0s 3"},
		"an earlier call fails":      {rule, append(three[:3:3], [2]int{59, 61}), 61, "half_open 0, 1m0s 1"},
		"nobody has probed it":       {rule, three, 3660, "closed 0, 1m0s 1"},
		"nobody has, and one fails":  {rule, append(three[:3:3], [2]int{3660, 3660}), 3660, "closed 1, 0s 0"},
		"without probes":             {closes, three, 59, "open 0, 1m0s 1"},
		"without probes, later":      {closes, three, 60, "closed 0, 1m0s 1"},
		"without probes, late failures": {closes, append(three[:3:3], [2]int{0, 9}, [2]int{0, 9}, [2]int{0, 9}), 60,
			"closed 0, 1m0s 1"},
		"without probes, one fails": {closes, append(three[:3:3], [2]int{60, 60}), 60, "closed 1, 0s 0"},
		"without probes, three fail": {closes, append(three[:3:3], [2]int{60, 60}, [2]int{60, 60}, [2]int{60, 60}), 119,
			"open 0, 1m0s 1"},
	} {
		var b Breaker
		opened := time.Duration(0)
		for _, call := range test.fail {
			now := at(call[1])
			if opens, _ := b.Fail(test.rule, now, Failure{at(call[0]), now, TimedOut}); opens {
				opened = b.OpenUntil.Sub(now)
			} else if b.OpenUntil.IsZero() {
				opened = 0
			}
		}
		state := b.State(test.rule, at(test.now))
		if state == Closed {
			state = "closed"
		}
		if got := fmt.Sprint(state, " ", len(b.Failures), ", ", opened, " ", b.Openings); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
