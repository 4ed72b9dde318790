package inmemory

import (
	"cmp"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
)

// The lines of a Queue.
const (
	jobs = iota
	slowJobs
	testJobs
	slowTestJobs
	callbacks
	slowCallbacks
	testCallbacks
	lines // how many
)

// line is one of the queues. Each has workers of its own.
type line struct {
	waiting []QueueMessage // by Due, then in the order of arrival
	running int            // how many Run is delivering
	workers int            // how many Run delivers at the same time
}

// QueueMessage is a message in a Queue: one of Job and Callback is set.
type QueueMessage struct {
	Job      *payment.JobMessage
	Callback *callback.Message
	Due      time.Time // when it is delivered next
	Tries    int       // how often it was delivered

	arrived uint64 // its order among messages that are due at the same time
}

// before orders messages by Due, then in the order of arrival.
func (m QueueMessage) before(other QueueMessage) int {
	return cmp.Or(m.Due.Compare(other.Due), cmp.Compare(m.arrived, other.arrived))
}

// line returns the number of the message's line.
func (m QueueMessage) line() int {
	switch {
	case m.Job != nil && m.Job.Test && m.Job.Slow:
		return slowTestJobs
	case m.Job != nil && m.Job.Test:
		return testJobs
	case m.Job != nil && m.Job.Slow:
		return slowJobs
	case m.Job != nil:
		return jobs
	case m.Callback.Test:
		return testCallbacks
	case m.Callback.Slow:
		return slowCallbacks
	}
	return callbacks
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
