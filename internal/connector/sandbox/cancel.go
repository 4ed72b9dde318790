package sandbox

import (
	"context"

	"checkout/internal/connector"
	"checkout/internal/store"
)

// payerEnded is the reason of a charge that was ended because its payer wants to pay in another way, or not at all.
const payerEnded = "The payer ended the payment."

// Cancel ends a charge that waits for its payer. One that is decided, or of which money has arrived, stays as it is.
func (s *Sandbox) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	for range store.ConflictTries {
		e, version, err := s.read(ctx, connector.RequestCharge, r.Reference)
		if err != nil {
			return connector.Result{}, err
		}
		if version == 0 {
			return connector.Result{Outcome: connector.OutcomeUnknown}, nil
		}
		if e = e.at(s.Now()); e.Next == "" || !e.Received.IsZero() {
			return s.result(e), nil
		}
		e.decline(payerEnded, s.Now())
		if err := s.save(ctx, s.record(e, version)); !store.IsConflict(err) {
			return s.result(e), err
		}
	}
	return connector.Result{}, conflicts()
}
