// Package queues has the parts of the service that send to SQS, and the functions that need no other library.
package queues

import (
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"checkout/internal/app/function"
	"checkout/internal/queue"
)

// The queues that a function may send to. Payments with the test key have queues of their own.
var (
	Jobs     = function.Part{Name: "job queues", Needs: []string{"JOB_QUEUE_URL", "TEST_JOB_QUEUE_URL"}, Add: addJobs}
	SlowJobs = function.Part{ // with Jobs
		Name: "job queues for slow providers", Needs: []string{"SLOW_JOB_QUEUE_URL", "SLOW_TEST_JOB_QUEUE_URL"}, Add: addJobs,
	}
	Callbacks = function.Part{
		Name: "callback queues", Needs: []string{"CALLBACK_QUEUE_URL", "TEST_CALLBACK_QUEUE_URL"}, Add: addCallbacks,
	}
	SlowCallbacks = function.Part{ // with Callbacks
		Name: "queue for slow addresses", Needs: []string{"SLOW_CALLBACK_QUEUE_URL"}, Add: addCallbacks,
	}
)

func addJobs(b *function.Builder) {
	urls := queue.URLs{
		Jobs: b.Env("JOB_QUEUE_URL"), SlowJobs: b.Env("SLOW_JOB_QUEUE_URL"),
		TestJobs: b.Env("TEST_JOB_QUEUE_URL"), SlowTestJobs: b.Env("SLOW_TEST_JOB_QUEUE_URL"),
	}
	sender := queue.NewSender(newSQS(b), urls)
	b.Core.Jobs, b.Worker.Batches = sender, sender
}

func addCallbacks(b *function.Builder) {
	urls := queue.URLs{
		Callbacks: b.Env("CALLBACK_QUEUE_URL"), SlowCallbacks: b.Env("SLOW_CALLBACK_QUEUE_URL"),
		TestCallbacks: b.Env("TEST_CALLBACK_QUEUE_URL"),
	}
	sender := queue.NewSender(newSQS(b), urls)
	b.Worker.Callbacks, b.Operator.Callbacks = sender, sender
}

func newSQS(b *function.Builder) *sqs.Client { return sqs.NewFromConfig(b.AWS("SQS")) }
