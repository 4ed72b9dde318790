package sandbox

import (
	"context"
	"errors"
	"time"

	"checkout/internal/connector"
)

// Cancel ends a charge that waits for its payer. One that is decided, or of which money has arrived, stays as it is.
func (s *Sandbox) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	e, err := s.change(ctx, r.Reference, func(e *entry, now time.Time) bool {
		if *e = e.at(now); e.Next == "" || !e.Received.IsZero() {
			return false
		}
		e.decline(payerEnded, now)
		return true
	})
	if errors.Is(err, errUnknown) {
		return connector.Result{Outcome: connector.OutcomeUnknown}, nil
	}
	return s.result(e), err
}
