package load

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"checkout/internal/local/client"
)

// Each bucket begins where the one before ends, and is at most about three per cent wide.
func TestBuckets(t *testing.T) {
	for bucket := range buckets - 1 {
		last := end(bucket)
		if bucketOf(last) != bucket || bucketOf(last+1) != bucket+1 {
			t.Fatalf("bucket %d ends at %d, which is in %d; the next is in %d", bucket, last, bucketOf(last), bucketOf(last+1))
		}
		if width := end(bucket+1) - last; width > max(1, last/32+1) {
			t.Errorf("bucket %d is %d wide", bucket+1, width)
		}
	}
	if bucketOf(1<<62) != buckets-1 || time.Duration(end(buckets-1))*time.Microsecond < time.Hour {
		t.Error("an hour is too long")
	}
}

func TestPercentiles(t *testing.T) {
	h := &histogram{}
	if got := h.percentiles(); got != (Percentiles{}) {
		t.Errorf("%+v of nothing", got)
	}
	for us := range 60 {
		h.add(time.Duration(us+1) * time.Microsecond)
	}
	if got := h.percentiles(); got != (Percentiles{P50: 30, P95: 57, P99: 60}) {
		t.Errorf("%+v", got)
	}
}

// A call that is sent late counts from when it was planned.
func TestTimesCountFromThePlan(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	s := &stage{service: client.Service{URL: server.URL, HTTP: server.Client()},
		times: map[string]*histogram{session: {}}}
	call := s.timed(t.Context(), session, func() time.Time { return time.Now().Add(-time.Hour) })
	_, _, err := call(client.Request{Method: http.MethodGet})
	if err == nil || err.Error() != "404 session" {
		t.Error(err)
	}
	if got := time.Duration(s.times[session].at(50)) * time.Microsecond; got < time.Hour {
		t.Errorf("it took %s", got)
	}
}

func TestRates(t *testing.T) {
	for highest, want := range map[int][]int{
		1: {1}, 5: {5}, 50: {5, 10, 25, 50}, 100: {5, 10, 25, 50, 100}, 300: {5, 10, 25, 50, 100, 200, 300},
	} {
		if got := Rates(highest); !reflect.DeepEqual(got, want) {
			t.Errorf("up to %d: %v, want %v", highest, got, want)
		}
	}
}

func TestConclusion(t *testing.T) {
	for want, steps := range map[string][]Step{
		"it keeps up with 10 a second": {{Offered: 5}, {Offered: 10}},
		"it keeps up with 5 a second, and breaks at 10: why": {
			{Offered: 5}, {Offered: 10, Broken: "why"}, {Offered: 25}},
		"it keeps up with no step; stopped before the end": {{Offered: 5, Stopped: true}},
	} {
		if got := conclude(steps).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
