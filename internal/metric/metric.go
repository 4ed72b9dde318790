// Package metric writes log lines with metrics inside them, in CloudWatch's embedded metric format.
package metric

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/store"
)

// Metric is a number that CloudWatch takes out of a log line. Its name and
// unit are CloudWatch's.
type Metric struct {
	Name  string
	Unit  string // Count or Milliseconds
	Value int64
}

// Count is a metric that counts one thing.
func Count(name string) Metric { return Metric{name, "Count", 1} }

// Line is a log line that has metrics. They are kept by stack and by
// dimension, the name of one of the line's attributes, or by stack alone for "".
type Line struct {
	Message   string
	Dimension string
	Metrics   []Metric
}

// Meter writes log lines, and metrics inside them in CloudWatch's embedded metric format.
type Meter struct {
	Log   *slog.Logger
	Stack string // the name of the deployment, by which its metrics are told from another one's
	Now   func() time.Time
}

// Measure writes a log line with its metrics inside.
func (s Meter) Measure(ctx context.Context, line Line, attrs ...slog.Attr) {
	s.Log.LogAttrs(ctx, slog.LevelInfo, line.Message, append(attrs, s.Embedded(line)...)...)
}

// embedded is what CloudWatch reads of a line: which of its attributes are metrics.
type embedded struct {
	CloudWatchMetrics [1]definition
	Timestamp         int64 // milliseconds
}

type definition struct {
	Dimensions [1][]string
	Metrics    []named
	Namespace  string
}

type named struct{ Name, Unit string }

// Embedded are the attributes of a line that hold its metrics.
func (s Meter) Embedded(line Line) []slog.Attr {
	d := definition{Namespace: "Checkout", Dimensions: [1][]string{{"stack"}}, Metrics: make([]named, len(line.Metrics))}
	if line.Dimension != "" {
		d.Dimensions[0] = append(d.Dimensions[0], line.Dimension)
	}
	attrs := make([]slog.Attr, 0, len(line.Metrics)+2)
	for i, m := range line.Metrics {
		d.Metrics[i] = named{m.Name, m.Unit}
		attrs = append(attrs, slog.Int64(m.Name, m.Value))
	}
	return append(attrs, slog.String("stack", s.Stack), slog.Any("_aws", &embedded{[1]definition{d}, s.Now().UnixMilli()}))
}

// Conflicts measures a change that met a conflict each time, and answers ErrConflicts.
func (s Meter) Conflicts(ctx context.Context, operation, payment string) error {
	s.Measure(ctx, Line{Message: "conflicts exhausted", Metrics: []Metric{Count("conflicts_exhausted")}},
		slog.String("operation", operation), slog.String("payment", payment))
	return fmt.Errorf("%s: %w", operation, store.ErrConflicts)
}
