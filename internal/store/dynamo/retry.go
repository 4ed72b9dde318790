package dynamo

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxTries is how often a request is sent that a busy table refuses: for about a second in all.
const maxTries = 8

// whenBusy is the client's retryer, which also repeats what the table refused because others were at the same items or
// it had enough to do. Whatever else fails is repeated as the client does it.
type whenBusy struct{ aws.Retryer }

// retryWhenBusy is an option of writes.
func retryWhenBusy(o *dynamodb.Options) { o.Retryer = whenBusy{o.Retryer} }

// MaxAttempts implements aws.Retryer.
func (whenBusy) MaxAttempts() int { return maxTries }

// IsErrorRetryable implements aws.Retryer.
func (r whenBusy) IsErrorRetryable(err error) bool {
	return isBusy(err) || r.Retryer.IsErrorRetryable(err)
}

// RetryDelay implements aws.Retryer. Its error ends the repeats.
func (r whenBusy) RetryDelay(attempt int, err error) (time.Duration, error) {
	switch {
	case isBusy(err):
		return busyDelay(attempt)
	case attempt >= r.Retryer.MaxAttempts():
		return 0, err
	}
	return r.Retryer.RetryDelay(attempt, err)
}

// busyDelay is how long to wait after an attempt (1, 2, ...) that a busy table refused: at most 31 ms, doubled each
// time up to a third of a second, and at random, so that writers which met once do not meet again.
func busyDelay(attempt int) (time.Duration, error) {
	delay, err := retry.NewExponentialJitterBackoff(retry.DefaultMaxBackoff).BackoffDelay(attempt, nil)
	return delay / 64, err // the SDK's are made for services, not for items
}

// isBusy reports whether a write was refused only because others were at the
// same items or the table had enough to do, which the SDK does not repeat by itself.
func isBusy(err error) bool {
	var conflict *types.TransactionConflictException
	var running *types.TransactionInProgressException
	if errors.As(err, &conflict) || errors.As(err, &running) {
		return true
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	busy := []string{"None", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"}
	return len(cancelled.CancellationReasons) > 0 &&
		!slices.ContainsFunc(cancelled.CancellationReasons, func(reason types.CancellationReason) bool {
			return !slices.Contains(busy, aws.ToString(reason.Code))
		})
}

// pause waits before what a busy table had no time for is asked for again.
func pause(ctx context.Context, attempt int) error {
	delay, err := busyDelay(attempt)
	if err != nil {
		return err
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
