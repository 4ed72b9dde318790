package worker

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// query is what is left to know of a request that was sent.
type query struct {
	core      *checkout.Core
	task      checkout.Task
	connector connector.Connector
	charge    connector.Charge
	timeout   time.Duration // of requests to the provider
	apart     bool          // it is measured as one of the queue for slow providers
}

func (q query) report() report { return report{q.core, q.task, q.charge} }

// LookUpTimeout is how long a look-up may take of a provider that has so long to respond to other requests: it leaves
// time to send in the same run.
func LookUpTimeout(others time.Duration) time.Duration { return others / 3 }

// status has the connector look up the request that was sent before. OutcomeUnknown means that the provider never
// received it. Errors: notFoundYet while that is not certain.
func (q query) status(ctx context.Context, querier connector.StatusQuerier) (connector.Result, error) {
	q.task.Job().LookUps++
	q.task.Job().LookedUpAt = q.core.Now()
	limited, cancel := context.WithTimeout(ctx, LookUpTimeout(q.timeout))
	defer cancel()
	defer breaker{q.core, q.task}.sending(ctx, q.apart)()
	result, err := querier.QueryStatus(limited, q.charge.ProviderRequest)
	if err == nil {
		result, err = q.report().checkResult(ctx, result)
	}
	if err == nil {
		result, err = q.checkNotFound(limited, result, q.task.Job().LookedUpAt)
	}
	return result, q.report().laterError("look-up", err)
}

// checkNotFound returns the result of a look-up, or of an attempt to end a charge, that began at a time. OutcomeUnknown
// stays only if it proves that the provider never received the request and will not. Errors: notFoundYet.
func (q query) checkNotFound(
	ctx context.Context, result connector.Result, began time.Time,
) (connector.Result, error) {
	if result.Outcome != connector.OutcomeUnknown {
		return result, nil
	}
	after, err := q.foundAfter(ctx)
	if err != nil {
		return connector.Result{}, fmt.Errorf("how late it finds a request: %w", err)
	}
	until := q.provesNothingUntil(after)
	if after > 0 {
		q.task.Job().FoundBy = until // else the schedule has a look-up soon after the lease
	}
	if began.Before(until) {
		return connector.Result{}, notFoundYet{until}
	}
	return result, nil
}

// foundAfter returns how long the provider may take to find a request that it has received: as the connector declares,
// or the provider of the MID says.
func (q query) foundAfter(ctx context.Context) (time.Duration, error) {
	if describer, ok := q.connector.(connector.Describer); ok {
		return describer.FoundAfter(ctx, q.charge.ProviderRequest)
	}
	_, name := q.task.Payment.Requests().Place(q.task.Job())
	return time.Duration(q.core.Declarations[name].FoundAfter) * time.Second, nil
}

// provesNothingUntil returns until when the provider may not find a request that it has received. The time counts from
// the last moment at which the request may have been on its way: the end of the lease of the worker that sent it last,
// which outlasts the time limit of the function by more than clocks differ.
func (q query) provesNothingUntil(after time.Duration) time.Time {
	switch sentAt := q.task.Job().SentAt; {
	case !sentAt.IsZero():
		return sentAt.Add(payment.JobLease + after)
	case after == 0:
		return time.Time{}
	}
	// After a table was restored from a backup, the payment does not say when it was sent.
	return sendableUntil(q.task.Payment).Add(payment.JobLease + after)
}
