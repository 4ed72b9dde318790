package worker

import (
	"context"
	"errors"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// execution is a task while a worker executes it, with what is sent to which connector.
type execution struct {
	core      *checkout.Core
	runner    *Runner
	task      checkout.Task
	merchant  *settings.Merchant // nil if there is none any more
	sealed    *card.Sealed       // the sealed card, if it was read
	connector connector.Connector
	charge    connector.Charge // of other jobs than a charge only its ProviderRequest
	wallet    walletAt         // of a charge with a wallet's token: how its MID takes that
	continues bool             // call Continue with the second form
	probe     bool             // the result of the charge closes or opens the circuit breaker of its MID
	apart     bool             // it came through the queue for slow providers
	hasPlace  bool             // it stays in the queue through which it came
}

// taskWithCard reads the task of a message with its sealed card, if there may be one: it is deleted before the charge
// goes to another MID, which has another reference.
func (s *Runner) taskWithCard(ctx context.Context, now time.Time, message payment.JobMessage) (execution, error) {
	read, more, err := s.core.ReadTask(ctx, now, message, func(m payment.JobMessage) []store.Key {
		if m.Reference != "" && m.Reference != m.PaymentID {
			return nil
		}
		return []store.Key{store.SealedCardKey(m.PaymentID)}
	})
	t := execution{core: s.core, runner: s, task: read}
	if err != nil || len(more) == 0 || more[0].Version == 0 {
		return t, err
	}
	t.sealed = &card.Sealed{}
	return t, more[0].Decode(t.sealed)
}

// errChanged means that another worker changed the payment before the request was sent.
var errChanged = errors.New("the payment has changed")
