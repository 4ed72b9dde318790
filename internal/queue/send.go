// Package queue sends and receives the messages of the two SQS queues. Sender sends them to the connector and callback
// functions, and Jobs and Callbacks are the handlers that receive them there. A message is a checkout.JobMessage or a
// callback.Message as JSON.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Sender sends messages to the two queues. It is a checkout.Queue.
type Sender struct {
	client      *sqs.Client
	jobURL      string
	callbackURL string
}

var _ checkout.Queue = (*Sender)(nil)

// NewSender returns the Sender of the queues with these URLs.
func NewSender(client *sqs.Client, jobURL, callbackURL string) *Sender {
	return &Sender{client: client, jobURL: jobURL, callbackURL: callbackURL}
}

// SendJob sends a job to the connector function, to be delivered after delay, which is rounded up to whole seconds and
// limited to callback.MaxDelay.
func (s *Sender) SendJob(ctx context.Context, message checkout.JobMessage, delay time.Duration) error {
	return s.send(ctx, s.jobURL, message, delay)
}

// SendCallback sends a callback to the callback function. Its delay is that of SendJob.
func (s *Sender) SendCallback(ctx context.Context, message callback.Message, delay time.Duration) error {
	return s.send(ctx, s.callbackURL, message, delay)
}

// SendJobs sends jobs in one request, without a delay. refused is how many of them SQS did not accept.
func (s *Sender) SendJobs(ctx context.Context, messages []checkout.JobMessage) (refused int, err error) {
	return sendBatch(ctx, s.client, s.jobURL, messages)
}

// SendCallbacks sends callbacks in one request, without a delay. refused is how many of them SQS did not accept.
func (s *Sender) SendCallbacks(ctx context.Context, messages []callback.Message) (refused int, err error) {
	return sendBatch(ctx, s.client, s.callbackURL, messages)
}

// sendBatch sends messages in one request and returns how many of them SQS did not accept.
func sendBatch[M any](ctx context.Context, client *sqs.Client, url string, messages []M) (refused int, err error) {
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

func (s *Sender) send(ctx context.Context, url string, message any, delay time.Duration) error {
	body, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	text := string(body)
	_, err = s.client.SendMessage(ctx, &sqs.SendMessageInput{
		QueueUrl:     &url,
		MessageBody:  &text,
		DelaySeconds: seconds(delay),
	})
	if err != nil {
		return fmt.Errorf("send a message to %s: %w", url, err)
	}
	return nil
}

func seconds(delay time.Duration) int32 {
	delay = min(max(delay, 0), callback.MaxDelay)
	return int32((delay + time.Second - 1) / time.Second)
}
