package payer

import (
	"errors"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/settings"
)

// A session takes so many attempts in any minute, and says when the next one is taken.
func TestLimitAttempts(t *testing.T) {
	now := time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		limit int
		ago   []time.Duration // of the attempts before
		after int             // seconds until it is taken; 0: now
		left  int             // attempts that count with it
	}{
		{0, nil, 0, 1},
		{2, []time.Duration{time.Second}, 0, 2},
		{2, []time.Duration{30 * time.Second, time.Second}, 30, 0},
		{2, []time.Duration{time.Minute, time.Second}, 0, 2},
		{2, []time.Duration{time.Minute - 1, time.Second}, 1, 0},
		{2, []time.Duration{59*time.Second - 1, 0}, 2, 0},
		{0, []time.Duration{4, 3, 2, 1}, 0, 5},
		{0, []time.Duration{5, 4, 3, 2, 1}, 60, 0},
	} {
		s := &checkout.Session{}
		for _, ago := range test.ago {
			s.AttemptedAt = append(s.AttemptedAt, now.Add(-ago))
		}
		err := limitAttempts(s, &settings.Mapping{PayLimit: test.limit}, now)
		var refused *fault.Error
		switch {
		case test.after == 0 && (err != nil || len(s.AttemptedAt) != test.left || !s.WaitsSince().Equal(now)):
			t.Errorf("%v: %v, %v", test, err, s.AttemptedAt)
		case test.after == 0:
		case !errors.As(err, &refused) || refused.Code != fault.CodeTooMany || refused.RetryAfter != test.after ||
			len(s.AttemptedAt) != len(test.ago):
			t.Errorf("%v: %v", test, err)
		}
	}
}
