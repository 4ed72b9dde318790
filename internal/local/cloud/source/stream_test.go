package source

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"
)

func recordsOf(numbers string) (batch []record) {
	for number := range strings.FieldsSeq(numbers) {
		batch = append(batch, record{"dynamodb": map[string]any{"SequenceNumber": number}})
	}
	return batch
}

func numbersOf(batch []record) string {
	var numbers []string
	for _, one := range batch {
		numbers = append(numbers, one.sequence())
	}
	return strings.Join(numbers, " ")
}

// TestDeliveryOfABatch delivers the records 1 to 4 to functions that fail in different ways. A batch that the function
// got is in the list of calls; what was told to the queue for failures follows it.
func TestDeliveryOfABatch(t *testing.T) {
	reports := func(names ...string) func(string) (string, string) {
		return func(batch string) (string, string) {
			var failures []string
			for _, name := range names {
				if slices.Contains(strings.Fields(batch), name) {
					failures = append(failures, fmt.Sprintf(`{"itemIdentifier":%q}`, name))
				}
			}
			return `{"batchItemFailures":[` + strings.Join(failures, ",") + `]}`, ""
		}
	}
	breaks := func(batch string) (string, string) {
		if strings.Contains(batch, "3") {
			return "{}", "Unhandled"
		}
		return "", ""
	}
	for _, c := range []struct {
		name     string
		responds func(batch string) (response, failure string)
		whole    bool // a batch is not halved
		partial  bool
		want     string
	}{
		{"all done", reports(), false, true, "1 2 3 4"},
		{"no response", func(string) (string, string) { return "null", "" }, false, true, "1 2 3 4"},
		{"some failed", reports("3", "4"), false, true, "1 2 3 4, 3 4, 3 4, given up 3 to 4 (2)"},
		{"not asked for partial responses", reports("3"), false, false, "1 2 3 4"},
		{"halves", breaks, false, true, "1 2 3 4, 1 2, 3 4, 3, 3, 3, given up 3 to 3 (1), 4"},
		{"no halves", breaks, true, true, "1 2 3 4, 1 2 3 4, 1 2 3 4, given up 1 to 4 (4)"},
		{"unknown record", func(string) (string, string) {
			return `{"batchItemFailures":[{"itemIdentifier":"9"}]}`, ""
		}, true, true, "1 2 3 4, 1 2 3 4, 1 2 3 4, given up 1 to 4 (4)"},
		{"unreadable", func(string) (string, string) { return `{"batchItemFailures":"3"}`, "" }, true, true,
			"1 2 3 4, 1 2 3 4, 1 2 3 4, given up 1 to 4 (4)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var calls []string
			queue := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var message struct{ QueueUrl, MessageBody string }
				var body struct {
					Batch struct {
						First string `json:"startSequenceNumber"`
						Last  string `json:"endSequenceNumber"`
						Size  int    `json:"batchSize"`
						Shard string `json:"shardId"`
					} `json:"DDBStreamBatchInfo"`
				}
				if json.NewDecoder(r.Body).Decode(&message) != nil || message.QueueUrl != "its URL" ||
					json.Unmarshal([]byte(message.MessageBody), &body) != nil || body.Batch.Shard != "shard" {
					t.Errorf("%+v", message)
				}
				calls = append(calls, fmt.Sprintf("given up %s to %s (%d)", body.Batch.First, body.Batch.Last, body.Batch.Size))
				io.WriteString(w, "{}")
			}))
			defer queue.Close()
			invoke := func(_ context.Context, _ string, payload []byte) (lambda.Result, error) {
				var event struct{ Records []record }
				if err := json.Unmarshal(payload, &event); err != nil {
					t.Error(err)
				}
				batch := numbersOf(event.Records)
				calls = append(calls, batch)
				response, failure := c.responds(batch)
				return lambda.Result{Payload: []byte(response), FunctionError: failure}, nil
			}
			r := &streamReader{
				sources: &Sources{config: Config{
					Queues: (&engine.Engines{SQS: queue.URL}).Queues(), URLs: map[string]string{"dead": "its URL"}, Invoke: invoke,
					Now: time.Now,
				}},
				event: template.StreamEvent{Retries: 2, Bisect: !c.whole, PartialBatch: c.partial, OnFailure: "dead"},
			}
			r.deliver(t.Context(), "shard", recordsOf("1 2 3 4"), r.event.Retries)
			if got := strings.Join(calls, ", "); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestReadingAStream reads two shards, one the child of the other, from an engine that breaks a connection, and holds
// the order, the filter, the size of batches and the end of a shard against what the function gets.
func TestReadingAStream(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	old := []string{"order/1", "other/1", "order/2", "order/3", "order/4"}
	new := []string{"order/5"}
	broken := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ ShardId, SequenceNumber, ShardIterator string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		switch operation {
		case "DescribeTable":
			io.WriteString(w, `{"Table":{"LatestStreamArn":"arn"}}`)
		case "DescribeStream":
			io.WriteString(w, `{"StreamDescription":{"Shards":[{"ShardId":"new","ParentShardId":"old"},`+
				`{"ShardId":"old","ParentShardId":"gone"}]}}`)
		case "GetShardIterator":
			fmt.Fprintf(w, `{"ShardIterator":"%s %s"}`, in.ShardId, in.SequenceNumber)
		case "GetRecords":
			var shard, after string
			fmt.Sscan(in.ShardIterator, &shard, &after)
			keys := map[string][]string{"old": old, "new": new}[shard]
			i := slices.Index(keys, after) + 1
			if i == 3 && !broken {
				broken = true
				panic(http.ErrAbortHandler)
			}
			next := ""
			if i+1 < len(keys) || shard == "new" {
				next = fmt.Sprintf(`"NextShardIterator":"%s %s",`, shard, keys[min(i, len(keys)-1)])
			}
			records := ""
			if i < len(keys) {
				records = fmt.Sprintf(`{"dynamodb":{"Keys":{"pk":{"S":%q}},"SequenceNumber":%[1]q}}`, keys[i])
			}
			fmt.Fprintf(w, `{%s"Records":[%s]}`, next, records)
		}
	}))
	defer server.Close()
	engines := &engine.Engines{DynamoDB: server.URL}
	var calls []string
	s := &Sources{stop: stop}
	s.config = Config{
		Tables: engines.Tables(), Streams: engines.Streams(),
		Invoke: func(_ context.Context, _ string, payload []byte) (lambda.Result, error) {
			var event struct{ Records []record }
			if err := json.Unmarshal(payload, &event); err != nil || event.Records[0]["eventSourceARN"] != "of the template" {
				t.Errorf("%s, %v", payload, err)
			}
			if calls = append(calls, numbersOf(event.Records)); len(calls) == 3 {
				stop()
			}
			return lambda.Result{}, nil
		},
	}
	r := &streamReader{sources: s, event: template.StreamEvent{
		StreamARN: "of the template", BatchSize: 3, Window: time.Hour,
		Filters: []map[string]any{{"dynamodb": map[string]any{"Keys": map[string]any{
			"pk": map[string]any{"S": []any{map[string]any{"prefix": "order/"}}}}}}},
	}}
	now := time.Time{}
	s.config.Now = func() time.Time { // the window is over for the second shard, which does not end
		if len(calls) == 2 {
			now = now.Add(2 * time.Hour)
		}
		return now
	}
	s.wait.Go(func() { r.run(ctx) })
	s.wait.Wait()
	if got := strings.Join(calls, ", "); got != "order/1 order/2 order/3, order/4, order/5" {
		t.Error(got)
	}
}
