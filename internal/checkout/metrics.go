package checkout

import (
	"context"
	"log/slog"
)

// metric is a number that CloudWatch takes out of a log line. Its name and
// unit are CloudWatch's.
type metric struct {
	name  string
	unit  string // Count or Milliseconds
	value int64
}

func counted(name string) metric { return metric{name, "Count", 1} }

// measure writes one log line with the metrics inside, in CloudWatch's
// embedded metric format. The metrics are kept by dimension, the name of one
// of the attributes, or without any for "".
func (s *Service) measure(ctx context.Context, message, dimension string, metrics []metric, attrs ...slog.Attr) {
	definitions := make([]map[string]string, 0, len(metrics))
	for _, m := range metrics {
		definitions = append(definitions, map[string]string{"Name": m.name, "Unit": m.unit})
		attrs = append(attrs, slog.Int64(m.name, m.value))
	}
	dimensions := [][]string{{}}
	if dimension != "" {
		dimensions = [][]string{{dimension}}
	}
	attrs = append(attrs, slog.Any("_aws", map[string]any{
		"Timestamp":         s.Now().UnixMilli(),
		"CloudWatchMetrics": []any{map[string]any{"Namespace": "Checkout", "Dimensions": dimensions, "Metrics": definitions}},
	}))
	s.Log.LogAttrs(ctx, slog.LevelInfo, message, attrs...)
}
