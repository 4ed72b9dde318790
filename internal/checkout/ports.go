package checkout

import (
	"context"
	"time"

	"checkout/internal/callback"
)

// MaxBatch is the most messages of one request, which is SQS's.
const MaxBatch = 10

// Queue hands work to the connector and callback functions. A message may
// arrive more than once, late, or (after a crash) not at all: Sweep sends it
// again. Delay is at most MaxDelay.
type Queue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
	callback.Queue

	// SendJobs sends at most MaxBatch messages in one request, without a delay.
	// refused is how many of them the queue did not take.
	SendJobs(ctx context.Context, messages []JobMessage) (refused int, err error)
}

// JobMessage names a job of a payment by its Reference, or without one
// whatever of the payment is due. Chain instead names a recurring chain by its
// first payment. It carries ids alone.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
	Reference string `json:"reference,omitempty"`
	Chain     bool   `json:"chain,omitempty"`
	Cause     string `json:"cause,omitempty"` // id of the API call that led to it, if known
}
