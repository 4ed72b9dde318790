// Package stream receives the records of the main table's stream, which has the keys of documents that have changed.
package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/aws/aws-lambda-go/events"
)

// Changes are the records of a batch: which documents have changed, not how.
type Changes struct {
	Records []struct {
		Change struct {
			Keys struct {
				Partition struct{ S string } `json:"pk"`
			}
			SequenceNumber string
		} `json:"dynamodb"`
	}
}

// Handler is a Lambda handler of batches. It returns the first record that was not done: Lambda calls
// it again with that one and all after it. An error means that nothing may be done; Lambda then halves the batch.
type Handler func(context.Context, Changes) (events.DynamoDBEventResponse, error)

// Index lists the payments of orders. It returns the partitions that failed.
type Index func(ctx context.Context, partitions []string) (failed []string, err error)

// NewHandler returns the index function's handler. It calls index once for a batch, with each partition once: with all
// that the batch has each time, so that one that always fails holds up no other. A record that can't be read has failed
// too.
func NewHandler(log *slog.Logger, index Index) Handler {
	return func(ctx context.Context, changes Changes) (response events.DynamoDBEventResponse, err error) {
		defer func() {
			if cause := recover(); cause != nil { // which may contain anything
				log.ErrorContext(ctx, "a batch panicked", "cause", fmt.Sprintf("%T", cause), "stack", string(debug.Stack()))
				err = errBatch
			}
		}()
		failed, err := index(ctx, changes.partitions())
		if err != nil {
			log.ErrorContext(ctx, "a batch failed", "records", len(changes.Records), "error", err.Error())
			if len(failed) == 0 {
				return response, errBatch
			}
		}
		response.BatchItemFailures = []events.DynamoDBBatchItemFailure{} // not nil: some readers accept no null for a list
		for _, r := range changes.Records {
			partition := r.Change.Keys.Partition.S
			if partition == "" || slices.Contains(failed, partition) {
				log.ErrorContext(ctx, "a record failed", "partition", partition, "sequence_number", r.Change.SequenceNumber)
				response.BatchItemFailures = append(response.BatchItemFailures,
					events.DynamoDBBatchItemFailure{ItemIdentifier: r.Change.SequenceNumber})
				break
			}
		}
		return response, nil
	}
}

// partitions are the partitions of a batch in their order, each once.
func (c Changes) partitions() []string {
	var all []string
	for _, r := range c.Records {
		if p := r.Change.Keys.Partition.S; p != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// errBatch is all that Lambda is told; the log says more.
var errBatch = errors.New("the batch failed")
