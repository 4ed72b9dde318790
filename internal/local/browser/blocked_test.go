package browser

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// traced is a part of an event of Chromium's trace. Times are in microseconds; tdur is the thread's own, which other
// processes do not make longer.
type traced struct {
	Name string
	PID  int
	TID  int
	TDur float64
}

// TestBlocked measures how long the main thread is blocked, by the processor's time, which is about the same on a busy
// machine: one visit within the limit is enough.
func TestBlocked(t *testing.T) {
	if !*limits {
		t.Skip("make limits runs it")
	}
	at, _ := embedded(t, time.Now)
	shop := openShop(t)
	for _, c := range []struct {
		name string
		more []object
	}{
		{"the card alone", []object{paying}},
		{"an address too, in a language whose countries have no names in browsers", []object{
			{"checkout_language": "kk", "customer": nil, "billing_address": nil}}},
	} {
		var all []float64
		for len(all) < measurements && (len(all) == 0 || slices.Min(all) > mostBlocked) {
			v := firstVisit(t, at, shop)
			s := v.session(c.more...)
			events := v.trace(func() {
				v.form(s)
				get[bool](v.tab, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 500)))")
			})
			all = append(all, blockedIn(t, events))
		}
		t.Logf("%s: %.0f ms blocked on a processor that is %d times slower", c.name, all, slowerCPU)
		if best := slices.Min(all); best > mostBlocked {
			t.Errorf("%s: %.0f ms blocked, more than %.0f", c.name, best, mostBlocked)
		}
	}
}

// trace records what the browser does meanwhile.
func (v *visit) trace(run func()) []traced {
	v.t.Helper()
	var mu sync.Mutex
	var all []traced
	done := make(chan bool, 1)
	err := chromedp.Listen(v.ctx, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, value := range e.Value {
				var one traced
				if text, err := json.Marshal(value); err == nil && json.Unmarshal(text, &one) == nil {
					all = append(all, one)
				}
			}
		case *tracing.EventTracingComplete:
			done <- true
		}
	})
	if err != nil {
		v.t.Fatal(err)
	}
	call(v.tab, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"devtools.timeline", "disabled-by-default-devtools.timeline", "v8", "fonts"}},
	})
	run()
	call(v.tab, tracing.End, cdp.Empty{})
	select {
	case <-done:
	case <-time.After(patience):
		v.t.Fatal("the trace does not end")
	}
	mu.Lock()
	defer mu.Unlock()
	return all
}

// blockedIn is how long tasks of the page's thread are beyond 50 ms each, in ms, on a slow phone.
func blockedIn(t *testing.T, events []traced) (blocked float64) {
	t.Helper()
	page := slices.IndexFunc(events, func(e traced) bool { return e.Name == "v8.evaluateModule" })
	if page < 0 {
		t.Fatalf("no script among %d events", len(events))
	}
	tasks := 0
	for _, e := range events {
		if e.Name == "RunTask" && e.PID == events[page].PID && e.TID == events[page].TID {
			tasks++
			blocked += max(0, slowerCPU*e.TDur/1000-50)
		}
	}
	if tasks == 0 {
		t.Fatal("no tasks")
	}
	return blocked
}
