// Package queue sends and receives the messages of the SQS queues. Sender sends them to the connector and callback
// functions, and Jobs and Callbacks are the handlers that receive them there. A message is a payment.JobMessage or a
// callback.Message as JSON.
package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/worker"
)

// Sender sends messages to the queues. It is a payment.JobQueue, a worker.JobBatches and a callback.Queue.
type Sender struct {
	client *sqs.Client
	urls   URLs
}

// URLs are the addresses of the queues. Payments with the test key have queues of their own, and so have jobs of slow
// providers and callbacks to slow addresses, so that they delay no others.
type URLs struct {
	Jobs, SlowJobs, TestJobs, SlowTestJobs  string
	Callbacks, SlowCallbacks, TestCallbacks string
}

func (u URLs) ofJob(m payment.JobMessage) string {
	switch {
	case m.Test && m.Slow:
		return u.SlowTestJobs
	case m.Test:
		return u.TestJobs
	case m.Slow:
		return u.SlowJobs
	}
	return u.Jobs
}

func (u URLs) ofCallback(m callback.Message) string {
	switch {
	case m.Test:
		return u.TestCallbacks
	case m.Slow:
		return u.SlowCallbacks
	}
	return u.Callbacks
}

var (
	_ payment.JobQueue  = (*Sender)(nil)
	_ worker.JobBatches = (*Sender)(nil)
	_ callback.Queue    = (*Sender)(nil)
)

// NewSender returns the Sender of the queues with these URLs.
func NewSender(client *sqs.Client, urls URLs) *Sender { return &Sender{client, urls} }

// SendJob sends a job to the connector function, to be delivered after delay, which is rounded up to whole seconds and
// limited to callback.MaxDelay.
func (s *Sender) SendJob(ctx context.Context, message payment.JobMessage, delay time.Duration) error {
	return s.send(ctx, envelope(s.urls.ofJob(message), message.Merchant, delay), message)
}

// SendCallback sends a callback to the callback function. Its delay is that of SendJob.
func (s *Sender) SendCallback(ctx context.Context, message callback.Message, delay time.Duration) error {
	return s.send(ctx, envelope(s.urls.ofCallback(message), message.Merchant, delay), message)
}

// SendJobs sends jobs of one queue in one request, without a delay. refused is how many of them SQS did not accept.
func (s *Sender) SendJobs(ctx context.Context, messages []payment.JobMessage) (refused int, err error) {
	return sendBatch(ctx, s.client, s.urls.ofJob, messages)
}

// SendCallbacks sends callbacks of one queue in one request, without a delay. refused is how many of them SQS did not
// accept.
func (s *Sender) SendCallbacks(ctx context.Context, messages []callback.Message) (refused int, err error) {
	return sendBatch(ctx, s.client, s.urls.ofCallback, messages)
}

// sendBatch sends messages to the queue of the first and returns how many of them SQS did not accept.
func sendBatch[M any](
	ctx context.Context, client *sqs.Client, urlOf func(M) string, messages []M,
) (refused int, err error) {
	if len(messages) == 0 {
		return 0, nil
	}
	url := urlOf(messages[0])
	input := &sqs.SendMessageBatchInput{QueueUrl: &url}
	for i, message := range messages {
		body, err := json.Marshal(message)
		if err != nil {
			return 0, fmt.Errorf("encode a message: %w", err)
		}
		input.Entries = append(input.Entries, types.SendMessageBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), MessageBody: aws.String(string(body)),
		})
	}
	out, err := client.SendMessageBatch(ctx, input)
	if err != nil {
		return 0, fmt.Errorf("send %d messages to %s: %w", len(messages), url, err)
	}
	return len(out.Failed), nil
}

func (s *Sender) send(ctx context.Context, input *sqs.SendMessageInput, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	input.MessageBody = aws.String(string(body))
	if _, err = s.client.SendMessage(ctx, input); err != nil {
		return fmt.Errorf("send a message to %s: %w", *input.QueueUrl, err)
	}
	return nil
}

// envelope addresses a message in the group of its merchant: of a merchant who has many messages in work, SQS delivers
// the next one after those of the others.
func envelope(url, merchant string, delay time.Duration) *sqs.SendMessageInput {
	return &sqs.SendMessageInput{QueueUrl: &url, DelaySeconds: seconds(delay), MessageGroupId: groupOf(merchant)}
}

// groupOf is the group of a merchant's messages, nil if the merchant is not known: a hash, since SQS does not take
// every id.
func groupOf(merchant string) *string {
	if merchant == "" {
		return nil
	}
	hash := sha256.Sum256([]byte(merchant))
	return aws.String(hex.EncodeToString(hash[:16]))
}

func seconds(delay time.Duration) int32 {
	delay = min(max(delay, 0), callback.MaxDelay)
	return int32((delay + time.Second - 1) / time.Second)
}
