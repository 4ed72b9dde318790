package settings

import (
	"testing"
	"time"

	"checkout/internal/fault"
)

func TestRateLimit(t *testing.T) {
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	a, b, free := &Merchant{ID: "a", RateLimit: 4}, &Merchant{ID: "b", RateLimit: 4}, &Merchant{ID: "free"}
	var l Limits
	for _, c := range []struct {
		after time.Duration
		who   *Merchant
		sent  int
		want  int // how many of them are accepted
	}{
		{0, a, 10, 4}, // a second's worth at once
		{0, b, 3, 3},  // others have their own
		{0, free, 510, 500},
		{250 * time.Millisecond, a, 10, 1},
		{300 * time.Millisecond, a, 10, 0},
		{time.Second, a, 10, 3},
		{time.Hour, a, 10, 4},   // unused requests do not add up to more
		{time.Minute, a, 10, 0}, // a clock that goes back adds none
	} {
		accepted := 0
		for range c.sent {
			err := l.Take(c.who, start.Add(c.after))
			if err == nil {
				accepted++
			} else if fault.CodeOf(err) != fault.CodeTooMany {
				t.Fatal(err)
			}
		}
		if accepted != c.want {
			t.Errorf("%s after %v: %d of %d, want %d", c.who.ID, c.after, accepted, c.sent, c.want)
		}
	}
}
