package source

import (
	"bytes"
	"encoding/json"

	"checkout/internal/local/cloud/lambda"
)

// message is one message as SQS gives it.
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
		BinaryValue *string
	}
}

type sqsRecord struct {
	MessageID              string                  `json:"messageId"`
	ReceiptHandle          string                  `json:"receiptHandle"`
	Body                   string                  `json:"body"`
	Attributes             map[string]string       `json:"attributes"`
	MessageAttributes      map[string]sqsAttribute `json:"messageAttributes"`
	MD5OfBody              string                  `json:"md5OfBody"`
	MD5OfMessageAttributes string                  `json:"md5OfMessageAttributes,omitempty"`
	EventSource            string                  `json:"eventSource"`
	EventSourceARN         string                  `json:"eventSourceARN"`
	AWSRegion              string                  `json:"awsRegion"`
}

type sqsAttribute struct {
	StringValue      *string  `json:"stringValue,omitempty"`
	BinaryValue      *string  `json:"binaryValue,omitempty"`
	StringListValues []string `json:"stringListValues"`
	BinaryListValues []string `json:"binaryListValues"`
	DataType         string   `json:"dataType"`
}

// payload is the event that Lambda makes of a batch.
func (p *poller) payload(batch []message) ([]byte, error) {
	records := make([]sqsRecord, len(batch))
	for i, m := range batch {
		attributes := map[string]sqsAttribute{}
		for name, a := range m.MessageAttributes {
			attributes[name] = sqsAttribute{
				StringValue: a.StringValue, BinaryValue: a.BinaryValue, DataType: a.DataType,
				StringListValues: []string{}, BinaryListValues: []string{},
			}
		}
		records[i] = sqsRecord{
			MessageID: m.MessageId, ReceiptHandle: m.ReceiptHandle, Body: m.Body, Attributes: m.Attributes, MessageAttributes: attributes,
			MD5OfBody: m.MD5OfBody, MD5OfMessageAttributes: m.MD5OfMessageAttributes,
			EventSource: "aws:sqs", EventSourceARN: p.event.QueueARN, AWSRegion: p.sources.config.Region,
		}
	}
	return json.Marshal(map[string]any{"Records": records})
}

// done is what a function has carried out of a batch: all or nothing, or with partial answers all but what it names. A partial
// answer that cannot be read, or names a message that was not in the batch, fails the whole batch.
func (p *poller) done(batch []message, result lambda.Result) []message {
	if result.FunctionError != "" {
		return nil
	}
	answer := bytes.TrimSpace(result.Payload)
	if !p.event.PartialBatch || len(answer) == 0 || bytes.Equal(answer, []byte("null")) {
		return batch
	}
	var out struct {
		BatchItemFailures []struct {
			ItemIdentifier string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if json.Unmarshal(answer, &out) != nil {
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
