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

// maxTries is how often a request is sent that a busy table refuses. All tries together take about a second.
const maxTries = 8

// whenBusy wraps the client's retryer. It also repeats writes that the table refused because of a conflict with another
// write or because of throttling. All other failures are left to the client's retryer.
type whenBusy struct{ aws.Retryer }

// retryWhenBusy is an option for writes.
func retryWhenBusy(o *dynamodb.Options) { o.Retryer = whenBusy{o.Retryer} }

// MaxAttempts implements aws.Retryer.
func (whenBusy) MaxAttempts() int { return maxTries }

// IsErrorRetryable implements aws.Retryer.
func (r whenBusy) IsErrorRetryable(err error) bool {
	return isBusy(err) || r.Retryer.IsErrorRetryable(err)
}

// RetryDelay implements aws.Retryer. An error ends the retries.
func (r whenBusy) RetryDelay(attempt int, err error) (time.Duration, error) {
	switch {
	case isBusy(err):
		return busyDelay(attempt)
	case attempt >= r.Retryer.MaxAttempts():
		return 0, err
	}
	return r.Retryer.RetryDelay(attempt, err)
}

// busyDelay is how long to wait after an attempt (1, 2, ...) that a busy table refused: a random time of at most 31 ms,
// doubled each time up to a third of a second, so that writers in conflict do not repeat at the same time.
func busyDelay(attempt int) (time.Duration, error) {
	delay, err := retry.NewExponentialJitterBackoff(retry.DefaultMaxBackoff).BackoffDelay(attempt, nil)
	return delay / 64, err // the SDK's delays are for a whole service under load, not for one item
}

// isBusy reports whether a write was refused only because of a conflict with another write or because of throttling,
// which the SDK does not repeat by itself.
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

// pause waits before keys that a busy table did not process are requested again.
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
