package checkout

import (
	"context"
	"time"

	"checkout/internal/callback"
)

// MaxBatch is how many messages one request has at most (a limit of SQS).
const MaxBatch = 10

// Queue sends messages to the connector and callback functions. A message may arrive more than once, late, or
// (after a crash) not at all: then Sweep sends it again. A delay is at most callback.MaxDelay.
type Queue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
	callback.Queue

	// SendJobs sends at most MaxBatch messages in one request, without a delay.
	// refused is the number of messages that the queue did not accept.
	SendJobs(ctx context.Context, messages []JobMessage) (refused int, err error)
}

// JobMessage names a job of a payment by its Reference; without a Reference it stands for all jobs of the payment.
// With Chain it names a recurring chain by its initial payment. It carries only ids.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
	Reference string `json:"reference,omitempty"`
	Chain     bool   `json:"chain,omitempty"`
	LookUp    bool   `json:"look_up,omitempty"` // a call asks for a look-up of what is unknown
	Cause     string `json:"cause,omitempty"`   // id of the API call that caused it, "" if unknown
}
