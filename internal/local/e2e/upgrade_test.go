package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud"
)

// Functions of an older release serve half of the calls, as during a release, and everything ends as with those of one
// release: what either stores and sends, the other reads.
func TestUpgrade(t *testing.T) {
	if *old == "" {
		t.Skip("make upgrade-test runs it")
	}
	for name, tell := range map[string]func(*testing.T){
		"cards": TestPayments, "follow-ups": TestFollowUps,
		"refunds at once": TestRefundsAtOnce, "saved cards": TestSavedCards, "schedule": TestScheduledCharge,
	} {
		t.Run(name, tell)
	}
	t.Run("providers", func(t *testing.T) {
		t.Parallel()
		w := openProviders(t, *old)
		w.enoughHappened(nil, w.sells(func(pay func()) {
			pay()
			w.idle() // no call ends when the clock is set
		}))
		calls := w.cloud.Snapshot()
		for _, name := range []string{"session", "page", "connector", "callback", "notify", "status", "refund", "sweep"} {
			if calls[name].Invocations == 0 || calls[name+cloud.Old].Invocations == 0 {
				t.Errorf("%s was not called of both releases", name)
			}
		}
	})
}

// warnings are those that providers' faults and tokens that come late lead to.
var warnings = []string{
	"a person has to decide", "look-up failed", "provider not reached", "token of a wallet refused",
}

// unnoticed checks that functions of two releases have logged nothing but what those of one do, and that no callback
// came twice, unless the function was ended meanwhile.
func (w *world) unnoticed() {
	w.t.Helper()
	for function, text := range w.cloud.AllLogs() {
		for line := range strings.Lines(text) {
			var entry struct{ Level, Msg string }
			err := json.Unmarshal([]byte(line), &entry)
			refused := strings.Contains(line, "InternalServerError") // by an injected fault
			if err != nil || entry.Level == "ERROR" && !refused ||
				entry.Level == "WARN" && !slices.Contains(warnings, entry.Msg) {
				w.t.Errorf("%s has logged %s", function, line)
			}
		}
	}
	calls, came := w.cloud.Snapshot(), map[string]int{}
	ended := calls["callback"].Errors + calls["callback"+cloud.Old].Errors
	for _, r := range w.shop.received() {
		if came[r.ID()]++; came[r.ID()] == 2 && ended == 0 {
			w.t.Errorf("%s came twice", r.Body)
		}
	}
}
