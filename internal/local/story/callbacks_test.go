package story

import (
	"testing"
	"time"
)

// repeats is the schedule of protocol.md, Delivery.
var repeats = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// Every repeat is sent by the sweep, within two minutes of its time, when all messages are lost.
func TestSweepRepeatsCallbacks(t *testing.T) {
	w := open(t)
	w.shop.responds(500)
	w.queue.lose = loseCallbacks
	w.shop.visits("pen-1").pays("01/38")
	sweepNow(t, w)
	for i, repeat := range repeats {
		w.skip(repeat + 2*time.Minute)
		sweepNow(t, w)
		if got := len(w.shop.Received()); got != i+1 {
			t.Fatalf("%d requests before repeat %d", got, i+1)
		}
	}
}

func pen(n int) string { return "pen-" + string(rune('0'+n)) }
