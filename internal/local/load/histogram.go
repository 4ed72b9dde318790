package load

import (
	"math/bits"
	"time"
)

// A histogram counts durations in buckets of about three per cent, in a fixed amount of memory.
const (
	exact   = 64 // microseconds that have a bucket each
	inEach  = 32 // buckets of each power of two above
	powers  = 32 // more than an hour
	buckets = exact + powers*inEach
)

// histogram counts durations.
type histogram struct {
	counts [buckets]int
	all    int
}

func (h *histogram) add(d time.Duration) {
	h.counts[bucketOf(max(0, d.Microseconds()))]++
	h.all++
}

// bucketOf returns the bucket of a number of microseconds.
func bucketOf(us int64) int {
	if us < exact {
		return int(us)
	}
	shift := bits.Len64(uint64(us)) - bits.Len(inEach)
	return min(buckets-1, exact+(shift-1)*inEach+int(us>>shift)-inEach)
}

// end returns the most microseconds that a bucket counts.
func end(bucket int) int64 {
	if bucket < exact {
		return int64(bucket)
	}
	shift, place := (bucket-exact)/inEach+1, (bucket-exact)%inEach
	return (int64(place)+inEach+1)<<shift - 1
}

// Percentiles are durations in microseconds that half, 95 and 99 of 100 calls do not exceed.
type Percentiles struct {
	P50 int64 `json:"p50_us"`
	P95 int64 `json:"p95_us"`
	P99 int64 `json:"p99_us"`
}

func (h *histogram) percentiles() Percentiles { return Percentiles{h.at(50), h.at(95), h.at(99)} }

// at returns the microseconds that p per cent do not exceed, 0 if nothing was counted.
func (h *histogram) at(p int) int64 {
	need, seen := (h.all*p+99)/100, 0
	for bucket, count := range h.counts {
		if seen += count; seen >= need && need > 0 {
			return end(bucket)
		}
	}
	return 0
}
