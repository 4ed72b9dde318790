package payment

import (
	"context"
	"time"
)

// JobQueue sends messages to the connector function. A message may arrive more than once, late, or (after a crash) not
// at all: then Sweep sends it again. A delay is at most callback.MaxDelay.
type JobQueue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
}

// JobMessage names a job of a payment by its Reference; without a Reference it stands for all jobs of the payment.
// With Chain it names a recurring chain by its initial payment. It carries only ids.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
	Reference string `json:"reference,omitempty"`
	Chain     bool   `json:"chain,omitempty"`
	LookUp    bool   `json:"look_up,omitempty"`  // a call asks for a look-up of what is unknown
	Test      bool   `json:"test,omitempty"`     // of a payment with the test key: it has queues of its own
	Slow      bool   `json:"slow,omitempty"`     // through the queue for requests to slow providers
	Cause     string `json:"cause,omitempty"`    // id of the API call that caused it, "" if unknown
	Merchant  string `json:"merchant,omitempty"` // of whose messages one that waits delays no other's, "" if unknown
}
