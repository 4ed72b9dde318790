package checkout

import (
	"cmp"
	"context"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
)

// Jobs sends jobs to the connector function. NewJobs makes it.
type Jobs struct {
	core  *Core
	queue payment.JobQueue
}

// NewJobs makes what sends jobs to a queue.
func NewJobs(core *Core, queue payment.JobQueue) Jobs { return Jobs{core, queue} }

// Send sends a message for a job. It only logs a failure, because the job is stored and Sweep sends it later.
func (j Jobs) Send(ctx context.Context, message payment.JobMessage, delay time.Duration) {
	message.Cause = cmp.Or(message.Cause, fault.RequestID(ctx))
	if err := j.queue.SendJob(ctx, message, delay); err != nil {
		j.core.Log.WarnContext(ctx, "job not sent, left to sweep", "payment", message.PaymentID, "error", err)
	}
}
