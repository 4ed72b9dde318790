package checkout

import (
	"context"
	"fmt"

	"checkout/internal/screen"
)

// lookUp looks up and stores the outcome of a request that was sent before. lost reports that the provider never
// received it, and that it was sent so long ago that it can't arrive any more. It may be sent again then, with the same
// reference.
func (s *Service) lookUp(ctx context.Context, t task) (lost bool, err error) {
	job := t.job()
	job.Tries++
	querier, ok := t.connector.(StatusQuerier)
	if !ok {
		return false, s.postpone(ctx, t, Undefined)
	}
	result, err := s.queryStatus(ctx, t, querier)
	if err == nil && result.Outcome == OutcomeUnknown && !s.Now().Before(job.SentAt.Add(JobLease)) {
		return true, nil
	}
	return false, s.storeResult(context.WithoutCancel(ctx), t, result, err)
}

// queryStatus has the connector look up the request that was sent before.
func (s *Service) queryStatus(ctx context.Context, t task, querier StatusQuerier) (Result, error) {
	t.job().LookUps++
	limited, cancel := context.WithTimeout(ctx, s.ProviderTimeout/3) // leaves time to send in the same run
	defer cancel()
	result, err := querier.QueryStatus(limited, t.charge.ProviderRequest)
	if err == nil {
		result, err = result.bounded()
	}
	if err != nil { // without ErrNotSent, which would mean the earlier request
		err = fmt.Errorf("look-up: %s", t.errorText(err))
	}
	return result, err
}

// declineWithoutCard declines a charge whose card is not stored any more, unless the provider received it: after a
// table was restored from a backup, the payment does not say what was sent since the backup.
func (s *Service) declineWithoutCard(ctx context.Context, t task, reason screen.ReasonCode) error {
	job := t.job()
	querier, ok := t.connector.(StatusQuerier)
	if !ok || !job.SentAt.IsZero() { // a sent request was looked up just before
		return s.declineUnsent(ctx, t, reason)
	}
	job.Tries++
	result, err := s.queryStatus(ctx, t, querier)
	if err == nil && result.Outcome == OutcomeUnknown || err != nil && job.Tries >= maxSends {
		return s.declineUnsent(ctx, t, reason)
	}
	return s.storeResult(context.WithoutCancel(ctx), t, result, err)
}
