package circuit

import (
	"testing"
	"time"
)

const (
	lease = 40 * time.Second
	share = 2
)

// named returns the MID of a name beside mid.
func named(name string) MID {
	other := mid
	other.Name = name
	return other
}

// enters checks whether a request gets a place, which it leaves at once.
func (c Circuits) enters(t *testing.T, of MID, want bool) {
	t.Helper()
	leave, ok := c.Enter(t.Context(), of, share, lease)
	if ok != want {
		t.Errorf("a request of %s enters: %t, want %t", of.Name, ok, want)
	}
	if ok {
		leave()
	}
}

// sends sends a request to which the provider responds after a time.
func (c Circuits) sends(t *testing.T, at *clock, takes time.Duration, apart bool) {
	done := c.Sending(t.Context(), mid, apart)
	at.now = at.now.Add(takes)
	done()
}

// As long as nothing is known of a provider, one request of all instances finds out, until its lease ends.
func TestOneFindsOutHowFastAProviderIs(t *testing.T) {
	all, at, _ := instances(3)
	all[0].enters(t, mid, true)
	all[0].enters(t, mid, false)
	all[1].enters(t, mid, false)
	all[1].enters(t, named("mid-2"), true)
	at.now = at.now.Add(lease)
	all[2].enters(t, mid, true)
	all[1].enters(t, mid, false)
}

func TestFastAndSlowProviders(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes time.Duration
		apart bool
		after time.Duration // of the response
		want  bool          // whether the next requests get a place
	}{
		{"fast", SlowAfter - 1, false, 0, true},
		{"fast for a day", 0, false, fastFor - 1, true},
		{"slow", SlowAfter, false, 0, false},
		{"slow for five minutes", SlowAfter, false, slowFor - 1, false},
		{"slow in the slow queue", SlowAfter, true, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, at, _ := instances(3)
			all[0].sends(t, at, c.takes, c.apart)
			at.now = at.now.Add(c.after)
			for i := range all {
				all[i].enters(t, mid, c.want)
				all[i].enters(t, mid, c.want)
			}
		})
	}
}

// What ends is unknown again: one request finds out.
func TestSpeedEnds(t *testing.T) {
	for name, takes := range map[string]time.Duration{"fast": 0, "slow": SlowAfter} {
		t.Run(name, func(t *testing.T) {
			all, at, _ := instances(3)
			all[0].sends(t, at, takes, false)
			at.now = at.now.Add(map[string]time.Duration{"fast": fastFor, "slow": slowFor}[name])
			all[1].enters(t, mid, true)
			all[2].enters(t, mid, false)
		})
	}
}

// A request of the slow queue that ends soon, and one that was sent before the provider was slow, do not make it fast.
func TestSlowProviderStaysSlow(t *testing.T) {
	all, at, _ := instances(3)
	all[0].sends(t, at, SlowAfter, false)
	all[1].sends(t, at, 0, true)
	all[2].sends(t, at, 0, false)
	all[0].enters(t, mid, false)
	at.now = at.now.Add(cacheTTL)
	all[1].enters(t, mid, false)
}

// A provider that was fast is slow as soon as it is, for instances that have read of it before at the latest when they
// read again.
func TestFastProviderBecomesSlow(t *testing.T) {
	all, at, _ := instances(3)
	all[0].sends(t, at, 0, false)
	all[1].enters(t, mid, true)
	all[0].sends(t, at, SlowAfter, false)
	all[0].enters(t, mid, false)
	at.now = at.now.Add(cacheTTL)
	all[1].enters(t, mid, false)
}

// An owner has its share of an instance's places, whatever MIDs they are of.
func TestShareOfPlaces(t *testing.T) {
	all, _, _ := instances(3)
	rival := mid
	rival.Owner = "live/shop-2"
	var leaves []func()
	for _, name := range []string{"mid-1", "mid-2"} {
		leave, ok := all[0].Enter(t.Context(), named(name), share, lease)
		if !ok {
			t.Fatalf("%s has no place", name)
		}
		leaves = append(leaves, leave)
	}
	all[0].enters(t, named("mid-3"), false)
	all[0].enters(t, rival, true)
	leaves[0]()
	all[0].enters(t, named("mid-3"), true)
}

// What is known of a fast provider is stored again after half a day, once.
func TestFastProviderIsStoredTwiceADay(t *testing.T) {
	all, at, _ := instances(3)
	writes := &all[0].Store.(*counting).saves
	for i := range 100 {
		all[i%3].sends(t, at, time.Second, false)
		all[i%3].enters(t, mid, true)
	}
	if *writes != 1 {
		t.Errorf("%d writes of a hundred fast requests", *writes)
	}
	at.now = at.now.Add(fastFor / 2)
	for i := range all {
		all[i].sends(t, at, 0, false)
	}
	if *writes != 2 {
		t.Errorf("half a day later %d writes", *writes)
	}
}
