// Package queues has the parts of the service that send to SQS, and the functions that need no other library.
package queues

import (
	"context"
	"time"

	"checkout/internal/app/function"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/queue"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// The queues that a function may send to.
var (
	Jobs      = function.Part{Name: "job queue", Needs: []string{"JOB_QUEUE_URL"}, Add: addJobs}
	Callbacks = function.Part{Name: "callback queue", Needs: []string{"CALLBACK_QUEUE_URL"}, Add: addCallbacks}
)

func addJobs(b *function.Builder) {
	b.Service.Queue = queuePair{queue.NewSender(newSQS(b), b.Env("JOB_QUEUE_URL"), ""), b.Service.Queue}
}

func addCallbacks(b *function.Builder) {
	b.Service.Queue = queuePair{b.Service.Queue, queue.NewSender(newSQS(b), "", b.Env("CALLBACK_QUEUE_URL"))}
}

func newSQS(b *function.Builder) *sqs.Client { return sqs.NewFromConfig(b.AWS("SQS")) }

// queuePair has a queue for jobs and a queue for callbacks.
type queuePair struct{ jobs, callbacks checkout.Queue }

// SendJob implements checkout.Queue.
func (q queuePair) SendJob(ctx context.Context, m checkout.JobMessage, delay time.Duration) error {
	return q.jobs.SendJob(ctx, m, delay)
}

// SendCallback implements checkout.Queue.
func (q queuePair) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	return q.callbacks.SendCallback(ctx, m, delay)
}

// SendJobs implements checkout.Queue.
func (q queuePair) SendJobs(ctx context.Context, messages []checkout.JobMessage) (int, error) {
	return q.jobs.SendJobs(ctx, messages)
}

// SendCallbacks implements checkout.Queue.
func (q queuePair) SendCallbacks(ctx context.Context, messages []callback.Message) (int, error) {
	return q.callbacks.SendCallbacks(ctx, messages)
}
