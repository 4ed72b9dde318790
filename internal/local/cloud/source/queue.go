package source

import (
	"context"
	"errors"
	"time"

	"checkout/internal/local/cloud/lambda"
)

const (
	longPoll  = 1               // seconds that a receive waits: ElasticMQ misses what becomes visible meanwhile
	perCall   = 10              // messages per request to SQS
	afterLoss = time.Second     // pause when the engine did not respond
	lastTries = 5 * time.Second // for deleting finished messages while the run ends
)

// run receives a batch only when a call of the function is allowed, so that no received message waits while its
// visibility ends.
func (p *poller) run(ctx context.Context) {
	most := p.sources.config.Most
	if p.event.MaxConcurrency > 0 {
		most = min(most, p.event.MaxConcurrency)
	}
	slots := make(chan struct{}, most)
	for ctx.Err() == nil {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		batch, err := p.receiveBatch(ctx)
		if err != nil && ctx.Err() == nil {
			p.sources.log("queue of %s: %v", p.function, err)
			sleep(ctx, afterLoss)
		}
		if len(batch) == 0 {
			<-slots
			continue
		}
		p.sources.wait.Go(func() {
			defer func() { <-slots }()
			p.deliver(ctx, batch)
		})
	}
}

// receiveBatch returns the next messages, at most a batch; with a batching window it waits for more after the first.
func (p *poller) receiveBatch(ctx context.Context) ([]message, error) {
	batch, err := p.receive(ctx, p.event.BatchSize, longPoll)
	if err != nil || len(batch) == 0 || p.event.Window == 0 {
		return batch, err
	}
	end := p.sources.config.Now().Add(p.event.Window)
	for len(batch) < p.event.BatchSize {
		left := end.Sub(p.sources.config.Now())
		if left <= 0 {
			break
		}
		window, cancel := context.WithTimeout(ctx, left)
		more, err := p.receive(window, p.event.BatchSize-len(batch), 1)
		cancel()
		if err != nil {
			break // the window is over, or the next receive reports the error
		}
		batch = append(batch, more...)
	}
	return batch, nil
}

func (p *poller) receive(ctx context.Context, most, wait int) ([]message, error) {
	var out struct{ Messages []message }
	err := p.sources.config.Queues.Call(ctx, "ReceiveMessage", map[string]any{
		"QueueUrl": p.url, "MaxNumberOfMessages": min(most, perCall), "WaitTimeSeconds": wait,
		"AttributeNames": []string{"All"}, "MessageAttributeNames": []string{"All"},
	}, &out)
	return out.Messages, err
}

// deliver calls the function and deletes the messages that it has finished. The others become visible again.
func (p *poller) deliver(ctx context.Context, batch []message) {
	payload, err := p.payload(batch)
	if err != nil {
		p.sources.log("queue of %s: %v", p.function, err)
		return
	}
	result, err := p.sources.config.Invoke(ctx, p.function, payload)
	if err != nil {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, lambda.ErrClosed) {
			p.sources.log("queue of %s: %d messages wait: %v", p.function, len(batch), err)
		}
		return
	}
	done := p.done(batch, result)
	if len(done) < len(batch) {
		p.sources.log("queue of %s: %d of %d messages failed", p.function, len(batch)-len(done), len(batch))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTries)
	defer cancel()
	for len(done) > 0 {
		some := done[:min(len(done), perCall)]
		done = done[len(some):]
		if err := p.delete(ctx, some); err != nil {
			p.sources.log("queue of %s: %v", p.function, err)
		}
	}
}

func (p *poller) delete(ctx context.Context, some []message) error {
	var entries []map[string]string
	for _, m := range some {
		entries = append(entries, map[string]string{"Id": m.MessageId, "ReceiptHandle": m.ReceiptHandle})
	}
	return p.sources.config.Queues.Call(ctx, "DeleteMessageBatch", map[string]any{"QueueUrl": p.url, "Entries": entries},
		nil)
}

func sleep(ctx context.Context, duration time.Duration) {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
