// Package queue is the SQS side: Sender writes the messages that tell the
// connector and callback functions what to do, Jobs and Callbacks read them
// in those functions. A message is a checkout.JobMessage or
// checkout.CallbackMessage as JSON, so it is written and read in one room.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"checkout/internal/checkout"
)

// Sender sends messages to the two queues. It is a checkout.Queue.
type Sender struct {
	client      *sqs.Client
	jobURL      string
	callbackURL string
}

var _ checkout.Queue = (*Sender)(nil)

// NewSender answers the Sender of the queues with these URLs.
func NewSender(client *sqs.Client, jobURL, callbackURL string) *Sender {
	return &Sender{client: client, jobURL: jobURL, callbackURL: callbackURL}
}

// SendJob sends a job to the connector function, to arrive after delay: whole
// seconds, rounded up, and checkout.MaxDelay where it is longer.
func (s *Sender) SendJob(ctx context.Context, message checkout.JobMessage, delay time.Duration) error {
	return s.send(ctx, s.jobURL, message, delay)
}

// SendCallback sends a callback to the callback function, to arrive after
// delay: whole seconds, rounded up, and checkout.MaxDelay where it is longer.
func (s *Sender) SendCallback(ctx context.Context, message checkout.CallbackMessage, delay time.Duration) error {
	return s.send(ctx, s.callbackURL, message, delay)
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
	delay = min(max(delay, 0), checkout.MaxDelay)
	return int32((delay + time.Second - 1) / time.Second)
}
