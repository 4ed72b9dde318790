package source

import (
	"encoding/json"
	"testing"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

func TestWhatCountsAsDone(t *testing.T) {
	batch := []message{{MessageId: "a"}, {MessageId: "b"}, {MessageId: "c"}}
	for _, c := range []struct {
		name, response, failure string
		partial                 bool
		want                    int
	}{
		{"all", `null`, "", true, 3},
		{"no response", ``, "", true, 3},
		{"none failed", `{"batchItemFailures":[]}`, "", true, 3},
		{"failures null", `{"batchItemFailures":null}`, "", true, 3},
		{"one failed", `{"batchItemFailures":[{"itemIdentifier":"b"}]}`, "", true, 2},
		{"one failed twice", `{"batchItemFailures":[{"itemIdentifier":"b"},{"itemIdentifier":"b"}]}`, "", true, 2},
		{"unknown message", `{"batchItemFailures":[{"itemIdentifier":"x"}]}`, "", true, 0},
		{"empty name", `{"batchItemFailures":[{"itemIdentifier":""}]}`, "", true, 0},
		{"unreadable", `{"batchItemFailures":"b"}`, "", true, 0},
		{"not asked for partial responses", `{"batchItemFailures":[{"itemIdentifier":"b"}]}`, "", false, 3},
		{"function failed", `{}`, "Unhandled", true, 0},
	} {
		p := &poller{event: template.QueueEvent{PartialBatch: c.partial}}
		done := p.done(batch, lambda.Result{Payload: []byte(c.response), FunctionError: c.failure})
		if len(done) != c.want {
			t.Errorf("%s: %d done, want %d", c.name, len(done), c.want)
		}
	}
}

func TestPayloadIsLambdas(t *testing.T) {
	p := &poller{sources: &Sources{config: Config{Region: "r"}}, event: template.QueueEvent{QueueARN: "arn:q"}}
	var m message
	given := `{"MessageId":"1","ReceiptHandle":"h","Body":"b","MD5OfBody":"5",` +
		`"Attributes":{"ApproximateReceiveCount":"2"},` +
		`"MessageAttributes":{"a":{"DataType":"String","StringValue":"v"}}}`
	if err := json.Unmarshal([]byte(given), &m); err != nil {
		t.Fatal(err)
	}
	got, err := p.payload([]message{m})
	want := `{"Records":[{"messageId":"1","receiptHandle":"h","body":"b","md5OfBody":"5","md5OfMessageAttributes":"",` +
		`"attributes":{"ApproximateReceiveCount":"2"},"messageAttributes":{"a":{"stringValue":"v","stringListValues":[],` +
		`"binaryListValues":[],"dataType":"String"}},"eventSourceARN":"arn:q","eventSource":"aws:sqs","awsRegion":"r"}]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s\n%v", got, want, err)
	}
}
