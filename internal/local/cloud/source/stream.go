package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
)

const (
	idleRead   = 250 * time.Millisecond // between two reads of a shard that has no new records, as on AWS
	newShards  = 5 * time.Second        // between two looks for new shards
	againAfter = 100 * time.Millisecond // before a batch that failed is delivered again; Lambda waits longer and longer
)

// streamReader moves the records of a table's stream to one function, those of each shard in their order.
type streamReader struct {
	sources  *Sources
	function string
	event    template.StreamEvent
	arn      string // that the engine has given to the stream
}

// record is one record as Lambda passes it on: the engine's, and the ARN of the stream.
type record map[string]any

func (r record) sequence() string {
	change, _ := r["dynamodb"].(map[string]any)
	number, _ := change["SequenceNumber"].(string)
	return number
}

// shard is one shard of a stream. Its records come after those of its parent.
type shard struct{ ShardId, ParentShardId string }

// run starts a reader of each shard, when the shard's parent is read to its end.
func (r *streamReader) run(ctx context.Context) {
	ends := map[string]chan struct{}{} // closed when the shard is read
	for ctx.Err() == nil {
		shards, err := r.shards(ctx)
		if err != nil {
			r.failed(ctx, err)
			continue
		}
		again := false
		for _, s := range shards {
			parent := ends[s.ParentShardId]
			waits := parent == nil && slices.ContainsFunc(shards, func(o shard) bool { return o.ShardId == s.ParentShardId })
			again = again || waits
			if ends[s.ShardId] != nil || waits {
				continue
			}
			end := make(chan struct{})
			ends[s.ShardId] = end
			r.sources.wait.Go(func() {
				defer close(end)
				if parent != nil {
					select {
					case <-parent:
					case <-ctx.Done():
						return
					}
				}
				r.readShard(ctx, s.ShardId)
			})
		}
		if !again {
			sleep(ctx, newShards)
		}
	}
}

func (r *streamReader) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		r.sources.log("stream of %s: %v", r.function, err)
		sleep(ctx, afterLoss)
	}
}

func (r *streamReader) shards(ctx context.Context) ([]shard, error) {
	if r.arn == "" {
		var out struct {
			Table struct{ LatestStreamArn string }
		}
		ask := map[string]any{"TableName": r.event.TableName}
		if err := r.sources.config.Tables.Call(ctx, "DescribeTable", ask, &out); err != nil {
			return nil, err
		}
		if r.arn = out.Table.LatestStreamArn; r.arn == "" {
			return nil, fmt.Errorf("the table %s was made without a stream", r.event.TableName)
		}
	}
	var all []shard
	for last := ""; ; {
		var out struct {
			StreamDescription struct {
				Shards               []shard
				LastEvaluatedShardId string
			}
		}
		ask := map[string]any{"StreamArn": r.arn}
		if last != "" {
			ask["ExclusiveStartShardId"] = last
		}
		if err := r.sources.config.Streams.Call(ctx, "DescribeStream", ask, &out); err != nil {
			return nil, err
		}
		all = append(all, out.StreamDescription.Shards...)
		if last = out.StreamDescription.LastEvaluatedShardId; last == "" {
			return all, nil
		}
	}
}

// readShard delivers the records of a shard until its end. A batch waits until it is full, at most for the window.
func (r *streamReader) readShard(ctx context.Context, id string) {
	iterator, last := "", ""
	var batch []record
	var since time.Time // when the batch got its first record
	for ctx.Err() == nil {
		var out struct {
			Records           []record
			NextShardIterator string
		}
		err := error(nil)
		if iterator == "" {
			iterator, err = r.iterator(ctx, id, last)
		}
		if err == nil {
			ask := map[string]any{"ShardIterator": iterator, "Limit": min(r.event.BatchSize-len(batch), 1000)}
			err = r.sources.config.Streams.Call(ctx, "GetRecords", ask, &out)
		}
		if err != nil {
			iterator = ""
			r.failed(ctx, err)
			continue
		}
		if len(batch) == 0 {
			since = r.sources.config.Now()
		}
		for _, one := range out.Records {
			last = one.sequence()
			if r.fits(one) {
				one["eventSourceARN"] = r.event.StreamARN
				batch = append(batch, one)
			}
		}
		iterator = out.NextShardIterator
		waited := r.sources.config.Now().Sub(since) >= r.event.Window
		if len(batch) == r.event.BatchSize || len(batch) > 0 && (waited || iterator == "") {
			r.deliver(ctx, id, batch, r.event.Retries)
			batch = nil
		}
		if iterator == "" {
			return
		}
		if len(out.Records) == 0 {
			sleep(ctx, idleRead)
		}
	}
}

// iterator is a place in a shard: after a record, or at the oldest one.
func (r *streamReader) iterator(ctx context.Context, id, last string) (string, error) {
	ask := map[string]any{"StreamArn": r.arn, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"}
	if last != "" {
		ask["ShardIteratorType"], ask["SequenceNumber"] = "AFTER_SEQUENCE_NUMBER", last
	}
	var out struct{ ShardIterator string }
	err := r.sources.config.Streams.Call(ctx, "GetShardIterator", ask, &out)
	return out.ShardIterator, err
}

func (r *streamReader) fits(one record) bool {
	return len(r.event.Filters) == 0 || slices.ContainsFunc(r.event.Filters,
		func(pattern map[string]any) bool { return template.Fits(pattern, one) })
}

// deliver calls the function until it has done the whole batch, or until the retries are used up. A function that
// fails as a whole gets halves, without a retry being counted.
func (r *streamReader) deliver(ctx context.Context, shard string, batch []record, retries int) {
	for ctx.Err() == nil {
		done, err := r.call(ctx, batch)
		switch {
		case errors.Is(err, lambda.ErrClosed), ctx.Err() != nil:
			return
		case err != nil: // it was not called
			r.failed(ctx, err)
			continue
		case done == len(batch):
			return
		case done < 0 && r.event.Bisect && len(batch) > 1:
			r.deliver(ctx, shard, batch[:len(batch)/2], retries)
			r.deliver(ctx, shard, batch[len(batch)/2:], retries)
			return
		}
		batch = batch[max(done, 0):]
		r.sources.log("stream of %s: %d records failed", r.function, len(batch))
		if retries--; retries < 0 {
			r.giveUp(ctx, shard, batch)
			return
		}
		sleep(ctx, againAfter)
	}
}

// call calls the function once. It returns how many records come before the first that failed, or -1 if the function
// failed as a whole.
func (r *streamReader) call(ctx context.Context, batch []record) (done int, err error) {
	payload, err := json.Marshal(map[string]any{"Records": batch})
	if err != nil {
		return 0, err
	}
	result, err := r.sources.config.Invoke(ctx, r.function, payload)
	if err != nil {
		return 0, err
	}
	return r.done(batch, result), nil
}

// done reads the response of a function: with partial responses the first record that it names failed, and all that
// come after it. A response that can't be read, or names a record that was not in the batch, fails the whole batch.
func (r *streamReader) done(batch []record, result lambda.Result) int {
	if result.FunctionError != "" {
		return -1
	}
	response := bytes.TrimSpace(result.Payload)
	if !r.event.PartialBatch || len(response) == 0 || bytes.Equal(response, []byte("null")) {
		return len(batch)
	}
	var out events.DynamoDBEventResponse
	if json.Unmarshal(response, &out) != nil {
		return -1
	}
	first := len(batch)
	for _, failed := range out.BatchItemFailures {
		i := slices.IndexFunc(batch, func(one record) bool { return one.sequence() == failed.ItemIdentifier })
		if i < 0 {
			return -1
		}
		first = min(first, i)
	}
	return first
}

// giveUp tells the queue for failures which records were not done, without their content, and goes on.
func (r *streamReader) giveUp(ctx context.Context, shard string, batch []record) {
	if r.event.OnFailure == "" {
		return
	}
	body, err := json.Marshal(map[string]any{
		"requestContext": map[string]any{"condition": "RetryAttemptsExhausted"}, "version": "1.0",
		"timestamp": r.sources.config.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		"DDBStreamBatchInfo": map[string]any{
			"shardId": shard, "startSequenceNumber": batch[0].sequence(), "streamArn": r.event.StreamARN,
			"endSequenceNumber": batch[len(batch)-1].sequence(), "batchSize": len(batch),
		},
	})
	if err == nil {
		url := r.sources.config.URLs[r.event.OnFailure]
		err = r.sources.config.Queues.Call(ctx, "SendMessage", map[string]any{"QueueUrl": url, "MessageBody": string(body)},
			nil)
	}
	if err != nil {
		r.sources.log("stream of %s: %v", r.function, err)
	}
}
