package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"checkout/internal/circuit"
	"checkout/internal/metric"
)

func TestCircuits(t *testing.T) {
	_, table := newTable(t)
	e := tableService(t, table, shop())
	breakers := circuit.Circuits{Store: e.Core.Store, Memory: &circuit.Memory{},
		Meter: metric.Meter{Log: slog.New(slog.DiscardHandler), Now: time.Now}}
	for range 5 {
		breakers.Count(t.Context(), circuit.Charge{SentAt: time.Now(), Reason: circuit.TimedOut, Test: true,
			MID: circuit.MID{Owner: "test/shop", Mapping: "cards", Name: "mid-1", Connector: "sandbox"}})
	}
	does := func(args ...string) string {
		var out bytes.Buffer
		args = append([]string{"circuits", args[0], "-table", table}, args[1:]...)
		if err := run(t.Context(), args, none, &out); err != nil {
			return err.Error()
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	for _, test := range []struct{ want, args string }{
		{"shop test cards mid-1 sandbox open timeout since ", "list"},
		{" 1 not closed", "list shop"},
		{"0 not closed", "list another"},
		{"it has no open circuit breaker", "close shop cards mid-1"},
		{"it has no open circuit breaker", "close -test shop cards mid-2"},
		{"closed; functions know it within 10 seconds", "close -test shop cards mid-1"},
		{"0 not closed", "list"},
		{"use: checkout circuits close", "close shop"},
	} {
		if out := does(strings.Fields(test.args)...); !strings.Contains(out, test.want) {
			t.Errorf("%s: %q, want %q", test.args, out, test.want)
		}
	}
}
