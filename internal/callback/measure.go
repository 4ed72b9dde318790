package callback

import (
	"context"
	"log/slog"
	"time"

	"checkout/internal/metric"
)

// measureTry logs a try with its metrics.
func (s Outbox) measureTry(ctx context.Context, now time.Time, c *Callback, try Try) {
	attrs := []slog.Attr{
		slog.String("state", string(c.State)), slog.String("callback", c.ID), slog.String("payment", c.PaymentID),
		slog.String("merchant", c.Merchant), slog.Int("status", try.Status), slog.Int("tries", len(c.Tries)),
		slog.String("error", try.Error),
	}
	if c.Redelivery { // it was measured when it was delivered first
		s.Log.LogAttrs(ctx, slog.LevelInfo, "callback sent again", attrs...)
		return
	}
	age := metric.Metric{Name: "callback_age", Unit: "Milliseconds", Value: now.Sub(c.CreatedAt).Milliseconds()}
	failing := metric.Metric{Name: "callback_failing", Unit: "Milliseconds", Value: c.failing(now).Milliseconds()}
	s.Measure(ctx,
		metric.Line{
			Message: "callback", Test: c.Test, Dimension: "state",
			Metrics: []metric.Metric{metric.Count("callback_tries"), age, failing},
		}, attrs...)
}

// reportParked logs a callback that was parked, with its metric.
func (s Outbox) reportParked(ctx context.Context, c *Callback) {
	line := metric.Line{
		Message: "callback parked", Test: c.Test, Metrics: []metric.Metric{metric.Count("parked_callbacks")},
	}
	s.Measure(ctx, line,
		slog.String("callback", c.ID), slog.String("payment", c.PaymentID), slog.String("merchant", c.Merchant))
}
