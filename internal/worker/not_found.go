package worker

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// notFoundYet is the error of a look-up that found nothing so early that this proves nothing: the provider may list
// what it has executed minutes later (protocol.md, Unknown outcomes). The outcome is unknown, whatever is to follow
// from the look-up.
type notFoundYet struct{ until time.Time }

func (e notFoundYet) Error() string {
	minute := e.until.Add(time.Minute - 1).Truncate(time.Minute)
	return "it has not found it yet; that proves nothing until " + minute.UTC().Format("15:04") + " UTC"
}

// checkNotFound returns the result of a look-up, or of an attempt to end a charge, that began at a time. OutcomeUnknown
// stays only if it proves that the provider never received the request and will not. Errors: notFoundYet.
func (x execution) checkNotFound(
	ctx context.Context, result connector.Result, began time.Time,
) (connector.Result, error) {
	if result.Outcome != connector.OutcomeUnknown {
		return result, nil
	}
	after, err := x.foundAfter(ctx)
	if err != nil {
		return connector.Result{}, fmt.Errorf("how late it finds a request: %w", err)
	}
	until := x.provesNothingUntil(after)
	if after > 0 {
		x.task.Job().FoundBy = until // else the schedule has a look-up soon after the lease
	}
	if began.Before(until) {
		return connector.Result{}, notFoundYet{until}
	}
	return result, nil
}

// foundAfter returns how long the provider may take to find a request that it has received: as the connector declares,
// or the provider of the MID says.
func (x execution) foundAfter(ctx context.Context) (time.Duration, error) {
	if describer, ok := x.connector.(connector.Describer); ok {
		return describer.FoundAfter(ctx, x.charge.ProviderRequest)
	}
	_, name := x.task.Payment.Requests().Place(x.task.Job())
	return time.Duration(x.core.Declarations[name].FoundAfter) * time.Second, nil
}

// provesNothingUntil returns until when the provider may not find a request that it has received. The time counts from
// the last moment at which the request may have been on its way: the end of the lease of the worker that sent it last,
// which outlasts the time limit of the function by more than clocks differ.
func (x execution) provesNothingUntil(after time.Duration) time.Time {
	switch sentAt := x.task.Job().SentAt; {
	case !sentAt.IsZero():
		return sentAt.Add(payment.JobLease + after)
	case after == 0:
		return time.Time{}
	}
	// After a table was restored from a backup, the payment does not say when it was sent.
	return sendableUntil(x.task.Payment).Add(payment.JobLease + after)
}
