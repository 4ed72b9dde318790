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

// The queues that a function may send to. Payments with the test key have queues of their own.
var (
	Jobs      = function.Part{Name: "job queues", Needs: []string{"JOB_QUEUE_URL", "TEST_JOB_QUEUE_URL"}, Add: addJobs}
	Callbacks = function.Part{
		Name: "callback queues", Needs: []string{"CALLBACK_QUEUE_URL", "TEST_CALLBACK_QUEUE_URL"}, Add: addCallbacks,
	}
	SlowCallbacks = function.Part{ // with Callbacks
		Name: "queue for slow addresses", Needs: []string{"SLOW_CALLBACK_QUEUE_URL"}, Add: addCallbacks,
	}
)

func addJobs(b *function.Builder) {
	urls := queue.URLs{Jobs: b.Env("JOB_QUEUE_URL"), TestJobs: b.Env("TEST_JOB_QUEUE_URL")}
	b.Service.Queue = queuePair{queue.NewSender(newSQS(b), urls), b.Service.Queue}
}

func addCallbacks(b *function.Builder) {
	urls := queue.URLs{
		Callbacks: b.Env("CALLBACK_QUEUE_URL"), SlowCallbacks: b.Env("SLOW_CALLBACK_QUEUE_URL"),
		TestCallbacks: b.Env("TEST_CALLBACK_QUEUE_URL"),
	}
	b.Service.Queue = queuePair{b.Service.Queue, queue.NewSender(newSQS(b), urls)}
}

func newSQS(b *function.Builder) *sqs.Client { return sqs.NewFromConfig(b.AWS("SQS")) }

// queuePair has queues for jobs and queues for callbacks.
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
