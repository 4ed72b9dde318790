package checkout

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// metric is a number that CloudWatch takes out of a log line. Its name and
// unit are CloudWatch's.
type metric struct {
	name  string
	unit  string // Count or Milliseconds
	value int64
}

func counted(name string) metric { return metric{name, "Count", 1} }

// measured is a log line that has metrics. They are kept by stack and by
// dimension, the name of one of the line's attributes, or by stack alone for "".
type measured struct {
	message   string
	dimension string
	metrics   []metric
}

// meter writes log lines, and metrics inside them in CloudWatch's embedded metric format.
type meter struct {
	Log   *slog.Logger
	Stack string // the name of the deployment, by which its metrics are told from another one's
	Now   func() time.Time
}

// measure writes a log line with its metrics inside.
func (s meter) measure(ctx context.Context, line measured, attrs ...slog.Attr) {
	s.Log.LogAttrs(ctx, slog.LevelInfo, line.message, append(attrs, s.embedded(line)...)...)
}

// embedded are the attributes of a line that hold its metrics.
func (s meter) embedded(line measured) (attrs []slog.Attr) {
	definitions := make([]map[string]string, 0, len(line.metrics))
	for _, m := range line.metrics {
		definitions = append(definitions, map[string]string{"Name": m.name, "Unit": m.unit})
		attrs = append(attrs, slog.Int64(m.name, m.value))
	}
	dimensions := []string{"stack"}
	if line.dimension != "" {
		dimensions = append(dimensions, line.dimension)
	}
	return append(attrs, slog.String("stack", s.Stack), slog.Any("_aws", map[string]any{
		"Timestamp":         s.Now().UnixMilli(),
		"CloudWatchMetrics": []any{map[string]any{"Namespace": "Checkout", "Dimensions": [][]string{dimensions}, "Metrics": definitions}},
	}))
}

// conflicts measures a change that met a conflict each time, and answers ErrConflicts.
func (s meter) conflicts(ctx context.Context, operation, payment string) error {
	s.measure(ctx, measured{message: "conflicts exhausted", metrics: []metric{counted("conflicts_exhausted")}},
		slog.String("operation", operation), slog.String("payment", payment))
	return fmt.Errorf("%s: %w", operation, ErrConflicts)
}
