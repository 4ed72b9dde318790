package callback

import (
	"context"
	"errors"
	"time"
)

// Outgoing is one HTTP POST to a merchant's notification_url.
type Outgoing struct {
	URL         string
	ContentType string
	Header      map[string]string
	Body        []byte

	Slow    func()             // is called if there is no response after SlowAfter; nil for nothing
	Refused func(start []byte) // is called with the first bytes of a response that is no success; nil for nothing
}

// IsTaken reports whether a status means that a callback is delivered.
func IsTaken(status int) bool { return status >= 200 && status < 300 }

// ErrTimeout is returned by a Sender when the address did not respond within 10 seconds.
var ErrTimeout = errors.New("no answer in time")

// ErrAddress is returned by a Sender for an address that callbacks must not be sent to.
var ErrAddress = errors.New("callbacks may not be sent to this address")

// Sender posts callbacks. It follows no redirect and refuses addresses that are not https or not public (protocol.md,
// Delivery). Any HTTP response is a status and no error.
type Sender interface {
	Send(ctx context.Context, out Outgoing) (status int, err error)
}

// Message names a callback that is due: number Seq of the payment.
type Message struct {
	PaymentID string `json:"payment_id"`
	Seq       int    `json:"seq"`
	Test      bool   `json:"test,omitempty"`     // of a payment with the test key: it has a queue of its own
	Slow      bool   `json:"slow,omitempty"`     // to a slow address: it has a queue of its own
	Single    bool   `json:"single,omitempty"`   // an operator sends this one: an open circuit breaker does not hold it
	Cause     string `json:"cause,omitempty"`    // id of the API call that led to it, if known
	Merchant  string `json:"merchant,omitempty"` // of whose messages one that waits delays no other's, "" if unknown
}

// MaxDelay is SQS's longest delay of a message. A callback that is due later is sent by Sweep.
const MaxDelay = 15 * time.Minute
