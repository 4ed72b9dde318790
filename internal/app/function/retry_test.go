package function

import (
	"errors"
	"testing"
	"time"
)

// A payer waits while a request to AWS is sent again.
func TestRequestsAreRetriedSoon(t *testing.T) {
	retryer, lost := retrySoon(), errors.New("the response was lost")
	longest := time.Duration(0)
	for range 1000 {
		delay, err := retryer.RetryDelay(1, lost)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, delay)
	}
	if longest > 125*time.Millisecond || longest < 60*time.Millisecond {
		t.Errorf("the longest delay after the first attempt is %s", longest)
	}
	if second, err := retryer.RetryDelay(2, lost); err != nil || second > 250*time.Millisecond {
		t.Errorf("after the second attempt: %s %v", second, err)
	}
}
