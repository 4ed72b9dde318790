package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/metric"
	"checkout/internal/store"
	"checkout/internal/worker/sweep"
)

// JobBatches sends messages to the connector function, many at once.
type JobBatches interface {
	// SendJobs sends at most ten messages, the limit of SQS, all of the same mode, in one request and without a delay.
	// refused is the number of messages that the queue did not accept.
	SendJobs(ctx context.Context, messages []payment.JobMessage) (refused int, err error)
}

// Sweeper sends again what is due. NewSweeper makes one.
type Sweeper struct {
	core      *checkout.Core
	jobs      JobBatches
	callbacks callback.Queue
	keys      card.KeyCache

	Maker card.KeyMaker
}

// NewSweeper makes a sweeper, which also makes the keys of the day.
func NewSweeper(core *checkout.Core, jobs JobBatches, callbacks callback.Queue, maker card.KeyMaker) *Sweeper {
	return &Sweeper{core: core, jobs: jobs, callbacks: callbacks, Maker: maker}
}

// Sweep rotates the day keys and sends everything that is due to its queue again. Once an hour it measures how many
// payments wait for a person.
func (s *Sweeper) Sweep(ctx context.Context) error {
	now := s.core.Now()
	err := s.RotateDayKeys(ctx)
	err = errors.Join(err, sweep.Sweep{Meter: s.core.Meter(), Store: s.core.Store, Send: s.sendDue}.Run(ctx))
	if now.Minute() == 0 {
		err = errors.Join(err, s.measureWaiting(ctx, now))
	}
	return err
}

// RotateDayKeys makes the keys that browsers encrypt cards to, and deletes old ones.
func (s *Sweeper) RotateDayKeys(ctx context.Context) error {
	return card.Keys{Store: s.core.Store, Cache: &s.keys}.RotateDayKeys(ctx, s.core.Now(), s.Maker)
}

// sendDue sends messages for due documents of a kind, of payments with the live or the test key.
func (s *Sweeper) sendDue(
	ctx context.Context, kind store.DueKind, test bool, batch []sweep.Due,
) (refused int, err error) {
	switch kind {
	case store.DueCallback:
		messages := make([]callback.Message, len(batch))
		for i, d := range batch {
			messages[i] = callback.Message{PaymentID: d.PaymentID, Seq: d.Seq, Test: test}
		}
		return s.callbacks.SendCallbacks(ctx, messages)
	case store.DueChain:
		messages := make([]payment.JobMessage, len(batch))
		for i, d := range batch {
			messages[i] = payment.JobMessage{PaymentID: d.PaymentID, Chain: true, Test: test}
		}
		return s.jobs.SendJobs(ctx, messages)
	}
	return s.sendDueJobs(ctx, test, batch)
}

// sendDueJobs sends jobs to the queue for slow providers: most are looked up, and what is due in vain waits there.
func (s *Sweeper) sendDueJobs(ctx context.Context, test bool, batch []sweep.Due) (refused int, err error) {
	messages := make([]payment.JobMessage, len(batch))
	for i, d := range batch {
		messages[i] = payment.JobMessage{PaymentID: d.PaymentID, Test: test, Slow: true}
	}
	return s.jobs.SendJobs(ctx, messages)
}

// maxMeasured is the most entries of each shard that are counted.
const maxMeasured = 1000

// measureWaiting measures how many payments with a live key wait for a person.
func (s *Sweeper) measureWaiting(ctx context.Context, now time.Time) error {
	waiting := 0
	for shard := range store.DuePerson.Shards() {
		query := store.DueQuery{Kind: store.DuePerson, Shard: shard, Limit: maxMeasured}
		entries, err := s.core.Store.Due(ctx, now, query)
		if err != nil {
			return fmt.Errorf("count payments that wait: %w", err)
		}
		waiting += len(entries)
	}
	s.core.Measure(ctx, metric.Line{Message: "payments that wait for a person",
		Metrics: []metric.Metric{{Name: "waiting_for_person", Unit: "Count", Value: int64(waiting)}}})
	return nil
}
