package callback

import (
	"slices"
	"testing"
	"time"
)

// Of a payment, the parked callbacks that were named are sent again, and with them those before them that wait for a
// later time; none that is withheld or being sent.
func TestSentAgain(t *testing.T) {
	now := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		c    Callback
		want bool
	}{
		"parked, named":            {Callback{Seq: 2, State: Parked}, true},
		"parked, not named":        {Callback{Seq: 1, State: Parked}, false},
		"waits before it":          {Callback{Seq: 1, State: Waiting, NextAt: now.Add(time.Hour)}, true},
		"waits, the last that is":  {Callback{Seq: 4, State: Waiting, NextAt: now.Add(time.Hour)}, true},
		"waits after them":         {Callback{Seq: 5, State: Waiting, NextAt: now.Add(time.Hour)}, false},
		"is being sent":            {Callback{Seq: 1, State: Waiting, NextAt: now.Add(leaseTTL)}, false},
		"is sent a moment later":   {Callback{Seq: 1, State: Waiting, NextAt: now.Add(leaseTTL + 1)}, true},
		"withheld":                 {Callback{Seq: 1, State: Waiting, NextAt: now.Add(time.Hour), SessionID: "s"}, false},
		"delivered":                {Callback{Seq: 2, State: Delivered}, true},
		"delivered before it":      {Callback{Seq: 1, State: Delivered, NextAt: now.Add(time.Hour)}, false},
		"made obsolete by another": {Callback{Seq: 2, State: Dropped}, false},
	} {
		if got := test.c.isSentAgain(now, []int{2, 4}); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A callback that is sent again has its whole schedule before it; of its tries the latest stay.
func TestScheduleOfTries(t *testing.T) {
	at := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	c, n := Callback{State: Parked}, 0
	try := func(times int) {
		for range times {
			n++
			c.addTry(Try{At: at.Add(time.Duration(n) * time.Minute)})
		}
	}
	try(9)
	c.restart(at, at.Add(time.Hour))
	if c.scheduled() != 0 || c.State != Waiting || !c.NextAt.Equal(at.Add(time.Hour)) || !c.SentAgainAt.Equal(at) {
		t.Errorf("%+v", c)
	}
	try(2)
	if c.scheduled() != 2 || c.failing(at.Add(12*time.Minute)) != 2*time.Minute {
		t.Errorf("%d tries, failing for %s", c.scheduled(), c.failing(at.Add(12*time.Minute)))
	}
	try(maxTries)
	if len(c.Tries) != maxTries || c.scheduled() != maxTries || !slices.IsSortedFunc(c.Tries, func(a, b Try) int {
		return a.At.Compare(b.At)
	}) || !c.Tries[maxTries-1].At.Equal(at.Add(time.Duration(n)*time.Minute)) {
		t.Errorf("%d tries, %d of the schedule", len(c.Tries), c.scheduled())
	}
}

// A parked callback is listed at once, one that is withheld at its session's end, any other after the grace.
func TestDueOfACallback(t *testing.T) {
	now := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		c    Callback
		want time.Duration
	}{
		{Callback{State: Parked, SessionID: "s", NextAt: now.Add(time.Hour)}, 0},
		{Callback{State: Waiting, SessionID: "s", NextAt: now.Add(time.Hour)}, time.Hour},
		{Callback{State: Waiting, NextAt: now.Add(time.Hour)}, callbackGrace},
	} {
		if got := test.c.Due(now).Sub(now); got != test.want {
			t.Errorf("%+v: %s", test.c, got)
		}
		for _, mode := range []bool{false, true} {
			if test.c.Test = mode; test.c.message().Test != mode {
				t.Errorf("%+v: the message goes to another queue", test.c)
			}
		}
	}
}
