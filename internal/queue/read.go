package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"

	"github.com/aws/aws-lambda-go/events"
)

// concurrency is how many messages of a batch are handled at the same time. In a batch of at most this size no message
// waits for another.
const concurrency = 10

// Handler is a Lambda handler of SQS batches. It returns the messages that failed, which SQS delivers again and in the
// end moves to the dead-letter queue. Its error is always nil.
type Handler func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Jobs returns the connector function's handler, which calls run for every message. A message that cannot be read, or
// for which run fails or panics, is logged with its id and returned as failed.
func Jobs(log *slog.Logger, run func(context.Context, payment.JobMessage) error) Handler {
	return handler(log, func(body string) (work, error) {
		var message payment.JobMessage
		if err := decode(body, &message); err != nil || message.PaymentID == "" {
			return work{}, errUnreadable
		}
		return work{message.Cause, func(ctx context.Context) error {
			if err := run(ctx, message); err != nil {
				return fmt.Errorf("payment %s: %w", message.PaymentID, err)
			}
			return nil
		}}, nil
	})
}

// Callbacks returns the callback function's handler, which calls run for every message as the handler of Jobs does.
func Callbacks(log *slog.Logger, run func(context.Context, callback.Message) error) Handler {
	return handler(log, func(body string) (work, error) {
		var message callback.Message
		if err := decode(body, &message); err != nil || message.PaymentID == "" || message.Seq < 1 {
			return work{}, errUnreadable
		}
		return work{message.Cause, func(ctx context.Context) error {
			if err := run(ctx, message); err != nil {
				return fmt.Errorf("payment %s, callback %d: %w", message.PaymentID, message.Seq, err)
			}
			return nil
		}}, nil
	})
}

// work is the work of a message.
type work struct {
	cause string // id of the API call that led to it
	run   func(context.Context) error
}

// errUnreadable shows nothing of the body, which may contain anything.
var errUnreadable = errors.New("unreadable message")

// decode reads a body. Members that it does not know are of a later release, which sends to the same queues while a
// deployment shifts from one to the other, and are left out as those of stored documents are.
func decode(body string, message any) error {
	if json.Unmarshal([]byte(body), message) != nil {
		return errUnreadable
	}
	return nil
}

func handler(log *slog.Logger, read func(body string) (work, error)) Handler {
	return func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
		failed := make([]bool, len(event.Records))
		free := make(chan struct{}, concurrency)
		var group sync.WaitGroup
		for i, record := range event.Records {
			free <- struct{}{}
			group.Go(func() {
				defer func() { <-free }()
				failed[i] = !runOne(ctx, log, record, read)
			})
		}
		group.Wait()
		failures := []events.SQSBatchItemFailure{} // not nil: some readers do not accept null for an empty list
		for i, record := range event.Records {
			if failed[i] {
				failures = append(failures, events.SQSBatchItemFailure{ItemIdentifier: record.MessageId})
			}
		}
		return events.SQSEventResponse{BatchItemFailures: failures}, nil
	}
}

// runOne handles one message and reports whether that succeeded.
func runOne(
	ctx context.Context, log *slog.Logger, record events.SQSMessage, read func(string) (work, error),
) (succeeded bool) {
	log = log.With("message_id", record.MessageId, "receives", record.Attributes["ApproximateReceiveCount"])
	defer func() {
		if cause := recover(); cause != nil {
			log.ErrorContext(ctx, "a message panicked", "cause", describe(cause), "stack", string(debug.Stack()))
			succeeded = false
		}
	}()
	todo, err := read(record.Body)
	if err == nil {
		ctx = fault.WithCause(ctx, todo.cause)
		err = todo.run(ctx)
	}
	if err != nil {
		log.ErrorContext(ctx, "a message failed", "error", err.Error())
		return false
	}
	return true
}

// describe returns a text about the value of a panic. Only the runtime's own errors are known to contain no payer's or
// merchant's data, so the text shows no other value.
func describe(cause any) string {
	if err, ok := cause.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", cause)
}
