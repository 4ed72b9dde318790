package inmemory

import (
	"cmp"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
)

// line is one of the two queues. Each has workers of its own.
type line struct {
	waiting []QueueMessage // by Due, then in the order of arrival
	running int            // how many Run is delivering
}

// QueueMessage is a message in a Queue: one of Job and Callback is set.
type QueueMessage struct {
	Job      *checkout.JobMessage
	Callback *callback.Message
	Due      time.Time // when it is delivered next
	Tries    int       // how often it was delivered

	arrived uint64 // its order among messages that are due at the same time
}

// before orders messages by Due, then in the order of arrival.
func (m QueueMessage) before(other QueueMessage) int {
	return cmp.Or(m.Due.Compare(other.Due), cmp.Compare(m.arrived, other.arrived))
}

func (m QueueMessage) payment() string {
	if m.Job != nil {
		return m.Job.PaymentID
	}
	return m.Callback.PaymentID
}

func (m QueueMessage) cause() string {
	if m.Job != nil {
		return m.Job.Cause
	}
	return m.Callback.Cause
}
