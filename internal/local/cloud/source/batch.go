package source

import (
	"bytes"
	"encoding/json"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
)

// message is one message as SQS returns it.
type message struct {
	MessageId              string
	ReceiptHandle          string
	Body                   string
	MD5OfBody              string
	MD5OfMessageAttributes string
	Attributes             map[string]string
	MessageAttributes      map[string]struct {
		DataType    string
		StringValue *string
		BinaryValue []byte
	}
}

// payload is the event that Lambda makes of a batch.
func (p *poller) payload(batch []message) ([]byte, error) {
	event := events.SQSEvent{Records: make([]events.SQSMessage, len(batch))}
	for i, m := range batch {
		attributes := map[string]events.SQSMessageAttribute{}
		for name, a := range m.MessageAttributes {
			attributes[name] = events.SQSMessageAttribute{
				StringValue: a.StringValue, BinaryValue: a.BinaryValue, DataType: a.DataType,
				StringListValues: []string{}, BinaryListValues: [][]byte{},
			}
		}
		event.Records[i] = events.SQSMessage{
			MessageId: m.MessageId, ReceiptHandle: m.ReceiptHandle, Body: m.Body, Attributes: m.Attributes,
			MessageAttributes: attributes,
			Md5OfBody:         m.MD5OfBody, Md5OfMessageAttributes: m.MD5OfMessageAttributes,
			EventSource: "aws:sqs", EventSourceARN: p.event.QueueARN, AWSRegion: p.sources.config.Region,
		}
	}
	return json.Marshal(event)
}

// done returns the messages of a batch that a function has finished: all or none, or with partial batch responses all
// but those that the response names. A response that can't be read, or names a message that was not in the batch, fails
// the whole batch.
func (p *poller) done(batch []message, result lambda.Result) []message {
	if result.FunctionError != "" {
		return nil
	}
	response := bytes.TrimSpace(result.Payload)
	if !p.event.PartialBatch || len(response) == 0 || bytes.Equal(response, []byte("null")) {
		return batch
	}
	var out events.SQSEventResponse
	if json.Unmarshal(response, &out) != nil {
		return nil
	}
	left := map[string]bool{}
	for _, m := range batch {
		left[m.MessageId] = true
	}
	for _, failed := range out.BatchItemFailures {
		if _, ours := left[failed.ItemIdentifier]; !ours {
			return nil
		}
		left[failed.ItemIdentifier] = false
	}
	var done []message
	for _, m := range batch {
		if left[m.MessageId] {
			done = append(done, m)
		}
	}
	return done
}

// poller moves the messages of one queue to one function.
type poller struct {
	sources  *Sources
	function string
	event    template.QueueEvent
	url      string
}
