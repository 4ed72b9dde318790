// Package worker does what nobody waits for: it runs jobs, which are requests to providers, looks up what is unknown,
// moves charges to other MIDs, decrypts cards and wallets' tokens, takes providers' notices, charges schedules, sends
// callbacks, and sweeps up whatever is due.
package worker

import (
	"context"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
)

// JobBatches sends messages to the connector function, many at once.
type JobBatches interface {
	// SendJobs sends at most ten messages, the limit of SQS, all of the same mode, in one request and without a delay.
	// refused is the number of messages that the queue did not accept.
	SendJobs(ctx context.Context, messages []payment.JobMessage) (refused int, err error)
}

// Service does what nobody waits for. Every exported field must be set that the function's work needs.
type Service struct {
	*checkout.Core
	Callbacks  callback.Queue
	Batches    JobBatches // of Sweep
	Vault      card.Vault
	Connectors map[string]connector.Connector
	Wallets    Wallets
	Sender     callback.Sender

	// ProviderTimeout is the time limit of a provider request; a look-up has a third of it. Both together are
	// less than the timeout of the connector function.
	ProviderTimeout time.Duration

	breakerCache callback.BreakerCache
}

func (s *Service) cardKeys() card.Keys {
	return card.Keys{Store: s.Store, Vault: s.Vault, Cache: &s.KeyCache}
}
