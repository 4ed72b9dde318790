package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
)

// TestHandler gives the handler the partitions of some records, numbered from 1, and an index that fails for those
// with "bad" in their names.
func TestHandler(t *testing.T) {
	for _, c := range []struct{ records, indexed, want string }{
		{"", "", `{"batchItemFailures":[]}`},
		{"a b a a", "a b", `{"batchItemFailures":[]}`},
		{"a bad b worse-bad bad", "a bad b worse-bad", `{"batchItemFailures":[{"itemIdentifier":"2"}]}`},
		{"a - b", "a b", `{"batchItemFailures":[{"itemIdentifier":"2"}]}`},
		{"a b down", "a b down", "the batch failed"},
		{"a b bad down", "a b bad down", `{"batchItemFailures":[{"itemIdentifier":"3"}]}`},
		{"a panic", "a panic", "the batch failed"},
	} {
		var records []string
		for i, partition := range strings.Fields(c.records) {
			keys := fmt.Sprintf(`"pk":{"S":%q},`, partition)
			if partition == "-" {
				keys = ""
			}
			records = append(records, fmt.Sprintf(
				`{"eventID":"e","dynamodb":{"Keys":{%s"sk":{"S":"s"}},"SequenceNumber":"%d"}}`, keys, i+1))
		}
		var indexed []string
		var log strings.Builder
		handler := lambda.NewHandler(NewHandler(slog.New(slog.NewTextHandler(&log, nil)), Record.Partition,
			func(_ context.Context, partitions []string) (failed []string, err error) {
				indexed = partitions
				for _, p := range partitions {
					if strings.Contains(p, "bad") {
						failed = append(failed, p)
					}
				}
				if slices.Contains(partitions, "panic") {
					panic("4111111111111111")
				}
				if slices.Contains(partitions, "down") {
					err = errors.New("the table does not respond")
				}
				return failed, err
			}))
		response, err := handler.Invoke(t.Context(), fmt.Appendf(nil, `{"Records":[%s]}`, strings.Join(records, ",")))
		got := string(response)
		if err != nil {
			got = err.Error()
		}
		if got != c.want || strings.Join(indexed, " ") != c.indexed {
			t.Errorf("%s: indexed %q, responded %s", c.records, indexed, got)
		}
		if strings.Contains(log.String(), "411111") || (log.Len() == 0) != strings.HasSuffix(c.want, "[]}") {
			t.Errorf("%s: logged %s", c.records, log.String())
		}
	}
}
