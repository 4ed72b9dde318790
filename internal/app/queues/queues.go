// Package queues has the ports that send to SQS, and the functions that need no other library.
package queues

import (
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"checkout/internal/app/function"
	"checkout/internal/queue"
)

// Payments with the test key have queues of their own.

// Jobs returns a sender to the job queues.
func Jobs(b *function.Builder) *queue.Sender { return sender(b, jobs(b, queue.URLs{})) }

// AllJobs returns a sender to the job queues, those for slow providers too.
func AllJobs(b *function.Builder) *queue.Sender { return sender(b, slowJobs(b, queue.URLs{})) }

// Callbacks returns a sender to the callback queues.
func Callbacks(b *function.Builder) *queue.Sender { return sender(b, callbacks(b, queue.URLs{})) }

// AllCallbacks returns a sender to the callback queues, that for slow addresses too.
func AllCallbacks(b *function.Builder) *queue.Sender {
	urls := callbacks(b, queue.URLs{})
	urls.SlowCallbacks = b.Variable("SLOW_CALLBACK_QUEUE_URL")
	maySend(b, "SlowCallbacks.Arn")
	return sender(b, urls)
}

// JobsAndCallbacks returns a sender to the job queues and the callback queues.
func JobsAndCallbacks(b *function.Builder) *queue.Sender {
	return sender(b, callbacks(b, jobs(b, queue.URLs{})))
}

// AllJobsAndCallbacks returns a sender to the callback queues and all of AllJobs.
func AllJobsAndCallbacks(b *function.Builder) *queue.Sender {
	return sender(b, callbacks(b, slowJobs(b, queue.URLs{})))
}

func jobs(b *function.Builder, urls queue.URLs) queue.URLs {
	maySend(b, "Jobs.Arn", "TestJobs.Arn")
	urls.Jobs, urls.TestJobs = b.Variable("JOB_QUEUE_URL"), b.Variable("TEST_JOB_QUEUE_URL")
	return urls
}

func slowJobs(b *function.Builder, urls queue.URLs) queue.URLs {
	maySend(b, "SlowJobs.Arn", "SlowTestJobs.Arn")
	urls = jobs(b, urls)
	urls.SlowJobs, urls.SlowTestJobs = b.Variable("SLOW_JOB_QUEUE_URL"), b.Variable("SLOW_TEST_JOB_QUEUE_URL")
	return urls
}

func callbacks(b *function.Builder, urls queue.URLs) queue.URLs {
	maySend(b, "Callbacks.Arn", "TestCallbacks.Arn")
	urls.Callbacks, urls.TestCallbacks = b.Variable("CALLBACK_QUEUE_URL"), b.Variable("TEST_CALLBACK_QUEUE_URL")
	return urls
}

func maySend(b *function.Builder, queues ...string) {
	for _, name := range queues {
		b.May(name, "sqs:SendMessage")
	}
}

func sender(b *function.Builder, urls queue.URLs) *queue.Sender {
	return queue.NewSender(sqs.NewFromConfig(b.AWS("SQS")), urls)
}
