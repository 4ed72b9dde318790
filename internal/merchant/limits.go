package merchant

import (
	"sync"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// Limits counts the requests of each merchant against its rate limit. It is
// kept in memory, so each instance of a function counts for itself: a merchant
// gets its limit at the least, and nothing is written for it.
type Limits struct {
	mu      sync.Mutex
	buckets map[string]bucket // by merchant id
}

// bucket holds what a merchant may still ask for, as time: a request costs
// the part of a second that is its share.
type bucket struct {
	available time.Duration
	at        time.Time // when left was true
}

// Take counts one request. A merchant may use a whole second's requests at
// once. Errors: CodeTooMany, with the seconds to wait.
func (l *Limits) Take(m *Merchant, now time.Time) error {
	if m.RateLimit <= 0 {
		return nil
	}
	cost := time.Second / time.Duration(m.RateLimit)
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.buckets[m.ID]
	if !ok {
		b = bucket{available: time.Second, at: now}
	}
	b = bucket{available: min(b.available+max(now.Sub(b.at), 0), time.Second), at: now}
	if b.available < cost {
		return &request.Error{Code: request.CodeTooMany, RetryAfter: 1, Faults: []request.Fault{{Code: request.FaultInvalid, Text: "Too many requests."}}}
	}
	b.available -= cost
	if l.buckets == nil || len(l.buckets) >= store.CacheLimit {
		l.buckets = map[string]bucket{}
	}
	l.buckets[m.ID] = b
	return nil
}
