// Package queues has the parts of the service that send to SQS, and the functions that need no other library beside it.
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

func addJobs(g *function.Given) {
	g.Service.Queue = both{queue.NewSender(newSQS(g), g.Env("JOB_QUEUE_URL"), ""), g.Service.Queue}
}

func addCallbacks(g *function.Given) {
	g.Service.Queue = both{g.Service.Queue, queue.NewSender(newSQS(g), "", g.Env("CALLBACK_QUEUE_URL"))}
}

func newSQS(g *function.Given) *sqs.Client { return sqs.NewFromConfig(g.AWS("SQS")) }

// both are the two queues, each from where it was given.
type both struct{ jobs, callbacks checkout.Queue }

// SendJob implements checkout.Queue.
func (q both) SendJob(ctx context.Context, m checkout.JobMessage, delay time.Duration) error {
	return q.jobs.SendJob(ctx, m, delay)
}

// SendCallback implements checkout.Queue.
func (q both) SendCallback(ctx context.Context, m callback.Message, delay time.Duration) error {
	return q.callbacks.SendCallback(ctx, m, delay)
}

// SendJobs implements checkout.Queue.
func (q both) SendJobs(ctx context.Context, messages []checkout.JobMessage) (int, error) {
	return q.jobs.SendJobs(ctx, messages)
}

// SendCallbacks implements checkout.Queue.
func (q both) SendCallbacks(ctx context.Context, messages []callback.Message) (int, error) {
	return q.callbacks.SendCallbacks(ctx, messages)
}
