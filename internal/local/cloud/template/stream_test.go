package template

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const streamed = `
Resources:
  Items:
    Type: AWS::DynamoDB::Table
    Properties:
      StreamSpecification: {StreamViewType: KEYS_ONLY}
  Failed: {Type: AWS::SQS::Queue}
  ReaderFunction:
    Type: AWS::Serverless::Function
    Properties:
      Handler: bootstrap
      Policies:
        - Statement:
            - Effect: Allow
              Action: [dynamodb:DescribeStream, dynamodb:GetRecords, dynamodb:GetShardIterator, dynamodb:ListStreams]
              Resource: !GetAtt Items.StreamArn
            - {Effect: Allow, Action: sqs:SendMessage, Resource: !GetAtt Failed.Arn}
  Mapping:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      FunctionName: !Ref ReaderFunction
      EventSourceArn: !GetAtt Items.StreamArn
      StartingPosition: TRIM_HORIZON
      FilterCriteria: {Filters: [{Pattern: '{"dynamodb":{"Keys":{"pk":{"S":["a",{"prefix":"b/"}]}}}}'}]}
      BatchSize: 50
      MaximumBatchingWindowInSeconds: 2
      FunctionResponseTypes: [ReportBatchItemFailures]
      BisectBatchOnFunctionError: true
      MaximumRetryAttempts: 3
      DestinationConfig: {OnFailure: {Destination: !GetAtt Failed.Arn}}
`

func readStreamed(t *testing.T, text string) (*Template, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "template.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(file, Options{StackName: "s", Region: "r", Account: "1",
		QueueURL: func(name string) string { return "http://sqs/" + name }})
}

func TestReadStreams(t *testing.T) {
	got, err := readStreamed(t, streamed)
	if err != nil {
		t.Fatal(err)
	}
	table := got.Tables[0]
	view := map[string]any{"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}
	if !reflect.DeepEqual(table.Definition["StreamSpecification"], view) {
		t.Errorf("the table is %+v", table)
	}
	keys := map[string]any{"pk": map[string]any{"S": []any{"a", map[string]any{"prefix": "b/"}}}}
	want := []StreamEvent{{
		ID: "Mapping", TableName: "s-Items", StreamARN: table.StreamARN, BatchSize: 50, Window: 2 * time.Second,
		PartialBatch: true, Bisect: true, Retries: 3, OnFailure: "arn:aws:sqs:r:1:s-Failed",
		Filters: []map[string]any{{"dynamodb": map[string]any{"Keys": keys}}},
	}}
	if streams := got.Functions[0].Streams; !reflect.DeepEqual(streams, want) {
		t.Errorf("got  %+v\nwant %+v", streams, want)
	}
}

func TestFaultsOfStreams(t *testing.T) {
	for _, c := range []struct{ piece, instead, want string }{
		{"      StreamSpecification: {StreamViewType: KEYS_ONLY}\n", "", `no attribute "StreamArn"`},
		{", dynamodb:ListStreams", "", "may not dynamodb:ListStreams on"},
		{"sqs:SendMessage", "sqs:ReceiveMessage", "may not sqs:SendMessage on"},
		{"TRIM_HORIZON", "LATEST", "only TRIM_HORIZON"},
		{"      MaximumRetryAttempts: 3\n", "", "should be 0 to 10000"},
		{"BatchSize: 50", "BatchSize: 0", "should be 1 to 10000"},
		{"ReportBatchItemFailures", "ReportAll", `"ReportAll" is not understood`},
		{`{"prefix":"b/"}`, `{"suffix":"b/"}`, "only lists of texts"},
		{`["a",{"prefix":"b/"}]`, `"a"`, "only lists of texts"},
		{`'{"dynamodb"`, `'"dynamodb"`, "is no JSON object"},
	} {
		if strings.Count(streamed, c.piece) != 1 {
			t.Fatalf("%q", c.piece)
		}
		_, err := readStreamed(t, strings.Replace(streamed, c.piece, c.instead, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v", c.instead, c.piece, err)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, data string
		want          bool
	}{
		{`{}`, `{"a":"b"}`, true},
		{`{"a":["x","b"]}`, `{"a":"b","c":1}`, true},
		{`{"a":["b"]}`, `{"a":"bc"}`, false},
		{`{"a":[{"prefix":"b"}]}`, `{"a":"bc"}`, true},
		{`{"a":[{"prefix":"c"}]}`, `{"a":"bc"}`, false},
		{`{"a":["b"]}`, `{}`, false},
		{`{"a":["b"]}`, `{"a":{"b":"b"}}`, false},
		{`{"a":{"b":["c"]}}`, `{"a":{"b":"c"}}`, true},
		{`{"a":{"b":["c"]}}`, `{"a":"b"}`, false},
		{`{"a":["b"],"c":["d"]}`, `{"a":"b","c":"e"}`, false},
	} {
		var pattern, data map[string]any
		if json.Unmarshal([]byte(c.pattern), &pattern) != nil || json.Unmarshal([]byte(c.data), &data) != nil {
			t.Fatal(c)
		}
		if got := Fits(pattern, data); got != c.want {
			t.Errorf("%s fits %s: %t", c.data, c.pattern, got)
		}
	}
}
