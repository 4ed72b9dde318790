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

// Changes are the records of a batch.
type Changes struct{ Records []Record }

// Record says which document was stored or deleted, not how it was or is.
type Record struct {
	Event  string `json:"eventName"` // INSERT, MODIFY or REMOVE
	Change struct {
		Keys struct {
			Partition struct{ S string } `json:"pk"`
			Sort      struct{ S string } `json:"sk"`
		}
		SequenceNumber string
	} `json:"dynamodb"`
}

// Partition is that of the document.
func (r Record) Partition() string { return r.Change.Keys.Partition.S }

// Handler is a Lambda handler of batches. It returns the first record that was not done: Lambda calls
// it again with that one and all after it. An error means that nothing may be done; Lambda then halves the batch.
type Handler func(context.Context, Changes) (events.DynamoDBEventResponse, error)

// NewHandler returns a handler that calls do once for a batch, with what of makes of each record, each once: with all
// that the batch has each time, so that one that always fails holds up no other. do returns those that failed. A record
// that can't be read has failed too.
func NewHandler[T comparable](
	log *slog.Logger, of func(Record) T, do func(context.Context, []T) (failed []T, err error),
) Handler {
	return func(ctx context.Context, changes Changes) (response events.DynamoDBEventResponse, err error) {
		defer func() {
			if cause := recover(); cause != nil { // which may contain anything
				log.ErrorContext(ctx, "a batch panicked", "cause", fmt.Sprintf("%T", cause), "stack", string(debug.Stack()))
				err = errBatch
			}
		}()
		failed, err := do(ctx, each(changes.Records, of))
		if err != nil {
			log.ErrorContext(ctx, "a batch failed", "records", len(changes.Records), "error", err.Error())
			if len(failed) == 0 {
				return response, errBatch
			}
		}
		response.BatchItemFailures = []events.DynamoDBBatchItemFailure{} // not nil: some readers accept no null for a list
		for _, r := range changes.Records {
			if r.Partition() == "" || slices.Contains(failed, of(r)) {
				log.ErrorContext(ctx, "a record failed", "partition", r.Partition(),
					"sequence_number", r.Change.SequenceNumber)
				response.BatchItemFailures = append(response.BatchItemFailures,
					events.DynamoDBBatchItemFailure{ItemIdentifier: r.Change.SequenceNumber})
				break
			}
		}
		return response, nil
	}
}

// each is what is made of the records that can be read, in their order, each once.
func each[T comparable](records []Record, of func(Record) T) []T {
	var all []T
	for _, r := range records {
		if one := of(r); r.Partition() != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// errBatch is all that Lambda is told; the log says more.
var errBatch = errors.New("the batch failed")
