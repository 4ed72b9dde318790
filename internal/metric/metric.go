// Package metric writes log lines with metrics inside them, in CloudWatch's embedded metric format.
package metric

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"checkout/internal/store"
)

// Metric is a number in a log line that CloudWatch reads as a metric.
type Metric struct {
	Name  string
	Unit  string // Count, Milliseconds or Percent, as CloudWatch names them
	Value int64
}

// Count returns a metric with the value 1.
func Count(name string) Metric { return Metric{name, "Count", 1} }

// Line is a log line with metrics. The stack is a dimension of all metrics.
type Line struct {
	Message     string
	Test        bool   // of a payment with the test key: the line has the numbers, but they are no metrics
	Dimension   string // the name of an attribute of the line that is a second dimension; "": none
	Total       bool   // the metrics are counted without the second dimension, too: an alarm needs every dimension
	Metrics     []Metric
	ByConnector []Metric // their second dimension is the attribute connector
}

// Meter writes log lines with metrics.
type Meter struct {
	Log   *slog.Logger
	Stack string // the name of the deployment, which separates its metrics from those of another one
	Now   func() time.Time
}

// Measure writes a log line with its metrics.
func (s Meter) Measure(ctx context.Context, line Line, attrs ...slog.Attr) {
	s.Log.LogAttrs(ctx, slog.LevelInfo, line.Message, append(attrs, s.Embedded(line)...)...)
}

// embedded tells CloudWatch which attributes of a line are metrics.
type embedded struct {
	CloudWatchMetrics []definition
	Timestamp         int64 // milliseconds
}

type definition struct {
	Dimensions [][]string
	Metrics    []named
	Namespace  string
}

type named struct{ Name, Unit string }

// Embedded returns the attributes of a line that hold its metrics. Those of payments with the test key are not for
// CloudWatch, so that they raise no alarm.
func (s Meter) Embedded(line Line) []slog.Attr {
	attrs := make([]slog.Attr, 0, len(line.Metrics)+len(line.ByConnector)+2)
	for _, metrics := range [][]Metric{line.Metrics, line.ByConnector} {
		for _, m := range metrics {
			attrs = append(attrs, slog.Int64(m.Name, m.Value))
		}
	}
	if line.Test {
		return append(attrs, slog.Bool("test", true))
	}
	aws := &embedded{[]definition{line.definition()}, s.Now().UnixMilli()}
	if len(line.ByConnector) > 0 {
		by := Line{Dimension: "connector", Metrics: line.ByConnector}
		aws.CloudWatchMetrics = append(aws.CloudWatchMetrics, by.definition())
	}
	return append(attrs, slog.String("stack", s.Stack), slog.Any("_aws", aws))
}

func (line Line) definition() definition {
	d := definition{
		Namespace:  "Checkout",
		Dimensions: [][]string{{"stack"}},
		Metrics:    make([]named, len(line.Metrics)),
	}
	if line.Dimension != "" {
		d.Dimensions[0] = append(d.Dimensions[0], line.Dimension)
	}
	if line.Total {
		d.Dimensions = append(d.Dimensions, []string{"stack"})
	}
	for i, m := range line.Metrics {
		d.Metrics[i] = named{m.Name, m.Unit}
	}
	return d
}

// Conflicts measures a change that met a conflict at each try, and returns store.ErrConflicts. test says whether it was
// of a payment with the test key.
func (s Meter) Conflicts(ctx context.Context, test bool, operation, payment string) error {
	s.Measure(ctx, Line{Message: "conflicts exhausted", Test: test, Metrics: []Metric{Count("conflicts_exhausted")}},
		slog.String("operation", operation), slog.String("payment", payment))
	return fmt.Errorf("%s: %w", operation, store.ErrConflicts)
}
