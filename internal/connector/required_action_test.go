package connector

import (
	"testing"
	"time"
)

// A look-up comes soon after an action expires, and is never due before it is scheduled, however late the expiry is.
func TestLimitDelay(t *testing.T) {
	now := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		expires time.Time
		want    time.Duration
	}{
		{time.Time{}, time.Hour},
		{now.Add(-time.Second), time.Hour},
		{now, time.Hour},
		{now.Add(time.Second), time.Second + expiryMargin},
		{now.Add(time.Hour - time.Second), time.Hour},
		{now.AddDate(1, 0, 0), time.Hour},
		{time.Date(2322, 6, 16, 0, 0, 0, 0, time.UTC), time.Hour}, // the longest duration is 292 years
		{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Hour},
	} {
		if got := (&RequiredAction{ExpiresAt: test.expires}).LimitDelay(now, time.Hour); got != test.want {
			t.Errorf("expires at %s: %s, want %s", test.expires, got, test.want)
		}
	}
}
