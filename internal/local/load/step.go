package load

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"checkout/internal/local/client"
)

// Step is what one rate has led to.
type Step struct {
	Offered int            `json:"offered"`       // checkouts a second
	Done    int            `json:"done"`          // checkouts that ended well
	Tenths  int64          `json:"done_per_10_s"` // of them in ten seconds, in the second half of the step
	Errors  map[string]int `json:"errors,omitempty"`
	// Times are those of each call by its name, of the outcome from the request that pays on, and of the whole checkout.
	Times   map[string]Percentiles `json:"times"`
	Broken  string                 `json:"broken,omitempty"`  // why it was too much
	Stopped bool                   `json:"stopped,omitempty"` // before its end
}

// The names of what is timed, in the order of a checkout.
const (
	session = "session"
	page    = "page"
	form    = "form"
	pay     = "pay"
	poll    = "poll"
	outcome = "outcome"
	status  = "status"
	whole   = "whole"
)

// timed is everything that is timed; calls are those with a bound.
var (
	timed = []string{session, page, form, pay, poll, status, outcome, whole}
	calls = []string{session, page, form, pay, poll, status}
)

// stage offers one rate.
type stage struct {
	config  Config
	service client.Service
	rate    int
	began   time.Time

	mu    sync.Mutex
	done  int
	late  int // of done, in the second half
	fails map[string]int
	times map[string]*histogram
}

// took counts a duration.
func (s *stage) took(name string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times[name].add(d)
}

func (s *stage) failed(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails[why]++
}

// ended counts a checkout. One that was cut off by the end of ctx is neither done nor failed.
func (s *stage) ended(ctx context.Context, err error) {
	if err != nil {
		if ctx.Err() == nil {
			s.failed(err.Error())
		}
		return
	}
	after := time.Since(s.began)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	if after >= s.config.Each/2 && after < s.config.Each {
		s.late++
	}
}

// enough is how many per cent of what is offered have to be done.
const enough = 90

func (s *stage) result(stopped bool) Step {
	r := Step{Offered: s.rate, Done: s.done, Errors: s.fails, Times: map[string]Percentiles{}, Stopped: stopped}
	for name, h := range s.times {
		r.Times[name] = h.percentiles()
	}
	if stopped {
		r.Tenths = int64(s.done) * int64(10*time.Second) / int64(max(time.Since(s.began), 1))
		return r
	}
	r.Tenths = int64(s.late) * int64(10*time.Second) / int64(s.config.Each-s.config.Each/2)
	if r.Tenths*100 < int64(s.rate)*10*enough {
		r.Broken = fmt.Sprintf("%s of %d a second are done", tenths(r.Tenths), s.rate)
	}
	for _, name := range calls {
		if p99 := time.Duration(r.Times[name].P99) * time.Microsecond; p99 > s.config.Bound {
			if r.Broken != "" {
				r.Broken += ", "
			}
			r.Broken += fmt.Sprintf("p99 of %s is %s", name, p99.Round(time.Millisecond))
		}
	}
	return r
}

func tenths(n int64) string { return fmt.Sprintf("%d.%d", n/10, n%10) }

// failures lists errors with their counts, the most frequent first.
func (r Step) failures() []string {
	var all []string
	frequent := func(a, b string) int { return r.Errors[b] - r.Errors[a] }
	for _, why := range slices.SortedFunc(maps.Keys(r.Errors), frequent) {
		all = append(all, fmt.Sprintf("%s: %d", why, r.Errors[why]))
	}
	return all
}

// Conclusion is what the steps say together.
type Conclusion struct {
	KeepsUp  int    `json:"keeps_up"`  // highest rate before the first step that was too much; 0: none
	BreaksAt int    `json:"breaks_at"` // rate of that step; 0: none was too much
	Why      string `json:"why,omitempty"`
	Stopped  bool   `json:"stopped,omitempty"` // before the last step had ended
}

func conclude(all []Step) (c Conclusion) {
	for _, s := range all {
		switch {
		case s.Stopped:
			c.Stopped = true
		case c.BreaksAt > 0:
		case s.Broken != "":
			c.BreaksAt, c.Why = s.Offered, s.Broken
		default:
			c.KeepsUp = s.Offered
		}
	}
	return c
}

func (c Conclusion) String() string {
	text := fmt.Sprintf("it keeps up with %d a second", c.KeepsUp)
	if c.KeepsUp == 0 {
		text = "it keeps up with no step"
	}
	if c.BreaksAt > 0 {
		text += fmt.Sprintf(", and breaks at %d: %s", c.BreaksAt, c.Why)
	}
	if c.Stopped {
		text += "; stopped before the end"
	}
	return text
}
