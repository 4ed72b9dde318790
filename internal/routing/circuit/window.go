package circuit

import (
	"slices"
	"sync"
	"time"

	"checkout/internal/store"
)

// The latest charges of each MID that an instance counts. A MID is failing where at least two of them have failed, and
// no fewer than have succeeded: single failures among many successes are everyday, and are never stored.
const (
	windowCharges = 10
	windowFailing = 2
)

// charge is one charge of a window. Its Reason is "" if it was healthy.
type charge struct {
	Failure
	reported bool
}

// Memory counts the latest charges of an instance, by MID, and caches what the table holds for some seconds. The zero
// value is empty. It is bounded: a full one starts anew.
type Memory struct {
	mu      sync.Mutex
	windows map[MID][]charge
	cache   store.Cache[document]
	running store.Places // requests, by owner
}

// add counts a charge. failing are the failures of a failing MID that were not reported yet; failed says whether any
// charge has failed lately.
func (m *Memory) add(now time.Time, mid MID, c charge) (failing []Failure, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.windows == nil || len(m.windows) >= store.CacheLimit {
		m.windows = map[MID][]charge{}
	}
	all := slices.DeleteFunc(append(m.windows[mid], c), func(c charge) bool { return now.Sub(c.At) >= failuresWithin })
	all = all[max(0, len(all)-windowCharges):]
	m.windows[mid] = all
	count := 0
	for _, c := range all {
		if c.Reason != "" {
			count++
		}
	}
	if count < windowFailing || 2*count < len(all) {
		return nil, count > 0
	}
	for i := range all {
		if all[i].Reason != "" && !all[i].reported {
			failing, all[i].reported = append(failing, all[i].Failure), true
		}
	}
	return failing, true
}
