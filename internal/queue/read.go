package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/request"

	"github.com/aws/aws-lambda-go/events"
)

// Concurrency is how many messages of a batch are done at once. A
// batch of this size or less starts whole, so none of its messages waits for another.
const Concurrency = 10

// Handler is a Lambda handler of SQS batches. It returns the messages that
// failed, which SQS then delivers again and at last moves to the dead-letter
// queue. Its error is always nil.
type Handler func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Jobs returns the connector function's handler. It calls run for every
// message; what run fails, what panics and what can't be read is logged by
// id and answered as failed.
func Jobs(log *slog.Logger, run func(context.Context, checkout.JobMessage) error) Handler {
	return handler(log, func(body string) (work, error) {
		var message checkout.JobMessage
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

// Callbacks returns the callback function's handler, which treats its
// messages as that of Jobs does.
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

// work is what a message asks for, and the id of the API call that led to it.
type work struct {
	cause string
	run   func(context.Context) error
}

// errUnreadable says nothing of the body, which may be anything.
var errUnreadable = errors.New("unreadable message")

// decode reads a body that has exactly the fields of message.
func decode(body string, message any) error {
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(message); err != nil {
		return errUnreadable
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errUnreadable
	}
	return nil
}

func handler(log *slog.Logger, read func(body string) (work, error)) Handler {
	return func(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
		failed := make([]bool, len(event.Records))
		free := make(chan struct{}, Concurrency)
		var group sync.WaitGroup
		for i, record := range event.Records {
			free <- struct{}{}
			group.Go(func() {
				defer func() { <-free }()
				failed[i] = !runOne(ctx, log, record, read)
			})
		}
		group.Wait()
		// An empty list means success; so would null, but not to every reader.
		answer := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
		for i, record := range event.Records {
			if failed[i] {
				answer.BatchItemFailures = append(answer.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: record.MessageId})
			}
		}
		return answer, nil
	}
}

// runOne does one message and reports whether it is done with.
func runOne(ctx context.Context, log *slog.Logger, record events.SQSMessage, read func(string) (work, error)) (done bool) {
	log = log.With("message_id", record.MessageId, "receives", record.Attributes["ApproximateReceiveCount"])
	defer func() {
		if cause := recover(); cause != nil {
			log.ErrorContext(ctx, "a message panicked", "cause", describe(cause), "stack", string(debug.Stack()))
			done = false
		}
	}()
	asked, err := read(record.Body)
	if err == nil {
		ctx = request.WithCause(ctx, asked.cause)
		err = asked.run(ctx)
	}
	if err != nil {
		log.ErrorContext(ctx, "a message failed", "error", err.Error())
		return false
	}
	return true
}

// describe tells what panicked. Only the runtime's own words are known to hold no data.
func describe(cause any) string {
	if err, ok := cause.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", cause)
}
