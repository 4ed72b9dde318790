package checkout

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/request"
)

// lookupDelays is when an undecided job is looked up again: after each
// try the next delay, and the last one for ever.
var lookupDelays = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

func lookupDelay(tries int) time.Duration {
	return lookupDelays[min(max(tries-1, 0), len(lookupDelays)-1)]
}

// lookUp asks what became of an earlier question. Only when the provider says
// that it never saw the reference, and the question is so old that it can't
// still be on its way, is it asked again, with the same reference.
func (s *Service) lookUp(ctx context.Context, t task) error {
	job := t.job()
	job.Tries++
	looker, ok := t.connector.(Lookuper)
	if !ok {
		return s.postpone(ctx, t, "undefined")
	}
	result, err := s.putLookUp(ctx, t, looker)
	if err == nil && result.Outcome == OutcomeUnknown && !s.Now().Before(job.AskedAt.Add(AskLease)) {
		return s.ask(ctx, t)
	}
	return s.storeAnswer(context.WithoutCancel(ctx), t, result, err)
}

// putLookUp asks the provider what became of the question before.
func (s *Service) putLookUp(ctx context.Context, t task, looker Lookuper) (Result, error) {
	t.job().LookUps++
	asked, cancel := context.WithTimeout(ctx, s.AskTimeout/3) // leaves time to ask in the same run
	defer cancel()
	result, err := looker.Lookup(asked, t.charge.Question)
	if err == nil {
		result, err = result.bounded()
	}
	if err != nil { // that this was not sent says nothing of the question before
		err = fmt.Errorf("look-up: %s", request.ErrorText(err))
	}
	return result, err
}

// declineLate declines a charge whose card is gone, unless the provider knows
// it: a table that was restored does not tell what was sent after that moment.
func (s *Service) declineLate(ctx context.Context, t task, reason string) error {
	job := t.job()
	looker, ok := t.connector.(Lookuper)
	if !ok || !job.AskedAt.IsZero() { // or it was looked up just now
		return s.declineUnsent(ctx, t, reason)
	}
	job.Tries++
	result, err := s.putLookUp(ctx, t, looker)
	if err == nil && result.Outcome == OutcomeUnknown || err != nil && job.Tries >= sendTries {
		return s.declineUnsent(ctx, t, reason)
	}
	return s.storeAnswer(context.WithoutCancel(ctx), t, result, err)
}
