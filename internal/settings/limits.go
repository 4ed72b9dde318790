package settings

import (
	"cmp"
	"sync"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// DefaultRateLimit is the rate limit of a merchant whose settings have none: far more than a shop sends to one instance
// of a function, and so few that one merchant does not keep an instance busy alone.
const DefaultRateLimit = 500

// Limits counts the requests of each merchant against its rate limit. The counts are in memory, so that counting writes
// nothing. Each instance of a function counts for itself: a merchant can make more requests than its limit, not fewer.
type Limits struct {
	mu      sync.Mutex
	buckets map[string]bucket // by merchant id
}

// bucket is the token bucket of a merchant, with time as tokens: with a limit of n, a request costs 1/n of a second.
type bucket struct {
	available time.Duration
	at        time.Time // when so much was available
}

// Take counts one request. A merchant may make all requests of a second at the same time. Errors: CodeTooMany, with
// the seconds to wait.
func (l *Limits) Take(m *Merchant, now time.Time) error {
	cost := time.Second / time.Duration(cmp.Or(m.RateLimit, DefaultRateLimit))
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[m.ID]
	if !ok {
		b = bucket{available: time.Second, at: now}
	}
	b = bucket{available: min(b.available+max(now.Sub(b.at), 0), time.Second), at: now}
	if b.available < cost {
		return &fault.Error{
			Code:       fault.CodeTooMany,
			RetryAfter: 1,
			Faults:     []fault.Fault{{Number: fault.NumberInvalid, Text: "Too many requests."}},
		}
	}
	b.available -= cost
	if l.buckets == nil || len(l.buckets) >= store.CacheLimit {
		l.buckets = map[string]bucket{}
	}
	l.buckets[m.ID] = b
	return nil
}
